//! The lines of a calendar that matter here, unfolded, and the components that they are of. All others are skipped as bytes
//! and never become text.

use std::borrow::Cow;
use std::io::BufRead as _;

use chrono::NaiveDate;

use super::super::super::boundary::day_number;
use super::reading::{DAY, IcsError, Notes, Unplaced, UnplacedReason};

/// The allow-list. Its names are all of a calendar that a message may show.
const PROPERTIES: [&str; 19] = [
    "DTSTART",
    "DTEND",
    "UID",
    "BEGIN",
    "END",
    "STATUS",
    "TRANSP",
    "X-MICROSOFT-CDO-BUSYSTATUS",
    "RRULE",
    "EXDATE",
    "RECURRENCE-ID",
    "DURATION",
    "RDATE",
    "EXRULE",
    "FREEBUSY",
    "TZID",
    "TZOFFSETFROM",
    "TZOFFSETTO",
    "X-WR-TIMEZONE",
];
const LONGEST_NAME: usize = 26;
/// Of a longer line nothing but its name is read.
const LONGEST_LINE: usize = 64 << 10;

pub(super) struct ContentLine<'a> {
    pub(super) number: u32,
    pub(super) calendar: u32,
    pub(super) property: &'static str,
    text: Cow<'a, [u8]>,
    colon: Option<usize>,
}

impl<'a> ContentLine<'a> {
    fn of(number: u32, calendar: u32, text: Cow<'a, [u8]>) -> Option<Self> {
        let end = text.iter().take(LONGEST_NAME + 1).position(|byte| matches!(byte, b':' | b';'))?;
        let name = &text[..end];
        let property = *PROPERTIES.iter().find(|known| name.eq_ignore_ascii_case(known.as_bytes()))?;
        let text = if text.len() > LONGEST_LINE { Cow::default() } else { text };
        let mut is_quoted = false;
        let is_colon = |&byte: &u8| {
            is_quoted ^= byte == b'"';
            byte == b':' && !is_quoted
        };
        let colon = match property {
            // Of text, a colon may be part.
            "UID" | "TZID" | "X-WR-TIMEZONE" => text.iter().position(is_colon),
            _ if text.get(end) == Some(&b':') => Some(end),
            // Outlook writes `TZID=(UTC-05:00) …` without quotes.
            _ => text.iter().rposition(|&byte| byte == b':'),
        };
        Some(Self { number, calendar, property, text, colon })
    }

    /// Empty for a line without a value, and for one that is too long.
    pub(super) fn value(&self) -> &[u8] {
        self.colon.map_or(&[], |colon| self.text[colon + 1..].trim_ascii())
    }

    pub(super) fn is(&self, value: &str) -> bool {
        self.value().eq_ignore_ascii_case(value.as_bytes())
    }

    pub(super) fn fault(&self, reason: UnplacedReason) -> Unplaced {
        Unplaced { line: self.number, property: self.property, reason }
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &[u8]> {
        self.value().split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
    }

    pub(super) fn parameter(&self, wanted: &str) -> Option<&[u8]> {
        let mut is_quoted = false;
        let mut parameters = self.text[..self.colon?].split(|&byte| {
            is_quoted ^= byte == b'"';
            byte == b';' && !is_quoted
        });
        parameters.find_map(|parameter| {
            let (name, value) = halves(parameter, b'=')?;
            let value = value.strip_prefix(b"\"").unwrap_or(value);
            let value = value.strip_suffix(b"\"").unwrap_or(value).trim_ascii();
            name.eq_ignore_ascii_case(wanted.as_bytes()).then_some(value)
        })
    }
}

/// The kept lines of a whole text: one calendar, or several in a row.
pub(super) fn lines(text: &[u8]) -> Result<Vec<ContentLine<'_>>, IcsError> {
    let mut rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let (mut lines, mut next, mut calendar, mut is_inside) = (Vec::new(), 1, 0, false);
    while !rest.is_empty() {
        let number = next;
        let text = unfolded(&mut rest, &mut next);
        let may_be_skipped = is_inside || text.trim_ascii().is_empty();
        let Some(mut line) = ContentLine::of(number, calendar, text) else {
            if may_be_skipped {
                continue;
            }
            return Err(IcsError::NotCalendar);
        };
        if line.property == "BEGIN" && line.is("VCALENDAR") {
            (calendar, is_inside) = (calendar + 1, true);
            line.calendar = calendar;
        }
        if !is_inside {
            return Err(IcsError::NotCalendar);
        }
        is_inside = !(line.property == "END" && line.is("VCALENDAR"));
        lines.push(line);
    }
    match lines.is_empty() {
        _ if is_inside => Err(IcsError::CutOff),
        true => Err(IcsError::NotCalendar),
        false => Ok(lines),
    }
}

/// Takes the first line with those that continue it, and counts them.
fn unfolded<'a>(rest: &mut &'a [u8], next: &mut u32) -> Cow<'a, [u8]> {
    let mut line = Cow::Borrowed(first_line(rest, next));
    while let Some(b' ' | b'\t') = rest.first() {
        line.to_mut().extend_from_slice(&first_line(rest, next)[1..]);
    }
    line
}

fn first_line<'a>(rest: &mut &'a [u8], next: &mut u32) -> &'a [u8] {
    let all = *rest;
    // Reading from memory never fails, and this searches many bytes at once.
    let length = rest.skip_until(b'\n').unwrap_or(all.len());
    *next += 1;
    let mut line = &all[..length];
    while let [shorter @ .., b'\r' | b'\n'] = line {
        line = shorter;
    }
    line
}

pub(super) fn halves(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&byte| byte == separator)?;
    Some((text[..at].trim_ascii(), text[at + 1..].trim_ascii()))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Date,
    Floating,
    Utc,
}

/// A date, or a date and time, in seconds of its own clock since 1970.
pub(super) fn local_time(text: &[u8]) -> Option<(i64, Form)> {
    let part = |from: usize, to: usize| number(text.get(from..to)?);
    let date = NaiveDate::from_ymd_opt(i32::try_from(part(0, 4)?).ok()?, part(4, 6)?, part(6, 8)?)?;
    let form = match text.get(8..)? {
        [] => return Some((day_number(date) * DAY, Form::Date)),
        [b'T' | b't', _, _, _, _, _, _] => Form::Floating,
        [b'T' | b't', _, _, _, _, _, _, b'Z' | b'z'] => Form::Utc,
        _ => return None,
    };
    let (hour, minute, second) = (part(9, 11)?, part(11, 13)?, part(13, 15)?);
    // A leap second is the one before it.
    let time = i64::from(hour * 3_600 + minute * 60 + second.min(59));
    (hour < 24 && minute < 60 && second < 61).then(|| (day_number(date) * DAY + time, form))
}

/// A DURATION: the seconds of its weeks and days, which are the clock's, and those of its time, which elapse.
pub(super) fn duration(text: &[u8]) -> Option<(i64, i64)> {
    let text = text.to_ascii_uppercase();
    let (sign, text) = sign_of(&text);
    let text = text.strip_prefix(b"P").filter(|rest| !rest.is_empty() && !rest.ends_with(b"T"))?;
    let (days, time) = halves(text, b'T').unwrap_or((text, b""));
    let sum = |mut rest: &[u8], units: &[(u8, i64)]| {
        let mut sum = 0;
        while let Some(end) = rest.iter().position(|byte| !byte.is_ascii_digit()) {
            let (_, seconds) = units.iter().find(|(unit, _)| *unit == rest[end])?;
            sum += i64::from(number(&rest[..end])?) * seconds;
            rest = &rest[end + 1..];
        }
        rest.is_empty().then_some(sign * sum)
    };
    Some((sum(days, &[(b'W', 7 * DAY), (b'D', DAY)])?, sum(time, &[(b'H', 3_600), (b'M', 60), (b'S', 1)])?))
}

pub(super) fn sign_of(text: &[u8]) -> (i64, &[u8]) {
    match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    }
}

/// A number of digits alone, at most eight.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    let is_number = (1..=8).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| digits.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
}

/// Components in components; VALARM is the third.
const DEEPEST: usize = 16;

pub(super) struct Component<'a> {
    /// Of [`KNOWN`], or [`OTHER`].
    pub(super) name: &'static str,
    pub(super) begin: &'a ContentLine<'a>,
    pub(super) lines: Vec<&'a ContentLine<'a>>,
}

impl<'a> Component<'a> {
    pub(super) fn all(&self, property: &'static str) -> impl DoubleEndedIterator<Item = &'a ContentLine<'a>> {
        self.lines.iter().copied().filter(move |line| line.property == property)
    }

    pub(super) fn items(
        &self,
        property: &'static str,
    ) -> impl Iterator<Item = (&'a ContentLine<'a>, &'a [u8])> {
        self.all(property).flat_map(|line| line.items().map(move |item| (line, item)))
    }

    pub(super) fn value(&self, property: &'static str) -> Option<&'a [u8]> {
        Some(self.all(property).next()?.value())
    }
}

/// The components that matter, and in which they stand.
const KNOWN: [(&str, &str); 6] = [
    ("VEVENT", "VCALENDAR"),
    ("VCALENDAR", NONE),
    ("VFREEBUSY", "VCALENDAR"),
    ("VTIMEZONE", "VCALENDAR"),
    ("STANDARD", "VTIMEZONE"),
    ("DAYLIGHT", "VTIMEZONE"),
];
const OTHER: &str = "another";
const NONE: &str = "none";

#[derive(Default)]
pub(super) struct Components<'a> {
    /// VEVENT and VFREEBUSY.
    pub(super) events: Vec<Component<'a>>,
    /// Each VTIMEZONE with its observances.
    pub(super) zones: Vec<(Component<'a>, Vec<Component<'a>>)>,
    pub(super) default_zones: Vec<&'a ContentLine<'a>>,
    pub(super) others: usize,
    pub(super) notes: Notes,
    open: Vec<Component<'a>>,
    observances: Vec<Component<'a>>,
}

impl<'a> Components<'a> {
    pub(super) fn of(lines: &'a [ContentLine<'a>]) -> Self {
        let mut found = Self::default();
        for line in lines {
            match line.property {
                "BEGIN" => found.begin(line),
                "END" => found.end(line),
                _ => {
                    if let Some(component) = found.open.last_mut() {
                        component.lines.push(line);
                    }
                }
            }
        }
        found
    }

    fn top(&self) -> &'static str {
        self.open.last().map_or(NONE, |component| component.name)
    }

    fn begin(&mut self, begin: &'a ContentLine<'a>) {
        let is_known = |(name, parent): &&(&str, &str)| {
            begin.is(name) && (*parent != "VTIMEZONE" || self.top() == "VTIMEZONE")
        };
        let (name, parent) = *KNOWN.iter().find(is_known).unwrap_or(&(OTHER, self.top()));
        if self.top() != parent || self.open.len() >= DEEPEST {
            self.notes.add(begin.fault(UnplacedReason::Structure));
            if name == OTHER {
                return;
            }
            // What was open has no END; this belongs to the calendar.
            while !self.open.is_empty() && self.top() != parent {
                self.finish();
            }
        }
        self.others += usize::from((name, parent) == (OTHER, "VCALENDAR"));
        self.open.push(Component { name, begin, lines: Vec::new() });
    }

    fn end(&mut self, end: &ContentLine<'_>) {
        let is_its = |open: &Component<'_>| open.begin.value().eq_ignore_ascii_case(end.value());
        let depth = self.open.iter().rposition(is_its);
        if depth.is_none_or(|depth| depth + 1 < self.open.len()) {
            self.notes.add(end.fault(UnplacedReason::Structure));
        }
        while depth.is_some_and(|depth| self.open.len() > depth) {
            self.finish();
        }
    }

    fn finish(&mut self) {
        let Some(component) = self.open.pop() else { return };
        match component.name {
            "VCALENDAR" => self.default_zones.extend(component.all("X-WR-TIMEZONE")),
            "VEVENT" | "VFREEBUSY" => self.events.push(component),
            "VTIMEZONE" => self.zones.push((component, std::mem::take(&mut self.observances))),
            "STANDARD" | "DAYLIGHT" => self.observances.push(component),
            _ => {}
        }
    }
}

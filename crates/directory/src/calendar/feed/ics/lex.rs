//! The lines of a calendar that matter here, unfolded. All others are skipped as bytes and never become text.

use std::io::BufRead as _;

use chrono::NaiveDate;

use super::super::super::boundary::day_number;
use super::{DAY, IcsError};

/// The longest name of a [`Property`].
const LONGEST_NAME: usize = 26;

macro_rules! properties {
    ($($property:ident = $name:literal,)*) => {
        /// The allow-list. Its names are all of a calendar that a message may show.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(super) enum Property { $($property,)* }

        impl Property {
            fn of(name: &[u8]) -> Option<Self> {
                let mut upper = [0; LONGEST_NAME];
                let upper = upper.get_mut(..name.len())?;
                upper.copy_from_slice(name);
                upper.make_ascii_uppercase();
                $(if upper == $name.as_bytes() { return Some(Self::$property); })*
                None
            }

            pub(super) fn name(self) -> &'static str {
                match self { $(Self::$property => $name,)* }
            }
        }
    };
}

properties! {
    Start = "DTSTART",
    End = "DTEND",
    Uid = "UID",
    Opening = "BEGIN",
    Closing = "END",
    Status = "STATUS",
    Transparency = "TRANSP",
    ShownAs = "X-MICROSOFT-CDO-BUSYSTATUS",
    Rule = "RRULE",
    Except = "EXDATE",
    Replaced = "RECURRENCE-ID",
    Length = "DURATION",
    Dates = "RDATE",
    ExceptRule = "EXRULE",
    FreeBusy = "FREEBUSY",
    ZoneName = "TZID",
    OffsetFrom = "TZOFFSETFROM",
    OffsetTo = "TZOFFSETTO",
    DefaultZone = "X-WR-TIMEZONE",
}

#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: u32,
    pub(super) property: Property,
    parameters: &'a [u8],
    /// None for a line without a value, and for one that is too long.
    pub(super) value: Option<&'a [u8]>,
}

impl<'a> Line<'a> {
    /// The value of a parameter, without quotes.
    pub(super) fn parameter(&self, wanted: &str) -> Option<&'a [u8]> {
        let mut is_quoted = false;
        let parameters = self.parameters.split(|&byte| {
            is_quoted ^= byte == b'"';
            byte == b';' && !is_quoted
        });
        for parameter in parameters {
            if let Some(at) = parameter.iter().position(|&byte| byte == b'=')
                && parameter[..at].eq_ignore_ascii_case(wanted.as_bytes())
            {
                let value = parameter[at + 1..].trim_ascii();
                let value = value.strip_prefix(b"\"").unwrap_or(value);
                return Some(value.strip_suffix(b"\"").unwrap_or(value).trim_ascii());
            }
        }
        None
    }
}

/// Where a kept line stands in [`Kept::bytes`]: after its name, its colon, and its end.
struct Place {
    number: u32,
    property: Property,
    from: usize,
    colon: Option<usize>,
    to: usize,
}

/// The kept lines of a whole text: one calendar, or several in a row.
pub(super) struct Kept {
    bytes: Vec<u8>,
    places: Vec<Place>,
}

impl Kept {
    pub(super) fn of(text: &[u8], longest: usize) -> Result<Self, IcsError> {
        let mut rest = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        let mut kept = Self { bytes: Vec::with_capacity(text.len() / 4), places: Vec::new() };
        let (mut next, mut unfolded, mut is_inside) = (1, Vec::new(), false);
        while !rest.is_empty() {
            let number = next;
            let mut line = first_line(&mut rest);
            next += 1;
            if is_continued(rest) {
                // A name may be folded too.
                let is_wanted =
                    name(line).map_or(line.len() <= LONGEST_NAME, |name| Property::of(name).is_some());
                unfolded.clear();
                unfolded.extend_from_slice(&line[..line.len().min(longest + 1)]);
                while is_continued(rest) {
                    let more = &first_line(&mut rest)[1..];
                    next += 1;
                    if is_wanted {
                        let room = (longest + 1).saturating_sub(unfolded.len());
                        unfolded.extend_from_slice(&more[..more.len().min(room)]);
                    }
                }
                line = &unfolded;
            }
            let Some(property) = name(line).and_then(Property::of) else {
                if !is_inside && !line.trim_ascii().is_empty() {
                    return Err(IcsError::NotCalendar);
                }
                continue;
            };
            kept.keep(number, property, line, longest);
            let value = kept.places.last().and_then(|place| kept.line(place).value);
            let is_calendar = value.is_some_and(|value| value.eq_ignore_ascii_case(b"VCALENDAR"));
            match property {
                Property::Opening if is_calendar => is_inside = true,
                _ if !is_inside => return Err(IcsError::NotCalendar),
                Property::Closing if is_calendar => is_inside = false,
                _ => {}
            }
        }
        match kept.places.is_empty() {
            _ if is_inside => Err(IcsError::CutOff),
            true => Err(IcsError::NotCalendar),
            false => Ok(kept),
        }
    }

    fn keep(&mut self, number: u32, property: Property, line: &[u8], longest: usize) {
        let content = if line.len() > longest { &[] } else { &line[property.name().len()..] };
        let mut is_quoted = false;
        let is_colon = |byte: &u8| {
            is_quoted ^= *byte == b'"';
            *byte == b':' && !is_quoted
        };
        let colon = match (content.first(), property) {
            (Some(b':'), _) => Some(0),
            // Of text, a colon may be part.
            (_, Property::Uid | Property::ZoneName | Property::DefaultZone) => {
                content.iter().position(is_colon)
            }
            // Outlook writes `TZID=(UTC-05:00) …` without quotes.
            _ => content.iter().rposition(|&byte| byte == b':'),
        };
        let from = self.bytes.len();
        self.bytes.extend_from_slice(content);
        let (colon, to) = (colon.map(|colon| from + colon), self.bytes.len());
        self.places.push(Place { number, property, from, colon, to });
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.places.iter().map(|place| self.line(place))
    }

    fn line(&self, &Place { number, property, from, colon, to }: &Place) -> Line<'_> {
        let parameters = colon.map_or(&[][..], |colon| &self.bytes[from..colon]);
        let value = colon.map(|colon| self.bytes[colon + 1..to].trim_ascii());
        Line { number, property, parameters, value }
    }
}

/// Takes the first line without its break.
fn first_line<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let all = *rest;
    // Reading from memory never fails, and this searches many bytes at once.
    let length = rest.skip_until(b'\n').unwrap_or(all.len());
    let mut line = &all[..length];
    while let [shorter @ .., b'\r' | b'\n'] = line {
        line = shorter;
    }
    line
}

fn is_continued(rest: &[u8]) -> bool {
    matches!(rest.first(), Some(b' ' | b'\t'))
}

/// The name of a line that has an end within the names that are known.
fn name(line: &[u8]) -> Option<&[u8]> {
    let start = &line[..line.len().min(LONGEST_NAME + 1)];
    start.iter().position(|byte| matches!(byte, b':' | b';')).map(|end| &line[..end])
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Date,
    Floating,
    Utc,
}

/// A date, or a date and time, in seconds of its own clock since 1970.
pub(super) fn local_time(text: &[u8]) -> Option<(i64, Form)> {
    let day = day_number(NaiveDate::from_ymd_opt(
        i32::try_from(number(text.get(..4)?)?).ok()?,
        number(text.get(4..6)?)?,
        number(text.get(6..8)?)?,
    )?);
    let (time, form) = match text.len() {
        8 => return Some((day * DAY, Form::Date)),
        15 => (&text[8..], Form::Floating),
        16 if text[15].eq_ignore_ascii_case(&b'Z') => (&text[8..15], Form::Utc),
        _ => return None,
    };
    let (hour, minute, second) = (number(&time[1..3])?, number(&time[3..5])?, number(&time[5..7])?);
    if !time[0].eq_ignore_ascii_case(&b'T') || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // A leap second is the one before it.
    Some((day * DAY + i64::from(hour * 3_600 + minute * 60 + second.min(59)), form))
}

/// A DURATION: the seconds of its weeks and days, which are the clock's, and those of its time, which elapse.
pub(super) fn duration(text: &[u8]) -> Option<(i64, i64)> {
    let text = text.to_ascii_uppercase();
    let (sign, text) = sign_of(&text);
    let (mut days, mut seconds, mut is_time) = (0, 0, false);
    let mut rest = text.strip_prefix(b"P").filter(|rest| !rest.is_empty())?;
    while let Some(end) = rest.iter().position(|byte| !byte.is_ascii_digit()) {
        let (unit, count) = (rest[end], number(&rest[..end]).map(i64::from));
        rest = &rest[end + 1..];
        match (unit, is_time) {
            (b'T', false) if end == 0 && !rest.is_empty() => is_time = true,
            (b'W', false) => days += count? * 7 * DAY,
            (b'D', false) => days += count? * DAY,
            (b'H', true) => seconds += count? * 3_600,
            (b'M', true) => seconds += count? * 60,
            (b'S', true) => seconds += count?,
            _ => return None,
        }
    }
    rest.is_empty().then_some((sign * days, sign * seconds))
}

/// The sign before a number, and the rest.
pub(super) fn sign_of(text: &[u8]) -> (i64, &[u8]) {
    match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    }
}

/// A number of digits alone, at most eight.
pub(super) fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    digits
        .iter()
        .try_fold(0, |sum, &digit| digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0')))
}

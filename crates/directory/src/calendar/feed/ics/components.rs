//! The components of a text, each with its own lines.

use super::lex::ContentLine;
use super::reading::{Notes, UnplacedReason};

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

    /// The values of lines that list them, each with its line.
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
    /// X-WR-TIMEZONE.
    pub(super) default_zones: Vec<&'a ContentLine<'a>>,
    /// The number of all others.
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

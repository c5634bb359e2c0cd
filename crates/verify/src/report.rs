use std::fmt;
use std::io::{self, Write};

use directory::told::count;
use directory::visible;

const MAX_LINES_OF_A_KIND: usize = 3;
/// The characters of a text from outside that are shown.
const MAX_CHARACTERS: usize = 80;

pub(super) const OTHER_OPENINGS: &str = "these aren't the open slots of this search: check that no cache ignores the query, \
     and that live has this content; if live reads a feed, verify with --with-feed";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// Such as `status`, `body` or a header's name. Many of one kind share a line.
    pub(super) what: &'static str,
    /// Such as `GET /v1/states`.
    pub(super) request: String,
    pub(super) expected: String,
    pub(super) found: String,
    pub(super) advice: &'static str,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, expected, found, advice, .. } = self;
        write!(formatter, "{request}: expected {expected}, but found {found}: {advice}")
    }
}

#[derive(Debug, Default)]
pub struct Findings {
    pub(super) requests: usize,
    pub(super) differences: Vec<Difference>,
    pub(super) notes: Vec<String>,
}

impl Findings {
    pub fn is_match(&self) -> bool {
        self.differences.is_empty()
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.requests += other.requests;
        self.differences.append(&mut other.differences);
        self.notes.append(&mut other.notes);
    }

    pub fn print(&self, out: &mut impl Write, host: &str, generation: &str) -> io::Result<()> {
        if !self.is_match() && self.differences.iter().all(|found| found.advice == OTHER_OPENINGS) {
            writeln!(
                out,
                "Only openings differ. If the service reads calendars or a feed, verify with --with-feed."
            )?;
        }
        for group in self.groups() {
            match group.as_slice() {
                [first, ..] if group.len() > MAX_LINES_OF_A_KIND => {
                    writeln!(out, "{} × {}, e.g. {first}", group.len(), first.what)?;
                }
                few => few.iter().try_for_each(|difference| writeln!(out, "{difference}"))?,
            }
        }
        for note in &self.notes {
            writeln!(out, "note: {note}")?;
        }
        let requests = count(self.requests, "request");
        match self.differences.len() {
            0 => writeln!(out, "{host} matches its content: {requests}, generation {generation}"),
            number => {
                let differences = count(number, "difference");
                writeln!(out, "{host}: {differences} in {requests}, from generation {generation}")
            }
        }
    }

    /// By kind and advice, in the order in which they were found.
    fn groups(&self) -> Vec<Vec<&Difference>> {
        let mut groups: Vec<Vec<&Difference>> = Vec::new();
        for difference in &self.differences {
            let key = (difference.what, difference.advice);
            match groups.iter_mut().find(|group| (group[0].what, group[0].advice) == key) {
                Some(group) => group.push(difference),
                None => groups.push(vec![difference]),
            }
        }
        groups
    }
}

/// Makes a text from outside fit a line.
pub(super) fn shown(text: &str) -> String {
    let beginning: String = text.chars().take(MAX_CHARACTERS).collect();
    let more = if beginning.len() < text.len() { "…" } else { "" };
    format!("{}{more}", visible::line(&beginning))
}

/// A character has at most four bytes.
pub(super) fn beginning(bytes: &[u8]) -> String {
    shown(&String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_CHARACTERS * 4)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(what: &'static str, request: &str) -> Difference {
        let (request, expected, found) = (request.to_owned(), "this".to_owned(), "that".to_owned());
        Difference { what, request, expected, found, advice: "correct it" }
    }

    #[test]
    fn other_openings_alone_are_said_first() {
        let first_line = |differences: Vec<Difference>| {
            let mut out = Vec::new();
            let findings = Findings { requests: 9, differences, notes: Vec::new() };
            findings.print(&mut out, "https://host.example", "abc").unwrap();
            String::from_utf8(out).unwrap().lines().next().unwrap().to_owned()
        };
        let of_openings = Difference { advice: OTHER_OPENINGS, ..difference("body", "GET /v1/availability") };
        assert!(first_line(vec![of_openings.clone()]).starts_with("Only openings differ."));
        assert!(first_line(vec![of_openings, difference("status", "GET /v1/states")]).starts_with("GET "));
    }

    #[test]
    fn many_differences_of_one_kind_share_a_line_and_few_do_not() {
        let mut differences: Vec<_> =
            (0..4).map(|nth| difference("cache-control", &format!("GET /{nth}"))).collect();
        differences.extend((0..3).map(|nth| difference("status", &format!("GET /s{nth}"))));
        let findings = Findings { requests: 9, differences, notes: Vec::new() };
        let mut out = Vec::new();
        findings.print(&mut out, "https://host.example", "abc").unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(lines[0], "4 × cache-control, e.g. GET /0: expected this, but found that: correct it");
        assert!(lines[1].starts_with("GET /s0: ") && lines[3].starts_with("GET /s2: "), "{text}");
        assert_eq!(lines[4], "https://host.example: 7 differences in 9 requests, from generation abc");
    }
}

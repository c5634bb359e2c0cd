//! What was found, for people and for programs.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};

/// More differences of one kind than this share a line.
const FEW: usize = 3;

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// What differs, in a word or two: `status`, `body`, a header's name.
    pub(super) what: &'static str,
    /// The request, such as `GET /v1/states`.
    pub(super) asked: String,
    pub(super) expected: String,
    pub(super) came: String,
    /// What to do.
    pub(super) advice: &'static str,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, expected, came, advice, .. } = self;
        write!(formatter, "{asked}: expected {expected}, but {came} came: {advice}")
    }
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// How many requests were made.
    pub(super) requests: usize,
    pub(super) differences: Vec<Difference>,
    /// What a person should know, and is no fault.
    pub(super) notes: Vec<String>,
}

impl Findings {
    pub(super) fn add(&mut self, mut other: Self) {
        self.requests += other.requests;
        self.differences.append(&mut other.differences);
        self.notes.append(&mut other.notes);
    }

    /// The findings as lines; the last one sums them up.
    pub(super) fn tell(&self, out: &mut impl Write, host: &str, generation: &str) -> io::Result<()> {
        for group in self.groups() {
            match group.as_slice() {
                [first, ..] if group.len() > FEW => {
                    writeln!(out, "{} × {}, e.g. {first}", group.len(), first.what)?;
                }
                few => few.iter().try_for_each(|difference| writeln!(out, "{difference}"))?,
            }
        }
        for note in &self.notes {
            writeln!(out, "note: {note}")?;
        }
        let requests = self.requests;
        match self.differences.len() {
            0 => writeln!(out, "{host} is as it should be: {requests} requests, generation {generation}"),
            number => {
                let s = if number == 1 { "" } else { "s" };
                writeln!(
                    out,
                    "{host}: {number} difference{s} in {requests} requests, from generation {generation}"
                )
            }
        }
    }

    /// The differences of one kind and one remedy together, in the order of the first of each.
    fn groups(&self) -> Vec<Vec<&Difference>> {
        let mut groups: Vec<Vec<&Difference>> = Vec::new();
        for difference in &self.differences {
            let is_like = |group: &&mut Vec<&Difference>| {
                let first = group.first().map(|first| (first.what, first.advice));
                first == Some((difference.what, difference.advice))
            };
            match groups.iter_mut().find(is_like) {
                Some(group) => group.push(difference),
                None => groups.push(vec![difference]),
            }
        }
        groups
    }

    /// The same for programs, ungrouped.
    pub(super) fn as_json(&self, host: &str, generation: &str) -> Value {
        let difference = |one: &Difference| {
            json!({
                "what": one.what,
                "asked": one.asked,
                "expected": one.expected,
                "came": one.came,
                "advice": one.advice,
            })
        };
        json!({
            "host": host,
            "generation": generation,
            "requests": self.requests,
            "differences": self.differences.iter().map(difference).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
}

/// A text from outside, fit for a line: cut, and without what could move the cursor.
pub(super) fn shown(text: &str) -> String {
    const MOST: usize = 80;
    let mut shown = String::new();
    for c in text.chars().take(MOST) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            c => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(what: &'static str, asked: &str) -> Difference {
        let (asked, expected, came) = (asked.to_owned(), "this".to_owned(), "that".to_owned());
        Difference { what, asked, expected, came, advice: "mend it" }
    }

    #[test]
    fn many_differences_of_one_kind_share_a_line_and_few_do_not() {
        let mut differences: Vec<_> =
            (0..4).map(|nth| difference("cache-control", &format!("GET /{nth}"))).collect();
        differences.extend((0..3).map(|nth| difference("status", &format!("GET /s{nth}"))));
        let findings = Findings { requests: 9, differences, notes: Vec::new() };
        let mut out = Vec::new();
        findings.tell(&mut out, "https://host.example", "abc").unwrap();
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 5, "{text}");
        assert_eq!(lines[0], "4 × cache-control, e.g. GET /0: expected this, but that came: mend it");
        assert!(lines[1].starts_with("GET /s0: ") && lines[3].starts_with("GET /s2: "), "{text}");
        assert_eq!(lines[4], "https://host.example: 7 differences in 9 requests, from generation abc");
        assert_eq!(findings.as_json("h", "g")["differences"].as_array().unwrap().len(), 7);
    }
}

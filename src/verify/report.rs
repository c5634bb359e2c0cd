//! What was found: each difference in one line, for people and for programs.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};

/// One thing that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// What was asked, such as `GET /v1/states`.
    pub(super) asked: String,
    /// What should have come.
    pub(super) expected: String,
    /// What came.
    pub(super) came: String,
    /// What helps.
    pub(super) advice: &'static str,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, expected, came, advice } = self;
        write!(formatter, "{asked}: expected {expected}, but {came} came: {advice}")
    }
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) asked: usize,
    pub(super) differences: Vec<Difference>,
    /// What a person should know, and is no fault.
    pub(super) notes: Vec<String>,
}

impl Findings {
    /// The findings as lines, ending in one that sums them up.
    pub(super) fn tell(&self, out: &mut impl Write, host: &str, generation: &str) -> io::Result<()> {
        for difference in &self.differences {
            writeln!(out, "{difference}")?;
        }
        for note in &self.notes {
            writeln!(out, "note: {note}")?;
        }
        let requests = self.asked;
        match self.differences.len() {
            0 => writeln!(out, "{host} is as it should be: {requests} requests, generation {generation}"),
            1 => writeln!(out, "{host}: 1 difference in {requests} requests, from generation {generation}"),
            many => {
                writeln!(
                    out,
                    "{host}: {many} differences in {requests} requests, from generation {generation}"
                )
            }
        }
    }

    /// The same for programs.
    pub(super) fn as_json(&self, host: &str, generation: &str) -> Value {
        let differences: Vec<_> = self
            .differences
            .iter()
            .map(|difference| {
                json!({
                    "asked": difference.asked,
                    "expected": difference.expected,
                    "came": difference.came,
                    "advice": difference.advice,
                })
            })
            .collect();
        json!({
            "host": host,
            "generation": generation,
            "requests": self.asked,
            "differences": differences,
            "notes": self.notes,
        })
    }
}

/// Something from outside, fit for a line: cut, and without what could move the cursor.
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

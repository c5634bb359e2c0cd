//! The entries of a reading that are well-formed and not used, by reason.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// How many lines are named; the entries of all of them are counted.
const NAMED_AT_MOST: usize = 100;

/// Why an entry is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SkipReason {
    /// Its slug or Schedule leads to no provider.
    Unresolved,
    /// It is of a clinician, a place or a service that the directory does not have.
    NotPublished,
    /// Its Schedule is of several people: a free slot that needs all of them is not one that each can give.
    SeveralPeople,
    /// The provider does not offer the visit types that the free slot names.
    UnknownTypes,
    /// Its Schedule is not active.
    Inactive,
    /// The feed lists the same time as taken.
    Taken,
}

impl SkipReason {
    /// Every reason.
    pub const ALL: [Self; 6] = [
        Self::Unresolved,
        Self::NotPublished,
        Self::SeveralPeople,
        Self::UnknownTypes,
        Self::Inactive,
        Self::Taken,
    ];

    /// Its name in JSON and in metrics.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::NotPublished => "notPublished",
            Self::SeveralPeople => "severalPeople",
            Self::UnknownTypes => "unknownTypes",
            Self::Inactive => "inactive",
            Self::Taken => "taken",
        }
    }
}

/// What a reading leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    counts: BTreeMap<SkipReason, usize>,
    lines: Vec<SkippedLine>,
    /// Lines with other resources than Slots and Schedules.
    pub other_resources: usize,
}

/// A line whose entry is not used; of a slug or a Schedule that is skipped as a whole, the first line that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    /// The file's name.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: usize,
    /// Why it is not used.
    pub reason: SkipReason,
    /// What about it is wrong or unusual.
    pub what: String,
    /// What to do about it.
    pub help: String,
    /// Where the line is in the text, where that is known.
    pub(crate) span: Option<Range<usize>>,
}

impl Skipped {
    /// How many entries are skipped for each reason that there is.
    pub fn counts(&self) -> impl Iterator<Item = (SkipReason, usize)> {
        self.counts.iter().map(|(reason, count)| (*reason, *count))
    }

    /// Whether nothing is left out.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How many entries are skipped for a reason.
    #[must_use]
    pub fn count(&self, reason: SkipReason) -> usize {
        self.counts.get(&reason).copied().unwrap_or_default()
    }

    /// The first hundred lines.
    #[must_use]
    pub fn lines(&self) -> &[SkippedLine] {
        &self.lines
    }

    /// How many slugs and Schedules are skipped as a whole, of those that are named.
    #[must_use]
    pub fn count_named(&self) -> usize {
        self.lines.iter().filter(|line| line.span.is_some()).count()
    }

    /// Counts entries that are left out.
    pub(super) fn add(&mut self, reason: SkipReason, entries: usize, line: impl FnOnce() -> SkippedLine) {
        *self.counts.entry(reason).or_default() += entries;
        if self.lines.len() < NAMED_AT_MOST {
            self.lines.push(line());
        }
    }
}

//! The valid entries of a reading that are not used, by reason.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::error::cut;
use crate::model::words;

/// The most lines that are kept; all entries are counted.
const MAX_NAMED: usize = 100;

words! {
    /// Why an entry is not used. The words are its names in JSON and in metrics.
    SkipReason {
        /// Its slug or Schedule resolves to no provider.
        Unresolved = "unresolved",
        /// It belongs to a clinician, a place or a service that the directory does not have.
        NotPublished = "notPublished",
        /// It belongs to a clinician who has left: there is nothing to do.
        Retired = "retired",
        /// Its Schedule belongs to several people: a free slot may need all of them.
        SeveralPeople = "severalPeople",
        /// The provider offers no visit type that the free slot names, or none that fits its length.
        UnknownTypes = "unknownTypes",
        Inactive = "inactive",
        Taken = "taken",
        /// Not an entry: one of several files has no line.
        EmptyFile = "emptyFile",
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    counts: BTreeMap<SkipReason, usize>,
    /// The first hundred skipped lines.
    pub lines: Vec<SkippedLine>,
    /// The number of lines with other resources than Slots and Schedules, by type.
    pub other_resources: BTreeMap<String, usize>,
}

/// A line whose entry is not used. For a slug or Schedule that is skipped as a whole, the first line that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedLine {
    pub file: Arc<str>,
    pub line: usize,
    pub reason: SkipReason,
    pub what: String,
    pub help: String,
    /// The bytes of the line; only for a slug or Schedule that is skipped as a whole.
    pub(crate) span: Option<Range<usize>>,
}

impl Skipped {
    pub fn counts(&self) -> impl Iterator<Item = (SkipReason, usize)> {
        self.counts.iter().map(|(reason, count)| (*reason, *count))
    }

    pub fn count(&self, reason: SkipReason) -> usize {
        self.counts.get(&reason).copied().unwrap_or_default()
    }

    /// The number of slugs and Schedules in [`Skipped::lines`] that are skipped as a whole.
    pub fn count_named(&self) -> usize {
        self.lines.iter().filter(|line| line.span.is_some()).count()
    }

    pub(super) fn new(counts: BTreeMap<SkipReason, usize>, lines: impl Iterator<Item = SkippedLine>) -> Self {
        let lines = lines.take(MAX_NAMED);
        let lines = lines.map(|line| SkippedLine { what: cut(&line.what), help: cut(&line.help), ..line });
        Self { counts, lines: lines.collect(), other_resources: BTreeMap::new() }
    }
}

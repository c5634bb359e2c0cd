//! The parts of a feed, and those that a publisher no longer lists.

use std::collections::BTreeMap;
use std::sync::Arc;

use directory::calendar::{FeedFile, Instant};

use crate::event::Late;
use crate::orders::ORDER;

/// The parts of a feed by their names, and the source's own time of their data.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    pub(crate) files: BTreeMap<Arc<str>, Arc<FeedFile>>,
    pub(crate) as_of: Option<Instant>,
}

impl Parts {
    /// Whether these are the same files in memory. Files that were parsed again are others, even if their text is
    /// equal.
    pub(crate) fn is_the_same_as(&self, other: &Self) -> bool {
        let pairs = || self.files.values().zip(other.files.values());
        self.files.len() == other.files.len() && pairs().all(|(a, b)| Arc::ptr_eq(a, b))
    }

    /// Keeps each applied file that left the manifest if more than `max_shrink` of its future busy time is in no other
    /// file. It is treated like a file that cannot be read: its time stays busy and grows old, and then its providers
    /// are withheld. A smaller loss counts as cancellations, because publishers give new names to the files of each
    /// export.
    pub(crate) fn keep_unlisted(&mut self, applied: &Self, max_shrink: f64, now: Instant) -> Vec<Late> {
        let others: Vec<_> = self.files.values().cloned().collect();
        let mut late = Vec::new();
        for (name, file) in &applied.files {
            if self.files.contains_key(name) {
                continue;
            }
            let (busy, missing) = file.busy_beside(&others, now);
            #[expect(clippy::cast_precision_loss, reason = "counts of slots are far below 2^52")]
            if missing as f64 > max_shrink * busy as f64 {
                let why = format!(
                    "{name} is no longer listed, and {missing} of its {busy} future taken times are in no other file: \
                     they stay taken until they are too old, or the loss is accepted with {ORDER}"
                );
                late.push(Late { part: Arc::clone(name), why });
                self.files.insert(Arc::clone(name), Arc::clone(file));
            }
        }
        late
    }
}

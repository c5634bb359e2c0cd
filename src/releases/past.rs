//! Makes the list of changes from the releases, so that replicas tell the same, whenever they started.

use std::time::{Duration, Instant};

use directory::changes::{Contents, History};
use live::Store;

use super::fetch::Upstream;

/// How long older releases are read after each poll, since a newer one must not wait.
const SLICE: Duration = Duration::from_secs(1);

pub(super) struct Past {
    /// That of the release that is served.
    history: History,
    /// What the oldest release in it has.
    oldest: Contents,
    /// The numbers of older releases, of which the last is read next. `None` until the store has listed them.
    older: Option<Vec<u64>>,
}

impl Past {
    pub(super) fn new(store: &Store) -> Self {
        let oldest = store.current().history().contents().clone();
        Self { history: History::new(oldest.clone()), oldest, older: None }
    }

    /// Follows a release that is served now. If others were passed over, all are read again.
    pub(super) fn follow(&mut self, store: &Store, is_next: bool) {
        if is_next {
            self.history = store.current().history().clone();
        } else {
            *self = Self::new(store);
        }
    }

    pub(super) fn read_back(&mut self, source: &Upstream, store: &Store, served: u64) {
        if self.older.is_none() {
            let listed = source.bucket.numbers().ok();
            self.older =
                listed.map(|numbers| numbers.into_iter().filter(|number| *number < served).collect());
        }
        let Some(older) = &mut self.older else { return };
        let (begun, known) = (Instant::now(), self.history.steps().len());
        while !self.history.is_full()
            && begun.elapsed() < SLICE
            && let Some(&number) = older.last()
            && let Ok(found) = source.contents(number)
        {
            older.pop();
            if let Some(contents) = found {
                self.history = self.history.clone().preceded_by(&contents, &self.oldest);
                self.oldest = contents;
            }
        }
        if self.history.steps().len() > known {
            store.tell(self.history.clone());
        }
    }
}

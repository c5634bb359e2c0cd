//! Saves the data in use to the memory file, and restores it after a restart.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant as Tick;

use super::Driver;
use crate::apply::Target;
use crate::memory::{InUse, Memory};
use crate::providers::FeedProviders;

/// The age at which the file is written again.
const OLD: Duration = Duration::from_mins(5);

impl<T: Target> Driver<T> {
    /// Uses the data that was saved before a restart.
    pub(super) fn restore(&mut self) {
        let Some((file, _)) = &self.memory else { return };
        let memory = match Memory::read(file, &self.name, self.rules.mode) {
            Ok(Some(memory)) => memory,
            Ok(None) => return,
            Err(why) => {
                tracing::warn!(
                    feed = self.name,
                    "what the feed said before the restart cannot be used, so the first reading is compared with nothing: \
                     look whether it has lost entries: {why}"
                );
                self.status.send_modify(|status| status.memory_error = Some(why));
                return;
            }
        };
        self.restored_sites = memory.losses();
        if !self.restored_sites.is_empty() {
            return;
        }
        (self.shrink, self.is_restored) = (memory.shrink(), true);
        let Some(in_use) = memory.in_use() else { return };
        if !self.target.with_directory(|directory| memory.is_resolved_in(directory.generation())) {
            tracing::info!(
                feed = self.name,
                "the content is another than before the restart, so open times are unknown until the feed is read"
            );
            self.before_restart = Some(in_use);
            return;
        }
        let InUse { providers, confirmed, sets } = in_use;
        let changed: Vec<_> = sets.values().cloned().collect();
        self.target.apply_feed(&changed, || {
            self.status.send_modify(|status| {
                (status.listed, status.providers) = (providers.listed().len(), Arc::new(providers));
                status.parts = Arc::new(confirmed);
            });
            self.status.borrow().judgement()
        });
        self.sets = sets;
        tracing::info!(feed = self.name, "what the feed said before the restart is used until it is read");
    }

    /// Whether the file is due to be written again. Looks without a change do not write it, so the ages in it become
    /// too high.
    pub(super) fn is_memory_old(&self) -> bool {
        let written = self.memory.as_ref().and_then(|(_, written)| *written);
        self.is_applied() && written.is_some_and(|written| written.elapsed() >= OLD)
    }

    /// Whether the sizes of the sites were never written, or not lately.
    pub(super) fn is_memory_of_keys_old(&self) -> bool {
        let was_applied = self.keys.as_ref().is_some_and(|keys| keys.was_applied());
        let is_old = |written: Option<Tick>| written.is_none_or(|written| written.elapsed() >= OLD);
        was_applied && self.memory.as_ref().is_some_and(|(_, written)| is_old(*written))
    }

    /// Writes the sizes of the sites of a feed of keys into its file.
    pub(super) fn save_sites(&mut self) {
        let (Some((file, written)), Some(keys)) = (&mut self.memory, &self.keys) else { return };
        let Some(generation) = keys.set.generation() else { return };
        let providers = Arc::clone(&self.status.borrow().providers);
        let memory = Memory::of_sites(&self.name, self.rules.mode, generation, keys.losses(), &providers);
        *written = Some(Tick::now());
        let result = memory.write(file);
        self.note_written(result);
    }

    /// Writes what the feed knows into its file.
    pub(super) fn save(&mut self) {
        let Some((file, written)) = &mut self.memory else { return };
        let Some(generation) = &self.applied_to else { return };
        // The ages of the data in use. A later reading that is held or refused has other ages.
        let (providers, confirmed) = {
            let status = self.status.borrow();
            (FeedProviders::clone(&status.providers), BTreeMap::clone(&status.parts))
        };
        let in_use = InUse { providers, confirmed, sets: self.sets.clone() };
        let memory = Memory::of(&self.name, self.rules.mode, generation, &self.shrink, &in_use);
        *written = Some(Tick::now());
        let result = memory.write(file);
        self.note_written(result);
    }

    fn note_written(&self, result: io::Result<()>) {
        let error = result.err().map(|error| error.to_string());
        if let Some(error) = &error {
            tracing::error!(feed = self.name, "a restart will forget what the feed says: {error}");
        }
        self.status.send_if_modified(|status| {
            let has_changed = status.memory_write_error != error;
            status.memory_write_error = error;
            has_changed
        });
    }
}

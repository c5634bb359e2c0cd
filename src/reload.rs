//! Replaces the content of a running service: the new content is served as a whole, or refused with a reason.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, MutexGuard, PoisonError, mpsc};

use directory::calendar::Instant;
use directory::content::{Problem, Report, load_and_check_beside_feed};
use directory::model::{MaxShrink, Shrunk};
use directory::told::count;
use directory::{Directory, Snapshot};
use feed::{Clock, Feeds};
use live::{Store, Vitals};
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::content::examples;
use crate::outcome::Refusal;
use crate::recently_served::{RecentlyServed, SharedRecent};
use crate::watch::Changes;
use authoring::edit::read_between_edits;

/// Publishes checked content before it is served; returns a summary for the log.
pub(crate) type Publish = Box<dyn Fn(&Snapshot) -> Result<String, Refusal> + Send>;

pub(crate) struct Reload {
    pub(crate) content: PathBuf,
    pub(crate) replacer: Replacer,
    pub(crate) keeper: Option<mpsc::Sender<()>>,
}

pub(crate) struct Replacer {
    pub(crate) clock: Clock,
    pub(crate) store: Arc<Store>,
    pub(crate) feeds: Feeds,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) threads: Handle,
    pub(crate) publish: Option<Publish>,
    pub(crate) shrink: ShrinkPolicy,
    pub(crate) recent: SharedRecent,
    pub(crate) logged: Logged,
}

/// What happens to content from which more clinicians vanished than the limit.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ShrinkPolicy {
    /// It is held back until an operator accepts it.
    Hold(MaxShrink),
    /// It is served with a warning, for an editor who works on the content.
    Warn(MaxShrink),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replaced {
    Served,
    /// It waits for an operator's consent.
    Held,
}

impl Reload {
    pub(crate) fn run(mut self, mut changes: Changes) {
        loop {
            changes.wait();
            // A panic over one edit must not prevent the next one from being served.
            let reading = catch_unwind(AssertUnwindSafe(|| self.read()))
                .unwrap_or_else(|_| Err(INTERNAL_ERROR.to_owned()));
            if let Err(why) = reading {
                self.replacer.refuse(why);
            }
        }
    }

    fn read(&mut self) -> Result<(), String> {
        let now = self.replacer.clock.now();
        let load = || load_and_check_beside_feed(&self.content, now.date_naive());
        let checked = read_between_edits(&self.content, load).map_err(|refusal| refusal.to_string())?;
        let checked = checked.map_err(|error| error.drawn())?;
        let snapshot = Snapshot::new(checked.directory);
        let (what, mend) = ("the content was read again", "restore the content folder");
        let replaced = self.replacer.take(snapshot, &checked.warnings, what, mend)?;
        if let Some(keeper) = self.keeper.as_ref().filter(|_| replaced == Replaced::Served) {
            _ = keeper.send(());
        }
        Ok(())
    }
}

/// The reason when reading or keeping the content caused a panic.
pub(crate) const INTERNAL_ERROR: &str = "internal error; see the log";

impl Replacer {
    /// Serves new content, or holds it back. `what` begins the line of the log; `mend` says how to undo a loss of
    /// clinicians that was not meant.
    pub(crate) fn take(
        &mut self,
        snapshot: Snapshot,
        warnings: &Report,
        what: &str,
        mend: &str,
    ) -> Result<Replaced, String> {
        match (self.shrink, self.compare(snapshot.directory())) {
            (ShrinkPolicy::Hold(_), Some(shrunk)) => {
                let generation = snapshot.directory().generation().clone();
                if self.vitals.held().as_ref() == Some(&generation) {
                    self.vitals.still_held();
                    return Ok(Replaced::Held);
                }
                let why = format!(
                    "{shrunk}. If that is a mistake, {mend}. If it is intended, accept it: POST /content/accept on the admin \
                     address, with If-Match: {generation}; or start again with --content-max-shrink 1"
                );
                tracing::error!("new content is held, and the previous content is still served: {why}");
                self.logged.log(warnings);
                self.vitals.content_held(why, generation);
                self.store.hold(Some(snapshot));
                return Ok(Replaced::Held);
            }
            (ShrinkPolicy::Warn(_), Some(shrunk)) => {
                tracing::warn!(
                    "{shrunk}; a running service would hold this content back until it is accepted"
                );
                *self.recent() = None;
            }
            (_, None) => {}
        }
        self.logged.log(warnings);
        let published = match &self.publish {
            Some(publish) => publish(&snapshot).map_err(|refusal| refusal.to_string())?,
            None => what.to_owned(),
        };
        self.store.hold(None);
        let generation = snapshot.directory().generation();
        // An operator may have accepted this content while it was held.
        let is_new = self.store.current().directory().generation() != generation;
        if is_new {
            self.store.replace(&snapshot, Instant::ceil(self.clock.now()));
            // Lines of the feed about new providers apply now.
            self.threads.block_on(self.feeds.apply_again());
        }
        if let Some(recent) = &mut *self.recent() {
            recent.add(snapshot.directory());
        }
        self.vitals.content_taken();
        let news = if is_new {
            format!("generation {generation}")
        } else {
            format!("content unchanged (generation {generation})")
        };
        tracing::info!("{}", add_to_first_line(&published, &news));
        Ok(Replaced::Served)
    }

    pub(crate) fn refuse(&self, why: String) {
        tracing::error!("new content isn't served; the API still answers with the previous content\n{why}");
        self.vitals.content_refused(why);
    }

    /// Compares new content with what was served within a day. That stays the measure while content is held.
    fn compare(&self, after: &Directory) -> Option<Shrunk> {
        let (ShrinkPolicy::Hold(max_shrink) | ShrinkPolicy::Warn(max_shrink)) = self.shrink;
        let (current, now) = (self.store.current(), self.clock.now());
        let current = current.directory();
        let is_held = self.vitals.held().is_some();
        let mut recent = self.recent();
        let known = recent.take().filter(|known| {
            known.ends_with(current.generation().as_str()) && (is_held || !known.is_over(now))
        });
        recent.insert(known.unwrap_or_else(|| RecentlyServed::new(current, now))).compare(max_shrink, after)
    }

    fn recent(&self) -> MutexGuard<'_, Option<RecentlyServed>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add_to_first_line(summary: &str, text: &str) -> String {
    let (first, rest) = summary.split_at(summary.find('\n').unwrap_or(summary.len()));
    format!("{first}: {text}{rest}")
}

/// The warnings that were logged, without their lines: one that only moved in its file isn't new.
#[derive(Default)]
pub(crate) struct Logged(HashSet<String>);

impl Logged {
    pub(crate) fn of(warnings: &Report) -> Self {
        Self(warning_lines(warnings).map(|(known_as, _)| known_as).collect())
    }

    pub(crate) fn log(&mut self, warnings: &Report) {
        for (known_as, line) in warning_lines(warnings) {
            if !self.0.contains(&known_as) {
                tracing::warn!("{line}");
            }
        }
        *self = Self::of(warnings);
    }
}

fn warning_lines(warnings: &Report) -> impl Iterator<Item = (String, String)> {
    let listed = warnings.problems().iter().filter(|warning| !warning.is_of_example()).map(|warning| {
        let known_as = format!("{}: {}", warnings.position(warning).path, warning.what());
        (known_as, warning_line(warnings, warning))
    });
    let examples = examples(warnings);
    let examples = (examples > 0).then(|| {
        let line =
            count(examples, "placeholder") + " to replace before you publish: `nameplate check` lists them";
        ("placeholders".to_owned(), line)
    });
    listed.chain(examples).chain(warnings.unlisted().into_iter().map(|line| (line.clone(), line)))
}

pub(crate) fn warning_line(warnings: &Report, warning: &Problem) -> String {
    format!("{}: {}", warnings.position(warning), warning.what())
}

/// Listens for a signal of the system. Must be called inside the runtime.
pub(crate) fn listen_for(kind: SignalKind) -> Result<Signal, Refusal> {
    signal(kind).map_err(|error| Refusal::new(format!("can't handle signals: {error}")))
}

pub(crate) async fn on_hangup<R: Copy>(mut hangup: Signal, requests: mpsc::Sender<R>, request: R) {
    while hangup.recv().await.is_some() && requests.send(request).is_ok() {
        tracing::info!("reading the content again on SIGHUP");
    }
}

#[cfg(test)]
mod tests {
    use super::add_to_first_line;

    #[test]
    fn the_generation_is_added_to_the_first_line() {
        assert_eq!(add_to_first_line("read again", "generation 7"), "read again: generation 7");
        let built = "219 files\n- Jane Doe is new\nnote: no live-url";
        assert_eq!(
            add_to_first_line(built, "generation 7"),
            "219 files: generation 7\n- Jane Doe is new\nnote: no live-url"
        );
    }
}

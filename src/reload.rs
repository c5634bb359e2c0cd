//! New content while it is served: whole, validated, swapped; or not at all, and then it says why.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};

use directory::calendar::Instant;
use directory::content::{ContentError, Report, load_and_check_beside_feed};
use directory::model::{MaxShrink, Shrunk};
use directory::{Directory, Snapshot};
use live::feed::Feeds;
use live::{Clock, Store, Vitals};
use tokio::runtime::Handle;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::outcome::Refusal;
use crate::watch::Changes;

/// What is done with checked content before it is served; gives back what there is to say about it.
pub(crate) type Publish = Box<dyn Fn(&Snapshot) -> Result<String, Refusal> + Send>;

/// Takes up new content.
pub(crate) struct Reload {
    pub(crate) content: PathBuf,
    pub(crate) clock: Clock,
    pub(crate) store: Arc<Store>,
    pub(crate) feeds: Feeds,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) threads: Handle,
    pub(crate) publish: Option<Publish>,
    pub(crate) shrink: ShrinkPolicy,
}

/// What is done with content from which clinicians have vanished.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ShrinkPolicy {
    /// More than these are held back until an operator accepts it.
    Hold(MaxShrink),
    /// More than these are logged and taken up: an editor who works on the content is not to be stopped.
    Tell(MaxShrink),
}

/// What became of new content; the texts are for people, and may have many lines.
enum Reading {
    Served(String),
    Held(Box<Snapshot>, String),
    Refused(String),
}

impl Reload {
    /// Takes it up at each change, for ever.
    pub(crate) fn on(&self, mut changes: Changes) {
        loop {
            changes.wait();
            // What surprises us in one edit must not keep the next one from being served.
            let taken = catch_unwind(AssertUnwindSafe(|| self.once()))
                .unwrap_or_else(|_| Err("reading it failed by a mistake of nameplate's own".to_owned()));
            match taken.unwrap_or_else(Reading::Refused) {
                Reading::Served(said) => tracing::info!("{said}"),
                Reading::Held(snapshot, why) => {
                    self.vitals.content_held(why);
                    self.store.hold(Some(*snapshot));
                }
                Reading::Refused(why) => {
                    tracing::error!("new content is not served, and what was served before still is\n{why}");
                    self.vitals.content_refused(why);
                }
            }
        }
    }

    /// Takes it up once; an error says why it is refused.
    fn once(&self) -> Result<Reading, String> {
        let now = self.clock.now();
        let checked =
            load_and_check_beside_feed(&self.content, now.date_naive()).map_err(|error| match error {
                ContentError::Load(error) => error.to_string(),
                ContentError::Invalid(report) => report.drawn(false),
            })?;
        let snapshot = Snapshot::new(checked.directory);
        let before = self.store.current();
        let shrunk = self.shrunk(before.directory(), snapshot.directory());
        drop(before);
        match (self.shrink, shrunk) {
            (ShrinkPolicy::Hold(_), Some(shrunk)) => {
                let why = format!(
                    "{shrunk}; restore the content folder, or if it is right, accept it with POST /content/accept on the \
                     admin address"
                );
                tracing::error!("new content is held, and what was served before still is: {why}");
                log_warnings(&checked.warnings);
                return Ok(Reading::Held(Box::new(snapshot), why));
            }
            (ShrinkPolicy::Tell(_), Some(shrunk)) => {
                tracing::warn!(
                    "{shrunk}; a running service would hold this content back until it is accepted"
                );
            }
            (_, None) => {}
        }
        log_warnings(&checked.warnings);
        let published = match &self.publish {
            Some(publish) => publish(&snapshot).map_err(|refusal| refusal.to_string())?,
            None => "the content was read again".to_owned(),
        };
        self.store.hold(None);
        let generation = snapshot.directory().generation();
        // An operator may have accepted what was held meanwhile.
        let is_new = self.store.current().directory().generation() != generation;
        if is_new {
            self.store.replace(&snapshot, Instant::ceil(now));
            // Lines about providers who were not there before have a meaning now.
            self.threads.block_on(self.feeds.apply_again());
        }
        self.vitals.content_taken();
        let told = if is_new { "generation" } else { "nothing is new in it: generation" };
        Ok(Reading::Served(beside_first_line(&published, &format!("{told} {generation}"))))
    }

    /// Whether more clinicians have vanished than may.
    fn shrunk(&self, before: &Directory, after: &Directory) -> Option<Shrunk> {
        let (ShrinkPolicy::Hold(max_shrink) | ShrinkPolicy::Tell(max_shrink)) = self.shrink;
        max_shrink.compare(before, after).err()
    }
}

/// A build has more lines to say, each a sentence of its own; the generation belongs to the first.
fn beside_first_line(published: &str, told: &str) -> String {
    let (first, rest) = published.split_at(published.find('\n').unwrap_or(published.len()));
    format!("{first}: {told}{rest}")
}

/// What is probably not meant, a line of the log each.
pub(crate) fn log_warnings(warnings: &Report) {
    for warning in warnings.problems() {
        tracing::warn!("{}: {}", warnings.position(warning), warning.what());
    }
}

/// A signal that the system sends. Must be called inside the runtime.
pub(crate) fn watched(kind: SignalKind) -> Result<Signal, Refusal> {
    signal(kind)
        .map_err(|error| Refusal::new(format!("the machine does not let signals be watched: {error}")))
}

/// Asks for new content at each SIGHUP, for as long as somebody listens.
pub(crate) async fn on_hangup(mut hangup: Signal, asking: mpsc::Sender<()>) {
    while hangup.recv().await.is_some() && asking.send(()).is_ok() {
        tracing::info!("asked to read the content again");
    }
}

#[cfg(test)]
mod tests {
    use super::beside_first_line;

    #[test]
    fn the_generation_stands_beside_what_was_done_and_not_in_the_notes() {
        assert_eq!(beside_first_line("read again", "generation 7"), "read again: generation 7");
        let built = "219 files\n- Jane Doe is new\nnote: no live-url";
        assert_eq!(
            beside_first_line(built, "generation 7"),
            "219 files: generation 7\n- Jane Doe is new\nnote: no live-url"
        );
    }
}

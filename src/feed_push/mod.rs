//! `nameplate feed push`: writes a feed into the bucket that services follow.
//!
//! The source is read as a service reads it. Each reading is compared with the site's keys in the bucket;
//! what differs is written, and then a beat confirms the keys. Without a good reading there is no beat,
//! and the site grows old, like a feed whose publisher fails. If some files of a publisher fail, the beat names their
//! keys as late, and only these grow old.

mod arguments;

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{AsOf, Event, FeedFile, FeedLimits, FeedMode, PartId};
use directory::visible;
use feed::{NatsOptions, Polled, Source, SourceError, moment};
use replicas::nats::FeedBucket;
use replicas::push::Pusher;

pub(crate) use self::arguments::{FeedCommand, PushArguments};
use crate::log::{self, Log, LogFormat};
use crate::outcome::{Outcome, Refusal};
use crate::{settings, threads};

/// The shortest poll of a publisher.
const LEAST_POLL: Duration = Duration::from_secs(5);
/// The name of standard input.
const INPUT: &str = "-";

pub(crate) fn run(arguments: &PushArguments) -> Result<Outcome, Refusal> {
    log::start(&Log { format: LogFormat::Text, level: "info".to_owned(), access: false });
    let servers = settings::bucket(&arguments.to, &arguments.nats)?;
    let threads = threads::start()
        .map_err(|error| Refusal::new(format!("cannot start threads to push the feed: {error}")))?;
    let source = &arguments.source;
    if source == INPUT {
        let why = "say what standard input lists: --mode busy or --mode open";
        let mode = arguments.mode.ok_or_else(|| Refusal::new(why))?;
        return threads.block_on(push(arguments, &servers, Input::read()?, mode, None));
    }
    if feed::is_bucket(source) {
        return Err(Refusal::new("a bucket cannot be a source: name a file or a publisher's manifest"));
    }
    let poll = poll(source, arguments.every);
    let options = settings::feed(None, source, arguments.mode, ("the source", "--mode"))?.with_poll(poll);
    let polled = Polled::of(&options).map_err(Refusal::new)?;
    let every = (!arguments.once).then_some(poll);
    threads.block_on(push(arguments, &servers, polled, options.mode(), every))
}

/// Standard input, which was read whole.
struct Input(Arc<FeedFile>);

impl Input {
    fn read() -> Result<Self, Refusal> {
        let mut text = String::new();
        std::io::stdin()
            .lock()
            .read_to_string(&mut text)
            .map_err(|error| Refusal::new(format!("standard input cannot be read: {error}")))?;
        let file = FeedFile::read("standard input", &text, &FeedLimits::default());
        Ok(Self(Arc::new(file.map_err(Refusal::new)?)))
    }
}

impl Source for Input {
    fn name(&self) -> String {
        self.0.name().to_owned()
    }

    async fn next(&mut self) -> Result<Vec<Event>, SourceError> {
        let writer: Arc<str> = INPUT.into();
        let part = PartId::file(&writer, self.0.shared_name());
        Ok(vec![
            Event::PartChanged { part, text: Ok(Arc::clone(&self.0)) },
            Event::Beat { writer, as_of: AsOf::read(None, moment()), late: Vec::new() },
        ])
    }
}

/// The time between two readings, which each beat names: a writer that stands by waits for beats at this pace.
fn poll(source: &str, every: Duration) -> Duration {
    if source.contains("://") { every.max(LEAST_POLL) } else { every }
}

/// Pushes what the source has: again and again, or once without `every`.
async fn push(
    arguments: &PushArguments,
    servers: &NatsOptions,
    mut source: impl Source,
    mode: FeedMode,
    every: Option<Duration>,
) -> Result<Outcome, Refusal> {
    let bucket = FeedBucket::connect(servers, &arguments.site).await.map_err(Refusal::new)?;
    let max_shrink = if arguments.accept_shrink { 1.0 } else { arguments.max_shrink.share() };
    let mut pusher = Pusher::new(bucket, &arguments.site, mode, every, max_shrink);
    loop {
        match pusher.push(source.next().await).await {
            Ok(done) if every.is_none() => {
                tracing::info!("{done}");
                return Ok(Outcome::Done);
            }
            Ok(_) => {}
            Err(why) if every.is_none() => return Err(Refusal::new(why)),
            Err(why) => {
                let (source, why) = (source.name(), visible::line(&why));
                tracing::error!(source, "nothing is confirmed, and the site grows old: {why}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publisher_is_read_and_confirmed_at_most_every_five_seconds() {
        let second = Duration::from_secs(1);
        assert_eq!(poll("https://slots.example.org/$bulk-publish", second), 5 * second);
        assert_eq!(poll("https://slots.example.org/$bulk-publish", 10 * second), 10 * second);
        assert_eq!(poll("busy.ndjson", second), second);
    }
}

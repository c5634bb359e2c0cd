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

use directory::calendar::{FeedFile, FeedLimits, FeedMode};
use directory::visible;
use feed::{Event, FeedOptions, NatsOptions, Polled, Source};
use replicas::nats::FeedBucket;
use replicas::push::{Pushed, Pusher, Readings};

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
    let servers = arguments.nats.on(&arguments.to).map_err(Refusal::new)?;
    let source = Origin::from_arguments(arguments)?;
    let threads = threads::start()
        .map_err(|error| Refusal::new(format!("cannot start threads to push the feed: {error}")))?;
    threads.block_on(push(arguments, &servers, source))
}

enum Origin {
    /// Standard input, read whole.
    Input(Arc<FeedFile>, FeedMode),
    Options(Box<FeedOptions>),
}

impl Origin {
    fn from_arguments(arguments: &PushArguments) -> Result<Self, Refusal> {
        let mode = arguments.mode;
        if arguments.source == INPUT {
            let why = "say what standard input lists: --mode busy or --mode open";
            let mode = arguments.mode.ok_or_else(|| Refusal::new(why))?;
            let mut text = String::new();
            std::io::stdin()
                .lock()
                .read_to_string(&mut text)
                .map_err(|error| Refusal::new(format!("standard input cannot be read: {error}")))?;
            let file = FeedFile::read("standard input", &text, &FeedLimits::default());
            return Ok(Self::Input(Arc::new(file.map_err(Refusal::new)?), mode));
        }
        if arguments.source.starts_with("nats://") || arguments.source.starts_with("tls://") {
            return Err(Refusal::new("a bucket cannot be a source: name a file or a publisher's manifest"));
        }
        let options = settings::feed(None, &arguments.source, mode, ("the source", "--mode"))?;
        let poll = poll(&arguments.source, arguments.every);
        Ok(Self::Options(Box::new(options.with_poll(poll).map_err(Refusal::new)?)))
    }

    fn mode(&self) -> FeedMode {
        match self {
            Self::Input(_, mode) => *mode,
            Self::Options(options) => options.mode(),
        }
    }
}

/// The time between two readings, which each beat names: a writer that stands by waits for beats at this pace.
fn poll(source: &str, every: Duration) -> Duration {
    if source.contains("://") { every.max(LEAST_POLL) } else { every }
}

async fn push(arguments: &PushArguments, servers: &NatsOptions, feed: Origin) -> Result<Outcome, Refusal> {
    let bucket = FeedBucket::connect(servers, &arguments.site).await.map_err(Refusal::new)?;
    let mode = feed.mode();
    let every = (!arguments.once && !matches!(feed, Origin::Input(..)))
        .then(|| poll(&arguments.source, arguments.every));
    let (max_shrink, accepts_shrink) = (arguments.max_shrink, arguments.accept_shrink);
    let mut pusher = Pusher::new(bucket, &arguments.site, mode, every, max_shrink, accepts_shrink);
    let mut source = match feed {
        Origin::Input(file, mode) => {
            let mut read = Readings::new(&arguments.site, mode);
            let event = Event::Snapshot { parts: vec![file], as_of: None, late: Vec::new() };
            let reading = read.take(event).map_err(Refusal::new)?;
            return pusher.push_once(&reading).await.map(done).map_err(Refusal::new);
        }
        Origin::Options(options) => Polled::of(&options).map_err(Refusal::new)?,
    };
    let name = source.name();
    let mut read = Readings::new(&arguments.site, mode);
    let mut known_late = String::new();
    loop {
        let event = source.next().await.map_err(|error| error.to_string());
        let result = match event.and_then(|event| read.take(event)) {
            Ok(reading) => {
                if !reading.why_late.is_empty() && reading.why_late != known_late {
                    let (keys, why) = (reading.late.len(), visible::line(&reading.why_late));
                    tracing::error!(
                        source = name,
                        keys,
                        "a part cannot be read, and its keys grow old: {why}"
                    );
                }
                known_late.clone_from(&reading.why_late);
                if every.is_none() {
                    return pusher.push_once(&reading).await.map(done).map_err(Refusal::new);
                }
                pusher.push(&reading).await.map(drop)
            }
            Err(why) => Err(why),
        };
        match result {
            Ok(()) => {}
            Err(why) if every.is_none() => return Err(Refusal::new(why)),
            Err(why) => {
                tracing::error!(
                    source = name,
                    "nothing is confirmed, and the site grows old: {}",
                    visible::line(&why)
                );
            }
        }
    }
}

fn done(pushed: Pushed) -> Outcome {
    tracing::info!("{pushed}");
    Outcome::Done
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

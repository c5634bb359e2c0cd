//! `nameplate feed push`: writes a feed into the bucket that services follow. What differs from the site's keys is written,
//! and then a beat confirms the keys. Without a good reading there is no beat, and the site ages. If some files of a publisher
//! fail, or some calendars, the beat names their keys as late, and only these age.

mod arguments;

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{AsOf, Event, FeedFile, FeedLimits, PartId};
use directory::visible;
use feed::{CALENDARS_VARIABLE, FeedOptions, NatsOptions, Polled, Source, SourceError, moment};
use replicas::nats::FeedBucket;
use replicas::push::Pusher;

pub(crate) use self::arguments::{FeedCommand, PushArguments};
use crate::log::{self, Log, LogFormat};
use crate::outcome::{Outcome, Refusal};
use crate::settings::FeedName;
use crate::{settings, threads};

const INPUT: &str = "-";

pub(crate) fn run(arguments: &PushArguments) -> Result<Outcome, Refusal> {
    log::start(&Log { format: LogFormat::Text, level: "info".to_owned(), access: false }, false);
    let servers = settings::bucket(&arguments.to, &arguments.nats)?;
    let threads = threads::start("to push the feed")?;
    let list = arguments.calendars.as_deref().or(arguments.kind.as_ref().map(|_| CALENDARS_VARIABLE));
    let max_shrink = if arguments.accept_shrink { 1.0 } else { arguments.max_shrink.share() };
    let pusher = |mode, every| move |bucket| Pusher::new(bucket, &arguments.site, mode, every, max_shrink);
    let (name, flag) = match (&arguments.source, list) {
        (Some(input), _) if input == INPUT => {
            let why = "say what standard input lists: --mode busy or --mode open";
            let mode = arguments.mode.ok_or_else(|| Refusal::new(why))?;
            return threads.block_on(push(arguments, &servers, Input::read()?, pusher(Some(mode), None)));
        }
        (Some(bucket), _) if feed::is_bucket(bucket) => {
            return Err(Refusal::new("a bucket can't be a source: name a file or a publisher's manifest"));
        }
        (Some(source), _) => (FeedName::Any(source), "the source"),
        (None, list) => (FeedName::Calendars(list.unwrap_or(CALENDARS_VARIABLE)), "--calendars"),
    };
    let options = settings::feed(None, name, arguments.mode, (flag, "--mode"))?;
    let poll = poll(&options, arguments.every);
    let options = options.with_poll(poll);
    let polled = Polled::of(&options).map_err(Refusal::new)?;
    let every = (!arguments.once).then_some(poll);
    let mode = options.calendars().is_none().then_some(options.mode());
    threads.block_on(push(arguments, &servers, polled, pusher(mode, every)))
}

struct Input(Arc<FeedFile>);

impl Input {
    fn read() -> Result<Self, Refusal> {
        let (mut text, limits) = (String::new(), FeedLimits::default());
        std::io::stdin()
            .lock()
            .take(limits.bytes as u64 + 1)
            .read_to_string(&mut text)
            .map_err(|error| Refusal::new(format!("standard input can't be read: {error}")))?;
        let file = FeedFile::read("standard input", &text, &limits);
        Ok(Self(Arc::new(file.map_err(Refusal::new)?)))
    }
}

impl Source for Input {
    fn name(&self) -> String {
        self.0.name.to_string()
    }

    async fn next(&mut self) -> Result<Vec<Event>, SourceError> {
        let writer: Arc<str> = INPUT.into();
        let part = PartId::file(&writer, self.0.name.clone());
        Ok(vec![
            Event::PartChanged { part, text: Ok(Arc::clone(&self.0)) },
            Event::Beat { writer, as_of: AsOf::read(None, moment()), late: Vec::new() },
        ])
    }
}

/// The time between two readings, which each beat names: a writer that stands by waits for beats at this pace.
fn poll(options: &FeedOptions, every: Option<Duration>) -> Duration {
    let (least, usual) = if options.calendars().is_some() {
        (Duration::from_mins(1), Duration::from_mins(5))
    } else {
        let least = if options.name().contains("://") { Duration::from_secs(5) } else { Duration::ZERO };
        (least, Duration::from_secs(10))
    };
    every.unwrap_or(usual).max(least)
}

async fn push(
    arguments: &PushArguments,
    servers: &NatsOptions,
    mut source: impl Source,
    pusher: impl FnOnce(FeedBucket) -> Pusher,
) -> Result<Outcome, Refusal> {
    let bucket = FeedBucket::connect(servers, &arguments.site).await.map_err(Refusal::new)?;
    let named = arguments.source.as_deref().or(arguments.calendars.as_deref());
    let is_file = |path: &&str| ![INPUT, CALENDARS_VARIABLE].contains(path) && !path.contains("://");
    if let Some(path) = named.filter(is_file).filter(|path| !settings::is_there(path)) {
        return Err(Refusal::new(format!("{path} can't be read: the file doesn't exist")));
    }
    let mut pusher = pusher(bucket);
    loop {
        source.due().await;
        match pusher.push(source.next().await).await {
            Ok(done) if pusher.is_once() => {
                tracing::info!("{done}");
                return Ok(Outcome::Done);
            }
            Ok(_) => {}
            Err(why) if pusher.is_once() => return Err(Refusal::new(why)),
            Err(why) => {
                let (source, why) = (source.name(), visible::line(&why));
                tracing::error!(source, "nothing is confirmed, and the site's data is aging: {why}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use directory::calendar::FeedMode;

    use super::*;

    #[test]
    fn a_publisher_is_read_and_confirmed_at_most_every_five_seconds_and_calendars_every_minute() {
        let second = Duration::from_secs(1);
        let publisher =
            FeedOptions::smart("https://slots.example.org/$bulk-publish", FeedMode::Busy).unwrap();
        let file = FeedOptions::file("busy.ndjson".into(), FeedMode::Busy);
        let list = FeedName::Calendars("calendars");
        let calendars = settings::feed(None, list, None, ("--calendars", "--mode"));
        let calendars = calendars.unwrap_or_else(|why| panic!("{why}"));
        for (options, every, expected) in [
            (&publisher, Some(second), 5),
            (&publisher, None, 10),
            (&file, Some(second), 1),
            (&file, None, 10),
            (&calendars, Some(second), 60),
            (&calendars, None, 300),
        ] {
            assert_eq!(poll(options, every).as_secs(), expected, "{}", options.name());
        }
    }
}

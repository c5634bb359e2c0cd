//! The sources that are polled: a file, a publisher over HTTP, or calendars. `nameplate check --feed` reads one once.

use std::sync::Arc;

use directory::Directory;
use directory::calendar::{BadText, Engine, Event, FeedSet, Instant};

use crate::NO_REPLICAS;
use crate::clock::real_now;
use crate::file::FileSource;
use crate::ics::{IcsSource, Zones};
use crate::options::{FeedKind, FeedOptions};
use crate::pace::Pace;
use crate::smart::SmartSource;
use crate::source::{Source, SourceError};

pub struct Polled {
    pub(crate) kind: PolledKind,
    pace: Pace,
    has_looked: bool,
}

pub(crate) enum PolledKind {
    File(FileSource),
    Smart(Box<SmartSource>),
    Ics(IcsSource),
}

impl Polled {
    pub fn of(options: &FeedOptions) -> Result<Self, SourceError> {
        let (rules, max_stale) = (&options.rules, options.rules.freshness.max_stale);
        let (kind, poll) = match &options.kind {
            FeedKind::File(file) => {
                let source = FileSource::new(file.path.clone(), options.rival.clone(), rules.limits);
                (PolledKind::File(source), file.poll)
            }
            FeedKind::Smart(publisher) => {
                let source = SmartSource::new(publisher, rules)?;
                (PolledKind::Smart(Box::new(source)), publisher.poll)
            }
            FeedKind::Ics(calendars) => {
                let zones = Zones(Arc::new(|_| None));
                let source = IcsSource::new(calendars.calendars.clone(), zones, max_stale);
                (PolledKind::Ics(source), calendars.poll)
            }
            FeedKind::Nats(_) => return Err(SourceError::Unreadable(NO_REPLICAS.to_owned())),
        };
        Ok(Self { kind, pace: Pace::new(poll, max_stale), has_looked: false })
    }

    #[must_use]
    pub fn with_zones(mut self, zones: Zones) -> Self {
        if let PolledKind::Ics(source) = &mut self.kind {
            source.zones = zones;
        }
        self
    }
}

impl Source for Polled {
    fn name(&self) -> String {
        match &self.kind {
            PolledKind::File(source) => source.name(),
            PolledKind::Smart(source) => source.name(),
            PolledKind::Ics(source) => source.name(),
        }
    }

    async fn due(&mut self) -> bool {
        if std::mem::replace(&mut self.has_looked, true) {
            tokio::time::sleep(self.pace.wait()).await;
        }
        !matches!(&self.kind, PolledKind::File(source) if source.is_looking())
    }

    async fn next(&mut self) -> Result<Vec<Event>, SourceError> {
        let within = self.pace.look_timeout();
        let seen = match &mut self.kind {
            PolledKind::File(source) => source.look(within).await,
            PolledKind::Smart(source) => source.look(within).await,
            PolledKind::Ics(source) => source.look(within).await,
        };
        let are_calendars = matches!(self.kind, PolledKind::Ics(_));
        let is_good = seen.as_ref().is_ok_and(|events| !has_failed(events, are_calendars));
        let pause = if let PolledKind::Smart(source) = &self.kind { source.pause } else { None };
        self.pace.looked(is_good, pause);
        seen
    }
}

/// Whether a look has to be repeated soon. When one calendar fails, the others aren't asked more often.
fn has_failed(events: &[Event], are_calendars: bool) -> bool {
    let is_bad =
        |event: &Event| matches!(event, Event::PartChanged { text: Err(_), .. } | Event::Failed { .. });
    let is_beat = |event: &Event| matches!(event, Event::Beat { .. });
    events.iter().any(is_bad) && !(are_calendars && events.iter().any(is_beat))
}

#[derive(Debug)]
pub struct Reading {
    /// The feed's name: a path, or an address without secrets.
    pub name: String,
    /// What is used of it, and what is skipped, held or wrong.
    pub set: FeedSet,
    pub notes: Vec<String>,
}

/// Reads a feed once. Must be run inside a tokio runtime.
pub async fn read_once(
    mut source: impl Source,
    options: &FeedOptions,
    directory: &Directory,
) -> Result<Reading, SourceError> {
    let (events, now) = (source.next().await?, Instant::floor(real_now()));
    let bad_lines = events.iter().find_map(|event| match event {
        Event::PartChanged { part, text: Err(BadText::Lines(error)) } if part.is_file() => Some(error),
        _ => None,
    });
    if let Some(error) = bad_lines {
        return Err(SourceError::Lines(error.clone()));
    }
    let mut engine = Engine::new(Arc::new(options.rules.clone()));
    engine.take(events, directory.generation(), directory, now);
    let set = engine.set(directory);
    let mut notes: Vec<_> = set.trouble.iter().cloned().collect();
    if set.held.is_none() && engine.is_past(now) {
        notes.push(
            "all entries of the feed are in the past: check whether the program that writes it still runs"
                .to_owned(),
        );
    }
    Ok(Reading { name: options.name(), set, notes })
}

#[cfg(test)]
mod tests {
    use directory::calendar::AsOf;

    use super::*;
    use crate::clock::moment;

    #[test]
    fn calendars_are_asked_again_soon_only_if_none_of_them_can_be_read() {
        let failed = |name: &str| Event::Failed { writer: name.into(), why: "no answer".to_owned() };
        let read =
            |name: &str| Event::Beat { writer: name.into(), as_of: AsOf::read(None, moment()), late: vec![] };
        for (events, is_file, are_calendars) in [
            (vec![read("a"), read("b")], false, false),
            (vec![failed("a"), read("b")], true, false),
            (vec![failed("a"), failed("b")], true, true),
            (vec![], false, false),
        ] {
            assert_eq!((has_failed(&events, false), has_failed(&events, true)), (is_file, are_calendars));
        }
    }
}

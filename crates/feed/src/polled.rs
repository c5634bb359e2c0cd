//! The sources that are looked at again and again: a file, or a publisher over HTTP.

use std::sync::Arc;

use directory::calendar::Event;

use crate::NO_REPLICAS;
use crate::event::SourceError;
use crate::file::FileSource;
use crate::ics::{IcsSource, Zones};
use crate::options::{FeedKind, FeedOptions};
use crate::pace::Pace;
use crate::smart::SmartSource;
use crate::source::Source;

#[derive(Debug)]
pub struct Polled {
    pub(crate) kind: PolledKind,
    pace: Pace,
    has_looked: bool,
}

#[derive(Debug)]
pub(crate) enum PolledKind {
    File(FileSource),
    Smart(Box<SmartSource>),
    Ics(IcsSource),
}

impl Polled {
    /// The source of these options, which no bucket has.
    pub fn of(options: &FeedOptions) -> Result<Self, SourceError> {
        let (rules, max_stale) = (&options.rules, options.rules.freshness.max_stale);
        let (kind, poll) = match &options.kind {
            FeedKind::File(file) => {
                let source = FileSource::new(file.path.clone(), options.rival.clone(), rules.limits);
                (PolledKind::File(source), file.poll)
            }
            FeedKind::Smart(publisher) => {
                let source =
                    SmartSource::new(publisher.url.clone(), publisher.limits, rules.mode, max_stale)?;
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
}

impl Polled {
    /// Sets how calendars learn the time zones of clinicians.
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

    async fn next(&mut self) -> Result<Vec<Event>, SourceError> {
        if std::mem::replace(&mut self.has_looked, true) {
            tokio::time::sleep(self.pace.wait()).await;
        }
        let within = self.pace.look_timeout();
        let seen = match &mut self.kind {
            PolledKind::File(source) => source.look(within).await,
            PolledKind::Smart(source) => source.look(within).await,
            PolledKind::Ics(source) => source.look().await,
        };
        // One calendar in doubt is no reason to ask all others more often.
        let is_one_of_many = matches!(self.kind, PolledKind::Ics(_));
        let is_bad =
            |event: &Event| !is_one_of_many && matches!(event, Event::PartChanged { text: Err(_), .. });
        let pause = if let PolledKind::Smart(source) = &self.kind { source.pause } else { None };
        self.pace.looked(seen.as_ref().is_ok_and(|events| !events.iter().any(is_bad)), pause);
        seen
    }
}

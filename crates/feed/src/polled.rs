//! The sources that are polled: a file, or a publisher over HTTP.

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

#[cfg(test)]
mod tests {
    use directory::calendar::AsOf;

    use super::*;
    use crate::event::moment;

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

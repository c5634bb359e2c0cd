//! The source of the kind that the options name.

use super::file::FileSource;
#[cfg(feature = "replicas")]
use super::nats::{NatsHealth, NatsSource};
use super::options::{FeedKind, FeedOptions};
use super::pace::Pace;
use super::smart::SmartSource;
use super::source::{Event, Source, SourceError};

#[derive(Debug)]
pub struct AnySource(Kind);

#[derive(Debug)]
enum Kind {
    File(FileSource),
    Smart(Box<SmartSource>),
    #[cfg(feature = "replicas")]
    Nats(Box<NatsSource>),
}

impl AnySource {
    pub fn of(options: &FeedOptions) -> Result<Self, SourceError> {
        let pace = Pace::new(options.poll, options.freshness.max_stale);
        Ok(Self(match &options.kind {
            FeedKind::File(path) => Kind::File(
                FileSource::new(path.clone(), pace, options.rules.limits).with_rival(options.rival.clone()),
            ),
            FeedKind::Smart(url, limits) => {
                let (mode, max_stale) = (options.rules.mode, options.freshness.max_stale);
                Kind::Smart(Box::new(SmartSource::new(url.clone(), pace, *limits, mode, max_stale)?))
            }
            #[cfg(feature = "replicas")]
            FeedKind::Nats(nats) => {
                let rules = &options.rules;
                Kind::Nats(Box::new(NatsSource::new((**nats).clone(), rules.mode, rules.limits)))
            }
            #[cfg(not(feature = "replicas"))]
            FeedKind::Nats(_) => {
                return Err(SourceError::Unreadable(crate::NO_REPLICAS.to_owned()));
            }
        }))
    }
}

#[cfg(feature = "replicas")]
impl AnySource {
    /// The state of the bucket, if it is one.
    pub(super) fn nats_health(&self) -> Option<std::sync::Arc<NatsHealth>> {
        match &self.0 {
            Kind::Nats(source) => Some(source.health()),
            Kind::File(_) | Kind::Smart(_) => None,
        }
    }
}

impl Source for AnySource {
    fn name(&self) -> String {
        match &self.0 {
            Kind::File(source) => source.name(),
            Kind::Smart(source) => source.name(),
            #[cfg(feature = "replicas")]
            Kind::Nats(source) => source.name(),
        }
    }

    async fn next(&mut self) -> Result<Event, SourceError> {
        match &mut self.0 {
            Kind::File(source) => source.next().await,
            Kind::Smart(source) => source.next().await,
            #[cfg(feature = "replicas")]
            Kind::Nats(source) => source.next().await,
        }
    }
}

//! The sources that are looked at again and again: a file, or a publisher over HTTP.

use crate::NO_REPLICAS;
use crate::event::{Event, SourceError};
use crate::file::FileSource;
use crate::options::{FeedKind, FeedOptions};
use crate::pace::Pace;
use crate::smart::SmartSource;
use crate::source::Source;

#[derive(Debug)]
pub struct Polled(Kind);

#[derive(Debug)]
enum Kind {
    File(FileSource),
    Smart(Box<SmartSource>),
}

impl Polled {
    /// The source of these options, which no bucket has.
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
            FeedKind::Nats(_) => return Err(SourceError::Unreadable(NO_REPLICAS.to_owned())),
        }))
    }
}

impl Source for Polled {
    fn name(&self) -> String {
        match &self.0 {
            Kind::File(source) => source.name(),
            Kind::Smart(source) => source.name(),
        }
    }

    async fn next(&mut self) -> Result<Event, SourceError> {
        match &mut self.0 {
            Kind::File(source) => source.next().await,
            Kind::Smart(source) => source.next().await,
        }
    }
}

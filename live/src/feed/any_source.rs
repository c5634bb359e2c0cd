//! The source of the kind that the options name.

use super::file::FileSource;
use super::options::{FeedKind, FeedOptions};
use super::pace::Pace;
use super::smart::SmartSource;
use super::source::{Event, Source, SourceError};

#[derive(Debug)]
pub(super) enum AnySource {
    File(FileSource),
    Smart(Box<SmartSource>),
}

impl AnySource {
    pub(super) fn of(options: &FeedOptions) -> Result<Self, SourceError> {
        let pace = Pace::new(options.poll, options.freshness.max_stale);
        Ok(match &options.kind {
            FeedKind::File(path) => Self::File(
                FileSource::new(path.clone(), pace, options.rules.limits).with_rival(options.rival.clone()),
            ),
            FeedKind::Smart(url, limits) => {
                let (mode, max_stale) = (options.rules.mode, options.freshness.max_stale);
                Self::Smart(Box::new(SmartSource::new(url.clone(), pace, *limits, mode, max_stale)?))
            }
        })
    }
}

impl Source for AnySource {
    fn name(&self) -> String {
        match self {
            Self::File(source) => source.name(),
            Self::Smart(source) => source.name(),
        }
    }

    async fn next(&mut self) -> Result<Event, SourceError> {
        match self {
            Self::File(source) => source.next().await,
            Self::Smart(source) => source.next().await,
        }
    }
}

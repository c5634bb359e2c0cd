//! The settings of a feed, which docs/FEED.md describes. Serde would forget where each value stands if it chose the kind, so
//! the reader chooses it, and reads the settings of that kind apart from the shared ones.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use directory::calendar::{FeedLimits, FeedMode, FeedRules, FreshnessRule, ScheduleMeaning};
use directory::model::MaxShrink;
use serde::Deserialize;
use serde::de::Deserializer;

use crate::bounds::{OptionsError, between, time, time_from};
use crate::fetch;
use crate::file::is_there;
use crate::ics::IcsOptions;
use crate::nats_options::{NatsOptions, Unlisted};
use crate::smart::{SmartLimits, SmartOptions, manifest_url, smart_poll};

/// A reading of calendars reaches a day beyond the last opening that is offered. What lies behind its end looks free.
const LONGEST_STALE_CALENDAR: Duration = Duration::from_hours(24);

#[derive(Debug, Clone, PartialEq)]
pub enum FeedKind {
    File(FileOptions),
    Smart(SmartOptions),
    Ics(IcsOptions),
    Nats(Box<NatsOptions>),
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileOptions {
    pub path: PathBuf,
    #[serde(default = "file_poll", deserialize_with = "time_from::<100, _>")]
    pub poll: Duration,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct SharedOptions {
    pub mode: Option<FeedMode>,
    /// Left out: as usual for the kind.
    #[serde(deserialize_with = "some_time")]
    pub fresh_for: Option<Duration>,
    #[serde(deserialize_with = "some_time")]
    pub max_stale: Option<Duration>,
    /// The share of providers and of future entries that a reading may lose; 1 holds nothing.
    #[serde(deserialize_with = "share")]
    pub max_shrink: f64,
    /// Less than the least would refuse what a small clinic publishes.
    #[serde(deserialize_with = "between::<{ 1 << 20 }, { 1 << 40 }, _>")]
    pub max_bytes: usize,
    pub schedules: BTreeMap<String, ScheduleMeaning>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FeedOptions {
    pub kind: FeedKind,
    /// A file that must not exist beside this feed; while it does, operators get an error.
    pub rival: Option<PathBuf>,
    pub rules: FeedRules,
    /// Where the data in use is saved, so that a restart does not forget it.
    pub memory: Option<PathBuf>,
}

impl Default for SharedOptions {
    fn default() -> Self {
        let (max_bytes, schedules) = (FeedLimits::default().bytes, BTreeMap::new());
        Self { mode: None, fresh_for: None, max_stale: None, max_shrink: 0.5, max_bytes, schedules }
    }
}

impl SharedOptions {
    pub const KEYS: [&str; 6] = ["mode", "fresh-for", "max-stale", "max-shrink", "max-bytes", "schedules"];
}

impl FeedOptions {
    pub fn new(mut kind: FeedKind, shared: SharedOptions) -> Result<Self, OptionsError> {
        let SharedOptions { mut mode, fresh_for, max_stale, max_shrink, max_bytes, schedules } = shared;
        let mut usual = FreshnessRule::default();
        let refused = |key, what: &str| Err(OptionsError { key, what: what.to_owned() });
        let (mut limits, mut poll, mut unlisted_is_open) = (FeedLimits::default(), Duration::ZERO, true);
        match &mut kind {
            FeedKind::File(file) => (poll, limits.bytes) = (file.poll, max_bytes),
            FeedKind::Smart(SmartOptions { limits, poll: of_publisher, .. }) => {
                poll = *of_publisher;
                // The protocol lists slots that are free.
                mode = mode.or(Some(FeedMode::Open));
                (limits.total_bytes, limits.file.bytes) = (max_bytes, max_bytes);
            }
            FeedKind::Ics(calendars) => {
                // A calendar says what is taken.
                mode = mode.or(Some(FeedMode::Busy));
                if mode == Some(FeedMode::Open) {
                    return refused("mode", "calendars list taken times: write \"busy\", or leave it out");
                }
                poll = calendars.poll;
                // Calendars are asked seldom, so they are old later than other feeds.
                usual =
                    FreshnessRule { fresh_for: Duration::from_mins(15), max_stale: Duration::from_hours(2) };
                unlisted_is_open = calendars.unlisted == Unlisted::Open;
            }
            // Each value has its own limit.
            FeedKind::Nats(options) => {
                options.check()?;
                unlisted_is_open = options.unlisted == Unlisted::Open;
            }
        }
        let Some(mode) = mode else { return refused("mode", "write \"open\" or \"busy\"") };
        let (fresh_for, max_stale) =
            (fresh_for.unwrap_or(usual.fresh_for), max_stale.unwrap_or(usual.max_stale));
        if max_stale < fresh_for {
            let what = format!("it must not be shorter than fresh-for, which is {fresh_for:?}");
            return refused("max-stale", &what);
        }
        if matches!(kind, FeedKind::Ics(_)) && max_stale > LONGEST_STALE_CALENDAR {
            return refused(
                "max-stale",
                "it may be at most 24h for calendars, which are read only 33 days ahead",
            );
        }
        if poll > max_stale / 3 {
            let what = format!(
                "it is {poll:?}, but must be at most a third of max-stale, which is {max_stale:?}, or one late reading makes \
                 openings unknown: lower poll or raise max-stale"
            );
            return refused("poll", &what);
        }
        let freshness = FreshnessRule { fresh_for, max_stale };
        let rules = FeedRules { mode, schedules, limits, unlisted_is_open, freshness, max_shrink };
        Ok(Self { kind, rival: None, rules, memory: None })
    }

    pub fn file(path: PathBuf, mode: FeedMode) -> Self {
        Self::with_defaults(FeedKind::File(FileOptions { path, poll: file_poll() }), mode)
    }

    pub fn smart(url: &str, mode: FeedMode) -> Result<Self, String> {
        let (url, poll, limits) = (manifest_url(url)?, smart_poll(), SmartLimits::default());
        Ok(Self::with_defaults(FeedKind::Smart(SmartOptions { url, poll, limits }), mode))
    }

    fn with_defaults(kind: FeedKind, mode: FeedMode) -> Self {
        Self { kind, rival: None, rules: FeedRules::new(mode), memory: None }
    }

    /// Sets the poll interval, without its bounds.
    #[must_use]
    pub fn with_poll(mut self, every: Duration) -> Self {
        if let FeedKind::File(FileOptions { poll, .. })
        | FeedKind::Smart(SmartOptions { poll, .. })
        | FeedKind::Ics(IcsOptions { poll, .. }) = &mut self.kind
        {
            *poll = every;
        }
        self
    }

    /// Whether it is a file of the content folder, which the settings do not name.
    pub(crate) fn is_of_content(&self) -> bool {
        self.rival.is_some()
    }

    pub fn bucket(&self) -> Option<&NatsOptions> {
        if let FeedKind::Nats(options) = &self.kind { Some(options) } else { None }
    }

    pub fn calendars(&self) -> Option<&IcsOptions> {
        if let FeedKind::Ics(options) = &self.kind { Some(options) } else { None }
    }

    /// Whether there is a file to read; true for a publisher and a bucket.
    #[expect(clippy::disallowed_methods, reason = "looks whether the feed's file is there, not into it")]
    pub fn is_there(&self) -> bool {
        if let FeedKind::File(file) = &self.kind { file.path.is_file() } else { true }
    }

    /// Whether its path exists, even as a broken link; true for a publisher and a bucket.
    pub fn is_named(&self) -> bool {
        if let FeedKind::File(file) = &self.kind { is_there(&file.path) } else { true }
    }

    /// Its name: a path, or an address without secrets.
    pub fn name(&self) -> String {
        match &self.kind {
            FeedKind::File(file) => file.path.display().to_string(),
            FeedKind::Smart(publisher) => fetch::shown(&publisher.url),
            FeedKind::Ics(calendars) => calendars.calendars.to_string(),
            FeedKind::Nats(options) => options.name(),
        }
    }

    pub fn mode(&self) -> FeedMode {
        self.rules.mode
    }
}

fn file_poll() -> Duration {
    Duration::from_secs(1)
}

fn some_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    time(deserializer).map(Some)
}

fn share<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    MaxShrink::deserialize(deserializer).map(MaxShrink::share)
}

//! The settings of a feed, checked.

use std::path::PathBuf;
use std::time::Duration;

use directory::calendar::{FeedLimits, FeedMode, FeedRules, FreshnessRule};
use reqwest::Url;

use crate::fetch;
use crate::nats_options::NatsOptions;
use crate::options_error::OptionsError;
use crate::smart::SmartLimits;

/// The poll interval of a file, and the shortest.
const FILE_POLL: Duration = Duration::from_secs(1);
const FILE_POLL_LEAST: Duration = Duration::from_millis(100);
/// The poll interval of a publisher, and the shortest.
const SMART_POLL: Duration = Duration::from_mins(1);
const SMART_POLL_LEAST: Duration = Duration::from_secs(5);
/// The lowest `max-bytes`: less would refuse what a small clinic publishes.
const LEAST_BYTES: usize = 1 << 20;

#[derive(Debug, Clone, PartialEq)]
pub struct FeedOptions {
    pub(crate) kind: FeedKind,
    pub(crate) rival: Option<PathBuf>,
    pub(crate) rules: FeedRules,
    pub(crate) poll: Duration,
    pub(crate) freshness: FreshnessRule,
    pub(crate) max_shrink: f64,
    pub(crate) memory: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum FeedKind {
    File(PathBuf),
    /// The address of a manifest.
    Smart(Url, SmartLimits),
    /// A bucket. It is followed, not polled.
    Nats(Box<NatsOptions>),
}

impl FeedOptions {
    /// A file, with the defaults.
    #[must_use]
    pub fn file(path: PathBuf, mode: FeedMode) -> Self {
        Self::new(FeedKind::File(path), mode, FILE_POLL)
    }

    /// A publisher's manifest, with the defaults.
    pub fn smart(url: &str, mode: FeedMode) -> Result<Self, OptionsError> {
        let refused = |what: &str| OptionsError::new("url", what);
        let url: Url = url.parse().map_err(|_| refused("write the whole address: https://…"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refused("only http and https are polled"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("an address with a name or password in it is not polled"));
        }
        Ok(Self::new(FeedKind::Smart(url, SmartLimits::default()), mode, SMART_POLL))
    }

    /// A bucket of NATS, with the defaults.
    #[must_use]
    pub fn nats(options: NatsOptions, mode: FeedMode) -> Self {
        Self::new(FeedKind::Nats(Box::new(options)), mode, FILE_POLL)
    }

    /// Saves the data in use in this file, so that a restart does not forget it.
    #[must_use]
    pub fn remembering(mut self, file: PathBuf) -> Self {
        self.memory = Some(file);
        self
    }

    fn new(kind: FeedKind, mode: FeedMode, poll: Duration) -> Self {
        let (rules, freshness) = (FeedRules::new(mode), FreshnessRule::default());
        Self { kind, rival: None, rules, poll, freshness, max_shrink: 0.5, memory: None }
    }

    pub fn with_poll(mut self, poll: Duration) -> Result<Self, OptionsError> {
        let least = match self.kind {
            FeedKind::Smart(..) => SMART_POLL_LEAST,
            FeedKind::File(_) | FeedKind::Nats(_) => FILE_POLL_LEAST,
        };
        if poll < least || poll > Duration::from_hours(24) {
            return Err(OptionsError::new("poll", format!("it is from {least:?} to 24 hours")));
        }
        self.poll = poll;
        Ok(self)
    }

    pub fn with_freshness(mut self, rule: FreshnessRule) -> Result<Self, OptionsError> {
        if rule.max_stale < rule.fresh_for {
            return Err(OptionsError::new("max-stale", "it is an age, and not shorter than fresh-for"));
        }
        self.freshness = rule;
        Ok(self)
    }

    /// Sets `feed.max-shrink`: the share of providers and of future entries that a reading may lose; 1 holds nothing.
    /// The content's share is [`MaxShrink`](directory::model::MaxShrink).
    pub fn with_max_shrink(mut self, share: f64) -> Result<Self, OptionsError> {
        if !(0.0..=1.0).contains(&share) {
            return Err(OptionsError::new("max-shrink", "it is a share, from 0 to 1"));
        }
        self.max_shrink = share;
        Ok(self)
    }

    /// Sets the largest number of bytes: of a file, or of all of a publisher's files together.
    pub fn with_max_bytes(mut self, bytes: usize) -> Result<Self, OptionsError> {
        if bytes < LEAST_BYTES {
            return Err(OptionsError::new("max-bytes", format!("it is at least {LEAST_BYTES}")));
        }
        match &mut self.kind {
            FeedKind::File(_) => self.rules.limits.bytes = bytes,
            FeedKind::Smart(_, limits) => (limits.total_bytes, limits.file.bytes) = (bytes, bytes),
            // Each value has a limit of its own.
            FeedKind::Nats(_) => {}
        }
        Ok(self)
    }

    /// Sets a file that must not exist beside this feed; while it does, operators get an error.
    #[must_use]
    pub fn with_rival(self, rival: PathBuf) -> Self {
        Self { rival: Some(rival), ..self }
    }

    /// Whether it is a file of the content folder, which the settings do not name.
    pub(crate) fn is_of_content(&self) -> bool {
        self.rival.is_some()
    }

    /// The bucket, if it is one.
    #[must_use]
    pub fn bucket(&self) -> Option<&NatsOptions> {
        match &self.kind {
            FeedKind::Nats(options) => Some(options),
            FeedKind::File(_) | FeedKind::Smart(..) => None,
        }
    }

    #[must_use]
    pub fn limits(&self) -> FeedLimits {
        self.rules.limits
    }

    /// Sets whether all hours of a provider without a key are offered. Else they are withheld.
    #[must_use]
    pub fn with_unlisted_open(mut self, is_open: bool) -> Self {
        self.rules.unlisted_is_open = is_open;
        self
    }

    /// Whether there is a file to read; true for a publisher and a bucket.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "looks whether the feed's file is there, not into it")]
    pub fn is_there(&self) -> bool {
        match &self.kind {
            FeedKind::File(path) => path.is_file(),
            FeedKind::Smart(..) | FeedKind::Nats(_) => true,
        }
    }

    /// Whether its path exists, even as a broken link; true for a publisher and a bucket.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "looks whether the feed's file is there, not into it")]
    pub fn is_named(&self) -> bool {
        match &self.kind {
            FeedKind::File(path) => path.symlink_metadata().is_ok(),
            FeedKind::Smart(..) | FeedKind::Nats(_) => true,
        }
    }

    /// Its name: a path, or an address without secrets.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.kind {
            FeedKind::File(path) => path.display().to_string(),
            FeedKind::Smart(url, _) => fetch::shown(url),
            FeedKind::Nats(options) => options.name(),
        }
    }

    #[must_use]
    pub fn mode(&self) -> FeedMode {
        self.rules.mode
    }

    /// Sets the poll interval without its bounds, for tests.
    #[must_use]
    pub fn with_any_poll(self, poll: Duration) -> Self {
        Self { poll, ..self }
    }
}

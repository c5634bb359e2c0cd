//! The settings of a feed. [`FeedTable`] is their form in a configuration file:
//!
//! ```toml
//! [feed]
//! kind       = "smart"                  # or "file", with path = "…"
//! url        = "https://slots.example.org/$bulk-publish"
//! mode       = "open"                   # or "busy"; a file's mode has no default
//! poll       = "60s"                    # a publisher: at least 5s; a file: at least 100ms, "1s" by default
//! fresh-for  = "5m"
//! max-stale  = "30m"                    # at least three times poll
//! max-shrink = 0.5                      # of the feed's providers and future entries; content has content-max-shrink
//! max-bytes  = 268435456                # of the text: of a file, or of all of a publisher's files together
//!
//! [feed.schedules.17]                   # Schedule/17 is …
//! provider = "jane-doe"
//! types    = [101]                      # for slots that name none; left out: those that fit
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use directory::calendar::{FeedMode, FeedRules, FreshnessRule, ScheduleMeaning};
use directory::model::VisitTypeId;
use reqwest::Url;
use serde::Deserialize;

use super::duration::duration_of;
use super::smart::SmartLimits;

/// The poll interval of a file, and the shortest.
const FILE_POLL: Duration = Duration::from_secs(1);
const FILE_POLL_LEAST: Duration = Duration::from_millis(100);
/// The poll interval of a publisher, and the shortest.
const SMART_POLL: Duration = Duration::from_mins(1);
const SMART_POLL_LEAST: Duration = Duration::from_secs(5);
/// The lowest `max-bytes`: less would refuse what a small clinic publishes.
const LEAST_BYTES: usize = 1 << 20;

/// The settings of a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedOptions {
    pub(super) kind: FeedKind,
    pub(super) rival: Option<PathBuf>,
    pub(super) rules: FeedRules,
    pub(super) poll: Duration,
    pub(super) freshness: FreshnessRule,
    pub(super) max_shrink: f64,
    /// The file to remember by.
    pub(super) memory: Option<PathBuf>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum FeedKind {
    File(PathBuf),
    /// The address of a manifest.
    Smart(Url, SmartLimits),
}

/// A wrong setting of a feed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct OptionsError {
    key: String,
    what: String,
}

impl OptionsError {
    fn new(key: &str, what: impl Into<String>) -> Self {
        Self { key: key.to_owned(), what: what.into() }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is wrong with it.
    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

impl FeedOptions {
    /// A file, with the defaults.
    #[must_use]
    pub fn file(path: PathBuf, mode: FeedMode) -> Self {
        Self::new(FeedKind::File(path), mode, FILE_POLL)
    }

    /// A publisher's manifest, with the defaults.
    ///
    /// # Errors
    /// The address is not http or https, or has a password, which would be in logs.
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

    /// Remembers in this file what is used, so that a restart does not forget it.
    #[must_use]
    pub fn remembering(mut self, file: PathBuf) -> Self {
        self.memory = Some(file);
        self
    }

    fn new(kind: FeedKind, mode: FeedMode, poll: Duration) -> Self {
        let (rules, freshness) = (FeedRules::new(mode), FreshnessRule::default());
        Self { kind, rival: None, rules, poll, freshness, max_shrink: 0.5, memory: None }
    }

    /// Sets the poll interval.
    ///
    /// # Errors
    /// It is shorter than 100 ms for a file or 5 s for a publisher, or longer than a day.
    pub fn with_poll(mut self, poll: Duration) -> Result<Self, OptionsError> {
        let least = match self.kind {
            FeedKind::File(_) => FILE_POLL_LEAST,
            FeedKind::Smart(..) => SMART_POLL_LEAST,
        };
        if poll < least || poll > Duration::from_hours(24) {
            return Err(OptionsError::new("poll", format!("it is from {least:?} to 24 hours")));
        }
        self.poll = poll;
        Ok(self)
    }

    /// Sets the bounds of freshness.
    ///
    /// # Errors
    /// `max-stale` is shorter than `fresh-for`.
    pub fn with_freshness(mut self, rule: FreshnessRule) -> Result<Self, OptionsError> {
        if rule.max_stale < rule.fresh_for {
            return Err(OptionsError::new("max-stale", "it is an age, and not shorter than fresh-for"));
        }
        self.freshness = rule;
        Ok(self)
    }

    /// Sets `feed.max-shrink`: the share of providers and of future entries that a reading may lose; 1 holds nothing. The
    /// content's share is [`MaxShrink`](directory::model::MaxShrink).
    ///
    /// # Errors
    /// It is not from 0 to 1.
    pub fn with_max_shrink(mut self, share: f64) -> Result<Self, OptionsError> {
        if !(0.0..=1.0).contains(&share) {
            return Err(OptionsError::new("max-shrink", "it is a share, from 0 to 1"));
        }
        self.max_shrink = share;
        Ok(self)
    }

    /// Sets the largest number of bytes: of a file, or of all of a publisher's files together.
    ///
    /// # Errors
    /// It is less than a mebibyte.
    pub fn with_max_bytes(mut self, bytes: usize) -> Result<Self, OptionsError> {
        if bytes < LEAST_BYTES {
            return Err(OptionsError::new("max-bytes", format!("it is at least {LEAST_BYTES}")));
        }
        match &mut self.kind {
            FeedKind::File(_) => self.rules.limits.bytes = bytes,
            FeedKind::Smart(_, limits) => (limits.total_bytes, limits.file.bytes) = (bytes, bytes),
        }
        Ok(self)
    }

    /// Sets a file that must not exist beside this feed; while it does, operators get an error.
    #[must_use]
    pub fn with_rival(self, rival: PathBuf) -> Self {
        Self { rival: Some(rival), ..self }
    }

    /// Whether it is a file of the content folder, which the settings do not name.
    pub(super) fn is_of_content(&self) -> bool {
        self.rival.is_some()
    }

    /// Sets the meaning of Schedules by their ids.
    #[must_use]
    pub fn with_schedules(mut self, schedules: BTreeMap<String, ScheduleMeaning>) -> Self {
        self.rules.schedules = schedules;
        self
    }

    /// Whether there is a file to read; true for a publisher.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "looks whether the feed's file is there, not into it")]
    pub fn is_there(&self) -> bool {
        match &self.kind {
            FeedKind::File(path) => path.is_file(),
            FeedKind::Smart(..) => true,
        }
    }

    /// Whether its path exists, even as a broken link; true for a publisher.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "looks whether the feed's file is there, not into it")]
    pub fn is_named(&self) -> bool {
        match &self.kind {
            FeedKind::File(path) => path.symlink_metadata().is_ok(),
            FeedKind::Smart(..) => true,
        }
    }

    /// Its name: a path, or an address without secrets.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.kind {
            FeedKind::File(path) => path.display().to_string(),
            FeedKind::Smart(url, _) => super::smart::shown(url),
        }
    }

    /// What its entries mean.
    #[must_use]
    pub fn mode(&self) -> FeedMode {
        self.rules.mode
    }

    #[cfg(test)]
    pub(super) fn with_any_poll(self, poll: Duration) -> Self {
        Self { poll, ..self }
    }
}

/// The table of a configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FeedTable {
    kind: String,
    path: Option<PathBuf>,
    url: Option<String>,
    mode: Option<String>,
    poll: Option<String>,
    fresh_for: Option<String>,
    max_stale: Option<String>,
    max_shrink: Option<f64>,
    max_bytes: Option<usize>,
    #[serde(default)]
    schedules: BTreeMap<String, ScheduleTable>,
}

/// The meaning of a Schedule in a configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleTable {
    provider: String,
    types: Option<Vec<i64>>,
}

impl TryFrom<FeedTable> for FeedOptions {
    type Error = OptionsError;

    fn try_from(table: FeedTable) -> Result<Self, OptionsError> {
        let no_mode = || OptionsError::new("mode", "write \"open\" or \"busy\"");
        let mode = match table.mode.as_deref() {
            Some("open") => Some(FeedMode::Open),
            Some("busy") => Some(FeedMode::Busy),
            Some(_) => return Err(no_mode()),
            None => None,
        };
        let mut options = match (table.kind.as_str(), table.path, table.url) {
            ("file", Some(path), None) => Self::file(path, mode.ok_or_else(no_mode)?),
            ("file", ..) => return Err(OptionsError::new("path", "a file has a path, and no url")),
            // The protocol lists slots that are free.
            ("smart", None, Some(url)) => Self::smart(&url, mode.unwrap_or(FeedMode::Open))?,
            ("smart", ..) => return Err(OptionsError::new("url", "a publisher has a url, and no path")),
            _ => return Err(OptionsError::new("kind", "write \"file\" or \"smart\"")),
        };
        if let Some(poll) = table.poll {
            options = options.with_poll(duration("poll", &poll)?)?;
        }
        let mut rule = FreshnessRule::default();
        if let Some(text) = table.fresh_for {
            rule.fresh_for = duration("fresh-for", &text)?;
        }
        if let Some(text) = table.max_stale {
            rule.max_stale = duration("max-stale", &text)?;
        }
        options = options.with_freshness(rule)?;
        if options.poll > rule.max_stale / 3 {
            let what = format!(
                "it is {:?}, and at most a third of max-stale, which is {:?}, or one late look makes open times unknown: \
                 lower poll or raise max-stale",
                options.poll, rule.max_stale
            );
            return Err(OptionsError::new("poll", what));
        }
        if let Some(share) = table.max_shrink {
            options = options.with_max_shrink(share)?;
        }
        if let Some(bytes) = table.max_bytes {
            options = options.with_max_bytes(bytes)?;
        }
        let schedules = table.schedules.into_iter().map(|(id, table)| Ok((id.clone(), table.meaning(&id)?)));
        Ok(options.with_schedules(schedules.collect::<Result<_, _>>()?))
    }
}

impl ScheduleTable {
    fn meaning(self, id: &str) -> Result<ScheduleMeaning, OptionsError> {
        let refused = |key: &str, rule: &dyn std::fmt::Display| {
            OptionsError::new(&format!("schedules.{id}.{key}"), rule.to_string())
        };
        let provider = self.provider.parse().map_err(|rule| refused("provider", &rule))?;
        let types = self.types.map(|types| {
            types
                .into_iter()
                .map(|id| VisitTypeId::try_from(id).map_err(|rule| refused("types", &rule)))
                .collect()
        });
        let types: Option<Vec<_>> = types.transpose()?;
        if types.as_ref().is_some_and(Vec::is_empty) {
            return Err(refused("types", &"name a type, or leave it out for those that fit"));
        }
        Ok(ScheduleMeaning { provider, types })
    }
}

fn duration(key: &str, text: &str) -> Result<Duration, OptionsError> {
    let refused = || format!("\"{text}\" is not a duration: write \"60s\" or \"5m\"");
    duration_of(text).ok_or_else(|| OptionsError::new(key, refused()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<FeedOptions, String> {
        let table: FeedTable = toml::from_str(text).map_err(|error| error.to_string())?;
        FeedOptions::try_from(table).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_that_a_table_lacks_have_defaults() {
        let smart = read("kind = 'smart'\nurl = 'https://example.org/$bulk-publish'").unwrap();
        assert_eq!((smart.mode(), smart.poll), (FeedMode::Open, Duration::from_mins(1)));
        assert_eq!((smart.freshness, smart.max_shrink), (FreshnessRule::default(), 0.5));
        let file = read("kind = 'file'\npath = '/feeds/busy.ndjson'\nmode = 'busy'").unwrap();
        assert_eq!(file, FeedOptions::file("/feeds/busy.ndjson".into(), FeedMode::Busy));
        let whole = read(
            "kind = 'smart'\nurl = 'http://localhost:1/m'\nmode = 'busy'\npoll = '5s'\nfresh-for = '90s'\n\
             max-stale = '2h'\nmax-shrink = 0.25\nmax-bytes = 2000000\n[schedules.17]\nprovider = 'jane-doe'\ntypes = [101]\n",
        )
        .unwrap();
        assert_eq!((whole.mode(), whole.poll), (FeedMode::Busy, Duration::from_secs(5)));
        assert_eq!(whole.freshness.fresh_for, Duration::from_secs(90));
        assert_eq!(whole.freshness.max_stale, Duration::from_hours(2));
        assert_eq!(whole.rules.schedules["17"].provider.as_str(), "jane-doe");
        let FeedKind::Smart(_, limits) = whole.kind else { panic!("{whole:?}") };
        assert_eq!((limits.total_bytes, limits.file.bytes), (2_000_000, 2_000_000));
        let file = read("kind = 'file'\npath = 'x'\nmode = 'busy'\nmax-bytes = 2000000").unwrap();
        assert_eq!(file.rules.limits.bytes, 2_000_000);
    }

    #[test]
    fn errors_name_the_setting() {
        let smart = "kind = 'smart'\nurl = 'https://example.org/m'\n";
        for (text, reason) in [
            ("kind = 'kv'".to_owned(), "kind: write"),
            ("kind = 'file'\npath = 'x'".to_owned(), "mode: write"),
            ("kind = 'file'\nmode = 'busy'".to_owned(), "path: a file has a path"),
            ("kind = 'smart'".to_owned(), "url: a publisher has a url"),
            ("kind = 'smart'\nurl = 'file:///etc/passwd'".to_owned(), "url: only http and https"),
            ("kind = 'smart'\nurl = 'https://a:b@example.org/'".to_owned(), "url: an address with a name"),
            ("kind = 'smart'\nurl = 'example.org'".to_owned(), "url: write the whole address"),
            (format!("{smart}poll = '4s'"), "poll: it is from 5s"),
            (format!("{smart}poll = 'often'"), "poll: \"often\" is not a duration"),
            (format!("{smart}poll = '60'"), "poll: \"60\" is not a duration"),
            (
                format!("{smart}poll = '11m'"),
                "poll: it is 660s, and at most a third of max-stale, which is 1800s",
            ),
            (format!("{smart}fresh-for = '1m'\nmax-stale = '2m'"), "lower poll or raise max-stale"),
            (format!("{smart}fresh-for = '1h'"), "max-stale: it is an age"),
            (format!("{smart}max-shrink = 1.5"), "max-shrink: it is a share"),
            (format!("{smart}max-bytes = 1000"), "max-bytes: it is at least 1048576"),
            (format!("{smart}every = '5s'"), "unknown field `every`"),
            (format!("{smart}[schedules.1]\nprovider = 'Jane'"), "schedules.1.provider: a slug"),
            (format!("{smart}[schedules.1]\nprovider = 'a'\ntypes = [0]"), "schedules.1.types: a visit type"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}

//! The settings of a feed in a configuration file:
//!
//! ```toml
//! [feed]
//! kind       = "smart"                  # or "file", with path = "…", or "nats"
//! url        = "https://slots.example.org/$bulk-publish"
//! mode       = "open"                   # or "busy"; only a publisher's mode has a default
//! poll       = "60s"                    # a publisher: at least 5s; a file: at least 100ms, "1s" by default; not for nats
//! fresh-for  = "5m"
//! max-stale  = "30m"                    # at least three times poll
//! max-shrink = 0.5                      # of the feed's providers and future entries; content has content-max-shrink
//! max-bytes  = 268435456                # of the text: of a file, or of all of a publisher's files together; not for nats
//!
//! # Only for nats:
//! bucket     = "nameplate"
//! sites      = ["larkspur"]             # left out: all
//! creds      = "/etc/nameplate/live.creds"  # or nkey, the file of a seed
//! tls-ca     = "/etc/nameplate/ca.pem"
//! tls-cert   = "/etc/nameplate/live.pem"
//! tls-key    = "/etc/nameplate/live.key"
//! unlisted   = "withheld"               # or "open": all hours of a provider without a key are offered
//!
//! [feed.schedules.17]                   # Schedule/17 is …
//! provider = "jane-doe"
//! types    = [101]                      # for slots that name none; left out: those that fit
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;

use directory::calendar::{FeedMode, FreshnessRule, ScheduleMeaning};
use directory::model::VisitTypeId;
use serde::Deserialize;

use crate::duration::Time;
use crate::nats_options::{NatsOptions, NatsTexts, Unlisted};
use crate::options::FeedOptions;
use crate::options_error::OptionsError;

/// The table of a configuration file, without the keys of a bucket.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct FeedTable {
    kind: Option<SourceKind>,
    pub path: Option<PathBuf>,
    url: Option<String>,
    pub mode: Option<FeedMode>,
    poll: Option<Time>,
    fresh_for: Option<Time>,
    max_stale: Option<Time>,
    max_shrink: Option<f64>,
    max_bytes: Option<usize>,
    schedules: BTreeMap<String, ScheduleTable>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    File,
    Smart,
    Nats,
}

/// The meaning of a Schedule in a configuration file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScheduleTable {
    provider: String,
    types: Option<Vec<i64>>,
}

impl FeedTable {
    /// The kind of the feed, if there is one: it follows from the path or the url, unless it is named.
    #[must_use]
    pub fn kind(&self) -> Option<SourceKind> {
        let is_bucket = |url: &str| url.starts_with("nats://") || url.starts_with("tls://");
        self.kind.or(match (&self.url, &self.path) {
            (Some(url), _) if is_bucket(url) => Some(SourceKind::Nats),
            (Some(_), _) => Some(SourceKind::Smart),
            (None, Some(_)) => Some(SourceKind::File),
            (None, None) => None,
        })
    }

    /// Checks the settings together; `texts` are those that only a bucket has.
    pub fn options(self, texts: NatsTexts) -> Result<FeedOptions, OptionsError> {
        let refused = |key: &str, what: &str| Err(OptionsError::new(key, what));
        let no_mode = || OptionsError::new("mode", "write \"open\" or \"busy\"");
        let kind = self.kind().ok_or_else(|| OptionsError::new("kind", "give a path or a url"))?;
        let mut options = match (kind, self.path, self.url) {
            (SourceKind::File, Some(path), None) => FeedOptions::file(path, self.mode.ok_or_else(no_mode)?),
            (SourceKind::File, ..) => return refused("path", "a file has a path, and no url"),
            // The protocol lists slots that are free.
            (SourceKind::Smart, None, Some(url)) => {
                FeedOptions::smart(&url, self.mode.unwrap_or(FeedMode::Open))?
            }
            (SourceKind::Smart, ..) => return refused("url", "a publisher has a url, and no path"),
            (SourceKind::Nats, ..) if self.poll.is_some() => {
                return refused("poll", "a bucket is followed, not polled: remove it");
            }
            (SourceKind::Nats, None, Some(url)) => {
                let unlisted = texts.unlisted;
                let bucket = NatsOptions::of(NatsTexts { url, ..texts })?;
                let options = FeedOptions::nats(bucket, self.mode.ok_or_else(no_mode)?);
                options.with_unlisted_open(unlisted == Some(Unlisted::Open))
            }
            (SourceKind::Nats, ..) => return refused("url", "a bucket has a url, and no path"),
        };
        if let Some(Time(poll)) = self.poll {
            options = options.with_poll(poll)?;
        }
        let default = FreshnessRule::default();
        let rule = FreshnessRule {
            fresh_for: self.fresh_for.map_or(default.fresh_for, |Time(time)| time),
            max_stale: self.max_stale.map_or(default.max_stale, |Time(time)| time),
        };
        options = options.with_freshness(rule)?;
        if options.poll > rule.max_stale / 3 && kind != SourceKind::Nats {
            let what = format!(
                "it is {:?}, and at most a third of max-stale, which is {:?}, or one late look makes open times unknown: \
                 lower poll or raise max-stale",
                options.poll, rule.max_stale
            );
            return refused("poll", &what);
        }
        if let Some(share) = self.max_shrink {
            options = options.with_max_shrink(share)?;
        }
        if let Some(bytes) = self.max_bytes {
            options = options.with_max_bytes(bytes)?;
        }
        let schedules = self.schedules.into_iter().map(|(id, table)| Ok((id.clone(), table.meaning(&id)?)));
        options.rules.schedules = schedules.collect::<Result<_, _>>()?;
        Ok(options)
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::options::FeedKind;
    use super::*;

    fn read(text: &str) -> Result<FeedOptions, String> {
        let table: FeedTable = toml::from_str(text).map_err(|error| error.to_string())?;
        table.options(NatsTexts::default()).map_err(|error| error.to_string())
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
            ("kind = 'kv'".to_owned(), "unknown variant `kv`, expected one of `file`, `smart`, `nats`"),
            ("kind = 'file'\npath = 'x'".to_owned(), "mode: write"),
            ("kind = 'file'\nmode = 'busy'".to_owned(), "path: a file has a path"),
            ("kind = 'smart'".to_owned(), "url: a publisher has a url"),
            ("kind = 'smart'\nurl = 'file:///etc/passwd'".to_owned(), "url: only http and https"),
            ("kind = 'smart'\nurl = 'https://a:b@example.org/'".to_owned(), "url: an address with a name"),
            ("kind = 'smart'\nurl = 'example.org'".to_owned(), "url: write the whole address"),
            (format!("{smart}poll = '4s'"), "poll: it is from 5s"),
            (format!("{smart}poll = 'often'"), "\"often\" is not a valid duration"),
            (format!("{smart}poll = '60'"), "\"60\" is not a valid duration"),
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

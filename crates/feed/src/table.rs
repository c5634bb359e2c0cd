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
use std::time::Duration;

use directory::calendar::{FeedMode, FreshnessRule, ScheduleMeaning};
use directory::model::VisitTypeId;
use serde::Deserialize;

use crate::duration::duration_of;
use crate::nats_options::{NatsOptions, NatsTexts};
use crate::options::FeedOptions;
use crate::options_error::OptionsError;

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
    bucket: Option<String>,
    sites: Option<Vec<String>>,
    creds: Option<PathBuf>,
    nkey: Option<PathBuf>,
    tls_ca: Option<PathBuf>,
    tls_cert: Option<PathBuf>,
    tls_key: Option<PathBuf>,
    unlisted: Option<String>,
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

    fn try_from(mut table: FeedTable) -> Result<Self, OptionsError> {
        let nats = table.nats()?;
        let no_mode = || OptionsError::new("mode", "write \"open\" or \"busy\"");
        let mode =
            table.mode.as_deref().map(|word| FeedMode::of_word(word).ok_or_else(no_mode)).transpose()?;
        let mut options = match (table.kind.as_str(), table.path, table.url) {
            ("file", Some(path), None) => Self::file(path, mode.ok_or_else(no_mode)?),
            ("file", ..) => return Err(OptionsError::new("path", "a file has a path, and no url")),
            // The protocol lists slots that are free.
            ("smart", None, Some(url)) => Self::smart(&url, mode.unwrap_or(FeedMode::Open))?,
            ("smart", ..) => return Err(OptionsError::new("url", "a publisher has a url, and no path")),
            ("nats", None, Some(url)) => {
                let options = NatsOptions::of(NatsTexts { url, ..nats })?;
                Self::nats(options, mode.ok_or_else(no_mode)?)
            }
            ("nats", ..) => return Err(OptionsError::new("url", "a bucket has a url, and no path")),
            _ => return Err(OptionsError::new("kind", "write \"file\", \"smart\" or \"nats\"")),
        };
        match table.unlisted.as_deref() {
            None | Some("withheld") => {}
            Some("open") => options = options.with_unlisted_open(true),
            Some(_) => return Err(OptionsError::new("unlisted", "write \"withheld\" or \"open\"")),
        }
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
        if options.poll > rule.max_stale / 3 && table.kind != "nats" {
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

impl FeedTable {
    /// Takes the settings that only a bucket has.
    fn nats(&mut self) -> Result<NatsTexts, OptionsError> {
        let texts = NatsTexts {
            url: String::new(),
            bucket: self.bucket.take(),
            sites: self.sites.take(),
            creds: self.creds.take(),
            nkey: self.nkey.take(),
            tls_ca: self.tls_ca.take(),
            tls_cert: self.tls_cert.take(),
            tls_key: self.tls_key.take(),
        };
        let only = [
            ("bucket", texts.bucket.is_some()),
            ("sites", texts.sites.is_some()),
            ("creds", texts.creds.is_some()),
            ("nkey", texts.nkey.is_some()),
            ("tls-ca", texts.tls_ca.is_some()),
            ("tls-cert", texts.tls_cert.is_some()),
            ("tls-key", texts.tls_key.is_some()),
            ("unlisted", self.unlisted.is_some()),
        ];
        let is_nats = self.kind == "nats";
        if let Some((key, _)) = only.into_iter().find(|(_, is_set)| *is_set && !is_nats) {
            return Err(OptionsError::new(key, "it is of a bucket: set kind to \"nats\", or remove it"));
        }
        if is_nats && self.poll.is_some() {
            return Err(OptionsError::new("poll", "a bucket is followed, not polled: remove it"));
        }
        Ok(texts)
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
    use super::super::options::FeedKind;
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

//! The state of a feed (the age of its data, what is held, and the last error) and how operators learn of its changes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{Ages, FeedMode, Freshness, Judgment, SkipReason, Skipped};
use directory::model::Slug;
use directory::told::count;

use crate::clock::moment;

#[derive(Debug, Clone, Default)]
pub struct FeedStatus {
    pub ages: Ages,
    pub last_error: Option<String>,
    /// Why the data that was saved before the start cannot be used. The first reading was then compared with nothing.
    pub memory_error: Option<String>,
    pub memory_write_error: Option<String>,
    pub held: Option<String>,
    /// What an operator names to accept what is held.
    pub token: Option<String>,
    pub skipped: Arc<Skipped>,
    /// The number of looks that failed, and of readings with something held or wrong.
    pub failures: u64,
    pub applied: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// It is applied; the text says what that does to the providers' openings.
    Applied(String),
    NothingHeld,
    /// Something else is held than what the operator names.
    Other {
        token: String,
        what: String,
    },
    Refused(String),
}

impl Accepted {
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Applied(effect) => effect,
            Self::NothingHeld => "nothing was held",
            Self::Other { .. } => "something else was held",
            Self::Refused(why) => why,
        }
    }
}

impl FeedStatus {
    /// The freshness now, and the providers without openings. A feed that was never read is expired.
    pub fn judgment(&self) -> Judgment {
        self.ages.judge(moment())
    }

    pub fn parts(&self) -> Vec<(Arc<str>, Duration)> {
        self.ages.parts(moment())
    }
}

/// The most slugs that are named; all are counted. An operator compares them with what the publisher says.
const MAX_NAMED: usize = 500;

pub(crate) struct Standing {
    /// Those whom no part lists.
    pub(crate) unlisted: BTreeSet<Slug>,
    pub(crate) judgment: Judgment,
    pub(crate) entries: BTreeMap<Slug, usize>,
}

impl Standing {
    fn is_expired(&self) -> bool {
        self.judgment.freshness == Freshness::Expired
    }

    fn is_unknown(&self, slug: &Slug) -> bool {
        self.is_expired() || self.judgment.unknown.binary_search(slug).is_ok()
    }

    fn is_free(&self, slug: &Slug) -> bool {
        self.unlisted.contains(slug) && !self.is_unknown(slug)
    }
}

/// The sentence: which providers have other openings after the reading than before.
pub(crate) fn effect(mode: FeedMode, before: &Standing, after: &Standing) -> String {
    if after.is_expired() {
        return "its data is too old, so no openings are given".to_owned();
    }
    let all: BTreeSet<&Slug> = before.entries.keys().chain(after.entries.keys()).collect();
    let entries = |standing: &Standing, slug: &Slug| standing.entries.get(slug).copied().unwrap_or_default();
    // All are unknown while the data before is too old. This names those who stay so.
    let was_unknown = |slug: &Slug| before.judgment.unknown.binary_search(slug).is_ok();
    let is_withheld = |slug: &&Slug| after.is_unknown(slug) && !was_unknown(slug);
    let is_freed = |slug: &&Slug| after.is_free(slug) && !before.is_free(slug);
    let has_fewer = |slug: &&Slug| {
        entries(after, slug) < entries(before, slug) && !after.is_unknown(slug) && !is_freed(slug)
    };
    let fewer = match mode {
        FeedMode::Busy => "fewer times of PROVIDERS are taken",
        FeedMode::Open => "fewer times of PROVIDERS are open",
    };
    let freed = "all hours of PROVIDERS are offered, as no file has an entry for them";
    let withheld = "no times of PROVIDERS are offered now";
    let named = |what: &str, is_one: &dyn Fn(&&Slug) -> bool| {
        let slugs: Vec<&str> = all.iter().copied().filter(is_one).map(Slug::as_str).collect();
        let (first, others) = slugs.split_at(slugs.len().min(MAX_NAMED));
        let others = if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        let what = what.replace("PROVIDERS", &count(slugs.len(), "provider"));
        (!slugs.is_empty()).then(|| format!("{what}: {}{others}", first.join(", ")))
    };
    let parts = [named(freed, &is_freed), named(fewer, &has_fewer), named(withheld, &is_withheld)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "it changes no provider's openings".to_owned() } else { parts.join("; ") }
}

/// Logs a change of the skipped entries: as a warning, or at debug level if only counts changed. Entries of retired
/// clinicians alone are not logged, because they need no correction.
pub(crate) fn log_skipped(feed: &str, before: &Skipped, now: &Skipped) {
    if before == now {
        return;
    }
    let counts: Vec<_> = now.counts().map(|(reason, count)| format!("{count} {}", reason.word())).collect();
    let (skipped, first) = (counts.join(", "), now.lines.first());
    let what = first.map(|line| format!("{}:{}: {}; {}", line.file, line.line, line.what, line.help));
    let reasons = |skipped: &Skipped| {
        let reasons = skipped.counts().map(|(reason, _)| reason);
        reasons.filter(|reason| *reason != SkipReason::Retired).collect::<Vec<_>>()
    };
    if reasons(now).is_empty() {
        if !reasons(before).is_empty() {
            tracing::info!(feed, "no feed entries are skipped now");
        }
    } else if reasons(before) == reasons(now) && before.count_named() == now.count_named() {
        tracing::debug!(feed, skipped, what, "feed entries are skipped");
    } else {
        tracing::warn!(feed, skipped, what, "feed entries are skipped");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn standing(unlisted: &[&str], unknown: &[&str], entries: &[(&str, usize)]) -> Standing {
        let slugs = |slugs: &[&str]| slugs.iter().map(|slug| slug.parse().unwrap()).collect::<BTreeSet<_>>();
        let unknown = slugs(unknown).into_iter().collect();
        let judgment = Judgment { freshness: Freshness::Fresh, unknown, withheld: Arc::default() };
        let entries = entries.iter().map(|(slug, count)| (slug.parse().unwrap(), *count)).collect();
        Standing { unlisted: slugs(unlisted), judgment, entries }
    }

    #[test]
    fn the_sentence_counts_each_change_and_names_the_providers() {
        let many: Vec<String> = (0..502).map(|number| format!("p-{number:03}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let entries: Vec<_> = many.iter().map(|slug| (*slug, 3)).collect();
        let before = standing(&[], &[], &entries);
        let none: Vec<_> = many.iter().map(|slug| (*slug, 0)).collect();
        let sentence = effect(FeedMode::Busy, &before, &standing(&many, &[], &none));
        assert!(
            sentence.starts_with(
                "all hours of 502 providers are offered, as no file has an entry for them: p-000,"
            )
        );
        assert!(sentence.ends_with("p-499 and 2 more"), "{sentence}");
        assert_eq!(
            effect(
                FeedMode::Busy,
                &standing(&[], &[], &entries[..12]),
                &standing(&many[..12], &many[1..12], &none[..12])
            ),
            "all hours of 1 provider are offered, as no file has an entry for them: p-000; no times of 11 providers \
             are offered now: p-001, p-002, p-003, p-004, p-005, p-006, p-007, p-008, p-009, p-010, p-011"
        );
        assert_eq!(
            effect(FeedMode::Open, &standing(&[], &[], &[("a", 3)]), &standing(&[], &[], &[("a", 1)])),
            "fewer times of 1 provider are open: a"
        );
        assert!(effect(FeedMode::Busy, &before, &before).contains("no provider"));
        let mut expired = standing(&[], &["b"], &[("a", 3), ("b", 3)]);
        expired.judgment.freshness = Freshness::Expired;
        let empty = standing(&[], &["a", "b"], &[]);
        assert_eq!(effect(FeedMode::Busy, &expired, &empty), "no times of 1 provider are offered now: a");
    }
}

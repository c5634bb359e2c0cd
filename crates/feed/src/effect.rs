//! Describes what accepting a reading does to the open times of providers, in a sentence for the operator.

use std::collections::{BTreeMap, BTreeSet};

use directory::calendar::{FeedMode, Freshness, Judgement};
use directory::model::Slug;

/// The most slugs that are named; all are counted. An operator compares them with what the publisher says.
const MAX_NAMED: usize = 500;

/// The state of a feed's providers at a moment.
pub(crate) struct Standing {
    /// Those whom no part lists.
    pub(crate) unlisted: BTreeSet<Slug>,
    pub(crate) judgement: Judgement,
    /// The number of entries of each provider.
    pub(crate) entries: BTreeMap<Slug, usize>,
}

impl Standing {
    fn is_expired(&self) -> bool {
        self.judgement.freshness == Freshness::Expired
    }

    /// Whether a provider's open times are unknown.
    fn is_unknown(&self, slug: &Slug) -> bool {
        self.is_expired() || self.judgement.unknown.binary_search(slug).is_ok()
    }

    /// Whether all hours of a provider are offered.
    fn is_free(&self, slug: &Slug) -> bool {
        self.unlisted.contains(slug) && !self.is_unknown(slug)
    }
}

/// The sentence: which providers have other open times after the reading than before.
pub(crate) fn effect(mode: FeedMode, before: &Standing, after: &Standing) -> String {
    if after.is_expired() {
        return "its data is too old, so no open times are given".to_owned();
    }
    let all: BTreeSet<&Slug> = before.entries.keys().chain(after.entries.keys()).collect();
    let entries = |standing: &Standing, slug: &Slug| standing.entries.get(slug).copied().unwrap_or_default();
    let is_withheld = |slug: &&Slug| after.is_unknown(slug) && !before.is_unknown(slug);
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
        let count = format!("{} provider{}", slugs.len(), if slugs.len() == 1 { "" } else { "s" });
        let what = what.replace("PROVIDERS", &count);
        (!slugs.is_empty()).then(|| format!("{what}: {}{others}", first.join(", ")))
    };
    let parts = [named(freed, &is_freed), named(fewer, &has_fewer), named(withheld, &is_withheld)];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() { "it changes no provider's open times".to_owned() } else { parts.join("; ") }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn standing(unlisted: &[&str], unknown: &[&str], entries: &[(&str, usize)]) -> Standing {
        let slugs = |slugs: &[&str]| slugs.iter().map(|slug| slug.parse().unwrap()).collect::<BTreeSet<_>>();
        let unknown = slugs(unknown).into_iter().collect();
        let judgement = Judgement { freshness: Freshness::Fresh, unknown, withheld: Arc::default() };
        let entries = entries.iter().map(|(slug, count)| (slug.parse().unwrap(), *count)).collect();
        Standing { unlisted: slugs(unlisted), judgement, entries }
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
    }
}

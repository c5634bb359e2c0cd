//! What accepting a reading does to the open times of providers, in a sentence for the operator.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use directory::calendar::{FeedMode, Freshness};
use directory::model::Slug;

use super::status::{Judgement, People};

/// The slugs that the sentence names at most; all are counted.
const MAX_NAMED: usize = 10;

/// What a feed says of the providers at a moment.
pub(super) struct Standing {
    pub(super) people: Arc<People>,
    pub(super) judgement: Judgement,
    /// The number of entries of each provider.
    pub(super) entries: BTreeMap<Slug, usize>,
}

impl Standing {
    fn is_expired(&self) -> bool {
        self.judgement.freshness == Freshness::Expired
    }

    fn is_unknown(&self, slug: &Slug) -> bool {
        self.is_expired() || self.judgement.unknown.binary_search(slug).is_ok()
    }

    /// Whether all hours of a provider are offered because no file of a busy feed has an entry of theirs.
    fn is_free(&self, slug: &Slug) -> bool {
        self.people.unlisted.contains(slug) && !self.is_unknown(slug)
    }
}

/// Says which providers have other open times now.
pub(super) fn effect(mode: FeedMode, before: &Standing, after: &Standing) -> String {
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
        FeedMode::Busy => "fewer times are taken of",
        FeedMode::Open => "fewer times are open of",
    };
    let freed = "all hours are offered, as no file has an entry of theirs, of";
    let named = |what: &str, is_one: &dyn Fn(&&Slug) -> bool| {
        let slugs: Vec<&str> = all.iter().copied().filter(is_one).map(Slug::as_str).collect();
        let more = slugs.len().checked_sub(MAX_NAMED + 1).map(|more| format!(" and {} more", more + 1));
        let count = format!("{} provider{}", slugs.len(), if slugs.len() == 1 { "" } else { "s" });
        let first = slugs[..slugs.len().min(MAX_NAMED)].join(", ");
        (!slugs.is_empty()).then(|| format!("{what} {count} ({first}{})", more.unwrap_or_default()))
    };
    let parts = [
        named(freed, &is_freed),
        named(fewer, &has_fewer),
        named("no time is offered any more of", &is_withheld),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "it frees and withholds the time of no provider".to_owned()
    } else {
        parts.join("; ")
    }
}

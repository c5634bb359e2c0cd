//! Computes from the sites' confirmations how old each site is, which keys are late, and what operators see.

use std::collections::BTreeMap;
use std::sync::Arc;

use directory::Directory;

use super::super::event::{Confirmation, LateKey, SiteRead};
use super::super::status::{LastRead, LateRead};
use super::feed::KeyedFeed;
use super::loss::SiteLoss;

/// The most sites and keys that a message names; all are counted.
const MAX_NAMED: usize = 5;

impl SiteRead {
    /// The keys whose values are refused.
    pub(super) fn refused(&self) -> impl Iterator<Item = &str> {
        self.late.iter().filter(|(_, late)| late.why.is_some()).map(|(key, _)| &**key)
    }
}

impl KeyedFeed {
    /// When each site was confirmed. Held sites are not confirmed: they keep their time from `before`. A held site is
    /// included even if the bucket has none of its keys any more: when it expires, providers without keys are withheld.
    pub(crate) fn reads(&self, before: &BTreeMap<Arc<str>, LastRead>) -> BTreeMap<Arc<str>, LastRead> {
        let read = |(name, site): (&Arc<str>, &SiteRead)| {
            let read = if self.is_held(name) {
                before.get(name).copied().unwrap_or_else(LastRead::never)
            } else {
                LastRead::of_site(site)
            };
            (Arc::clone(name), read)
        };
        let mut reads: BTreeMap<_, _> = self.sites.iter().map(read).collect();
        for name in self.held_sites() {
            reads
                .entry(name)
                .or_insert_with_key(|name| before.get(name).copied().unwrap_or_else(LastRead::never));
        }
        reads
    }

    /// The keys whose data is older than that of their sites, with their providers; and the providers that a held site
    /// listed before a restart, because the lost entries may be theirs.
    pub(crate) fn late(&self, directory: &Directory) -> Arc<[LateRead]> {
        let of = |key: &str, read| LateRead { read, providers: self.set.providers_of(directory, key) };
        let late = self.sites.values().flat_map(|site| site.late.iter().map(move |late| (site, late)));
        let late = late.map(|(site, (key, late))| of(key, late_read(site, late)));
        let former = self.losses().values().map(SiteLoss::former).filter(|former| !former.is_empty());
        let former = former
            .map(|former| LateRead { read: LastRead::never(), providers: former.iter().cloned().collect() });
        late.chain(former).collect()
    }

    /// Whether [`Self::late`] has anything.
    pub(crate) fn has_late(&self) -> bool {
        self.sites.values().any(|site| !site.late.is_empty())
            || self.losses().values().any(|loss| !loss.former().is_empty())
    }

    /// What operators should know of sites and keys.
    pub(crate) fn trouble(&self) -> Option<String> {
        let mut named = Vec::new();
        let mut count = 0;
        let mut add = |words: &dyn Fn() -> String| {
            count += 1;
            if named.len() < MAX_NAMED {
                named.push(words());
            }
        };
        for (name, site) in &*self.sites {
            if site.is_of_another_mode {
                add(&|| format!("the site {name} writes for another mode: correct its writer or feed.mode"));
            } else if site.is_diverged {
                add(&|| format!("the site {name} has other keys than its writer has confirmed"));
            } else if site.confirmed.is_none() {
                add(&|| format!("the writer of the site {name} has not confirmed its keys"));
            }
            for (key, late) in &site.late {
                match (&late.why, late.as_of) {
                    (Some(why), _) => add(&|| format!("{key}: {why}")),
                    (None, as_of) => add(&|| match as_of {
                        Some(as_of) => format!("{key} is late: its data is of {as_of}"),
                        None => format!("{key} is late: it was never read"),
                    }),
                }
            }
        }
        if count > named.len() {
            named.push(format!("and {} more", count - named.len()));
        }
        (count > 0).then(|| named.join("; "))
    }
}

/// The age of a late key is that of its own data, and at least that of its site.
fn late_read(site: &SiteRead, late: &LateKey) -> LastRead {
    match (late.as_of, site.confirmed) {
        (Some(as_of), Some(confirmed)) if !site.is_of_another_mode => {
            LastRead::confirmed(Confirmation { as_of: as_of.min(confirmed.as_of), ..confirmed })
        }
        _ => LastRead::never(),
    }
}

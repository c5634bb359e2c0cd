//! Detects that a site has lost so much that its writer is probably broken.
//!
//! - Entries are counted as in a reading of files ([`EntryHistory`]): those of the next 30 days, compared with the last
//!   state and with the largest one of the last day.
//! - A key is lost when it is deleted while it has entries ahead. An emptied key is not lost, but its entries are. The
//!   lost keys of a day add up; in each hour the first few, up to a tenth of all, are forgiven.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use directory::calendar::Instant;
use directory::model::Slug;

use super::super::loss::{EntryHistory, FEW_ENTRIES, HOUR, Hours, SmallLosses, ahead, is_old};
use super::super::orders::ORDER;

/// The sizes that a site's changes are compared with.
#[derive(Debug, Clone, Default)]
pub(crate) struct SiteLoss {
    entries: EntryHistory,
    /// The entries of the applied keys, if they are not `entries.last`: those of a site that is held after a restart.
    there: Option<Hours>,
    /// The number of keys with entries.
    keys: usize,
    /// The keys that were lost within a day, and when.
    lost: BTreeMap<Arc<str>, Instant>,
    small_losses: SmallLosses,
    /// The providers that the site listed before a restart, until its size is accepted: lost entries may be theirs.
    former: BTreeSet<Slug>,
}

/// What a site would have after a change.
#[derive(Debug, Clone, Default)]
pub(super) struct SiteSize {
    pub(super) entries: Hours,
    pub(super) keys: usize,
    /// The keys with entries ahead that would be gone.
    pub(super) gone: BTreeSet<Arc<str>>,
}

impl SiteSize {
    /// Replaces a key's entries.
    pub(super) fn change(
        &mut self,
        key: &Arc<str>,
        before: impl Iterator<Item = Instant>,
        after: Option<impl Iterator<Item = Instant>>,
        now: Instant,
    ) {
        let hour = |start: Instant| start.unix().div_euclid(HOUR);
        let (mut was_full, mut is_full, mut was_ahead) = (false, false, false);
        for start in before {
            was_full = true;
            was_ahead |= start > now;
            if let Some(count) = self.entries.get_mut(&hour(start)) {
                *count -= 1;
                if *count == 0 {
                    self.entries.remove(&hour(start));
                }
            }
        }
        let is_deleted = after.is_none();
        for start in after.into_iter().flatten() {
            is_full = true;
            *self.entries.entry(hour(start)).or_default() += 1;
        }
        self.keys = self.keys + usize::from(is_full) - usize::from(was_full);
        if !is_deleted {
            self.gone.remove(key);
        } else if was_ahead {
            self.gone.insert(Arc::clone(key));
        }
    }
}

impl SiteLoss {
    /// The sizes of a site before a restart. Which keys had entries was not saved, so only entries are compared.
    pub(crate) fn restored(entries: EntryHistory, former: BTreeSet<Slug>) -> Self {
        Self { entries, former, ..Self::default() }
    }

    /// The providers that the site listed before a restart and that its lost entries may belong to.
    pub(crate) fn former(&self) -> &BTreeSet<Slug> {
        &self.former
    }

    /// Records the size of the applied keys of a held site. The history from before the restart stays.
    pub(super) fn begins_held(&mut self, size: &SiteSize) {
        (self.keys, self.there) = (size.keys, Some(size.entries.clone()));
    }

    /// The entries that changes are compared with.
    pub(crate) fn entries(&self) -> &EntryHistory {
        &self.entries
    }

    /// The size of what is applied.
    pub(super) fn size(&self) -> SiteSize {
        let entries = self.there.as_ref().unwrap_or(&self.entries.last).clone();
        SiteSize { entries, keys: self.keys, ..SiteSize::default() }
    }

    /// Why a site is held, if it has lost too much.
    pub(super) fn judge(&self, name: &str, size: &SiteSize, max_shrink: f64, now: Instant) -> Option<String> {
        #[expect(clippy::cast_precision_loss, reason = "counts of keys and slots are far below 2^52")]
        let is_too_much = |lost: usize, before: usize| lost as f64 > max_shrink * before as f64;
        let reason = |lost, before, what: &str, since: &str| {
            format!(
                "the site {name} has lost {lost} of the {before} {what} that it had {since} and is held: its last good \
                 data stays, until it has grown back or is accepted with {ORDER}"
            )
        };
        let is_lost =
            |(key, at): &(&Arc<str>, &Instant)| !is_old(Some(**at), now) && !size.gone.contains(*key);
        let lost = size.gone.len() + self.lost.iter().filter(is_lost).count();
        // A site that has not lost a key now is not held for those that it lost before.
        if !size.gone.is_empty() && is_too_much(lost, size.keys + lost) {
            return Some(reason(lost, size.keys + lost, "keys with entries", "within a day"));
        }
        let after = ahead(&size.entries, now);
        let sides = [(self.entries.most_of_the_day(now), "within a day"), (&self.entries.last, "before")];
        sides.into_iter().find_map(|(before, since)| {
            let count = ahead(before, now);
            let lost = count.saturating_sub(after);
            (lost > FEW_ENTRIES && is_too_much(lost, count))
                .then(|| reason(lost, count, "future entries", since))
        })
    }

    /// Records a change that is applied.
    pub(super) fn accept(&mut self, size: SiteSize, now: Instant) {
        let few = self.keys.max(size.keys) / 10;
        self.lost.retain(|_, at| !is_old(Some(*at), now));
        if !size.gone.is_empty() && !self.small_losses.take(size.gone.len(), few, now) {
            self.lost.extend(size.gone.into_iter().map(|key| (key, now)));
        }
        (self.keys, self.there) = (size.keys, None);
        self.former.clear();
        self.entries.accept(size.entries, now);
    }

    /// Forgets that a key was lost: it has a value again.
    pub(super) fn forget_lost(&mut self, key: &str) {
        self.lost.remove(key);
    }

    /// Forgets earlier sizes, because an operator accepts this one.
    pub(super) fn begin_with(&mut self, size: SiteSize, now: Instant) {
        *self = Self::default();
        self.accept(SiteSize { gone: BTreeSet::new(), ..size }, now);
    }
}

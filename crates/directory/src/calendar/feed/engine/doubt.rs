//! Whether a part, or a writer as a whole, is in doubt by what has gone from it.
//! It is if more than four and more than `max-shrink` of its owners, or of its entries of the next 30 days, are gone from
//! it and from its writer. It is compared with its last reading without doubt, and with all that has gone since a day ago:
//! several losses add up. Bookings and cancellations are small losses, and those of a whole day must not add up, so the
//! first tenth (or four) that goes in each hour is forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

use super::super::line::Owner;
use super::super::{FeedMode, FeedRules};
use super::entries::Said;
use super::mark::{Count, EntryKey, Mark, is_ahead, is_later};
use super::part::PartId;
use super::state::{Held, Part, Writer};
use crate::calendar::Instant;

/// How an operator accepts a held reading. The token proves that the accepted reading is the one that was seen.
pub const ORDER: &str = "POST /feed/accept on the admin address (--admin) and the header If-Match: TOKEN, where TOKEN \
     is feed.heldToken of /readyz";

/// The starts of each owner's entries that count.
pub(super) type Starts = BTreeMap<Owner<'static>, BTreeSet<Instant>>;

#[derive(Debug, Default)]
pub(super) struct Loss {
    entries: Vec<EntryKey>,
    owners: Vec<Owner<'static>>,
    pub(super) all: Count,
}

impl Loss {
    /// Adds what there was of an owner, and what of it is gone; `is_named`: whether the owner is.
    fn add(
        &mut self,
        owner: &Owner<'static>,
        before: impl Iterator<Item = Instant>,
        (is_named, is_there): (bool, impl Fn(&Instant) -> bool),
        now: Instant,
    ) {
        let mut is_ahead_at_all = false;
        for start in before {
            is_ahead_at_all |= is_later(start, now);
            if is_ahead(start, now) {
                self.all.entries += 1;
                if !is_there(&start) {
                    self.entries.push((owner.clone(), start));
                }
            }
        }
        if is_ahead_at_all {
            self.all.owners += 1;
            if !is_named {
                self.owners.push(owner.clone());
            }
        }
    }

    pub(super) fn record(self, mark: &mut Mark, now: Instant) {
        mark.entries.record(self.entries, self.all.entries, now);
        mark.owners.record(self.owners, self.all.owners, now);
    }

    /// What is marked is no longer in `all`. The token changes when more or something else is gone.
    fn held(&self, name: &str, who: &str, mark: &Mark, rules: &FeedRules) -> Option<Held> {
        let all = Count {
            owners: self.all.owners + mark.owners.since.len(),
            entries: self.all.entries + mark.entries.since.len(),
        };
        let gone = Count { owners: self.owners.len(), entries: self.entries.len() };
        let (gone, all, what) = gone.is_too_much(all, rules.max_shrink)?;
        let meanwhile = match rules.mode {
            FeedMode::Busy => "its earlier busy time stays busy",
            FeedMode::Open => "only openings of both readings are shown",
        };
        let why = format!(
            "{who} has lost {gone} of the {all} {what} that it had within a day, so it's held: {meanwhile} until it grows back \
             or an operator accepts it with {ORDER}"
        );
        Some(Held { why, token: token_of(&(name, &self.entries, &self.owners)) })
    }
}

fn there(starts: Option<&BTreeSet<Instant>>) -> (bool, impl Fn(&Instant) -> bool) {
    (starts.is_some(), move |start| starts.is_some_and(|starts| starts.contains(start)))
}

/// A hash that is the same on each replica that has read the same.
pub(super) fn token_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

impl Writer {
    pub(super) fn judge_losses(&mut self, parts: &BTreeSet<Arc<PartId>>, rules: &FeedRules, now: Instant) {
        let Some(name) = parts.first().map(|id| Arc::clone(id.writer())) else { return };
        let is_of_files = parts.iter().any(|id| id.is_file());
        let who = if is_of_files { "the feed".to_owned() } else { format!("the site {name}") };
        let mut loss = Loss::default();
        for owner in self.owners_of(parts) {
            let before = self.good_starts(owner, rules.mode).into_iter().flatten();
            loss.add(owner, before, there(self.newest_starts(owner, rules.mode).as_ref()), now);
        }
        loss.all = self.hours.ahead(now);
        let (mark, held) = self.judged(&name, &who, loss, self.mark.clone(), rules, now);
        let is_remembered =
            self.parts.values().filter_map(|part| part.doubt.as_ref()).any(|it| it.is_remembered);
        let before = self.lost.take().filter(|_| is_remembered);
        // One part is judged as a part.
        (self.mark, self.lost) = (mark, held.filter(|_| self.parts.len() != 1).or(before));
        for id in parts {
            let Some(part) = self.parts.get(id) else { continue };
            let (loss, name) = (self.loss_of_part(part, rules.mode, now), id.name());
            let (mark, held) = self.judged(name, name, loss, part.mark.clone(), rules, now);
            let Some(part) = self.parts.get_mut(id) else { continue };
            part.mark = mark;
            if let Some(doubt) = &mut part.doubt {
                let before = doubt.lost.take().filter(|_| doubt.is_remembered);
                doubt.lost = held.or(before);
            }
        }
    }

    fn judged(
        &self,
        name: &str,
        who: &str,
        mut loss: Loss,
        mut mark: Mark,
        rules: &FeedRules,
        now: Instant,
    ) -> (Mark, Option<Held>) {
        // What has begun meanwhile, or is there again without doubt, is marked no more.
        mark.entries.keep(now, |(owner, start)| {
            let is_there = self.good_starts(owner, rules.mode).is_some_and(|good| good.contains(start));
            is_ahead(*start, now) && !is_there
        });
        mark.owners.keep(now, |owner| self.good_starts(owner, rules.mode).is_none());
        let newest = |owner: &Owner<'static>| self.newest_starts(owner, rules.mode);
        let is_gone = |(owner, start): &&EntryKey| {
            is_ahead(*start, now) && !newest(owner).is_some_and(|newest| newest.contains(start))
        };
        loss.entries.extend(mark.entries.since.keys().filter(is_gone).cloned());
        loss.owners.extend(mark.owners.since.keys().filter(|owner| newest(owner).is_none()).cloned());
        let held = loss.held(name, who, &mark, rules);
        (mark, held)
    }

    fn loss_of_part(&self, part: &Part, mode: FeedMode, now: Instant) -> Loss {
        let mut loss = Loss::default();
        for (owner, entries) in part.good.iter() {
            if part.newest().get(owner).is_some_and(|newest| newest.is_same(entries)) {
                loss.add(owner, entries.starts(mode), (true, |_: &_| true), now);
            } else {
                loss.add(owner, entries.starts(mode), there(self.newest_starts(owner, mode).as_ref()), now);
            }
        }
        loss
    }

    pub(super) fn gone_since(&self, before: &Starts, mode: FeedMode, now: Instant) -> Loss {
        let mut gone = Loss::default();
        for (owner, before) in before {
            gone.add(owner, before.iter().copied(), there(self.good_starts(owner, mode).as_ref()), now);
        }
        gone
    }

    pub(super) fn owners_of(&self, parts: &BTreeSet<Arc<PartId>>) -> BTreeSet<&Owner<'static>> {
        let parts = parts.iter().filter_map(|id| self.parts.get(id));
        parts.flat_map(|part| part.good.owners().chain(part.newest().owners())).collect()
    }

    /// `None` if none of its parts named the owner when they were last read without doubt.
    pub(super) fn good_starts(&self, owner: &Owner<'static>, mode: FeedMode) -> Option<BTreeSet<Instant>> {
        self.starts_in(|part| &part.good, owner, mode)
    }

    fn newest_starts(&self, owner: &Owner<'static>, mode: FeedMode) -> Option<BTreeSet<Instant>> {
        self.starts_in(Part::newest, owner, mode)
    }

    fn starts_in(
        &self,
        text: fn(&Part) -> &Said,
        owner: &Owner<'static>,
        mode: FeedMode,
    ) -> Option<BTreeSet<Instant>> {
        let parts = self.naming.get(owner)?.iter().filter_map(|id| self.parts.get(id));
        let mut said = parts.filter_map(|part| text(part).get(owner)).peekable();
        said.peek()?;
        Some(said.flat_map(|entries| entries.starts(mode)).collect())
    }
}

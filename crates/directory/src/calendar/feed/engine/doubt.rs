//! Whether a part, or a writer as a whole, is in doubt by what has gone from it.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;

use super::super::line::Owner;
use super::entries::Said;
use super::mark::{Count, EntryKey, Mark, is_ahead, is_later};
use super::state::{Engine, Held, Part};
use crate::calendar::Instant;

/// How an operator accepts a held reading. The token proves that the accepted reading is the one that was seen.
pub const ORDER: &str = "POST /feed/accept on the admin address (--admin) and the header If-Match: TOKEN, where TOKEN \
     is feed.heldToken of /readyz";

/// The starts of each owner's entries that count.
pub(super) type Starts = BTreeMap<Owner<'static>, BTreeSet<Instant>>;

/// What has gone from a part or a writer, and how much there was.
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

    /// Records it in a mark, of which a part is forgotten.
    pub(super) fn record(self, mark: &mut Mark, now: Instant) {
        mark.entries.record(self.entries, self.all.entries, now);
        mark.owners.record(self.owners, self.all.owners, now);
    }

    /// Why the part or writer of this name is in doubt. What is marked is no longer in `all`. The token changes when more or
    /// something else is gone.
    fn held(&self, name: &str, who: &str, mark: &Mark, max_shrink: f64) -> Option<Held> {
        let all = Count {
            owners: self.all.owners + mark.owners.since.len(),
            entries: self.all.entries + mark.entries.since.len(),
        };
        let gone = Count { owners: self.owners.len(), entries: self.entries.len() };
        let (gone, all, what) = gone.is_too_much(all, max_shrink)?;
        let why = format!(
            "{who} has lost {gone} of the {all} {what} that it had within a day, so it's held: its earlier \
             busy time stays busy until it grows back or an operator accepts it with {ORDER}"
        );
        Some(Held { why, token: token_of(&(name, &self.entries, &self.owners)) })
    }
}

/// Whether an owner with these starts is named, and which of them are there.
fn there(starts: Option<&BTreeSet<Instant>>) -> (bool, impl Fn(&Instant) -> bool) {
    (starts.is_some(), move |start| starts.is_some_and(|starts| starts.contains(start)))
}

/// A hash that is the same on each replica that has read the same.
pub(super) fn token_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

impl Engine {
    /// Judges what a writer and each of these parts, which have changed or are in doubt, have lost.
    pub(super) fn judge_losses(&mut self, name: &Arc<str>, parts: &BTreeSet<u32>, now: Instant) {
        let Some(writer) = self.writers.get(name) else { return };
        let is_alone = writer.parts.len() == 1;
        let is_of_files =
            parts.iter().any(|number| self.parts.get(*number).is_some_and(|part| part.id.is_file()));
        let who = if is_of_files { "the feed".to_owned() } else { format!("the site {name}") };
        let mut loss = Loss::default();
        for owner in self.owners_of(parts) {
            let before = self.good_starts(name, owner).into_iter().flatten();
            loss.add(owner, before, there(self.newest_starts(name, owner).as_ref()), now);
        }
        loss.all = writer.hours.ahead(now);
        let (mark, held) = self.judged((name, name), &who, loss, writer.mark.clone(), now);
        if let Some(writer) = self.writers.get_mut(name) {
            // One part is judged as a part.
            (writer.mark, writer.lost) = (mark, held.filter(|_| !is_alone));
        }
        for number in parts {
            let Some(part) = self.parts.get(*number) else { continue };
            let (loss, of) = (self.loss_of_part(part, now), part.id.name());
            let (mark, held) = self.judged((name, of), of, loss, part.mark.clone(), now);
            let Some(part) = self.parts.get_mut(*number) else { continue };
            part.mark = mark;
            if let Some(doubt) = &mut part.doubt {
                doubt.lost = held;
            }
        }
    }

    /// Whether a part or a writer is in doubt, by what has gone from it now and within a day; and the mark, tidied.
    fn judged(
        &self,
        (writer, name): (&str, &str),
        who: &str,
        mut loss: Loss,
        mut mark: Mark,
        now: Instant,
    ) -> (Mark, Option<Held>) {
        // What has begun meanwhile, or is there again without doubt, is marked no more.
        mark.entries.keep(now, |(owner, start)| {
            let is_there = self.good_starts(writer, owner).is_some_and(|good| good.contains(start));
            is_ahead(*start, now) && !is_there
        });
        mark.owners.keep(now, |owner| self.good_starts(writer, owner).is_none());
        let newest = |owner: &Owner<'static>| self.newest_starts(writer, owner);
        let is_gone = |(owner, start): &&EntryKey| {
            is_ahead(*start, now) && !newest(owner).is_some_and(|newest| newest.contains(start))
        };
        loss.entries.extend(mark.entries.since.keys().filter(is_gone).cloned());
        loss.owners.extend(mark.owners.since.keys().filter(|owner| newest(owner).is_none()).cloned());
        let held = loss.held(name, who, &mark, self.rules.max_shrink);
        (mark, held)
    }

    /// What has gone from a part since its last reading without doubt.
    fn loss_of_part(&self, part: &Part, now: Instant) -> Loss {
        let (mut loss, mode) = (Loss::default(), self.rules.mode);
        for (owner, entries) in part.good.iter() {
            if part.newest().get(owner).is_some_and(|newest| newest.is_same(entries)) {
                loss.add(owner, entries.starts(mode), (true, |_: &_| true), now);
            } else {
                let newest = self.newest_starts(part.id.writer(), owner);
                loss.add(owner, entries.starts(mode), there(newest.as_ref()), now);
            }
        }
        loss
    }

    /// What owners had that none of the writer's parts has now.
    pub(super) fn gone_since(&self, writer: &str, before: &Starts, now: Instant) -> Loss {
        let mut gone = Loss::default();
        for (owner, before) in before {
            let good = self.good_starts(writer, owner);
            gone.add(owner, before.iter().copied(), there(good.as_ref()), now);
        }
        gone
    }

    /// The owners that these parts name, or did when they were last read without doubt.
    pub(super) fn owners_of(&self, parts: &BTreeSet<u32>) -> BTreeSet<&Owner<'static>> {
        let parts = parts.iter().filter_map(|number| self.parts.get(*number));
        parts.flat_map(|part| part.good.owners().chain(part.newest().owners())).collect()
    }

    /// The starts that a writer's parts had for an owner when they were last read without doubt; `None` if none of them named
    /// the owner.
    pub(super) fn good_starts(&self, writer: &str, owner: &Owner<'static>) -> Option<BTreeSet<Instant>> {
        self.starts_in(|part| &part.good, writer, owner)
    }

    /// The starts that the newest texts of a writer's parts have for an owner; `None` if none of them names the owner.
    fn newest_starts(&self, writer: &str, owner: &Owner<'static>) -> Option<BTreeSet<Instant>> {
        self.starts_in(Part::newest, writer, owner)
    }

    fn starts_in(
        &self,
        text: fn(&Part) -> &Said,
        writer: &str,
        owner: &Owner<'static>,
    ) -> Option<BTreeSet<Instant>> {
        let parts = self.naming.get(owner)?.iter().filter_map(|number| self.parts.get(*number));
        let of_writer = parts.filter(|part| &**part.id.writer() == writer);
        let mut said = of_writer.filter_map(|part| text(part).get(owner)).peekable();
        said.peek()?;
        Some(said.flat_map(|entries| entries.starts(self.rules.mode)).collect())
    }
}

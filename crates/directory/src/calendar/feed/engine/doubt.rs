//! Whether a part, or a writer as a whole, is in doubt by what has gone from it.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher as _};

use super::super::FeedMode;
use super::super::line::Owner;
use super::entries::Entries;
use super::mark::{Count, EntryKey, Mark, is_ahead, is_later};
use super::state::{Engine, Part};
use crate::calendar::Instant;

/// How an operator accepts what is held. The token tells that what is accepted is what was seen.
pub const ORDER: &str = "POST /feed/accept on the admin address (--admin) and the header If-Match: TOKEN, where TOKEN \
     is feed.heldToken of /readyz";

/// What has gone from a part or a writer.
#[derive(Debug, Default)]
pub(super) struct Loss {
    pub(super) entries: Vec<EntryKey>,
    pub(super) owners: Vec<Owner<'static>>,
}

impl Loss {
    /// Adds what has gone of an owner. `newest` are the starts that the writer has now; `None`: it does not name the owner.
    pub(super) fn add(
        &mut self,
        owner: &Owner<'static>,
        before: &[Instant],
        newest: Option<&BTreeSet<Instant>>,
        now: Instant,
    ) {
        let has = |start: &Instant| newest.is_some_and(|newest| newest.contains(start));
        let gone = before.iter().filter(|start| is_ahead(**start, now) && !has(start));
        self.entries.extend(gone.map(|start| (owner.clone(), *start)));
        if newest.is_none() && before.last().is_some_and(|last| is_later(*last, now)) {
            self.owners.push(owner.clone());
        }
    }

    /// A name for what has gone from this part or writer, which changes when more or something else is gone.
    pub(super) fn token(&self, of: &str) -> u64 {
        token_of(&(of, &self.entries, &self.owners))
    }

    fn count(&self) -> Count {
        Count { owners: self.owners.len(), entries: self.entries.len() }
    }

    /// Why what it is of is in doubt. `all`: how much there was, without what is marked.
    pub(super) fn why(&self, who: &str, all: Count, mark: &Mark, max_shrink: f64) -> Option<String> {
        let all = Count {
            owners: all.owners + mark.owners.since.len(),
            entries: all.entries + mark.entries.since.len(),
        };
        let (gone, all, what) = self.count().is_too_much(all, max_shrink)?;
        Some(format!(
            "{who} has lost {gone} of the {all} {what} that it had within a day and is held: what it had stays taken, until \
             it has grown back or is accepted with {ORDER}"
        ))
    }
}

/// A hash that is the same on each replica that has read the same.
pub(super) fn token_of(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The starts of an owner's entries that count.
fn starts(entries: &Entries, mode: FeedMode) -> Vec<Instant> {
    entries.starts(mode).collect()
}

impl Engine {
    /// What has gone from a part since its last reading without doubt and within a day.
    pub(super) fn loss_of_part(&self, number: u32, now: Instant) -> (Loss, Count) {
        let (mut loss, mut all) = (Loss::default(), Count::default());
        let Some(part) = self.part(number) else { return (loss, all) };
        for (owner, entries) in part.good.iter() {
            let before = starts(entries, self.rules.mode);
            all.entries += before.iter().filter(|start| is_ahead(**start, now)).count();
            all.owners += usize::from(before.last().is_some_and(|last| is_later(*last, now)));
            if part.newest().get(owner).is_none_or(|newest| !newest.is_same(entries)) {
                let newest = self.newest_starts(part.id.writer(), owner);
                loss.add(owner, &before, newest.as_ref(), now);
            }
        }
        self.add_marked(&mut loss, part.id.writer(), &part.mark, now);
        (loss, all)
    }

    /// What has gone from a writer, of whose parts these have changed or are in doubt.
    pub(super) fn loss_of_writer(&self, name: &str, changed: &BTreeSet<u32>, now: Instant) -> (Loss, Count) {
        let mut loss = Loss::default();
        let Some(writer) = self.writers.get(name) else { return (loss, Count::default()) };
        for owner in self.owners_of(changed) {
            let before = self.good_starts(name, owner);
            if !before.is_empty() {
                loss.add(owner, &before, self.newest_starts(name, owner).as_ref(), now);
            }
        }
        self.add_marked(&mut loss, name, &writer.mark, now);
        (loss, writer.hours.ahead(now))
    }

    /// The owners that these parts name, or did when they were last read without doubt.
    pub(super) fn owners_of(&self, parts: &BTreeSet<u32>) -> BTreeSet<&Owner<'static>> {
        let parts = parts.iter().filter_map(|number| self.part(*number));
        parts.flat_map(|part| part.good.owners().chain(part.newest().owners())).collect()
    }

    /// The starts that a writer's parts had for an owner when they were last read without doubt, sorted.
    pub(super) fn good_starts(&self, writer: &str, owner: &Owner<'static>) -> Vec<Instant> {
        let mode = self.rules.mode;
        let of = self.parts_naming(writer, owner).filter_map(|part| part.good.get(owner));
        let all: BTreeSet<_> = of.flat_map(|entries| entries.starts(mode)).collect();
        all.into_iter().collect()
    }

    /// As [`Self::good_starts`]; `None` if none of the parts names the owner.
    pub(super) fn good_starts_if_named(
        &self,
        writer: &str,
        owner: &Owner<'static>,
    ) -> Option<BTreeSet<Instant>> {
        let is_named = self.parts_naming(writer, owner).any(|part| part.good.get(owner).is_some());
        is_named.then(|| self.good_starts(writer, owner).into_iter().collect())
    }

    /// The starts that the newest texts of a writer's parts have for an owner; `None` if none of them names the owner.
    fn newest_starts(&self, writer: &str, owner: &Owner<'static>) -> Option<BTreeSet<Instant>> {
        let mode = self.rules.mode;
        let mut of = self.parts_naming(writer, owner).filter_map(|part| part.newest().get(owner)).peekable();
        of.peek()?;
        Some(of.flat_map(|entries| entries.starts(mode)).collect())
    }

    /// Adds what went earlier and has not come back.
    fn add_marked(&self, loss: &mut Loss, writer: &str, mark: &Mark, now: Instant) {
        let newest = |owner: &Owner<'static>| self.newest_starts(writer, owner);
        let is_gone = |(owner, start): &&EntryKey| {
            is_ahead(*start, now) && !newest(owner).is_some_and(|newest| newest.contains(start))
        };
        loss.entries.extend(mark.entries.since.keys().filter(is_gone).cloned());
        loss.owners.extend(mark.owners.since.keys().filter(|owner| newest(owner).is_none()).cloned());
    }

    /// Forgets of a mark what went more than a day ago, has begun meanwhile, or is there again without doubt.
    pub(super) fn tidied(&self, writer: &str, mut mark: Mark, now: Instant) -> Mark {
        mark.entries.keep(now, |(owner, start)| {
            is_ahead(*start, now) && self.good_starts(writer, owner).binary_search(start).is_err()
        });
        mark.owners
            .keep(now, |owner| !self.parts_naming(writer, owner).any(|part| part.good.get(owner).is_some()));
        mark
    }

    /// The parts of a writer that name an owner, or did.
    fn parts_naming<'a>(&'a self, writer: &'a str, owner: &Owner<'static>) -> impl Iterator<Item = &'a Part> {
        let numbers = self.naming.get(owner).into_iter().flatten();
        numbers.filter_map(|number| self.part(*number)).filter(move |part| &**part.id.writer() == writer)
    }
}

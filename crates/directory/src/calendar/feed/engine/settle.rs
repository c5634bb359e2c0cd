//! Decides what is believed of parts with new texts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::FeedMode;
use super::super::line::Owner;
use super::super::resolve::Resolver;
use super::doubt::{Loss, ORDER, token_of};
use super::entries::{Said, doubted};
use super::mark::{Count, is_ahead, is_later};
use super::owner::OwnerState;
use super::owners::{Changed, OwnerChange};
use super::part::Subject;
use super::state::{Engine, Held};
use crate::calendar::Instant;
use crate::model::Directory;

/// What ended before this number of seconds is not kept of a part in doubt.
const DAY: i64 = 86_400;

/// The number of unknown slugs for which a message suggests similar ones.
const MAX_SUGGESTED: usize = 5;

/// What is wrong with a first reading, and what to do.
type Fault = (&'static str, &'static str);

const NO_LINES: Fault = (
    "the feed has no lines, so it says nothing about anyone's time",
    "look whether the program that writes it still runs; if nothing is taken, list one taken time that has passed for \
     each clinician",
);
const LISTS_NONE: Fault = (
    "no line of the feed is about a provider of this content, so nothing is known of their time",
    "correct the slugs, or the Schedules' practitioners and NPIs (nameplate check --feed tells which)",
);
const NONE_IS_FREE: Fault = (
    "the mode is open, where only free slots count, and none of the entries is free",
    "if the feed lists taken time, set its mode to busy (a file in the content folder: name it busy.ndjson)",
);
const ALL_ARE_FREE: Fault = (
    "the mode is busy, where only taken time counts, and all entries are free",
    "if the feed lists the times that can be booked, set its mode to open (a file in the content folder: name it \
     open.ndjson); if nothing is taken, list one taken time that has passed for each clinician",
);

impl Engine {
    /// Decides of the touched parts of each writer, and of its parts in doubt, what is believed.
    pub(super) fn settle(
        &mut self,
        touched: BTreeMap<Arc<str>, BTreeSet<u32>>,
        here: &Directory,
        now: Instant,
    ) -> Changed {
        let mut open = self.unclear.clone();
        let mut writers: BTreeSet<Arc<str>> = BTreeSet::new();
        for (name, mut parts) in touched {
            let Some(writer) = self.writers.get(&name) else { continue };
            parts.extend(writer.parts.iter().filter(|number| self.is_in_doubt(**number)));
            if !parts.is_empty() {
                self.judge_losses(&name, &parts, now);
            }
            open.extend(parts);
            writers.insert(name);
        }
        self.forget_unclear(&open);
        let mut believed: BTreeMap<u32, Said> = BTreeMap::new();
        let mut changed = Changed::default();
        let mut undecided = open.clone();
        loop {
            let mut said = Vec::new();
            for number in undecided {
                let Some(target) = self.target(number, now) else { continue };
                let Some(part) = self.part(number) else { continue };
                differences(
                    number,
                    believed.get(&number).unwrap_or_else(|| part.believed()),
                    &target,
                    &mut said,
                );
                believed.insert(number, target);
            }
            changed.merge(self.owners.apply(here, said));
            // A part turns out to be unclear once it is known whom everything else means.
            undecided = self.note_unclear(here);
            open.extend(&undecided);
            if undecided.is_empty() {
                break;
            }
        }
        self.conclude(&open, believed, now);
        for name in writers {
            if self.writers.get(&name).is_some_and(|writer| writer.is_gone && writer.parts.is_empty()) {
                self.writers.remove(&name);
            }
        }
        changed
    }

    fn is_in_doubt(&self, number: u32) -> bool {
        self.part(number).is_some_and(|part| part.doubt.is_some())
    }

    /// Judges what a writer and each of these parts have lost.
    fn judge_losses(&mut self, name: &Arc<str>, parts: &BTreeSet<u32>, now: Instant) {
        let Some(writer) = self.writers.get_mut(name) else { return };
        let (mark, max_shrink) = (std::mem::take(&mut writer.mark), self.rules.max_shrink);
        let mark = self.tidied(name, mark, now);
        if let Some(writer) = self.writers.get_mut(name) {
            writer.mark = mark;
        }
        let (loss, all) = self.loss_of_writer(name, parts, now);
        let is_alone = self.writers.get(name).is_some_and(|writer| writer.parts.len() == 1);
        let is_of_files =
            parts.iter().any(|number| self.part(*number).is_some_and(|part| part.id.owner().is_none()));
        if let Some(writer) = self.writers.get_mut(name) {
            // One part is judged as a part.
            let who = if is_of_files { "the feed".to_owned() } else { format!("the site {name}") };
            let why = if is_alone { None } else { loss.why(&who, all, &writer.mark, max_shrink) };
            writer.lost = why.map(|why| Held { why, token: loss.token(name) });
        }
        for number in parts {
            let Some(part) = self.parts[*number as usize].as_mut() else { continue };
            let mark = std::mem::take(&mut part.mark);
            let mark = self.tidied(name, mark, now);
            if let Some(part) = self.parts[*number as usize].as_mut() {
                part.mark = mark;
            }
            let (loss, all) = self.loss_of_part(*number, now);
            let Some(part) = self.parts[*number as usize].as_mut() else { continue };
            let why = loss.why(part.id.name(), all, &part.mark, max_shrink);
            let held = why.map(|why| Held { why, token: loss.token(part.id.name()) });
            if let Some(doubt) = &mut part.doubt {
                doubt.lost = held;
            }
        }
    }

    /// What is to be believed of a part.
    fn target(&self, number: u32, now: Instant) -> Option<Said> {
        let part = self.part(number)?;
        let doubt = part.doubt.as_ref()?;
        let is_lossy = self.writers.get(part.id.writer()).is_some_and(|writer| writer.lost.is_some());
        if doubt.is_accepted || !(doubt.has_reason() || is_lossy) {
            return Some(doubt.newest.clone());
        }
        let most = self.rules.limits.entries_per_provider + 1;
        let bounds = (now.plus_seconds(-DAY), most);
        Some(doubted(&doubt.believed, &doubt.newest, self.rules.mode, bounds))
    }

    /// Forgets which of these parts were unclear: it is found out anew.
    fn forget_unclear(&mut self, parts: &BTreeSet<u32>) {
        self.unclear.clear();
        for number in parts {
            if let Some(doubt) = self.parts[*number as usize].as_mut().and_then(|part| part.doubt.as_mut()) {
                doubt.unclear = None;
            }
        }
    }

    /// Notes which parts are unclear, and returns those that were not known to be.
    fn note_unclear(&mut self, here: &Directory) -> BTreeSet<u32> {
        let resolvers = [Resolver::new(here, &self.rules), Resolver::without_suggestions(here, &self.rules)];
        let new = self.owners.unclear().filter(|(part, _)| !self.unclear.contains(part));
        // A suggestion takes milliseconds.
        let with_reason = |(nth, (part, owner)): (usize, (u32, &OwnerState))| {
            (part, owner.unclear_because(part, resolvers[usize::from(nth >= MAX_SUGGESTED)]))
        };
        let unclear: BTreeMap<u32, String> = new.enumerate().map(with_reason).collect();
        for (number, why) in &unclear {
            if let Some(part) = self.parts[*number as usize].as_mut() {
                part.doubt().unclear = Some(why.clone());
            }
        }
        self.unclear.extend(unclear.keys());
        unclear.into_keys().collect()
    }

    /// Ends the doubt of parts without a reason, and lets the others grow old.
    fn conclude(&mut self, open: &BTreeSet<u32>, mut believed: BTreeMap<u32, Said>, now: Instant) {
        let mut decided: BTreeMap<Arc<str>, BTreeSet<u32>> = BTreeMap::new();
        for number in open {
            let Some(part) = self.parts[*number as usize].as_mut() else { continue };
            let Some(writer) = self.writers.get(part.id.writer()) else { continue };
            let Some(doubt) = &mut part.doubt else { continue };
            if let Some(believed) = believed.remove(number) {
                doubt.believed = believed;
            }
            doubt.is_accepted = false;
            let has_changed = !doubt.newest.is_same(&part.good) || !doubt.believed.is_same(&doubt.newest);
            if doubt.has_reason() || writer.lost.is_some() && has_changed {
                part.own = part.own.or(Some(writer.as_of));
            } else {
                decided.entry(Arc::clone(part.id.writer())).or_default().insert(*number);
            }
        }
        for (name, parts) in decided {
            let before: BTreeMap<Owner<'static>, Vec<Instant>> = self
                .owners_of(&parts)
                .into_iter()
                .map(|owner| (owner.clone(), self.good_starts(&name, owner)))
                .collect();
            let of_parts: Vec<_> = parts.iter().map(|number| (*number, self.starts_of(*number))).collect();
            self.rebase(&name, &parts);
            let (gone, all) = self.gone_since(&name, &before, now);
            if let Some(writer) = self.writers.get_mut(&name) {
                let all = Count {
                    owners: all.owners.max(writer.hours.ahead(now).owners),
                    ..writer.hours.ahead(now)
                };
                writer.mark.entries.record(gone.entries, all.entries, now);
                writer.mark.owners.record(gone.owners, all.owners, now);
            }
            for (number, before) in of_parts {
                let (gone, all) = self.gone_since(&name, &before, now);
                let Some(part) = self.parts[number as usize].as_mut() else { continue };
                part.mark.entries.record(gone.entries, all.entries, now);
                part.mark.owners.record(gone.owners, all.owners, now);
            }
            for number in parts {
                self.end_doubt(number);
            }
        }
    }

    fn starts_of(&self, number: u32) -> BTreeMap<Owner<'static>, Vec<Instant>> {
        let mode = self.rules.mode;
        let of = self.part(number).into_iter().flat_map(|part| part.good.iter());
        of.map(|(owner, entries)| (owner.clone(), entries.starts(mode).collect())).collect()
    }

    /// What there was of owners and is in none of the writer's parts any more, and how much there was.
    fn gone_since(
        &self,
        writer: &str,
        before: &BTreeMap<Owner<'static>, Vec<Instant>>,
        now: Instant,
    ) -> (Loss, Count) {
        let (mut gone, mut all) = (Loss::default(), Count::default());
        for (owner, before) in before {
            all.entries += before.iter().filter(|start| is_ahead(**start, now)).count();
            all.owners += usize::from(before.last().is_some_and(|last| is_later(*last, now)));
            let after = self.good_starts_if_named(writer, owner);
            gone.add(owner, before, after.as_ref(), now);
        }
        (gone, all)
    }

    /// Makes the newest texts of a writer's parts those that later ones are compared with.
    pub(super) fn rebase(&mut self, name: &Arc<str>, parts: &BTreeSet<u32>) {
        let owners: Vec<Owner<'static>> = self.owners_of(parts).into_iter().cloned().collect();
        let before: Vec<Vec<Instant>> = owners.iter().map(|owner| self.good_starts(name, owner)).collect();
        for number in parts {
            if let Some(part) = self.parts[*number as usize].as_mut()
                && let Some(doubt) = &part.doubt
            {
                part.good = doubt.newest.clone();
            }
        }
        let after: Vec<Vec<Instant>> = owners.iter().map(|owner| self.good_starts(name, owner)).collect();
        if let Some(writer) = self.writers.get_mut(name) {
            for starts in &before {
                writer.hours.remove(starts);
            }
            for starts in &after {
                writer.hours.add(starts);
            }
        }
        for owner in owners {
            let Some(numbers) = self.naming.get(&owner) else { continue };
            let is_named = |number: &u32| {
                self.parts[*number as usize].as_ref().is_some_and(|part| {
                    part.good.get(&owner).is_some() || part.newest().get(&owner).is_some()
                })
            };
            let numbers: Vec<u32> = numbers.iter().copied().filter(is_named).collect();
            if numbers.is_empty() {
                self.naming.remove(&owner);
            } else {
                self.naming.insert(owner, numbers);
            }
        }
    }

    /// A part follows its writer's beats from now on, or is removed.
    fn end_doubt(&mut self, number: u32) {
        let Some(part) = self.parts[number as usize].as_mut() else { return };
        let Some(doubt) = part.doubt.take() else { return };
        part.own = None;
        if doubt.is_gone {
            self.numbers.remove(part.id.name());
            if let Some(writer) = self.writers.get_mut(part.id.writer()) {
                writer.parts.remove(&number);
            }
            let is_calendar = matches!(part.id.subject, Subject::Calendar(_));
            if is_calendar {
                self.writers.remove(part.id.writer());
            }
            self.parts[number as usize] = None;
            self.free_numbers.push(number);
        }
    }

    /// Why a writer's first reading is in doubt: an empty feed does not mean an empty calendar, and a feed that is read in
    /// the wrong mode means the opposite.
    pub(super) fn fault_of_first(&self, name: &str) -> Option<Held> {
        let writer = self.writers.get(name).filter(|writer| !writer.was_read)?;
        let parts = || writer.parts.iter().filter_map(|number| self.part(*number));
        let said = || parts().flat_map(|part| part.newest().iter());
        let counts_any = said().any(|(_, entries)| entries.counted > 0);
        let (what, help) = if parts().all(|part| part.newest().owners().next().is_none()) {
            NO_LINES
        } else if !said().any(|(owner, _)| self.owners.leads(owner)) {
            LISTS_NONE
        } else if counts_any {
            return None;
        } else if self.rules.mode == FeedMode::Open {
            NONE_IS_FREE
        } else {
            ALL_ARE_FREE
        };
        let is_calendar = parts().any(|part| matches!(part.id.subject, Subject::Calendar(_)));
        let which = if is_calendar { format!("{name}: ") } else { String::new() };
        let why = format!("{which}{what}: {help}; if it is right as it is, accept it with {ORDER}");
        Some(Held { token: token_of(&(name, what)), why })
    }
}

/// What differs between two texts of a part.
pub(super) fn differences(part: u32, before: &Said, now: &Said, changes: &mut Vec<OwnerChange>) {
    for (owner, entries) in now.iter() {
        if before.get(owner).is_none_or(|before| !before.is_same(entries)) {
            changes.push(OwnerChange { part, owner: owner.clone(), now: Some(Arc::clone(entries)) });
        }
    }
    for owner in before.owners().filter(|owner| now.get(owner).is_none()) {
        changes.push(OwnerChange { part, owner: owner.clone(), now: None });
    }
}

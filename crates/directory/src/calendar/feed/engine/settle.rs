//! Decides what is believed of parts with new texts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::FeedMode;
use super::super::line::Owner;
use super::doubt::{ORDER, Starts, token_of};
use super::entries::{Said, doubted};
use super::mark::Count;
use super::owner::{OwnerState, Says};
use super::owners::{Change, OwnerChange};
use super::part::PartId;
use super::state::{Doubt, Engine, Held, Part, Touched, Writer};
use crate::calendar::Instant;
use crate::model::Directory;

/// What ended before this number of seconds is not kept of a part in doubt.
const DAY: i64 = 86_400;

/// The number of unknown slugs for which a message suggests similar ones.
const MAX_SUGGESTED: usize = 5;

type Fault = (&'static str, &'static str);

const NO_LINES: Fault = (
    "the feed has no lines, so it doesn't say when anyone is busy",
    "check whether the program that writes it still runs; if nothing is busy, list one past busy time for \
     each clinician",
);
const LISTS_NONE: Fault = (
    "no line of the feed is about a clinician in this content, so nothing is known about their time",
    "correct the slugs, or the Schedules' practitioners and NPIs (`nameplate check --feed` shows which)",
);
const NONE_IS_FREE: Fault = (
    "the mode is open, which counts only free slots, but no entry is free",
    "if the feed lists busy time, set its mode to busy (in the content folder: name the file busy.ndjson)",
);
const ALL_ARE_FREE: Fault = (
    "the mode is busy, which counts only busy time, but all entries are free",
    "if the feed lists the times that can be booked, set its mode to open (in the content folder: name the \
     file open.ndjson); if nothing is busy, list one past busy time for each clinician",
);

impl Engine {
    pub(super) fn settle(&mut self, touched: Touched, here: &Directory, now: Instant) -> Change {
        let mut open: BTreeSet<Arc<PartId>> = std::mem::take(&mut self.unclear).into_keys().collect();
        let mut writers: BTreeSet<Arc<str>> = BTreeSet::new();
        for (name, mut parts) in touched {
            let Some(writer) = self.writers.get_mut(&name) else { continue };
            let in_doubt = writer.parts.values().filter(|part| part.doubt.is_some());
            parts.extend(in_doubt.map(|part| Arc::clone(&part.id)));
            writer.judge_losses(&parts, &self.rules, now);
            open.extend(parts);
            writers.insert(name);
        }
        let mut believed: BTreeMap<Arc<PartId>, Said> = BTreeMap::new();
        let mut change = Change::default();
        let mut undecided = open.clone();
        loop {
            let mut said = Vec::new();
            for id in undecided {
                let Some((target, is_whole)) = self.target(&id, now) else { continue };
                let Some(part) = self.part_mut(&id) else { continue };
                if !is_whole {
                    part.own = Some(None);
                }
                let before = believed.get(&id).unwrap_or_else(|| part.believed());
                differences(&id, before, &target, &mut said);
                believed.insert(id, target);
            }
            change.merge(self.owners.apply(here, said));
            // A part turns out to be unclear once it is known whom everything else means.
            undecided = self.note_unclear(here);
            open.extend(undecided.iter().cloned());
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
        change
    }

    /// What is to be believed of a part. False if that is too much to be kept: then busy time is forgotten, and the part says
    /// nothing of anyone's time until its doubt ends.
    fn target(&self, id: &PartId, now: Instant) -> Option<(Said, bool)> {
        let writer = self.writers.get(id.writer())?;
        let part = writer.parts.get(id)?;
        let doubt = part.doubt.as_ref()?;
        if doubt.is_accepted || !(self.has_reason(part) || writer.lost.is_some()) {
            return Some((doubt.newest.clone(), true));
        }
        let most = self.rules.limits.entries_per_provider + 1;
        let of =
            |before: &Said| doubted(before, &doubt.newest, self.rules.mode, (now.plus_seconds(-DAY), most));
        let all = of(&doubt.believed);
        // The last two texts have at most as many.
        let is_whole = all.owners().count() <= 2 * self.rules.limits.owners;
        Some(if is_whole { (all, true) } else { (of(&part.good), false) })
    }

    /// Notes which parts are unclear, and returns those that were not known to be.
    fn note_unclear(&mut self, here: &Directory) -> BTreeSet<Arc<PartId>> {
        let new = self.owners.unclear().filter(|(says, _)| !self.unclear.contains_key(&says.id));
        let with_reason = |(nth, (says, owner)): (usize, (&Says, &OwnerState))| {
            let near = (nth < MAX_SUGGESTED).then_some(here);
            (Arc::clone(&says.id), owner.unclear_because(says, near))
        };
        let unclear: BTreeMap<Arc<PartId>, String> = new.enumerate().map(with_reason).collect();
        for id in unclear.keys() {
            self.part_mut(id).map(Part::doubt);
        }
        let new = unclear.keys().cloned().collect();
        self.unclear.extend(unclear);
        new
    }

    fn has_reason(&self, part: &Part) -> bool {
        let is_bad = |doubt: &Doubt| doubt.lost.is_some() || doubt.bad.is_some() || doubt.is_remembered;
        self.unclear.contains_key(&part.id) || part.doubt.as_deref().is_some_and(is_bad)
    }

    fn conclude(
        &mut self,
        open: &BTreeSet<Arc<PartId>>,
        mut believed: BTreeMap<Arc<PartId>, Said>,
        now: Instant,
    ) {
        let (mut decided, mode) = (Touched::new(), self.rules.mode);
        for id in open {
            let has_reason = self.part(id).is_some_and(|part| self.has_reason(part));
            let Some(writer) = self.writers.get_mut(id.writer()) else { continue };
            let Some(part) = writer.parts.get_mut(id) else { continue };
            let Some(doubt) = &mut part.doubt else { continue };
            if let Some(believed) = believed.remove(id) {
                doubt.believed = believed;
            }
            doubt.is_accepted = false;
            let has_changed = !doubt.newest.is_same(&part.good) || !doubt.believed.is_same(&doubt.newest);
            if has_reason || writer.lost.is_some() && has_changed {
                part.own = part.own.or(Some(writer.as_of));
            } else {
                decided.entry(Arc::clone(id.writer())).or_default().insert(Arc::clone(id));
            }
        }
        for (name, parts) in decided {
            let Some(writer) = self.writers.get_mut(&name) else { continue };
            let of_parts: Vec<_> = parts.iter().map(|id| (id, writer.starts_of(id, mode))).collect();
            let before = writer.rebase(&parts, mode);
            let mut gone = writer.gone_since(&before, mode, now);
            let ahead = writer.hours.ahead(now);
            gone.all = Count { owners: gone.all.owners.max(ahead.owners), ..ahead };
            gone.record(&mut writer.mark, now);
            for (id, before) in of_parts {
                let gone = writer.gone_since(&before, mode, now);
                if let Some(part) = writer.parts.get_mut(id) {
                    gone.record(&mut part.mark, now);
                }
            }
            for id in &parts {
                writer.end_doubt(id);
            }
            if writer.parts.is_empty() && parts.iter().any(|id| id.is_calendar()) {
                self.writers.remove(&name);
            }
        }
    }

    /// Why a writer's first reading is in doubt: an empty feed does not mean an empty calendar, and a feed that is read in
    /// the wrong mode means the opposite.
    pub(super) fn fault_of_first(&self, name: &str) -> Option<Held> {
        let writer = self.writers.get(name).filter(|writer| !writer.was_read)?;
        let parts = || writer.parts.values();
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
        let which =
            if parts().any(|part| part.id.is_calendar()) { format!("{name}: ") } else { String::new() };
        let why = format!("{which}{what}: {help}; if it's correct as it is, accept it with {ORDER}");
        Some(Held { token: token_of(&(name, what)), why })
    }
}

impl Writer {
    fn starts_of(&self, id: &PartId, mode: FeedMode) -> Starts {
        let of = self.parts.get(id).into_iter().flat_map(|part| part.good.iter());
        of.map(|(owner, entries)| (owner.clone(), entries.starts(mode).collect())).collect()
    }

    /// Makes the newest texts of parts those that later ones are compared with, and returns what there was before.
    pub(super) fn rebase(&mut self, parts: &BTreeSet<Arc<PartId>>, mode: FeedMode) -> Starts {
        let good = |owner: &Owner<'static>| self.good_starts(owner, mode).unwrap_or_default();
        let before: Starts =
            self.owners_of(parts).into_iter().map(|owner| (owner.clone(), good(owner))).collect();
        for id in parts {
            if let Some(part) = self.parts.get_mut(id)
                && let Some(doubt) = &part.doubt
            {
                part.good = doubt.newest.clone();
            }
        }
        for (owner, before) in &before {
            let after = self.good_starts(owner, mode).unwrap_or_default();
            self.hours.add(before, false);
            self.hours.add(&after, true);
            self.forget_names(owner);
        }
        before
    }

    /// A part follows the beats from now on, unless the last one named it as late, or is removed.
    fn end_doubt(&mut self, id: &PartId) {
        let Some(part) = self.parts.get_mut(id) else { return };
        let Some(doubt) = part.doubt.take() else { return };
        if !self.late.contains_key(id.name()) {
            part.own = None;
        }
        if doubt.is_gone {
            self.parts.remove(id);
        }
    }
}

pub(super) fn differences(id: &Arc<PartId>, before: &Said, now: &Said, changes: &mut Vec<OwnerChange>) {
    let change = |owner: &Owner<'static>, now| OwnerChange { id: Arc::clone(id), owner: owner.clone(), now };
    for (owner, entries) in now.iter() {
        if before.get(owner).is_none_or(|before| !before.is_same(entries)) {
            changes.push(change(owner, Some(Arc::clone(entries))));
        }
    }
    let gone = before.owners().filter(|owner| now.get(owner).is_none());
    changes.extend(gone.map(|owner| change(owner, None)));
}

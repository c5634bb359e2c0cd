//! Takes what sources say, and an operator's order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::FeedFile;
use super::age::AsOf;
use super::entries::{Said, said, unread};
use super::mark::Mark;
use super::owners::Change;
use super::part::{BadText, Event, Late, PartId};
use super::state::{Engine, Part, Touched};
use crate::calendar::Instant;
use crate::model::{Directory, Generation};

impl Engine {
    /// Takes what a source says after a look that began in this generation. Without events it takes new content. `now` is the
    /// service's time, which may stand still.
    pub fn take(
        &mut self,
        events: Vec<Event>,
        looked_in: &Generation,
        here: &Directory,
        now: Instant,
    ) -> Change {
        let mut touched = Touched::new();
        let mut beats = Vec::new();
        if self.owners.generation.as_ref() != Some(here.generation()) {
            let in_doubt = self.parts().filter(|part| part.doubt.is_some());
            touched.extend(in_doubt.map(|part| (Arc::clone(part.id.writer()), BTreeSet::new())));
        }
        for event in events {
            match event {
                Event::PartChanged { part, text } => {
                    if let Some(id) = self.change_part(&part, text) {
                        touched.entry(Arc::clone(id.writer())).or_default().insert(id);
                    }
                }
                Event::PartGone { part } => {
                    if self.part(&part).is_some() {
                        self.end_parts(&Arc::clone(part.writer()), [Arc::new(part)].into(), &mut touched);
                    }
                }
                Event::Complete { writer, parts } => {
                    let known = self.writers.get(&writer).into_iter().flat_map(|writer| writer.parts.keys());
                    let gone: BTreeSet<_> = known.filter(|id| !parts.contains(id.name())).cloned().collect();
                    if !gone.is_empty() {
                        self.end_parts(&writer, gone, &mut touched);
                    }
                }
                Event::Beat { writer, as_of, late } => {
                    touched.entry(Arc::clone(&writer)).or_default();
                    let parts = self.writers.entry(Arc::clone(&writer)).or_default().parts.values_mut();
                    let doubts = parts.filter_map(|part| part.doubt.as_mut());
                    doubts.for_each(|doubt| doubt.is_remembered = false);
                    beats.push((writer, as_of, late));
                }
                Event::Failed { writer, why } => {
                    self.writers.entry(writer).or_default().trouble = vec![why];
                }
                Event::Writers { all } => {
                    let others = self.writers.iter_mut().filter(|(name, _)| !all.contains(*name));
                    let gone = others.map(|(name, writer)| {
                        writer.is_gone = true;
                        (Arc::clone(name), writer.parts.keys().cloned().collect())
                    });
                    for (writer, parts) in gone.collect::<Vec<_>>() {
                        self.end_parts(&writer, parts, &mut touched);
                    }
                }
                Event::Unusable { writer, why } => {
                    let writer = self.writers.entry(writer).or_default();
                    (writer.as_of, writer.heard, writer.trouble) = (None, None, vec![why]);
                    let ages = writer.parts.values_mut().filter_map(|part| part.own.as_mut());
                    ages.for_each(|age| *age = None);
                }
            }
        }
        let change = self.settle(touched, here, now);
        for (writer, as_of, late) in beats {
            self.beat(&writer, as_of, late, looked_in);
        }
        self.told(change, here)
    }

    /// Believes what has vanished.
    pub fn accept(&mut self, here: &Directory, now: Instant) -> Change {
        let mut touched = Touched::new();
        let mut confirmed = Vec::new();
        for (name, writer) in &mut self.writers {
            let is_lossy = writer.lost.take().is_some();
            if is_lossy {
                writer.mark = Mark::default();
            }
            if writer.first.take().is_some() || is_lossy {
                confirmed.push(Arc::clone(name));
            }
            for (id, part) in &mut writer.parts {
                let Some(doubt) = &mut part.doubt else { continue };
                if doubt.lost.take().is_some() || is_lossy {
                    (part.mark, doubt.is_accepted, doubt.is_remembered) = (Mark::default(), true, false);
                    touched.entry(Arc::clone(name)).or_default().insert(Arc::clone(id));
                }
            }
        }
        for (name, parts) in &touched {
            self.writers.get_mut(name).map(|writer| writer.rebase(parts, self.rules.mode));
        }
        let change = self.settle(touched, here, now);
        for writer in confirmed {
            self.confirm(&writer);
        }
        self.told(change, here)
    }

    /// A part's new text. The id of the part, if that changes anything.
    fn change_part(&mut self, id: &PartId, text: Result<Arc<FeedFile>, BadText>) -> Option<Arc<PartId>> {
        let mode = self.rules.mode;
        let writer = self.writers.entry(Arc::clone(id.writer())).or_default();
        let id = writer.parts.get(id).map_or_else(|| Arc::new(id.clone()), |part| Arc::clone(&part.id));
        let part = writer.parts.entry(Arc::clone(&id)).or_insert_with(|| Part::new(Arc::clone(&id)));
        match text {
            Ok(file) => {
                let newest = said(&id, &file, mode);
                self.owners.is_unused_new |= part.others != file.others;
                part.others.clone_from(&file.others);
                part.is_blank = id.is_file() && file.is_blank();
                if part.is_blank {
                    self.owners.blank.insert(Arc::clone(id.name()));
                } else {
                    self.owners.blank.remove(id.name());
                }
                let is_known = part.doubt.is_none() && part.good.is_same(&newest) && part.own != Some(None);
                if is_known && !part.is_blank {
                    return None;
                }
                let doubt = part.doubt();
                (doubt.is_gone, doubt.bad) = (false, None);
                writer.set_newest(&id, newest);
            }
            Err(why) => {
                let doubt = part.doubt();
                (doubt.bad, doubt.is_gone) = (Some(why), false);
                if doubt.newest.owners().next().is_none() {
                    writer.set_newest(&id, unread(&id, mode));
                }
            }
        }
        Some(id)
    }

    fn end_parts(&mut self, name: &Arc<str>, parts: BTreeSet<Arc<PartId>>, touched: &mut Touched) {
        let Some(writer) = self.writers.get_mut(name) else { return };
        for id in &parts {
            let Some(part) = writer.parts.get_mut(id) else { continue };
            self.owners.is_unused_new |= !part.others.is_empty();
            self.owners.blank.remove(id.name());
            (part.others, part.is_blank) = (BTreeMap::new(), false);
            let doubt = part.doubt();
            (doubt.is_gone, doubt.bad) = (true, None);
            writer.set_newest(id, Said::default());
        }
        // Without doubt: a calendar ends when an operator removes its line, so nothing of it is lost.
        if parts.iter().any(|id| id.is_calendar()) {
            writer.rebase(&parts, self.rules.mode);
            writer.parts.values_mut().for_each(|part| part.mark = Mark::default());
        }
        touched.entry(Arc::clone(name)).or_default().extend(parts);
    }

    /// Takes a beat. It confirms nothing while something of the writer is held.
    fn beat(&mut self, name: &Arc<str>, as_of: AsOf, late: Vec<Late>, looked_in: &Generation) {
        let first = self.fault_of_first(name);
        let Some(writer) = self.writers.get_mut(name) else { return };
        writer.trouble = late.iter().map(|late| late.why.clone()).collect();
        writer.late = late.into_iter().map(|late| (late.part, late.as_of)).collect();
        (writer.heard, writer.is_gone) = (Some(as_of), false);
        writer.looked_in = Some(looked_in.clone());
        if !writer.was_read {
            writer.first = first;
        }
        if writer.lost.is_none() && writer.first.is_none() {
            self.confirm(name);
        }
    }

    /// The writer's parts are as young as its last beat says, except for those that are late or in doubt.
    fn confirm(&mut self, name: &Arc<str>) {
        let Some(writer) = self.writers.get_mut(name) else { return };
        let Some(as_of) = writer.heard else { return };
        writer.was_read = true;
        let before = writer.as_of.replace(as_of);
        for part in writer.parts.values_mut().filter(|part| part.doubt.is_none()) {
            part.own = match writer.late.get(part.id.name()) {
                None => None,
                Some(Some(told)) => Some(Some(as_of.told_at_most(*told))),
                Some(None) => part.own.or(Some(before)),
            };
        }
    }
}

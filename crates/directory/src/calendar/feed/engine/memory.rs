//! What an engine remembers over a restart: everything that it has read, at its true age, by owner, so that new content does
//! not spoil it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::line::Owner;
use super::super::resolve::{Candidates, Former};
use super::age::{AsOf, Moment};
use super::entries::Said;
use super::mark::Mark;
use super::settle::differences;
use super::state::{Change, Engine, Part};
use crate::calendar::Instant;
use crate::model::Directory;

/// Times are in seconds since 1970; those of readings are in milliseconds.
#[derive(Default, Serialize, Deserialize)]
pub struct Memory {
    /// The content in which everything was looked at.
    generation: Option<String>,
    writers: Vec<SavedWriter>,
    parts: Vec<Part>,
    led_to: Vec<SavedFormer>,
}

/// An owner, the slugs and ids of those to whom it led, and whom else it may mean.
type SavedFormer = (Owner<'static>, Vec<(String, String)>, Candidates);

#[derive(Serialize, Deserialize)]
struct SavedWriter {
    name: Arc<str>,
    as_of: Option<AsOf>,
    was_read: bool,
    mark: Mark,
}

impl Memory {
    /// The memory with another spelling of a file's path, which names its writer and its one part.
    #[must_use]
    pub fn renamed(mut self, before: &str, now: &str) -> Self {
        let of_writers = self.writers.iter_mut().map(|writer| &mut writer.name);
        let of_parts = self.parts.iter_mut().flat_map(|part| [&mut part.id.name, &mut part.id.writer]);
        for name in of_writers.chain(of_parts).filter(|name| ***name == *before) {
            *name = now.into();
        }
        self
    }
}

impl Engine {
    #[must_use]
    pub fn memory(&self, here: &Directory) -> Memory {
        let writers = self.writers.iter().map(|(name, writer)| SavedWriter {
            name: Arc::clone(name),
            as_of: writer.as_of,
            was_read: writer.was_read,
            mark: writer.mark.clone(),
        });
        let led_to = self.owners.led_to().map(|(owner, former)| {
            let people = former.providers.iter().map(|(slug, id)| (slug.to_string(), id.to_string()));
            (owner.clone(), people.collect(), former.others)
        });
        Memory {
            generation: self.report(here).is_settled.then(|| here.generation().to_string()),
            writers: writers.collect(),
            parts: self.parts.iter().flatten().cloned().collect(),
            led_to: led_to.collect(),
        }
    }

    /// Takes what was remembered, before the first event.
    pub fn restore(&mut self, memory: Memory, here: &Directory, (now, at): (Moment, Instant)) -> Change {
        let was_here = memory.generation.as_deref() == Some(here.generation().as_str());
        for SavedWriter { name, as_of, was_read, mark } in memory.writers {
            let writer = self.writers.entry(name).or_default();
            writer.as_of = as_of.and_then(|as_of| as_of.restored(now));
            (writer.was_read, writer.mark) = (was_read, mark);
        }
        let mut open: BTreeMap<Arc<str>, BTreeSet<u32>> = BTreeMap::new();
        let (mut said, mut owned) = (Vec::new(), Vec::new());
        for mut part in memory.parts {
            let (name, writer) = (Arc::clone(part.id.name()), Arc::clone(part.id.writer()));
            part.good.name(&name);
            if let Some(doubt) = &mut part.doubt {
                doubt.newest.name(&name);
                doubt.believed.name(&name);
            }
            // A part without doubt passes through the same gate as one that was read now.
            part.doubt();
            part.own = part.own.map(|own| own.and_then(|as_of| as_of.restored(now)));
            if part.is_blank {
                self.owners.blank.insert(name);
            }
            let named: Vec<_> = part.good.owners().chain(part.newest().owners()).cloned().collect();
            let (own, believed) = (part.own, part.believed().clone());
            let number = self.add_part(part);
            self.name_owners(number, named);
            differences(number, &Said::default(), &believed, &mut said);
            owned.push((number, own));
            open.entry(writer).or_default().insert(number);
        }
        for (owner, people, others) in memory.led_to {
            let people =
                people.into_iter().filter_map(|(slug, id)| Some((slug.parse().ok()?, id.parse().ok()?)));
            self.owners.remember(&owner, Former { providers: people.collect(), others });
        }
        self.count_hours();
        let mut changed = self.owners.apply(here, said);
        changed.merge(self.settle(open, here, at));
        // Being read again from the memory makes nothing younger.
        for (number, own) in owned {
            if let Some(part) = self.parts[number as usize].as_mut() {
                part.own = own.or(part.own);
            }
        }
        self.writers.values_mut().for_each(|writer| writer.was_looked_at = was_here);
        self.note(changed)
    }

    /// Counts what each writer's parts have.
    fn count_hours(&mut self) {
        let naming: Vec<Owner<'static>> = self.naming.keys().cloned().collect();
        let names: Vec<Arc<str>> = self.writers.keys().cloned().collect();
        for name in names {
            for owner in &naming {
                let starts = self.good_starts(&name, owner);
                if let Some(writer) = self.writers.get_mut(&name) {
                    writer.hours.add(&starts);
                }
            }
        }
    }
}

//! What an engine remembers over a restart: everything that it has read, at its true age, by owner, so that new content does
//! not spoil it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::line::Owner;
use super::super::resolve::{Candidates, Former};
use super::age::{AsOf, Moment};
use super::entries::Said;
use super::mark::{Hours, Mark};
use super::owners::Change;
use super::settle::differences;
use super::state::{Engine, Held, Part, Touched};
use crate::calendar::Instant;
use crate::model::Directory;

/// Times are in seconds since 1970; those of readings are in milliseconds.
#[derive(Default, Serialize, Deserialize)]
pub struct Memory {
    /// The content in which everything was looked at.
    generation: Option<String>,
    /// When it was written, in milliseconds. If that is in the future, the clock was set back meanwhile, and no age is known.
    #[serde(default)]
    written: Option<i64>,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost: Option<Held>,
}

impl Memory {
    /// The memory with another spelling of a file's path, which names its writer and its one part.
    #[must_use]
    pub fn renamed(mut self, before: &str, now: &str) -> Self {
        let of_writers = self.writers.iter_mut().map(|writer| &mut writer.name);
        let of_parts = self.parts.iter_mut().map(|part| Arc::make_mut(&mut part.id));
        let of_parts = of_parts.flat_map(|id| [&mut id.name, &mut id.writer]);
        for name in of_writers.chain(of_parts).filter(|name| ***name == *before) {
            *name = now.into();
        }
        self
    }
}

impl Engine {
    pub fn memory(&self, here: &Directory, now: Moment) -> Memory {
        let writers = self.writers.iter().map(|(name, writer)| SavedWriter {
            name: Arc::clone(name),
            as_of: writer.as_of.map(|as_of| as_of.saved(now)),
            was_read: writer.was_read,
            mark: writer.mark.clone(),
            lost: writer.lost.clone(),
        });
        let led_to = self.owners.led_to().map(|(owner, former)| {
            let people = former.providers.iter().map(|(slug, id)| (slug.to_string(), id.to_string()));
            (owner.clone(), people.collect(), former.others)
        });
        let parts = self.parts().map(|part| {
            let own = part.own.map(|own| own.map(|as_of| as_of.saved(now)));
            Part { own, ..part.clone() }
        });
        Memory {
            written: Some(now.wall.timestamp_millis()),
            generation: self.report(here).is_settled.then(|| here.generation().to_string()),
            writers: writers.collect(),
            parts: parts.collect(),
            led_to: led_to.collect(),
        }
    }

    /// Takes what was remembered, before the first event.
    pub fn restore(&mut self, memory: Memory, here: &Directory, (now, at): (Moment, Instant)) -> Change {
        let was_here = memory.generation.as_deref() == Some(here.generation().as_str());
        let is_of_future = memory.written.is_some_and(|written| written > now.wall.timestamp_millis());
        let restored = |as_of: AsOf| if is_of_future { None } else { as_of.restored(now) };
        for SavedWriter { name, as_of, was_read, mark, lost } in memory.writers {
            let writer = self.writers.entry(name).or_default();
            writer.as_of = as_of.and_then(restored);
            (writer.was_read, writer.mark, writer.lost) = (was_read, mark, lost);
        }
        let mut open = Touched::new();
        let (mut said, mut owned) = (Vec::new(), Vec::new());
        for mut part in memory.parts {
            let id = Arc::clone(&part.id);
            // A part without doubt passes through the same gate as one that was read now. A doubt stays until the next look:
            // by the time of a restart, what was lost may have begun.
            let is_remembered = part.doubt.is_some();
            part.doubt().is_remembered = is_remembered;
            part.own = part.own.map(|own| own.and_then(restored));
            if part.is_blank {
                self.owners.blank.insert(Arc::clone(id.name()));
            }
            differences(&id, &Said::default(), part.believed(), &mut said);
            owned.push((Arc::clone(&id), part.own));
            let writer = self.writers.entry(Arc::clone(id.writer())).or_default();
            writer.parts.insert(Arc::clone(&id), part);
            writer.name_owners(&id);
            open.entry(Arc::clone(id.writer())).or_default().insert(id);
        }
        for writer in self.writers.values_mut() {
            let mut hours = Hours::default();
            let starts = writer.naming.keys().filter_map(|owner| writer.good_starts(owner, self.rules.mode));
            starts.for_each(|starts| hours.add(&starts, true));
            writer.hours = hours;
        }
        for (owner, people, others) in memory.led_to {
            let people =
                people.into_iter().filter_map(|(slug, id)| Some((slug.parse().ok()?, id.parse().ok()?)));
            self.owners.remember(owner, Former { providers: people.collect(), others });
        }
        let mut change = self.owners.apply(here, said);
        change.merge(self.settle(open, here, at));
        // Being read again from the memory makes nothing younger.
        for (id, own) in owned {
            if let Some(part) = self.part_mut(&id) {
                part.own = own.or(part.own);
            }
        }
        let looked_in = was_here.then(|| here.generation().clone());
        self.writers.values_mut().for_each(|writer| writer.looked_in.clone_from(&looked_in));
        self.told(change, here)
    }
}

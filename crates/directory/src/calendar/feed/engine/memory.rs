//! What an engine remembers over a restart: everything that it has read, at its true age, by owner, so that new content does
//! not spoil it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::DateTime;
use serde::{Deserialize, Serialize};

use super::super::FeedMode;
use super::super::line::{self, FeedSchedule, Line, Owner, SlotState};
use super::super::resolve::{Candidates, Former};
use super::super::split::line_of_schedule;
use super::super::type_names::TypeNames;
use super::age::{AsOf, Moment};
use super::entries::{Entries, Entry, Said};
use super::mark::{Gone, Mark};
use super::part::{BadText, PartId, Subject};
use super::settle::differences;
use super::state::{Change, Doubt, Engine, Part};
use crate::calendar::Instant;
use crate::model::Directory;

/// Times are in seconds since 1970; those of readings are in milliseconds.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// The content in which everything was looked at.
    pub(super) generation: Option<String>,
    pub(super) writers: Vec<SavedWriter>,
    pub(super) parts: Vec<SavedPart>,
    pub(super) led_to: Vec<SavedFormer>,
}

/// An owner, the slugs and ids of those to whom it led, and whom else it may mean.
pub(super) type SavedFormer = (SavedOwner, Vec<(String, String)>, u8);
/// Whether it is a Schedule, and its slug or id.
pub(super) type SavedOwner = (bool, String);
/// The source's own time, and when it was read.
pub(super) type SavedAsOf = (Option<i64>, i64);
pub(super) type SavedSaid = Vec<(SavedOwner, SavedEntries)>;

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedWriter {
    pub(super) name: Arc<str>,
    pub(super) as_of: Option<SavedAsOf>,
    pub(super) was_read: bool,
    pub(super) mark: SavedMark,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedPart {
    pub(super) name: Arc<str>,
    pub(super) writer: Arc<str>,
    /// The one whom it is about alone, and whether it is a calendar.
    pub(super) about: Option<(SavedOwner, bool)>,
    /// Its own age, if it is older than its writer.
    pub(super) own: Option<(Option<SavedAsOf>,)>,
    pub(super) is_blank: bool,
    pub(super) good: SavedSaid,
    pub(super) doubt: Option<SavedDoubt>,
    pub(super) mark: SavedMark,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedDoubt {
    newest: SavedSaid,
    believed: SavedSaid,
    is_gone: bool,
    bad: Option<String>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SavedEntries {
    pub(super) line: usize,
    pub(super) lists: bool,
    #[serde(default)]
    pub(super) is_emptied: bool,
    pub(super) until: i64,
    /// As lines of a feed.
    pub(super) schedules: Vec<String>,
    pub(super) types: Vec<Vec<(Option<String>, String)>>,
    /// The start, the end, the state and the number of the types.
    pub(super) all: Vec<(i64, i64, u8, u32)>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct SavedMark {
    entries: SavedGone<(SavedOwner, i64)>,
    owners: SavedGone<SavedOwner>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedGone<K> {
    since: Vec<(K, i64)>,
    hour: i64,
    left: usize,
}

impl Memory {
    /// The memory with another spelling of a file's path, which names its writer and its one part.
    #[must_use]
    pub fn renamed(mut self, before: &str, now: &str) -> Self {
        let rename = |name: &mut Arc<str>| {
            if **name == *before {
                *name = now.into();
            }
        };
        self.writers.iter_mut().for_each(|writer| rename(&mut writer.name));
        for part in &mut self.parts {
            rename(&mut part.name);
            rename(&mut part.writer);
        }
        self
    }
}

impl Engine {
    #[must_use]
    pub fn memory(&self, here: &Directory) -> Memory {
        let parts = self.parts.iter().flatten().map(saved_part);
        let writers = self.writers.iter().map(|(name, writer)| SavedWriter {
            name: Arc::clone(name),
            as_of: writer.as_of.map(saved_as_of),
            was_read: writer.was_read,
            mark: saved_mark(&writer.mark),
        });
        let led_to = self.owners.led_to().map(|(owner, former)| {
            let people = former.providers.iter().map(|(slug, id)| (slug.to_string(), id.to_string()));
            (saved_owner(owner), people.collect(), former.others as u8)
        });
        let is_settled = self.report(here).is_settled;
        Memory {
            generation: is_settled.then(|| here.generation().to_string()),
            writers: writers.collect(),
            parts: parts.collect(),
            led_to: led_to.collect(),
        }
    }

    /// Takes what was remembered, before the first event.
    pub fn restore(&mut self, memory: Memory, here: &Directory, (now, at): (Moment, Instant)) -> Change {
        let was_here = memory.generation.as_deref() == Some(here.generation().as_str());
        for SavedWriter { name, as_of, was_read, mark } in memory.writers {
            let writer = self.writers.entry(name).or_default();
            writer.as_of = as_of.and_then(|as_of| restored_as_of(as_of, now));
            (writer.was_read, writer.mark) = (was_read, restored_mark(mark));
        }
        let mut open: BTreeMap<Arc<str>, BTreeSet<u32>> = BTreeMap::new();
        let mut said = Vec::new();
        for saved in memory.parts {
            let id = restored_id(&saved);
            let (writer, number) = (Arc::clone(id.writer()), self.add_part(id));
            let good = restored_said(&saved.name, saved.good, self.rules.mode);
            let doubt = saved.doubt.map(|doubt| Doubt {
                newest: restored_said(&saved.name, doubt.newest, self.rules.mode),
                believed: restored_said(&saved.name, doubt.believed, self.rules.mode),
                is_gone: doubt.is_gone,
                bad: doubt.bad.map(BadText::Other),
                ..Doubt::default()
            });
            // A part without doubt passes through the same gate as one that was read now.
            let doubt = doubt.unwrap_or_else(|| Doubt {
                newest: good.clone(),
                believed: good.clone(),
                ..Doubt::default()
            });
            for owner in good.owners().chain(doubt.newest.owners()) {
                let parts = self.naming.entry(owner.clone()).or_default();
                if !parts.contains(&number) {
                    parts.push(number);
                }
            }
            differences(number, &Said::default(), &doubt.believed, &mut said);
            let Some(part) = self.parts[number as usize].as_mut() else { continue };
            part.own = saved.own.map(|(as_of,)| as_of.and_then(|as_of| restored_as_of(as_of, now)));
            (part.mark, part.is_blank) = (restored_mark(saved.mark), saved.is_blank);
            (part.good, part.doubt) = (good, Some(Box::new(doubt)));
            if part.is_blank {
                self.owners.blank.insert(saved.name);
            }
            open.entry(writer).or_default().insert(number);
        }
        for (owner, people, others) in memory.led_to {
            let people =
                people.into_iter().filter_map(|(slug, id)| Some((slug.parse().ok()?, id.parse().ok()?)));
            let others =
                [Candidates::None, Candidates::WithoutNpi, Candidates::Any].get(usize::from(others)).copied();
            let former = Former { providers: people.collect(), others: others.unwrap_or(Candidates::Any) };
            self.owners.remember(&restored_owner(owner), former);
        }
        let owned: Vec<_> = self.parts.iter().map(|part| part.as_ref().and_then(|part| part.own)).collect();
        self.count_hours();
        let mut changed = self.owners.apply(here, said);
        changed.merge(self.settle(open, here, at));
        // Being read again from the memory makes nothing younger.
        for (part, own) in self.parts.iter_mut().zip(owned) {
            if let Some(part) = part {
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

fn saved_owner(owner: &Owner<'static>) -> SavedOwner {
    match owner {
        Owner::Provider(slug) => (false, slug.to_string()),
        Owner::Schedule(id) => (true, id.to_string()),
    }
}

fn restored_owner((is_schedule, name): SavedOwner) -> Owner<'static> {
    if is_schedule { Owner::Schedule(name.into()) } else { Owner::Provider(name.into()) }
}

fn saved_as_of(as_of: AsOf) -> SavedAsOf {
    (as_of.told.map(Instant::unix), as_of.at.timestamp_millis())
}

/// What was read in the future was read by a wrong clock: its age is unknown.
fn restored_as_of((told, at): SavedAsOf, now: Moment) -> Option<AsOf> {
    let at = DateTime::from_timestamp_millis(at).filter(|at| *at <= now.wall)?;
    Some(AsOf::stored(told.map(Instant::from_unix), at, now))
}

fn saved_mark(mark: &Mark) -> SavedMark {
    let entry = |(owner, start): &(Owner<'static>, Instant)| (saved_owner(owner), start.unix());
    SavedMark { entries: mark.entries.saved(entry), owners: mark.owners.saved(saved_owner) }
}

fn restored_mark(SavedMark { entries, owners }: SavedMark) -> Mark {
    let entry = |(owner, start)| (restored_owner(owner), Instant::from_unix(start));
    Mark { entries: entries.restored(entry), owners: owners.restored(restored_owner) }
}

impl<K> Default for SavedGone<K> {
    fn default() -> Self {
        Self { since: Vec::new(), hour: i64::MIN, left: 0 }
    }
}

impl<K: Ord> Gone<K> {
    fn saved<S>(&self, key: impl Fn(&K) -> S) -> SavedGone<S> {
        let since = self.since.iter().map(|(one, since)| (key(one), since.unix())).collect();
        SavedGone { since, hour: self.hour, left: self.left }
    }
}

impl<S> SavedGone<S> {
    fn restored<K: Ord>(self, key: impl Fn(S) -> K) -> Gone<K> {
        let since =
            self.since.into_iter().map(|(one, since)| (key(one), Instant::from_unix(since))).collect();
        Gone { since, hour: self.hour, left: self.left }
    }
}

fn saved_part(part: &Part) -> SavedPart {
    let is_calendar = matches!(part.id.subject, Subject::Calendar(_));
    SavedPart {
        name: Arc::clone(part.id.name()),
        writer: Arc::clone(part.id.writer()),
        about: part.id.owner().map(|owner| (saved_owner(owner), is_calendar)),
        own: part.own.map(|own| (own.map(saved_as_of),)),
        is_blank: part.is_blank,
        good: saved_said(&part.good),
        doubt: part.doubt.as_ref().map(|doubt| SavedDoubt {
            newest: saved_said(&doubt.newest),
            believed: saved_said(&doubt.believed),
            is_gone: doubt.is_gone,
            bad: doubt.bad.as_ref().map(ToString::to_string),
        }),
        mark: saved_mark(&part.mark),
    }
}

fn restored_id(saved: &SavedPart) -> PartId {
    let name = Arc::clone(&saved.name);
    let subject = match saved.about.clone() {
        None => Subject::Anyone,
        Some((owner, true)) => Subject::Calendar(restored_owner(owner)),
        Some((owner, false)) => Subject::Key(restored_owner(owner)),
    };
    PartId::restored(name, Arc::clone(&saved.writer), subject)
}

fn saved_said(said: &Said) -> SavedSaid {
    let saved = |(owner, entries): &(Owner<'static>, Arc<Entries>)| {
        let id = saved_owner(owner).1;
        let of_list = |list: &TypeNames| {
            list.codings().map(|(system, id)| (system.map(str::to_owned), id.to_string())).collect()
        };
        let entry =
            |entry: &Entry| (entry.start.unix(), entry.end().unix(), entry.state() as u8, entry.types);
        let saved = SavedEntries {
            line: entries.line,
            lists: entries.lists,
            is_emptied: entries.is_emptied,
            until: entries.until.unix(),
            schedules: entries.schedules.iter().map(|it| line_of_schedule(&id, it).to_string()).collect(),
            types: entries.type_lists.iter().map(of_list).collect(),
            all: entries.all.iter().map(entry).collect(),
        };
        (saved_owner(owner), saved)
    };
    said.iter().map(saved).collect()
}

fn restored_said(part: &Arc<str>, saved: SavedSaid, mode: FeedMode) -> Said {
    let restored = |(owner, saved): (SavedOwner, SavedEntries)| {
        let of_list = |list: &Vec<(Option<String>, String)>| {
            let codings = list.iter().map(|(system, code)| (system.as_deref(), code.as_str()));
            TypeNames::parse(codings).unwrap_or_default()
        };
        let lists: Vec<TypeNames> = saved.types.iter().map(of_list).collect();
        let entry = |(start, end, state, types): (i64, i64, u8, u32)| {
            // A state that is unknown takes time.
            let states = [SlotState::Free, SlotState::Busy, SlotState::EnteredInError];
            let state = states.get(usize::from(state)).copied().unwrap_or(SlotState::Busy);
            let period = (Instant::from_unix(start), Instant::from_unix(end));
            Entry::new(period, state, types, u32::try_from(saved.line).unwrap_or(u32::MAX))
        };
        let all = saved.all.into_iter().map(entry).collect();
        let schedules = saved.schedules.iter().filter_map(|line| restored_schedule(line)).collect();
        let until = Instant::from_unix(saved.until);
        let entries = Entries::new(part, (saved.line, 0..0), all, &lists, mode);
        (
            restored_owner(owner),
            Arc::new(Entries {
                lists: saved.lists,
                is_emptied: saved.is_emptied,
                until,
                schedules,
                ..entries
            }),
        )
    };
    saved.into_iter().map(restored).collect()
}

fn restored_schedule(line: &str) -> Option<FeedSchedule> {
    match line::read(line) {
        Ok(Line::Schedule(_, schedule)) => Some(schedule),
        _ => None,
    }
}

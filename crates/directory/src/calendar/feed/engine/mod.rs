//! The engine of all feeds: what is believed of what their parts say, whom that withholds, and how old it is.
//!
//! A feed is a set of *parts* (files, the keys of a bucket, calendars), each with a *writer*, who confirms them all at once
//! (a beat), and a text, which says something of *owners* (clinicians and Schedules). Sources tell events and judge
//! nothing; this judges, and asks no clock. The rules:
//! - **doubt**: A part in doubt is believed where it takes time and not where it gives time back, and it grows old from its
//!   last reading without doubt.
//! - **loss**: [`mark`] says what has lost so much that it is in doubt.
//! - **reasons**: In doubt is also what cannot be read or has taken time that may be anybody's ([`Owners::unclear`]), and
//!   a writer's first reading without an entry that counts or a clinician of ours.
//! - **withholding**: A clinician is offered only while each part that has or may have time of hers is younger than
//!   `max-stale`; one whom no part lists, only if silence means free and no part has expired or is blank ([`age`]).
//! - **unclear owners**: Their time withholds those to whom they led before, and those undescribed whom they may mean; if
//!   that is nobody, their part is in doubt.
//! - **release**: Doubt ends when what is gone has grown back or an operator accepts. Accepting believes what has vanished,
//!   never an unclear owner or a bad text; a blank part frees nobody.

mod age;
mod doubt;
mod entries;
mod judgement;
mod listing;
mod mark;
mod memory;
mod memory_1;
mod owner;
mod owners;
mod part;
mod provider;
mod report;
mod settle;
mod skips;
mod unused;
mod withheld;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

pub use self::age::{Ages, AsOf, Moment};
pub use self::doubt::ORDER;
pub use self::judgement::Judgement;
pub use self::memory::Memory;
pub use self::memory_1::Memory1;
pub use self::part::{BadText, Event, Late, PartId, is_site, not_a_site};
pub use self::report::{FeedSet, Report};

use self::entries::{Said, said, unread};
use self::listing::FeedProviders;
use self::mark::{Hours, Mark};
use self::owners::{Changed, Owners};
use super::line::Owner;
use super::{FeedFile, FeedMode, FeedRules, ProviderFeed, Skipped};
use crate::calendar::Instant;
use crate::model::Directory;

/// The state of a feed.
pub struct Engine {
    rules: Arc<FeedRules>,
    owners: Owners,
    /// By number; a part that is gone without doubt is removed.
    parts: Vec<Option<Part>>,
    numbers: HashMap<Arc<str>, u32>,
    free_numbers: Vec<u32>,
    /// The parts that name each owner, or did in their last reading without doubt.
    naming: HashMap<Owner<'static>, Vec<u32>>,
    writers: BTreeMap<Arc<str>, Writer>,
    providers: Arc<FeedProviders>,
    /// The parts with taken time that may be anybody's.
    unclear: BTreeSet<u32>,
}

/// What a part says and said.
struct Part {
    id: PartId,
    /// Its last text without doubt.
    good: Said,
    /// Present if its newest text is not simply believed.
    doubt: Option<Box<Doubt>>,
    /// Its age, if that is not its writer's.
    own: Option<OwnAge>,
    mark: Mark,
    others: BTreeMap<String, usize>,
    is_blank: bool,
}

/// The age of a part that is older than its writer's last beat; `None`: it was never read without doubt.
type OwnAge = Option<AsOf>;

#[derive(Clone, Default)]
struct Doubt {
    newest: Said,
    believed: Said,
    is_gone: bool,
    lost: Option<Held>,
    bad: Option<BadText>,
    /// What is wrong with an owner of taken time that may be anybody's.
    unclear: Option<String>,
    /// Whether an operator has accepted what vanished from it.
    is_accepted: bool,
}

/// Why something is held until an operator accepts it, and a hash of it.
#[derive(Clone)]
struct Held {
    why: String,
    token: u64,
}

#[derive(Default)]
struct Writer {
    parts: BTreeSet<u32>,
    /// The last beat without doubt, and the last one.
    as_of: Option<AsOf>,
    heard: Option<AsOf>,
    is_gone: bool,
    /// Whether it was ever read without doubt.
    was_read: bool,
    /// Whether it was looked at since the content was replaced.
    was_looked_at: bool,
    lost: Option<Held>,
    /// Why its first reading is in doubt.
    first: Option<Held>,
    /// What is wrong with its last look, and with parts that it could not look at.
    trouble: Vec<String>,
    mark: Mark,
    /// How much its parts had when they were last read without doubt.
    hours: Hours,
}

/// What differs after events.
#[derive(Debug, Default)]
pub struct Change {
    /// Whether it is about all providers, because the content is another one than before.
    pub is_complete: bool,
    /// The new sets of the providers whose time has changed.
    pub providers: Vec<ProviderFeed>,
    /// What is not used, if that has changed.
    pub skipped: Option<Skipped>,
    /// Whether providers are withheld or listed otherwise than before.
    pub is_listed_anew: bool,
}

impl Part {
    fn newest(&self) -> &Said {
        self.doubt.as_ref().map_or(&self.good, |doubt| &doubt.newest)
    }

    fn believed(&self) -> &Said {
        self.doubt.as_ref().map_or(&self.good, |doubt| &doubt.believed)
    }

    /// Makes room for a newer text.
    fn doubt(&mut self) -> &mut Doubt {
        let new = || Doubt { newest: self.good.clone(), believed: self.good.clone(), ..Doubt::default() };
        self.doubt.get_or_insert_with(|| Box::new(new()))
    }
}

impl Doubt {
    fn has_reason(&self) -> bool {
        self.lost.is_some() || self.bad.is_some() || self.unclear.is_some()
    }
}

impl Engine {
    #[must_use]
    pub fn new(rules: Arc<FeedRules>) -> Self {
        Self {
            owners: Owners::new(Arc::clone(&rules)),
            rules,
            parts: Vec::new(),
            numbers: HashMap::new(),
            free_numbers: Vec::new(),
            naming: HashMap::new(),
            writers: BTreeMap::new(),
            providers: Arc::default(),
            unclear: BTreeSet::new(),
        }
    }

    /// Takes what a source says. Without events it takes new content. `now` is the service's time, which may stand still.
    pub fn take(&mut self, events: Vec<Event>, here: &Directory, now: Instant) -> Change {
        let mut touched: BTreeMap<Arc<str>, BTreeSet<u32>> = BTreeMap::new();
        let mut beats = Vec::new();
        if self.owners.generation.as_ref() != Some(here.generation()) {
            self.writers.values_mut().for_each(|writer| writer.was_looked_at = false);
            let in_doubt = |part: &&Part| part.doubt.is_some();
            let writers =
                self.parts.iter().flatten().filter(in_doubt).map(|part| Arc::clone(part.id.writer()));
            touched.extend(writers.map(|writer| (writer, BTreeSet::new())));
        }
        for event in events {
            match event {
                Event::PartChanged { part, text } => {
                    let writer = Arc::clone(part.writer());
                    if let Some(number) = self.change_part(part, text) {
                        touched.entry(writer).or_default().insert(number);
                    }
                }
                Event::PartGone { part } => {
                    if let Some(number) = self.numbers.get(part.name()).copied() {
                        self.end_part(number);
                        touched.entry(Arc::clone(part.writer())).or_default().insert(number);
                    }
                }
                Event::Complete { writer, parts } => {
                    let known =
                        self.writers.get(&writer).into_iter().flat_map(|writer| &writer.parts).copied();
                    let is_gone =
                        |number: &u32| self.part(*number).is_some_and(|part| !parts.contains(part.id.name()));
                    let gone: Vec<u32> = known.filter(is_gone).collect();
                    for number in gone {
                        self.end_part(number);
                        touched.entry(Arc::clone(&writer)).or_default().insert(number);
                    }
                }
                Event::Beat { writer, as_of, late } => {
                    touched.entry(Arc::clone(&writer)).or_default();
                    self.writers.entry(Arc::clone(&writer)).or_default();
                    beats.push((writer, as_of, late));
                }
                Event::Failed { writer, why } => {
                    self.writers.entry(writer).or_default().trouble = vec![why];
                }
                Event::Writers { all } => {
                    let others = self.writers.iter_mut().filter(|(name, _)| !all.contains(*name));
                    let gone = others.map(|(name, writer)| {
                        writer.is_gone = true;
                        (Arc::clone(name), writer.parts.clone())
                    });
                    for (writer, parts) in gone.collect::<Vec<_>>() {
                        parts.iter().for_each(|number| self.end_part(*number));
                        touched.entry(writer).or_default().extend(parts);
                    }
                }
                Event::Unusable { writer, why } => {
                    let writer = self.writers.entry(writer).or_default();
                    (writer.as_of, writer.trouble) = (None, vec![why]);
                }
            }
        }
        let changed = self.settle(touched, here, now);
        for (writer, as_of, late) in beats {
            self.beat(&writer, as_of, late);
        }
        self.note(changed)
    }

    /// Believes what has vanished.
    pub fn accept(&mut self, here: &Directory, now: Instant) -> Change {
        let mut touched: BTreeMap<Arc<str>, BTreeSet<u32>> = BTreeMap::new();
        for (name, writer) in &mut self.writers {
            let is_lossy = writer.lost.take().is_some();
            if is_lossy {
                writer.mark = Mark::default();
            }
            if writer.first.take().is_some() || is_lossy {
                (writer.was_read, writer.was_looked_at, writer.as_of) = (true, true, writer.heard);
            }
            for number in &writer.parts {
                let Some(part) = self.parts[*number as usize].as_mut() else { continue };
                let Some(doubt) = &mut part.doubt else { continue };
                if doubt.lost.take().is_some() || is_lossy {
                    (part.mark, doubt.is_accepted) = (Mark::default(), true);
                    touched.entry(Arc::clone(name)).or_default().insert(*number);
                }
            }
        }
        for (writer, parts) in &touched {
            self.rebase(writer, parts);
        }
        let changed = self.settle(touched, here, now);
        self.note(changed)
    }

    fn part(&self, number: u32) -> Option<&Part> {
        self.parts.get(number as usize)?.as_ref()
    }

    /// A part's new text. The number of the part, if that changes anything.
    fn change_part(&mut self, id: PartId, text: Result<Arc<FeedFile>, BadText>) -> Option<u32> {
        let number = match self.numbers.get(id.name()) {
            Some(number) => *number,
            None => self.add_part(id),
        };
        let (mode, mut named) = (self.rules.mode, Vec::new());
        let part = self.parts[number as usize].as_mut()?;
        match text {
            Ok(file) => {
                let newest = said(&part.id, &file, mode);
                self.owners.skips.change_others(&part.others, &file.others);
                part.others.clone_from(&file.others);
                part.is_blank = part.id.owner().is_none() && file.is_blank();
                if part.is_blank {
                    self.owners.blank.insert(Arc::clone(part.id.name()));
                } else {
                    self.owners.blank.remove(part.id.name());
                }
                let is_known = part.doubt.is_none() && part.good.is_same(&newest) && part.own != Some(None);
                if is_known && !part.is_blank {
                    return None;
                }
                named.extend(newest.owners().cloned());
                let doubt = part.doubt();
                (doubt.newest, doubt.is_gone, doubt.bad) = (newest, false, None);
            }
            Err(why) => {
                let unread = unread(&part.id, mode);
                let doubt = part.doubt();
                (doubt.bad, doubt.is_gone) = (Some(why), false);
                if doubt.newest.owners().next().is_none() {
                    named.extend(unread.owners().cloned());
                    doubt.newest = unread;
                }
            }
        }
        for owner in named {
            let parts = self.naming.entry(owner).or_default();
            if !parts.contains(&number) {
                parts.push(number);
            }
        }
        Some(number)
    }

    fn add_part(&mut self, id: PartId) -> u32 {
        let number = self.free_numbers.pop().unwrap_or_else(|| {
            self.parts.push(None);
            u32::try_from(self.parts.len() - 1).unwrap_or(u32::MAX)
        });
        self.numbers.insert(Arc::clone(id.name()), number);
        self.writers.entry(Arc::clone(id.writer())).or_default().parts.insert(number);
        let (good, others, mark) = (Said::default(), BTreeMap::new(), Mark::default());
        self.parts[number as usize] =
            Some(Part { id, good, doubt: None, own: Some(None), mark, others, is_blank: false });
        number
    }

    fn end_part(&mut self, number: u32) {
        let Some(part) = self.parts[number as usize].as_mut() else { return };
        self.owners.skips.change_others(&part.others, &BTreeMap::new());
        self.owners.blank.remove(part.id.name());
        (part.others, part.is_blank) = (BTreeMap::new(), false);
        let doubt = part.doubt();
        (doubt.newest, doubt.is_gone, doubt.bad) = (Said::default(), true, None);
    }

    /// Takes a beat: the writer's parts are as young as it says, except for those that are late or in doubt.
    fn beat(&mut self, name: &Arc<str>, as_of: AsOf, late: Vec<Late>) {
        let first = self.fault_of_first(name);
        let Some(writer) = self.writers.get_mut(name) else { return };
        writer.trouble = late.iter().map(|late| late.why.clone()).collect();
        (writer.heard, writer.is_gone) = (Some(as_of), false);
        if !writer.was_read {
            writer.first = first;
        }
        if writer.lost.is_some() || writer.first.is_some() {
            return;
        }
        (writer.was_read, writer.was_looked_at) = (true, true);
        let before = writer.as_of.replace(as_of);
        let late: HashMap<Arc<str>, Option<Instant>> =
            late.into_iter().map(|late| (late.part, late.as_of)).collect();
        for number in &writer.parts {
            let Some(part) = self.parts[*number as usize].as_mut().filter(|part| part.doubt.is_none()) else {
                continue;
            };
            part.own = match late.get(part.id.name()) {
                None => None,
                Some(Some(told)) => Some(Some(as_of.told_at_most(*told))),
                Some(None) => part.own.or(Some(before)),
            };
        }
    }

    /// Notes who lists whom, and who is withheld.
    fn note(&mut self, changed: Changed) -> Change {
        let is_listed_anew =
            changed.is_complete || !(changed.listed.is_empty() && changed.withheld.is_empty());
        if is_listed_anew {
            // `make_mut` copies the lists only while a reader holds them.
            let providers = Arc::make_mut(&mut self.providers);
            if changed.is_complete {
                *providers = FeedProviders::default();
            }
            for (slug, parts) in &changed.listed {
                let parts = parts.iter().filter_map(|number| self.parts[*number as usize].as_ref());
                let writers: BTreeSet<_> = parts.map(|part| Arc::clone(part.id.writer())).collect();
                providers.list(slug, writers.into_iter().collect(), self.rules.mode);
            }
            for (slug, is_withheld) in &changed.withheld {
                providers.withhold(slug, *is_withheld);
            }
        }
        let Changed { is_complete, providers, skipped, .. } = changed;
        Change { is_complete, providers, skipped, is_listed_anew }
    }
}

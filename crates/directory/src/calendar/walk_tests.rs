//! Walks through all pages of a list while content, feed and time change between them, against the slow oracle: it makes
//! every open slot anew for each page.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::feed::{FeedEntries, FeedMode, Freshness, OpenSlot, ProviderFeed};
use super::index::filters::ProviderFilter;
use super::index::order::mix;
use super::instant::Instant;
use super::open::{Calendar, SlotFilter};
use super::page_tests::{named, slots_of, walk};
use super::slot_oracle::{AppliedFeed, expected_slots};
use super::test_clinics::*;
use crate::model::{Directory, Gender, PlanNumber, Provider};

/// The judge `walks` makes 20,000.
const USUAL_WALKS: u64 = 1_000;
const HOUR: i64 = 3600;
/// All starts, few enough that several clinicians have the same.
const STARTS: [i64; 6] = [2 * HOUR, 3 * HOUR, 8 * HOUR, 26 * HOUR, 27 * HOUR, 32 * HOUR];
const END: i64 = 40 * HOUR;

type Slots = BTreeSet<(Instant, String)>;

/// Numbers that follow from a seed.
struct Chance(u64);

impl Chance {
    fn of(&mut self, count: usize) -> usize {
        self.0 = mix(self.0);
        usize::try_from(self.0 % count as u64).unwrap()
    }

    fn is(&mut self, percent: usize) -> bool {
        self.of(100) < percent
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.of(of.len())]
    }
}

/// A clinic whose openings are in a feed, and what is built of it.
struct World {
    people: BTreeMap<usize, Provider>,
    open: BTreeMap<usize, BTreeMap<i64, OpenSlot>>,
    newcomers: usize,
    feed: AppliedFeed,
    directory: Directory,
    calendar: Calendar,
}

fn slot(chance: &mut Chance, start: i64) -> OpenSlot {
    let types = [None, None, Some(vec![type_id(101)]), Some(vec![type_id(102), type_id(103)])];
    let length = chance.one(&[HOUR / 2, HOUR]);
    OpenSlot { start: at(start), end: at(start + length), types: types[chance.of(types.len())].clone() }
}

fn person(chance: &mut Chance, index: usize) -> Provider {
    let gender = chance.one(&[Gender::Female, Gender::Female, Gender::Male]);
    let insurance = vec![(state("CA"), vec![PlanNumber(u16::try_from(chance.of(2)).unwrap())])];
    Provider { gender, insurance, ..provider(index) }
}

impl World {
    fn new(chance: &mut Chance) -> Self {
        let size = if chance.is(1) { 45 + chance.of(20) } else { 1 + chance.of(6) };
        let people: BTreeMap<_, _> = (0..size).map(|index| (index, person(chance, index))).collect();
        let mut slots = || {
            let starts: Vec<_> = STARTS.into_iter().filter(|_| chance.is(60)).collect();
            starts.into_iter().map(|start| (start, slot(chance, start))).collect()
        };
        let open = people.keys().map(|index| (*index, slots())).collect();
        let directory = clinic(Vec::new());
        let calendar = Calendar::with_feed(&directory, FeedMode::Open, at(0));
        let feed = AppliedFeed { mode: Some(FeedMode::Open), ..AppliedFeed::default() };
        let mut world = Self { people, open, newcomers: 100, feed, directory, calendar };
        world.build();
        world
    }

    fn set(&self, index: usize) -> ProviderFeed {
        let entries = FeedEntries::Open(self.open[&index].values().cloned().collect());
        ProviderFeed { provider: slug(index), entries }
    }

    fn build(&mut self) {
        self.directory = clinic_of(
            self.people.values().map(|one| (one.clone(), None)).collect(),
            &[101, 103],
            BTreeSet::new(),
            "test",
        );
        let calendar = Calendar::with_feed(&self.directory, FeedMode::Open, at(0));
        let calendar = calendar.with_freshness(&self.directory, Freshness::Fresh, &[]);
        self.feed.sets.clear();
        let sets: Vec<_> = self.open.keys().map(|index| self.set(*index)).collect();
        for set in &sets {
            self.feed.apply(&self.directory, set);
        }
        self.calendar = calendar.apply(&self.directory, &sets);
    }

    /// A booking, a cancellation, someone who comes or leaves, or an edit of a file.
    fn change(&mut self, chance: &mut Chance) {
        let indexes: Vec<usize> = self.people.keys().copied().collect();
        let index = chance.one(&indexes);
        let person = self.people.get_mut(&index).unwrap();
        let here = state("CA");
        match chance.of(10) {
            edit @ 0..4 => {
                let own = self.open.get_mut(&index).unwrap();
                let start = chance.one(&STARTS);
                if edit < 2 {
                    own.remove(&start);
                } else {
                    own.insert(start, slot(chance, start));
                }
                let set = self.set(index);
                self.feed.apply(&self.directory, &set);
                self.calendar = self.calendar.apply(&self.directory, &[set]);
                return;
            }
            4 => {
                self.newcomers += 1;
                let index = self.newcomers;
                let slots = STARTS.map(|start| (start, slot(chance, start)));
                self.people.insert(index, self::person(chance, index));
                self.open.insert(index, slots.into());
            }
            5 if indexes.len() > 1 => {
                self.people.remove(&index);
                self.open.remove(&index);
            }
            6 => {
                let accepts = person.accepting.contains(here);
                person.accepting =
                    person.licensed.iter().filter(|state| *state != here || !accepts).collect();
            }
            7 => {
                let all = provider(index).licensed;
                let is_licensed = person.licensed.contains(here);
                person.licensed = all.iter().filter(|state| *state != here || !is_licensed).collect();
                person.accepting = person.licensed;
            }
            8 => {
                let ids = [&[101, 102, 103][..], &[101], &[103], &[102, 201]];
                person.visit_types = chance.one(&ids).iter().map(|id| type_id(*id)).collect();
            }
            _ => return,
        }
        self.build();
    }
}

/// Walks once, and compares what the pages list with what the oracle has at each of them.
fn walk_once(seed: u64) {
    let mut chance = Chance(seed);
    let mut world = World::new(&mut chance);
    let asked = SlotFilter {
        visit_type: chance.one(&[None, None, Some(101), Some(102), Some(103)]),
        one_per_provider: chance.is(30),
        new_patients: chance.is(20),
        ..SlotFilter::new(state(chance.one(&["CA", "CA", "CA", "TX"])), at(0), END, chance.one(&[1, 7, 200]))
    };
    let asked = match chance.of(6) {
        0 => SlotFilter {
            providers: ProviderFilter { gender: Some(Gender::Female), ..ProviderFilter::default() },
            ..asked
        },
        1 => SlotFilter {
            providers: ProviderFilter { plan: Some(PlanNumber(0)), ..ProviderFilter::default() },
            ..asked
        },
        _ => asked,
    };
    // A part of each of the two days, or the whole time.
    let parts = [
        vec![(0, END)],
        vec![(0, 5 * HOUR), (24 * HOUR, 27 * HOUR)],
        vec![(3 * HOUR, 9 * HOUR), (27 * HOUR, END)],
    ];
    let periods: Vec<_> = parts[chance.of(3)].iter().map(|&(from, until)| (at(from), at(until))).collect();
    let (changes, step) = (chance.one(&[0, 30, 90]), chance.one(&[0, 0, 300, 1800]));

    let (mut stayed, mut listed): (Option<Slots>, Slots) = (None, Slots::new());
    let (mut first_list, mut last) = (Vec::new(), None);
    let (mut open, mut known_at) = (Slots::new(), None);
    let found = walk(|after, turn| {
        if turn > 0 && chance.is(changes) {
            world.change(&mut chance);
            known_at = None;
        }
        let now = at(i64::try_from(turn).unwrap().min(20) * step);
        let filter = SlotFilter { now, horizon_seconds: at(END).unix() - now.unix(), ..asked };
        if known_at.replace(now) != Some(now) {
            let every = SlotFilter { limit: usize::MAX, one_per_provider: false, ..filter };
            let mut all = expected_slots(&world.directory, &world.feed, &every);
            all.retain(|(at, _)| periods.iter().any(|(begin, end)| begin <= at && at < end));
            let mut met = BTreeSet::new();
            all.retain(|(_, number)| !asked.one_per_provider || met.insert(*number));
            let all = named(&world.directory, all);
            if turn == 0 {
                first_list.clone_from(&all);
            }
            open = all.into_iter().collect();
            stayed = Some(stayed.take().map_or_else(|| open.clone(), |before| &before & &open));
        }
        let (page, next) = slots_of(&world.calendar, &world.directory, &filter, &periods, after);
        assert!(page.len() <= asked.limit && (next.is_none() || page.len() == asked.limit), "{seed}");
        for slot in &page {
            assert!(open.contains(slot), "{seed}: {slot:?} isn't open");
            assert!(listed.insert(slot.clone()), "{seed}: {slot:?} is listed twice");
            assert!(last <= Some(slot.0), "{seed}: {slot:?} is out of order");
            last = Some(slot.0);
        }
        (page, next)
    });
    let missing: Vec<_> = stayed.iter().flatten().filter(|slot| !listed.contains(*slot)).collect();
    assert!(missing.is_empty(), "{seed}: {missing:?} stayed open and aren't listed");
    if changes == 0 && step == 0 {
        assert_eq!(found, first_list, "{seed}");
    }
}

#[test]
fn every_slot_that_stays_open_is_listed_once() {
    seeds(USUAL_WALKS).into_par_iter().for_each(walk_once);
}

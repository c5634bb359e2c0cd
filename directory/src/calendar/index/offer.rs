//! Who may be shown to a patient: a mask for each state and visit type.
//!
//! A provider is in it when licensed there, accepting new patients there, and offering the type, which has to
//! be held there and at agreed times. States never come from a feed, so masks change with the content alone.
//!
//! Of a class of hours (its types, duration and step) the index needs the types: two classes of the same
//! types differ in when they start, which their rows say, and in nothing that an answer shows. Sets of types
//! are numbered as they come up, those of the content first.

use std::collections::HashMap;
use std::sync::Arc;

use super::mask::Mask;
use super::order::Order;
use crate::model::{Directory, StateCode, StateSet, VisitTypeId};

/// As many providers are looked through one by one; more of them by rows.
const FEW: usize = 12;

/// Masks, and the sets of visit types that start together.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct Offers {
    types: Arc<[VisitTypeId]>,
    /// By type, then state.
    masks: Arc<[Vec<Arc<Mask>>]>,
    /// By state, then by type with "any type" before them: where the counts of that pair are.
    pairs: Arc<[Vec<Option<u32>>]>,
    pair_count: usize,
    /// For each pair, who is eligible when those are few.
    few: Arc<[Option<Box<[u32]>>]>,
    /// By turn: where new patients are accepted, and which of the lists of types is offered.
    providers: Arc<[(StateSet, u32)]>,
    /// What providers offer, by the types' places: the same few lists again and again.
    offered: Arc<[Box<[u16]>]>,
    /// By type: where it is held.
    held: Arc<[StateSet]>,
    sets: Vec<Arc<TypeSet>>,
    numbers: HashMap<Box<[VisitTypeId]>, u32>,
}

/// Visit types that start together.
#[derive(Debug)]
pub(in crate::calendar) struct TypeSet {
    /// Their places, ascending; those that the directory does not have are left out.
    types: Box<[u16]>,
    /// By state: who offers one of them there.
    any: Vec<Arc<Mask>>,
}

/// What is asked for, among the types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::calendar) enum Wanted {
    /// Any type.
    Any,
    /// The type at this place.
    Type(u16),
}

impl Wanted {
    fn pair(self) -> usize {
        match self {
            Self::Any => 0,
            Self::Type(place) => usize::from(place) + 1,
        }
    }
}

impl Offers {
    pub(in crate::calendar) fn of(directory: &Directory, order: &Order) -> Self {
        let timed = directory.visit_types().iter().filter(|visit_type| visit_type.duration_minutes.is_some());
        let (types, held): (Vec<_>, Vec<_>) = timed.map(|it| (it.id(), it.states())).unzip();
        let place = |id: &VisitTypeId| types.binary_search(id).ok().and_then(|at| u16::try_from(at).ok());
        let turns = || 0..u32::try_from(order.len()).unwrap_or(u32::MAX);
        let mut lists: HashMap<Box<[u16]>, u32> = HashMap::new();
        let mut offered: Vec<Box<[u16]>> = Vec::new();
        let providers: Vec<(StateSet, u32)> = turns()
            .map(|turn| {
                let provider = directory.provider(order.number(turn));
                let mut places: Vec<u16> = provider.visit_types().iter().filter_map(place).collect();
                places.sort_unstable();
                let list = *lists.entry(places.into()).or_insert_with_key(|places| {
                    offered.push(places.clone());
                    u32::try_from(offered.len() - 1).unwrap_or(u32::MAX)
                });
                (provider.accepting().intersection(provider.licensed()), list)
            })
            .collect();
        let mut members = vec![vec![Vec::new(); StateCode::all().len()]; types.len()];
        for (turn, (accepting, list)) in turns().zip(&providers) {
            for &place in &offered[*list as usize] {
                for state in accepting.intersection(held[usize::from(place)]).iter() {
                    members[usize::from(place)][state.index()].push(turn);
                }
            }
        }
        let masks: Arc<[Vec<Arc<Mask>>]> = members
            .into_iter()
            .map(|states| states.into_iter().map(|turns| Arc::new(Mask::of(turns, order.len()))).collect())
            .collect();
        let mut pair_count: u32 = 0;
        let mut number = |exists: bool| {
            pair_count += u32::from(exists);
            exists.then(|| pair_count - 1)
        };
        let pairs: Vec<Vec<Option<u32>>> = StateCode::all()
            .map(|state| {
                let here: Vec<bool> = masks.iter().map(|masks| !masks[state.index()].is_empty()).collect();
                [here.contains(&true)].into_iter().chain(here).map(&mut number).collect()
            })
            .collect();
        let mut few = Vec::new();
        for (state, pairs) in StateCode::all().zip(&pairs) {
            for (pair, _) in pairs.iter().enumerate().filter(|(_, pair)| pair.is_some()) {
                let of_pair = |(place, _): &(usize, _)| pair == 0 || pair == place + 1;
                let masks = masks.iter().enumerate().filter(of_pair).map(|(_, masks)| &*masks[state.index()]);
                let turns = union(masks);
                few.push((turns.len() <= FEW).then(|| turns.into()));
            }
        }
        Self {
            types: types.into(),
            masks,
            pairs: pairs.into(),
            pair_count: pair_count as usize,
            few: few.into(),
            providers: providers.into(),
            offered: offered.into(),
            held: held.into(),
            sets: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// The number of a set of types, which gets one when it is new. The types ascend.
    pub(in crate::calendar) fn number(&mut self, types: &[VisitTypeId]) -> u32 {
        if let Some(&number) = self.numbers.get(types) {
            return number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        let places: Box<[u16]> = types.iter().filter_map(|id| self.place(*id)).collect::<Vec<_>>().into();
        let any = StateCode::all().map(|state| self.any_of(&places, state)).collect();
        self.sets.push(Arc::new(TypeSet { types: places, any }));
        self.numbers.insert(types.into(), number);
        number
    }

    fn any_of(&self, places: &[u16], state: StateCode) -> Arc<Mask> {
        let masks = || places.iter().map(|&place| &self.masks[usize::from(place)][state.index()]);
        if let [place] = places {
            return Arc::clone(&self.masks[usize::from(*place)][state.index()]);
        }
        let turns = union(masks().map(AsRef::as_ref));
        Arc::new(Mask::of(turns, self.providers.len()))
    }

    fn place(&self, id: VisitTypeId) -> Option<u16> {
        self.types.binary_search(&id).ok().and_then(|at| u16::try_from(at).ok())
    }

    /// What a filter by type means: none when no slot can answer it.
    pub(in crate::calendar) fn wanted(&self, visit_type: Option<i64>) -> Option<Wanted> {
        let Some(number) = visit_type else { return Some(Wanted::Any) };
        VisitTypeId::try_from(number).ok().and_then(|id| self.place(id)).map(Wanted::Type)
    }

    /// Where the counts of a state and a type are; none when nobody offers that there.
    pub(in crate::calendar) fn pair(&self, state: StateCode, wanted: Wanted) -> Option<usize> {
        self.pairs[state.index()][wanted.pair()].map(|pair| pair as usize)
    }

    pub(in crate::calendar) fn pair_count(&self) -> usize {
        self.pair_count
    }

    /// Who of a row of this set answers: none when the set is not what is wanted.
    #[inline]
    pub(in crate::calendar) fn mask(&self, set: u32, state: StateCode, wanted: Wanted) -> Option<&Mask> {
        let set = &self.sets[set as usize];
        match wanted {
            Wanted::Any => Some(&set.any[state.index()]),
            Wanted::Type(place) if set.types.contains(&place) => {
                Some(&self.masks[usize::from(place)][state.index()])
            }
            Wanted::Type(_) => None,
        }
    }

    /// Everybody who could be shown for a state and a type, ascending and each once.
    pub(in crate::calendar) fn eligible(&self, state: StateCode, wanted: Wanted) -> Vec<u32> {
        let wanted_type = |place: usize| wanted == Wanted::Any || wanted.pair() == place + 1;
        let masks = self.masks.iter().enumerate().filter(|(place, _)| wanted_type(*place));
        union(masks.map(|(_, masks)| &*masks[state.index()]))
    }

    /// Everybody who could be shown for a pair, when those are few.
    pub(in crate::calendar) fn few(&self, pair: usize) -> Option<&[u32]> {
        self.few[pair].as_deref()
    }

    /// Every pair whose counts a start counts in.
    #[inline]
    pub(in crate::calendar) fn each_pair(&self, turn: u32, set: u32, mut with: impl FnMut(usize)) {
        let (accepting, list) = self.providers[turn as usize];
        let offered = &self.offered[list as usize];
        let mut anywhere = StateSet::EMPTY;
        for place in self.sets[set as usize].types.iter().filter(|place| offered.contains(place)) {
            let states = accepting.intersection(self.held[usize::from(*place)]);
            anywhere = anywhere.union(states);
            for pair in states.iter().filter_map(|state| self.pairs[state.index()][usize::from(*place) + 1]) {
                with(pair as usize);
            }
        }
        for pair in anywhere.iter().filter_map(|state| self.pairs[state.index()][0]) {
            with(pair as usize);
        }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        let masks = self.masks.iter().flatten();
        let many = self.sets.iter().filter(|set| set.types.len() != 1).flat_map(|set| &set.any);
        masks.chain(many).map(|mask| mask.bytes() + 48).sum::<usize>()
            + self.providers.len() * size_of::<(StateSet, u32)>()
    }
}

/// The turns of all masks, ascending and each once.
fn union<'a>(masks: impl Iterator<Item = &'a Mask>) -> Vec<u32> {
    let mut turns: Vec<u32> = masks.flat_map(Mask::turns).collect();
    turns.sort_unstable();
    turns.dedup();
    turns
}

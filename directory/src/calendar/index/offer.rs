//! Who may be shown to a patient, and for which visit types.
//!
//! A provider is in a state's mask when licensed there and accepting new patients there. States never come from
//! a feed, so masks change with the content alone. Whether a visit type is held there is asked of a row's set of
//! types, all of which whoever stands in the row offers: so all rows of a question meet one mask.
//!
//! Of a class of hours (its types, duration and step) the index needs the types: two classes of the same
//! types differ in when they start, which their rows say, and in nothing that an answer shows. Sets of types
//! are numbered as they come up, those of the content first.

use std::collections::HashMap;
use std::sync::Arc;

use super::mask::Mask;
use super::order::Order;
use crate::model::{Directory, Provider, StateCode, StateSet, VisitTypeId};

/// As many providers are looked through one by one; more of them by rows.
const FEW: usize = 12;
// They all turn at a start, without a window.
const _: () = assert!(FEW <= super::order::WINDOW);

/// Masks, and the sets of visit types that start together.
#[derive(Debug, Clone)]
pub(in crate::calendar) struct Offers {
    types: Arc<[VisitTypeId]>,
    /// By type: where it is held.
    held: Arc<[StateSet]>,
    /// By state.
    masks: Arc<[Mask]>,
    /// By state, then by type with "any type" before them: where the counts of that pair are.
    pairs: Arc<[Vec<Option<u32>>]>,
    /// For each pair, who is eligible when those are few.
    few: Arc<[Option<Box<[u32]>>]>,
    sets: Vec<Arc<TypeSet>>,
    numbers: HashMap<Box<[VisitTypeId]>, u32>,
}

/// Visit types that start together.
#[derive(Debug)]
pub(in crate::calendar) struct TypeSet {
    /// Their places, ascending; those that the directory does not have are left out.
    types: Box<[u16]>,
    /// Where one of them at least is held.
    held: StateSet,
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
        let place = |id: &VisitTypeId| types.binary_search(id).ok();
        // By state, then by type.
        let mut members = vec![vec![Vec::new(); types.len()]; StateCode::all().len()];
        let mut present = vec![Vec::new(); StateCode::all().len()];
        for turn in 0..u32::try_from(order.len()).unwrap_or(u32::MAX) {
            let provider = directory.provider(order.number(turn));
            let states = open_states(provider);
            states.iter().for_each(|state| present[state.index()].push(turn));
            for place in provider.visit_types().iter().filter_map(place) {
                for state in states.intersection(held[place]).iter() {
                    members[state.index()][place].push(turn);
                }
            }
        }
        let (mut pairs, mut few) = (Vec::new(), Vec::new());
        for by_type in &members {
            let anybody = union(by_type);
            let mut pairs_here = Vec::with_capacity(1 + types.len());
            for turns in [&anybody].into_iter().chain(by_type) {
                pairs_here.push((!turns.is_empty()).then(|| u32::try_from(few.len()).unwrap_or(u32::MAX)));
                if !turns.is_empty() {
                    few.push((turns.len() <= FEW).then(|| turns.as_slice().into()));
                }
            }
            pairs.push(pairs_here);
        }
        Self {
            types: types.into(),
            held: held.into(),
            masks: present.into_iter().map(|turns| Mask::of(turns, order.len())).collect(),
            pairs: pairs.into(),
            few: few.into(),
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
        let types_here: Box<[u16]> = types.iter().filter_map(|id| self.place(*id)).collect();
        let states = types_here.iter().map(|&place| self.held[usize::from(place)]);
        let held = states.fold(StateSet::EMPTY, StateSet::union);
        self.sets.push(Arc::new(TypeSet { types: types_here, held }));
        self.numbers.insert(types.into(), number);
        number
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
        self.few.len()
    }

    /// Who accepts new patients in a state.
    #[inline]
    pub(in crate::calendar) fn mask(&self, state: StateCode) -> &Mask {
        &self.masks[state.index()]
    }

    /// Whether those of a row of this set who accept new patients in a state are an answer there.
    #[inline]
    pub(in crate::calendar) fn answers(&self, set: u32, state: StateCode, wanted: Wanted) -> bool {
        let set = &self.sets[set as usize];
        match wanted {
            Wanted::Any => set.held.contains(state),
            Wanted::Type(place) => {
                self.held[usize::from(place)].contains(state) && set.types.contains(&place)
            }
        }
    }

    /// Whether a provider who accepts new patients in a state offers there what is wanted.
    pub(in crate::calendar) fn is_offered(&self, by: &Provider, state: StateCode, wanted: Wanted) -> bool {
        by.visit_types().iter().filter_map(|id| self.place(*id)).any(|place| {
            self.held[usize::from(place)].contains(state)
                && (wanted == Wanted::Any || wanted == Wanted::Type(place))
        })
    }

    /// Everybody who could be shown for a pair, when those are few.
    pub(in crate::calendar) fn few(&self, pair: usize) -> Option<&[u32]> {
        self.few[pair].as_deref()
    }

    /// Every pair whose counts a start counts in, of somebody for whom these states are open.
    #[inline]
    pub(in crate::calendar) fn each_pair(&self, states: StateSet, set: u32, mut with: impl FnMut(usize)) {
        let set = &self.sets[set as usize];
        for state in states.intersection(set.held).iter() {
            let pairs = &self.pairs[state.index()];
            let here = set.types.iter().filter(|place| self.held[usize::from(**place)].contains(state));
            let places = [0].into_iter().chain(here.map(|place| usize::from(*place) + 1));
            places.filter_map(|place| pairs[place]).for_each(|pair| with(pair as usize));
        }
    }

    /// How many bytes it has on the heap.
    pub(in crate::calendar) fn bytes(&self) -> usize {
        self.masks.iter().map(Mask::bytes).sum::<usize>() + size_of_val(&*self.masks)
    }
}

/// Where a provider accepts new patients and may.
pub(in crate::calendar) fn open_states(provider: &Provider) -> StateSet {
    provider.accepting().intersection(provider.licensed())
}

/// The turns of all lists, ascending and each once.
fn union(lists: &[Vec<u32>]) -> Vec<u32> {
    if let [list] = lists {
        return list.clone();
    }
    let mut turns = lists.concat();
    turns.sort_unstable();
    turns.dedup();
    turns
}

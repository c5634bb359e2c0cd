//! Which providers may be shown to a patient, and for which visit types.
//!
//! A provider is in a state's mask when licensed there and accepting new patients there. States never come from a
//! feed, so masks change with the content alone. A row's set of types says which types its providers offer, so all
//! rows of a query are intersected with one mask.
//!
//! The index groups starts by set of types, not by class: classes with the same types answer the same queries. Sets are
//! numbered in the order in which they are first used.

use std::collections::HashMap;
use std::sync::Arc;

use super::mask::Mask;
use super::order::{Order, WINDOW};
use crate::model::{Directory, Provider, StateCode, StateSet, VisitTypeId};

/// Up to this many eligible providers, merging their own starts is faster than a walk through the rows.
const SHORT_LIST: usize = 12;
// `Index::merge` lists all providers present at a start as one window.
const _: () = assert!(SHORT_LIST <= WINDOW);

/// The masks of the states, and the sets of visit types that start together.
#[derive(Debug, Clone)]
pub(crate) struct Eligibility {
    /// The types with a duration, ascending. Elsewhere in this module a type is given by its position in this list.
    types: Arc<[VisitTypeId]>,
    /// By type: the states where it is offered.
    states_of: Arc<[StateSet]>,
    /// By state.
    masks: Arc<[Mask]>,
    /// The number of each pair of state and [`Wanted`], by state and then by [`Wanted::column`]; `None` if no provider is
    /// eligible.
    pairs: Arc<[Vec<Option<u32>>]>,
    /// For each pair, the eligible providers if they are at most [`SHORT_LIST`].
    short_lists: Arc<[Option<Box<[u32]>>]>,
    /// By number.
    sets: Vec<Arc<TypeSet>>,
    numbers: HashMap<Box<[VisitTypeId]>, u32>,
}

/// Visit types that start together.
#[derive(Debug)]
struct TypeSet {
    /// Their positions, ascending.
    types: Box<[u16]>,
    /// The states where at least one of them is offered.
    states: StateSet,
}

/// The visit types that answer a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Any,
    /// The type at this position.
    Type(u16),
}

impl Wanted {
    /// The position in a list that has "any" before the types.
    fn column(self) -> usize {
        match self {
            Self::Any => 0,
            Self::Type(position) => usize::from(position) + 1,
        }
    }
}

impl Eligibility {
    pub(crate) fn of(directory: &Directory, order: &Order) -> Self {
        let timed = directory.visit_types().iter().filter(|visit_type| visit_type.duration_minutes.is_some());
        let (types, states_of): (Vec<_>, Vec<_>) = timed.map(|it| (it.id(), it.states())).unzip();
        let position = |id: &VisitTypeId| types.binary_search(id).ok();
        // By state: all providers there, and those of each type.
        let mut in_state = vec![Vec::new(); StateCode::all().len()];
        let mut by_type = vec![vec![Vec::new(); types.len()]; StateCode::all().len()];
        for rank in order.ranks() {
            let provider = directory.provider(order.number(rank));
            let states = open_states(provider);
            states.iter().for_each(|state| in_state[state.index()].push(rank));
            for position in provider.visit_types().iter().filter_map(position) {
                for state in states.intersection(states_of[position]).iter() {
                    by_type[state.index()][position].push(rank);
                }
            }
        }
        let (mut pairs, mut short_lists) = (Vec::new(), Vec::new());
        for by_type in &by_type {
            let any = union(by_type);
            let pair = |ranks: &Vec<u32>| {
                (!ranks.is_empty()).then(|| {
                    short_lists.push((ranks.len() <= SHORT_LIST).then(|| ranks.as_slice().into()));
                    u32::try_from(short_lists.len() - 1).unwrap_or(u32::MAX)
                })
            };
            pairs.push([&any].into_iter().chain(by_type).map(pair).collect());
        }
        Self {
            types: types.into(),
            states_of: states_of.into(),
            masks: in_state.into_iter().map(|ranks| Mask::of(ranks, order.len())).collect(),
            pairs: pairs.into(),
            short_lists: short_lists.into(),
            sets: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// The number of a set of types in ascending order, a new one if the set is new.
    pub(crate) fn set_number(&mut self, types: &[VisitTypeId]) -> u32 {
        if let Some(&number) = self.numbers.get(types) {
            return number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        let positions: Box<[u16]> = types.iter().filter_map(|id| self.position(*id)).collect();
        let states = positions.iter().map(|&position| self.states_of[usize::from(position)]);
        let states = states.fold(StateSet::EMPTY, StateSet::union);
        self.sets.push(Arc::new(TypeSet { types: positions, states }));
        self.numbers.insert(types.into(), number);
        number
    }

    fn position(&self, id: VisitTypeId) -> Option<u16> {
        self.types.binary_search(&id).ok().and_then(|at| u16::try_from(at).ok())
    }

    /// The types that a filter means; none if no slot can match it.
    pub(crate) fn wanted(&self, visit_type: Option<i64>) -> Option<Wanted> {
        let Some(number) = visit_type else { return Some(Wanted::Any) };
        VisitTypeId::try_from(number).ok().and_then(|id| self.position(id)).map(Wanted::Type)
    }

    /// The number of a pair of state and type; `None` without an eligible provider.
    pub(crate) fn pair(&self, state: StateCode, wanted: Wanted) -> Option<usize> {
        self.pairs[state.index()][wanted.column()].map(|pair| pair as usize)
    }

    pub(crate) fn pair_count(&self) -> usize {
        self.short_lists.len()
    }

    /// The providers who accept new patients in a state.
    pub(crate) fn mask(&self, state: StateCode) -> &Mask {
        &self.masks[state.index()]
    }

    /// Whether starts with this set of types answer a query in a state.
    pub(crate) fn answers(&self, set: u32, state: StateCode, wanted: Wanted) -> bool {
        let set = &self.sets[set as usize];
        match wanted {
            Wanted::Any => set.states.contains(state),
            Wanted::Type(position) => {
                self.states_of[usize::from(position)].contains(state) && set.types.contains(&position)
            }
        }
    }

    /// Whether a provider who accepts new patients in a state offers a wanted type there.
    pub(crate) fn is_offered(&self, by: &Provider, state: StateCode, wanted: Wanted) -> bool {
        by.visit_types().iter().filter_map(|id| self.position(*id)).any(|position| {
            self.states_of[usize::from(position)].contains(state)
                && (wanted == Wanted::Any || wanted == Wanted::Type(position))
        })
    }

    /// The providers eligible for a pair, if they are at most [`SHORT_LIST`].
    pub(crate) fn short_list(&self, pair: usize) -> Option<&[u32]> {
        self.short_lists[pair].as_deref()
    }

    /// Calls `with` for each pair that counts a start with this set of types, of a provider with these states.
    pub(crate) fn each_pair(&self, states: StateSet, set: u32, mut with: impl FnMut(usize)) {
        let set = &self.sets[set as usize];
        for state in states.intersection(set.states).iter() {
            let pairs = &self.pairs[state.index()];
            let offered = set.types.iter().filter(|&&at| self.states_of[usize::from(at)].contains(state));
            let wanted = [Wanted::Any].into_iter().chain(offered.map(|&at| Wanted::Type(at)));
            wanted.filter_map(|wanted| pairs[wanted.column()]).for_each(|pair| with(pair as usize));
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.masks.iter().map(Mask::bytes).sum::<usize>() + size_of_val(&*self.masks)
    }
}

/// The states in which a provider is licensed and accepts new patients.
pub(crate) fn open_states(provider: &Provider) -> StateSet {
    provider.accepting().intersection(provider.licensed())
}

/// The ranks of all lists, ascending and each once.
fn union(lists: &[Vec<u32>]) -> Vec<u32> {
    let mut ranks = lists.concat();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

//! Which providers may be shown to a patient, and for which visit types.
//! A provider is in a state's mask when licensed there and accepting new patients there. A visit type that new patients
//! can't book is different: current patients ask for it, so its providers only need the license. States never come from a
//! feed, so masks change with the content alone. A row's set of types says which types its providers offer, so all
//! rows of a query are intersected with one mask.
//! The index groups starts by set of types, not by class: classes with the same types answer the same queries. Sets are
//! numbered in the order in which they are first used.

use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::filters::{Filters, ProviderFilter};
use super::members::{Members, RankSet, SETS};
use super::order::Order;
use crate::model::{Directory, Provider, StateCode, StateSet, VisitTypeId};

#[derive(Debug, Clone)]
pub(crate) struct Eligibility {
    /// The types with a duration, ascending. Elsewhere in this module a type is given by its position in this list.
    types: Arc<[VisitTypeId]>,
    /// By type: the states where it is offered.
    states_of: Arc<[StateSet]>,
    /// By type: whether new patients may book it.
    is_for_new: Arc<[bool]>,
    /// By state: the providers who accept new patients there, as masks.
    in_state: Arc<[RankSet]>,
    /// By state: the providers who are licensed there, as masks.
    licensed_in: Arc<[RankSet]>,
    /// The number of each pair of state and [`Wanted`], by state and then by [`Wanted::column`]; `None` if no provider is
    /// eligible.
    pairs: Arc<[Vec<Option<u32>>]>,
    /// The eligible providers of each pair.
    in_pair: Arc<[RankSet]>,
    filters: Arc<Filters>,
    /// By number.
    sets: Vec<Arc<TypeSet>>,
    numbers: HashMap<Box<[VisitTypeId]>, u32>,
}

#[derive(Debug)]
struct TypeSet {
    /// Their positions, ascending.
    types: Box<[u16]>,
    /// The states where at least one of them is offered.
    states: StateSet,
    /// The states where at least one of them is offered to new patients.
    states_for_new: StateSet,
}

type Sets<'a> = SmallVec<[&'a RankSet; SETS]>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Any,
    /// Those that new patients may book.
    New,
    /// The type at this position.
    Type(u16),
}

impl Wanted {
    /// The position in a list that has "any" and "new" before the types.
    fn column(self) -> usize {
        match self {
            Self::Any => 0,
            Self::New => 1,
            Self::Type(position) => usize::from(position) + 2,
        }
    }
}

impl Eligibility {
    pub(crate) fn build(directory: &Directory, order: &Order) -> Self {
        let timed = || directory.visit_types().iter().filter(|it| it.duration_minutes.is_some());
        let types: Vec<VisitTypeId> = timed().map(|visit_type| visit_type.id).collect();
        let states_of: Vec<StateSet> = timed().map(|visit_type| visit_type.states).collect();
        let is_for_new: Vec<bool> = timed().map(|visit_type| visit_type.new_patient_eligible).collect();
        let position = |id: &VisitTypeId| types.binary_search(id).ok();
        // By state: all providers there, and those of each type.
        let mut in_state = vec![Vec::new(); StateCode::all().len()];
        let mut licensed_in = in_state.clone();
        let mut by_type = vec![vec![Vec::new(); types.len()]; StateCode::all().len()];
        for rank in order.ranks() {
            let provider = directory.provider(order.number(rank));
            let states = PatientStates::of(provider);
            states.new.iter().for_each(|state| in_state[state.index()].push(rank));
            states.current.iter().for_each(|state| licensed_in[state.index()].push(rank));
            for position in provider.visit_types.iter().filter_map(position) {
                for state in states.of_type(is_for_new[position]).intersection(states_of[position]).iter() {
                    by_type[state.index()][position].push(rank);
                }
            }
        }
        let filters = Filters::build(directory, order, &licensed_in);
        let (mut pairs, mut in_pair) = (Vec::new(), Vec::new());
        for (by_type, accepting) in by_type.into_iter().zip(&in_state) {
            let for_new = by_type.iter().zip(&is_for_new).filter(|(_, is_for_new)| **is_for_new);
            let (mut any, new) = (union(by_type.iter()), union(for_new.map(|(ranks, _)| ranks)));
            any.retain(|rank| accepting.binary_search(rank).is_ok());
            let pair = |ranks: Vec<u32>| {
                (!ranks.is_empty()).then(|| {
                    in_pair.push(RankSet::from_ranks(ranks, order.len()));
                    u32::try_from(in_pair.len() - 1).unwrap_or(u32::MAX)
                })
            };
            pairs.push([any, new].into_iter().chain(by_type).map(pair).collect());
        }
        let masks =
            |lists: Vec<Vec<u32>>| lists.iter().map(|ranks| RankSet::mask(ranks, order.len())).collect();
        Self {
            types: types.into(),
            states_of: states_of.into(),
            is_for_new: is_for_new.into(),
            in_state: masks(in_state),
            licensed_in: masks(licensed_in),
            pairs: pairs.into(),
            in_pair: in_pair.into(),
            filters: Arc::new(filters),
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
        let (mut states, mut states_for_new) = (StateSet::EMPTY, StateSet::EMPTY);
        for position in positions.iter().map(|&position| usize::from(position)) {
            states = states.union(self.states_of[position]);
            if self.is_for_new[position] {
                states_for_new = states_for_new.union(self.states_of[position]);
            }
        }
        self.sets.push(Arc::new(TypeSet { types: positions, states, states_for_new }));
        self.numbers.insert(types.into(), number);
        number
    }

    fn position(&self, id: VisitTypeId) -> Option<u16> {
        self.types.binary_search(&id).ok().and_then(|at| u16::try_from(at).ok())
    }

    /// The types that a filter means; none if no slot can match it.
    pub(crate) fn wanted(&self, visit_type: Option<i64>, new_patients: bool) -> Option<Wanted> {
        let Some(number) = visit_type else {
            return Some(if new_patients { Wanted::New } else { Wanted::Any });
        };
        let position = VisitTypeId::try_from(number).ok().and_then(|id| self.position(id))?;
        (!new_patients || self.is_for_new[usize::from(position)]).then_some(Wanted::Type(position))
    }

    /// The number of a pair of state and type; `None` without an eligible provider.
    pub(crate) fn pair(&self, state: StateCode, wanted: Wanted) -> Option<usize> {
        self.pairs[state.index()][wanted.column()].map(|pair| pair as usize)
    }

    pub(crate) fn pair_count(&self) -> usize {
        self.in_pair.len()
    }

    pub(crate) fn in_pair(&self, pair: usize) -> &RankSet {
        &self.in_pair[pair]
    }

    /// The providers to look for in a query for this pair. Some may be eligible for other types only; the type sets
    /// of the rows exclude their starts.
    pub(crate) fn members(
        &self,
        state: StateCode,
        (wanted, pair): (Wanted, usize),
        filter: ProviderFilter,
    ) -> Members<'_> {
        if let Some(ranks) = self.in_pair[pair].short_list() {
            if filter == ProviderFilter::default() {
                return Members::List(ranks.into());
            }
            let mut sets = self.sets_of(state, wanted, filter);
            sets.push(&self.in_pair[pair]);
            return Members::intersect(&sets);
        }
        Members::intersect(&self.sets_of(state, wanted, filter))
    }

    pub(crate) fn meets(&self, rank: u32, state: StateCode, wanted: Wanted, filter: ProviderFilter) -> bool {
        self.sets_of(state, wanted, filter).iter().all(|set| set.contains(rank))
    }

    /// The sets whose intersection is the providers of a state who meet a filter. The smallest is usually the first.
    fn sets_of(&self, state: StateCode, wanted: Wanted, filter: ProviderFilter) -> Sets<'_> {
        let plan = filter.plan.map(|plan| self.filters.accepting(plan, state));
        let in_state = if self.is_for_current(wanted) { &self.licensed_in } else { &self.in_state };
        plan.into_iter().chain([&in_state[state.index()]]).chain(self.filters.traits(filter)).collect()
    }

    /// Whether only current patients can ask this.
    fn is_for_current(&self, wanted: Wanted) -> bool {
        matches!(wanted, Wanted::Type(position) if !self.is_for_new[usize::from(position)])
    }

    pub(crate) fn answers(&self, set: u32, state: StateCode, wanted: Wanted) -> bool {
        let set = &self.sets[set as usize];
        match wanted {
            Wanted::Any => set.states.contains(state),
            Wanted::New => set.states_for_new.contains(state),
            Wanted::Type(position) => {
                self.states_of[usize::from(position)].contains(state) && set.types.contains(&position)
            }
        }
    }

    pub(crate) fn has_type(&self, set: u32, id: VisitTypeId) -> bool {
        self.position(id).is_some_and(|position| self.sets[set as usize].types.contains(&position))
    }

    /// Calls `with` for each pair that counts a start with this set of types, of a provider with these states.
    pub(crate) fn each_pair(&self, states: PatientStates, set: u32, mut with: impl FnMut(usize)) {
        let set = &self.sets[set as usize];
        for state in states.current.intersection(set.states).iter() {
            let pairs = &self.pairs[state.index()];
            let is_open = states.new.contains(state);
            let offered = set.types.iter().filter(|&&at| {
                let at = usize::from(at);
                self.states_of[at].contains(state) && (is_open || !self.is_for_new[at])
            });
            let any = is_open.then_some(Wanted::Any);
            let new = (is_open && set.states_for_new.contains(state)).then_some(Wanted::New);
            let wanted = any.into_iter().chain(new).chain(offered.map(|&at| Wanted::Type(at)));
            wanted.filter_map(|wanted| pairs[wanted.column()]).for_each(|pair| with(pair as usize));
        }
    }
}

/// The states whose patients a provider sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PatientStates {
    /// Those of licensure where new patients are accepted.
    new: StateSet,
    /// Those of licensure.
    current: StateSet,
}

impl PatientStates {
    pub(crate) fn of(provider: &Provider) -> Self {
        Self { new: provider.accepting.intersection(provider.licensed), current: provider.licensed }
    }

    fn of_type(self, is_for_new: bool) -> StateSet {
        if is_for_new { self.new } else { self.current }
    }
}

fn union<'a>(lists: impl Iterator<Item = &'a Vec<u32>>) -> Vec<u32> {
    let mut ranks: Vec<u32> = lists.flatten().copied().collect();
    ranks.sort_unstable();
    ranks.dedup();
    ranks
}

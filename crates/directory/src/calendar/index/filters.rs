//! The providers who meet each value of a filter.

use rayon::prelude::*;

use super::members::RankSet;
use super::order::Order;
use crate::model::{Directory, Gender, Language, PlanNumber, ProviderType, StateCode};

/// The providers whose slots are wanted: those who meet every given filter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProviderFilter {
    /// They accept this plan in the state.
    pub plan: Option<PlanNumber>,
    pub gender: Option<Gender>,
    pub provider_type: Option<ProviderType>,
    pub language: Option<Language>,
}

#[derive(Debug)]
pub(crate) struct Filters {
    /// By state, then by plan: those who are licensed and accept the plan there. Plans that none of them accepts are absent.
    by_plan: Vec<Vec<(PlanNumber, RankSet)>>,
    by_gender: Vec<RankSet>,
    by_type: Vec<RankSet>,
    by_language: Vec<RankSet>,
    none: RankSet,
}

impl Filters {
    /// The sets of a directory's providers; `licensed_in` holds for each state the ranks of those who are licensed there.
    pub(crate) fn build(directory: &Directory, order: &Order, licensed_in: &[Vec<u32>]) -> Self {
        let provider = |rank: u32| directory.provider(order.number(rank));
        let mut by_gender = vec![Vec::new(); Gender::ALL.len()];
        let mut by_type = vec![Vec::new(); ProviderType::ALL.len()];
        let mut by_language = vec![Vec::new(); Language::all().count()];
        for rank in order.ranks() {
            let provider = provider(rank);
            by_gender[provider.gender as usize].push(rank);
            by_type[provider.provider_type as usize].push(rank);
            for language in &provider.languages {
                by_language[language.index()].push(rank);
            }
        }
        let sets = |lists: Vec<Vec<u32>>| -> Vec<RankSet> {
            lists.into_iter().map(|ranks| RankSet::from_ranks(ranks, order.len())).collect()
        };
        let by_plan = StateCode::all().zip(licensed_in).collect::<Vec<_>>();
        let by_plan = by_plan.into_par_iter().map(|(state, ranks)| {
            let mut accepting = vec![Vec::new(); directory.plans().len()];
            for &rank in ranks {
                for plan in provider(rank).plans_in(state) {
                    accepting[plan.index()].push(rank);
                }
            }
            let sets = directory.plan_numbers().zip(sets(accepting));
            sets.filter(|(_, set)| !matches!(set, RankSet::List(ranks) if ranks.is_empty())).collect()
        });
        Self {
            by_plan: by_plan.collect(),
            by_gender: sets(by_gender),
            by_type: sets(by_type),
            by_language: sets(by_language),
            none: RankSet::List(Box::default()),
        }
    }

    pub(crate) fn accepting(&self, plan: PlanNumber, state: StateCode) -> &RankSet {
        let plans = &self.by_plan[state.index()];
        let found = plans.binary_search_by_key(&plan, |(other, _)| *other);
        found.map_or(&self.none, |at| &plans[at].1)
    }

    pub(crate) fn traits(&self, filter: ProviderFilter) -> impl Iterator<Item = &RankSet> {
        let gender = filter.gender.map(|gender| &self.by_gender[gender as usize]);
        let provider_type = filter.provider_type.map(|provider_type| &self.by_type[provider_type as usize]);
        let language = filter.language.map(|language| &self.by_language[language.index()]);
        [gender, provider_type, language].into_iter().flatten()
    }
}

//! The whole clinic. A [`Directory`] exists only if it is fully valid: `content::check` is the one way in.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use rayon::prelude::*;

use super::{
    Headshot, NameIndex, Organisation, PlanName, PlanNumber, Provider, Schedule, Slug, StateCode, StateSet,
    VisitType, VisitTypeId,
};

/// A provider's position in [`Directory::providers`], which is the order of every list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderNumber(u32);

impl ProviderNumber {
    /// The provider at this position of the list.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// The position.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which content this is: a hash of the checked content, the same on every machine.
#[derive(Clone, PartialEq, Eq)]
pub struct Generation(pub(crate) String);

impl Generation {
    /// The name of the generation: lower-case hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl fmt::Debug for Generation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What a slug of a request leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SlugMatch {
    /// It is a provider's slug.
    Current(ProviderNumber),
    /// It was a provider's slug.
    Former(ProviderNumber),
}

impl SlugMatch {
    /// The provider, whichever slug was asked for.
    pub(crate) fn provider(self) -> ProviderNumber {
        match self {
            Self::Current(number) | Self::Former(number) => number,
        }
    }
}

/// In a larger directory a wrong name is answered without a suggestion: the index would take long to make.
const MOST_INDEXED: usize = 20_000;

/// What `content::check` hands over once nothing is wrong with it.
pub(crate) struct DirectoryParts {
    pub(crate) organisation: Organisation,
    pub(crate) plans: Vec<PlanName>,
    pub(crate) visit_types: Vec<VisitType>,
    /// Each provider with the hours that its availability file gives.
    pub(crate) providers: Vec<(Box<Provider>, Option<Box<Schedule>>)>,
    pub(crate) generation: Generation,
    /// The slugs of those who left.
    pub(crate) retired: BTreeSet<Slug>,
}

/// A clinic: valid, in order, and never changed.
#[derive(Debug)]
pub struct Directory {
    organisation: Organisation,
    plans: Vec<PlanName>,
    visit_types: Vec<VisitType>,
    providers: Vec<Provider>,
    schedules: Vec<Option<Box<Schedule>>>,
    slugs: BTreeMap<Slug, SlugMatch>,
    /// For each visit type, the states where it is offered.
    offered: Vec<StateSet>,
    generation: Generation,
    retired: BTreeSet<Slug>,
    /// Made for the first wrong name.
    names: OnceLock<NameIndex>,
}

impl Directory {
    /// Puts checked parts in order and derives what follows from them.
    pub(crate) fn new(parts: DirectoryParts) -> Self {
        let DirectoryParts { organisation, plans, mut visit_types, mut providers, generation, retired } =
            parts;
        debug_assert!(plans.is_sorted(), "plan numbers are positions in the sorted catalogue");
        visit_types.sort_by_key(VisitType::id);
        providers.par_sort_by(|(a, _), (b, _)| (&a.sort_name, &a.slug).cmp(&(&b.sort_name, &b.slug)));
        let (providers, schedules): (Vec<_>, Vec<_>) =
            providers.into_iter().map(|(provider, schedule)| (*provider, schedule)).unzip();
        let slugs = providers.iter().enumerate().flat_map(|(index, provider)| {
            let number = ProviderNumber::new(index);
            let former = provider.former_slugs.iter().map(move |slug| (slug, SlugMatch::Former(number)));
            std::iter::once((&provider.slug, SlugMatch::Current(number))).chain(former)
        });
        // Collected and not inserted: so a map is made of a sorted list in one go.
        let slugs = slugs.map(|(slug, found)| (slug.clone(), found)).collect();
        let offered = visit_types
            .iter()
            .map(|visit_type| {
                let offering =
                    providers.iter().filter(|provider| provider.visit_types.contains(&visit_type.id));
                offering
                    .fold(StateSet::EMPTY, |states, provider| states.union(provider.accepting))
                    .intersection(visit_type.states)
            })
            .collect();
        let names = OnceLock::new();
        Self {
            organisation,
            plans,
            visit_types,
            providers,
            schedules,
            slugs,
            offered,
            generation,
            retired,
            names,
        }
    }

    /// Who publishes it.
    #[must_use]
    pub fn organisation(&self) -> &Organisation {
        &self.organisation
    }

    /// Which content this is.
    #[must_use]
    pub fn generation(&self) -> &Generation {
        &self.generation
    }

    /// The plan catalogue, sorted by name.
    #[must_use]
    pub fn plans(&self) -> &[PlanName] {
        &self.plans
    }

    /// The plans' numbers, in the same order.
    #[must_use]
    pub fn plan_numbers(&self) -> impl ExactSizeIterator<Item = PlanNumber> + use<> {
        // The catalogue has no more than the number can tell: `content::check` sees to that.
        (0..self.plans.len()).map(|at| PlanNumber(u16::try_from(at).unwrap_or(u16::MAX)))
    }

    /// The name of a plan.
    #[must_use]
    pub fn plan(&self, number: PlanNumber) -> &PlanName {
        &self.plans[number.index()]
    }

    /// The enabled visit types, by id.
    #[must_use]
    pub fn visit_types(&self) -> &[VisitType] {
        &self.visit_types
    }

    /// An enabled visit type.
    #[must_use]
    pub fn visit_type(&self, id: VisitTypeId) -> Option<&VisitType> {
        self.visit_type_index(id).map(|index| &self.visit_types[index])
    }

    /// Where a visit type is offered: held there, and by somebody who takes new patients there.
    #[must_use]
    pub fn offered(&self, id: VisitTypeId) -> StateSet {
        self.visit_type_index(id).map_or(StateSet::EMPTY, |index| self.offered[index])
    }

    /// The visit types offered in a state, by id.
    pub fn offered_in(&self, state: StateCode) -> impl Iterator<Item = &VisitType> {
        self.visit_types
            .iter()
            .zip(&self.offered)
            .filter(move |(_, states)| states.contains(state))
            .map(|(visit_type, _)| visit_type)
    }

    /// The clinicians, in the order of every list.
    #[must_use]
    pub fn providers(&self) -> &[Provider] {
        &self.providers
    }

    /// The clinician at a position of the list.
    #[must_use]
    pub fn provider(&self, number: ProviderNumber) -> &Provider {
        &self.providers[number.index()]
    }

    /// The authored hours of the clinician at a position of the list.
    #[must_use]
    pub fn schedule(&self, number: ProviderNumber) -> Option<&Schedule> {
        self.schedules[number.index()].as_deref()
    }

    /// The positions of all clinicians.
    pub fn provider_numbers(&self) -> impl ExactSizeIterator<Item = ProviderNumber> + use<> {
        (0..self.providers.len()).map(ProviderNumber::new)
    }

    /// Who once had a slug; `None` for the slugs of today.
    #[must_use]
    pub fn by_former_slug(&self, slug: &str) -> Option<&Provider> {
        match self.find(slug)? {
            SlugMatch::Former(number) => Some(self.provider(number)),
            SlugMatch::Current(_) => None,
        }
    }

    /// Whether a slug can never be given to somebody else: it is or was a provider's, or somebody had it who
    /// left.
    #[must_use]
    pub fn remembers(&self, slug: &str) -> bool {
        self.slugs.contains_key(slug) || self.retired.contains(slug)
    }

    /// The slugs of those who left.
    pub fn retired_slugs(&self) -> impl Iterator<Item = &Slug> {
        self.retired.iter()
    }

    /// Whom a slug means, or meant.
    pub(crate) fn find(&self, slug: &str) -> Option<SlugMatch> {
        self.slugs.get(slug).copied()
    }

    /// Slug and name of the clinicians that a wrong slug or name probably means, at most three.
    pub(crate) fn nearest(&self, name: &str) -> Vec<(&str, &str)> {
        if self.providers.len() > MOST_INDEXED {
            return Vec::new();
        }
        let names = self.names.get_or_init(|| {
            let names = (0..).zip(&self.providers).flat_map(|(number, provider)| {
                [provider.slug().as_str(), provider.display_name()].map(|name| (number, name))
            });
            NameIndex::new(names)
        });
        let near = names.nearest(name).into_iter().map(|number| &self.providers[number as usize]);
        near.map(|provider| (provider.slug().as_str(), provider.display_name())).collect()
    }

    /// Where the public profile of a provider is.
    #[must_use]
    pub fn profile_url(&self, provider: &Provider) -> String {
        [&self.organisation.site_url, "/providers/", provider.slug.as_str()].concat()
    }

    /// Where the portrait of a provider is, if there is one.
    #[must_use]
    pub fn headshot_url<'a>(&self, provider: &'a Provider) -> Option<Cow<'a, str>> {
        match (provider.headshot(), provider.portrait_path()) {
            (Some(Headshot::Address(address)), _) => Some(address.into()),
            (_, path) => path.map(|path| format!("{}/{path}", self.organisation.site_url).into()),
        }
    }

    fn visit_type_index(&self, id: VisitTypeId) -> Option<usize> {
        self.visit_types.binary_search_by_key(&id, VisitType::id).ok()
    }
}

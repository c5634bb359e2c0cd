//! The clinic. A [`Directory`] is always valid: only `content::check` makes one, from content without errors.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::OnceLock;

use chrono_tz::Tz;
use rayon::prelude::*;

use super::{
    Accuracy, AllowedFinding, Headshot, Organization, People, PlanName, PlanNumber, Provider, ProviderId,
    ProviderType, Schedule, Slug, StateCode, StateSet, Texts, VisitType, VisitTypeId,
};

/// A provider's position in [`Directory::providers`], which is the order of every list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProviderNumber(pub(crate) u32);

impl ProviderNumber {
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The hash of the checked content, the same on every machine.
#[derive(Clone, PartialEq, Eq)]
pub struct Generation(pub(crate) String);

impl Generation {
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlugMatch {
    Current(ProviderNumber),
    Former(ProviderNumber),
}

impl SlugMatch {
    pub fn provider(self) -> ProviderNumber {
        match self {
            Self::Current(number) | Self::Former(number) => number,
        }
    }
}

pub(crate) struct DirectoryParts {
    pub(crate) organization: Organization,
    /// At least one.
    pub(crate) texts: Vec<Texts>,
    pub(crate) plans: Vec<PlanName>,
    pub(crate) visit_types: Vec<VisitType>,
    /// Each provider with the hours of its availability file.
    pub(crate) providers: Vec<(Box<Provider>, Option<Box<Schedule>>)>,
    pub(crate) generation: Generation,
    /// The slugs in `retired.toml`, and those of clinicians who are withdrawn.
    pub(crate) retired: BTreeSet<Slug>,
    pub(crate) accuracy: AccuracyParts,
}

/// What content says about its own truth, beside the clinicians' files.
#[derive(Debug, Default)]
pub(crate) struct AccuracyParts {
    pub(crate) policy: Option<Accuracy>,
    /// Where each plan is sold, by plan number; `None` or absent: anywhere.
    pub(crate) plan_states: Vec<Option<StateSet>>,
    pub(crate) allowed: Vec<AllowedFinding>,
    pub(crate) withdrawn: BTreeSet<Slug>,
}

#[derive(Debug)]
pub struct Directory {
    organization: Organization,
    texts: Vec<Texts>,
    plans: Vec<PlanName>,
    visit_types: Vec<VisitType>,
    providers: Vec<Provider>,
    schedules: Vec<Option<Box<Schedule>>>,
    slugs: BTreeMap<Slug, SlugMatch>,
    /// By position in `visit_types`.
    offered: Vec<StateSet>,
    licensed: StateSet,
    professions: Vec<ProviderType>,
    generation: Generation,
    retired: BTreeSet<Slug>,
    accuracy: AccuracyParts,
    /// Built when the first provider is looked up by an identifier.
    people: OnceLock<People>,
}

impl Directory {
    pub(crate) fn new(mut parts: DirectoryParts) -> Self {
        debug_assert!(parts.plans.is_sorted(), "plan numbers are positions in the sorted catalog");
        parts.visit_types.sort_by_key(|visit_type| visit_type.id);
        parts.providers.par_sort_by(|(a, _), (b, _)| (&a.sort_name, &a.slug).cmp(&(&b.sort_name, &b.slug)));
        let (providers, schedules): (Vec<_>, Vec<_>) =
            parts.providers.into_iter().map(|(provider, schedule)| (*provider, schedule)).unzip();
        let slugs = providers.iter().enumerate().flat_map(|(index, provider)| {
            let number = ProviderNumber::new(index);
            let former = provider.former_slugs.iter().map(move |slug| (slug, SlugMatch::Former(number)));
            std::iter::once((&provider.slug, SlugMatch::Current(number))).chain(former)
        });
        // Collecting sorts once and is faster than inserting one by one.
        let slugs = slugs.map(|(slug, found)| (slug.clone(), found)).collect();
        let offered = |visit_type: &VisitType| {
            let offering = providers.iter().filter(|provider| provider.visit_types.contains(&visit_type.id));
            // Current patients ask for what new patients can't book, so the license is enough.
            let states = offering.map(|provider| {
                if visit_type.new_patient_eligible { provider.accepting } else { provider.licensed }
            });
            states.fold(StateSet::EMPTY, StateSet::union).intersection(visit_type.states)
        };
        let offered = parts.visit_types.iter().map(offered).collect();
        let licensed =
            providers.iter().fold(StateSet::EMPTY, |states, provider| states.union(provider.licensed));
        let used: BTreeSet<_> = providers.iter().map(|provider| provider.provider_type).collect();
        Self {
            organization: parts.organization,
            texts: parts.texts,
            plans: parts.plans,
            visit_types: parts.visit_types,
            providers,
            schedules,
            slugs,
            offered,
            licensed,
            professions: used.union(&ProviderType::SPECIFIED.into()).copied().collect(),
            generation: parts.generation,
            retired: parts.retired,
            accuracy: parts.accuracy,
            people: OnceLock::new(),
        }
    }

    pub fn organization(&self) -> &Organization {
        &self.organization
    }

    /// The texts of the site in each of its languages, of which there is at least one.
    pub fn texts(&self) -> &[Texts] {
        &self.texts
    }

    pub fn generation(&self) -> &Generation {
        &self.generation
    }

    /// The plan catalog, sorted by name.
    pub fn plans(&self) -> &[PlanName] {
        &self.plans
    }

    pub fn plan_numbers(&self) -> impl ExactSizeIterator<Item = PlanNumber> + use<> {
        // `content::check` limits the number of plans.
        (0..self.plans.len()).map(|at| PlanNumber(u16::try_from(at).unwrap_or(u16::MAX)))
    }

    pub fn plan(&self, number: PlanNumber) -> &PlanName {
        &self.plans[number.index()]
    }

    /// The enabled visit types, sorted by id.
    pub fn visit_types(&self) -> &[VisitType] {
        &self.visit_types
    }

    pub fn visit_type(&self, id: VisitTypeId) -> Option<&VisitType> {
        self.visit_type_index(id).map(|index| &self.visit_types[index])
    }

    /// The states where a visit type is allowed and a clinician who offers it accepts new patients, or is licensed, if
    /// only current patients can book it.
    pub fn offered(&self, id: VisitTypeId) -> StateSet {
        self.visit_type_index(id).map_or(StateSet::EMPTY, |index| self.offered[index])
    }

    pub fn licensed(&self) -> StateSet {
        self.licensed
    }

    pub fn offered_in(&self, state: StateCode) -> impl Iterator<Item = &VisitType> {
        let all = self.visit_types.iter().zip(&self.offered);
        all.filter(move |(_, states)| states.contains(state)).map(|(visit_type, _)| visit_type)
    }

    /// The clinicians, in the order of every list.
    pub fn providers(&self) -> &[Provider] {
        &self.providers
    }

    /// The professions of the specification and of the clinicians, in the table's order: what filters name.
    pub fn professions(&self) -> &[ProviderType] {
        &self.professions
    }

    pub fn provider(&self, number: ProviderNumber) -> &Provider {
        &self.providers[number.index()]
    }

    pub fn schedule(&self, number: ProviderNumber) -> Option<&Schedule> {
        self.schedules[number.index()].as_deref()
    }

    /// The zone of a clinician's hours, by a slug of today or before.
    pub fn zone_of(&self, slug: &str) -> Option<Tz> {
        Some(self.schedule(self.find(slug)?.provider())?.parts().zone)
    }

    pub fn provider_numbers(&self) -> impl ExactSizeIterator<Item = ProviderNumber> + use<> {
        (0..self.providers.len()).map(ProviderNumber::new)
    }

    pub fn by_former_slug(&self, slug: &str) -> Option<&Provider> {
        match self.find(slug)? {
            SlugMatch::Former(number) => Some(self.provider(number)),
            SlugMatch::Current(_) => None,
        }
    }

    /// The clinic's policy for confirmations; without it, nothing about them is published.
    pub fn accuracy(&self) -> Option<&Accuracy> {
        self.accuracy.policy.as_ref()
    }

    /// The states where a plan is sold; `None`: anywhere.
    pub fn plan_states(&self, number: PlanNumber) -> Option<StateSet> {
        self.accuracy.plan_states.get(number.index()).copied().flatten()
    }

    pub fn allowed_findings(&self) -> &[AllowedFinding] {
        &self.accuracy.allowed
    }

    /// Whether the slug is reserved: as a current or former slug, or in `retired.toml`.
    pub fn remembers(&self, slug: &str) -> bool {
        self.slugs.contains_key(slug) || self.retired.contains(slug)
    }

    pub(crate) fn is_withdrawn(&self, slug: &str) -> bool {
        self.accuracy.withdrawn.contains(slug)
    }

    pub(crate) fn withdrawn_slugs(&self) -> impl Iterator<Item = &Slug> {
        self.accuracy.withdrawn.iter()
    }

    pub fn retired_slugs(&self) -> impl Iterator<Item = &Slug> {
        self.retired.iter()
    }

    pub fn find(&self, slug: &str) -> Option<SlugMatch> {
        self.slugs.get(slug).copied()
    }

    pub(crate) fn with_npi(&self, npi: &str) -> Option<ProviderNumber> {
        self.people().with_npi(&self.providers, npi).map(ProviderNumber::new)
    }

    pub fn with_id(&self, id: &str) -> Option<ProviderNumber> {
        self.people().with_id(&self.providers, id).map(ProviderNumber::new)
    }

    pub fn with_replaced_id(
        &self,
        text: &str,
        replace: fn(&ProviderId) -> Option<String>,
    ) -> Option<ProviderNumber> {
        self.people().with_replaced_id(&self.providers, text, replace).map(ProviderNumber::new)
    }

    fn people(&self) -> &People {
        self.people.get_or_init(|| People::build(&self.providers))
    }

    pub fn profile_url(&self, provider: &Provider) -> String {
        [&self.organization.site_url, "/providers/", provider.slug.as_str()].concat()
    }

    pub fn headshot_url<'a>(&self, provider: &'a Provider) -> Option<Cow<'a, str>> {
        match (provider.headshot.as_ref(), provider.portrait_path()) {
            (Some(Headshot::Address(address)), _) => Some(address.into()),
            (_, path) => path.map(|path| format!("{}/{path}", self.organization.site_url).into()),
        }
    }

    fn visit_type_index(&self, id: VisitTypeId) -> Option<usize> {
        self.visit_types.binary_search_by_key(&id, |visit_type| visit_type.id).ok()
    }
}

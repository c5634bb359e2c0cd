//! A clinician's page and the card on lists: what their templates are given.
//!
//! Texts come from the very bytes of the API's answer. What concerns states comes from the directory, in the
//! words of a page: where somebody new is seen, where a licence is held only, which plans are taken where.

use std::borrow::Cow;
use std::collections::BTreeMap;

use directory::model::{Directory, Modality, PlanNumber, Provider, StateCode, StateSet, VisitType};
use serde::{Deserialize, Serialize};

use super::places::{self, Places};
use super::wording;

/// The fields of a published profile that pages show.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile<'a> {
    #[serde(borrow)]
    pub(super) display_name: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) credentials: Cow<'a, str>,
    pub(super) provider_type: &'a str,
    #[serde(borrow)]
    pub(super) bio: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) headshot_url: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "profileUrl")]
    pub(super) url: Cow<'a, str>,
    pub(super) menopause_society_certified: bool,
    pub(super) clinical_interests: Vec<String>,
    #[serde(borrow)]
    pub(super) education: Vec<Education<'a>>,
    #[serde(borrow)]
    pub(super) certifications: Vec<Certification<'a>>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Education<'a> {
    #[serde(borrow)]
    pub(super) degree: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) field: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) institution: Cow<'a, str>,
    pub(super) year: u16,
}

#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Certification<'a> {
    #[serde(borrow)]
    pub(super) issuer: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
}

/// Somebody as lists show them: what `card.html` is given.
#[derive(Debug, Serialize)]
pub(super) struct Person<'a> {
    name: &'a str,
    credentials: &'a str,
    href: String,
    portrait: Option<&'a str>,
    initials: String,
    tone: u32,
    /// Where new patients are taken, in a sentence; empty when nowhere.
    accepting: String,
}

/// A name and where it leads.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    pub(super) href: Cow<'a, str>,
}

/// What `provider.html` is given, as `provider`.
#[derive(Debug, Serialize)]
pub(super) struct ProfilePage<'a> {
    #[serde(flatten)]
    person: Person<'a>,
    slug: &'a str,
    /// The portrait's whole address.
    image: Option<&'a str>,
    is_physician: bool,
    bio: &'a str,
    menopause_society_certified: bool,
    interests: &'a [String],
    education: &'a [Education<'a>],
    certifications: &'a [Certification<'a>],
    /// Where new patients are taken.
    open_states: Vec<Link<'a>>,
    /// Where a licence is held, and nobody new is seen.
    closed_states: Vec<Link<'a>>,
    plans: Vec<PlanGroup<'a>>,
    visits: Vec<Visit<'a>>,
}

/// States in which the same plans are taken.
#[derive(Debug, Serialize)]
struct PlanGroup<'a> {
    states: String,
    plans: Vec<Link<'a>>,
}

/// A visit as this clinician offers it.
#[derive(Debug, Serialize)]
struct Visit<'a> {
    id: i32,
    name: &'a str,
    description: &'a str,
    href: String,
    by_video: bool,
    new_patients: bool,
    /// Where it is offered, in a sentence; empty when that is wherever the licence holds.
    states: String,
    /// The codes of these states, joined by spaces: what the times are filtered by.
    codes: String,
}

impl<'a> Person<'a> {
    pub(super) fn new(directory: &'a Directory, provider: &'a Provider, profile: &'a Profile<'_>) -> Self {
        let site_url = directory.organisation().site_url();
        Self {
            name: &profile.display_name,
            credentials: &profile.credentials,
            href: places::profile(provider.slug()),
            portrait: profile.headshot_url.as_deref().map(|url| wording::own(url, site_url)),
            initials: wording::initials(&profile.display_name),
            tone: wording::tone(provider.slug().as_str()),
            accepting: wording::states(provider.accepting()),
        }
    }
}

impl<'a> ProfilePage<'a> {
    pub(super) fn is_physician(&self) -> bool {
        self.is_physician
    }

    pub(super) fn new(
        directory: &'a Directory,
        places: &'a Places,
        provider: &'a Provider,
        profile: &'a Profile<'a>,
    ) -> Self {
        let links = |is_open: bool| {
            let states = provider.licensed().iter();
            states.filter(|&state| provider.accepting().contains(state) == is_open).map(state_link).collect()
        };
        let visit_types = provider.visit_types().iter().filter_map(|&id| directory.visit_type(id));
        Self {
            person: Person::new(directory, provider, profile),
            slug: provider.slug().as_str(),
            image: profile.headshot_url.as_deref(),
            is_physician: profile.provider_type == directory::model::ProviderType::Physician.word(),
            bio: &profile.bio,
            menopause_society_certified: profile.menopause_society_certified,
            interests: &profile.clinical_interests,
            education: &profile.education,
            certifications: &profile.certifications,
            open_states: links(true),
            closed_states: links(false),
            plans: plan_groups(directory, places, provider),
            visits: visit_types.filter_map(|visit_type| visit(visit_type, provider)).collect(),
        }
    }
}

/// A state as a link to its page.
pub(super) fn state_link<'a>(state: StateCode) -> Link<'a> {
    Link { code: state.code(), name: state.name(), href: places::state(state).into() }
}

/// A plan as a link to its page.
pub(super) fn plan_link<'a>(directory: &'a Directory, places: &'a Places, plan: PlanNumber) -> Link<'a> {
    Link { code: "", name: directory.plan(plan).as_str(), href: places.plan(plan).into() }
}

/// States with the same plans stand together: most clinicians take the same ones in most of their states.
fn plan_groups<'a>(
    directory: &'a Directory,
    places: &'a Places,
    provider: &'a Provider,
) -> Vec<PlanGroup<'a>> {
    let mut groups: BTreeMap<&[PlanNumber], StateSet> = BTreeMap::new();
    for state in provider.licensed().iter() {
        groups.entry(provider.plans_in(state)).or_default().insert(state);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, states)| states.iter().next());
    let group = |(plans, states): (&'a [PlanNumber], StateSet)| PlanGroup {
        states: wording::list(&states.iter().map(StateCode::name).collect::<Vec<_>>()),
        plans: plans.iter().map(|&plan| plan_link(directory, places, plan)).collect(),
    };
    groups.into_iter().map(group).collect()
}

fn visit<'a>(visit_type: &'a VisitType, provider: &Provider) -> Option<Visit<'a>> {
    let states = visit_type.states().intersection(provider.licensed());
    if states.is_empty() {
        return None;
    }
    let everywhere = states == provider.licensed();
    Some(Visit {
        id: visit_type.id().get(),
        name: visit_type.name(),
        description: visit_type.description(),
        href: places::visit_type(visit_type.id()),
        by_video: visit_type.modality() == Modality::Video,
        new_patients: visit_type.new_patient_eligible(),
        states: if everywhere { String::new() } else { wording::states(states) },
        codes: states.iter().map(StateCode::code).collect::<Vec<_>>().join(" "),
    })
}

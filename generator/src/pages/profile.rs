//! A clinician's page and the card on lists: what their templates are given.
//!
//! Texts come from the directory by the same accessors that the API's answer is made with; a test holds the two
//! against each other. What concerns states is put into the words of a page: where somebody new is seen, where a
//! licence is held only, which plans are taken where.

use std::borrow::Cow;
use std::collections::BTreeMap;

use directory::model::{
    Certification, Directory, Education, Modality, PlanNumber, Provider, ProviderType, StateCode, StateSet,
    VisitType,
};
use serde::Serialize;
use tera::Value;

use super::places::{self, Places};
use super::wording;

/// Somebody as lists show them: what `card.html` is given.
#[derive(Debug, Serialize)]
pub(super) struct Person<'a> {
    name: &'a str,
    credentials: &'a str,
    href: String,
    portrait: Option<Cow<'a, str>>,
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

/// What `provider.html` is given, as `provider`: first what a card is given, too. (A flattened struct would be a
/// map of texts to serde, which costs Tera more than all the rest of the page.)
#[derive(Debug, Serialize)]
pub(super) struct ProfilePage<'a> {
    name: &'a str,
    credentials: &'a str,
    portrait: Option<Cow<'a, str>>,
    initials: String,
    tone: u32,
    accepting: String,
    slug: &'a str,
    /// The portrait's whole address.
    image: Option<Cow<'a, str>>,
    is_physician: bool,
    bio: &'a str,
    menopause_society_certified: bool,
    interests: &'a [String],
    education: Vec<Schooling<'a>>,
    certifications: Vec<Certificate<'a>>,
    /// Where new patients are taken: a [`Link`] each.
    open_states: Vec<&'a Value>,
    /// Where a licence is held, and nobody new is seen: a [`Link`] each.
    closed_states: Vec<&'a Value>,
    plans: Vec<PlanGroup<'a>>,
    visits: Vec<Visit<'a>>,
}

#[derive(Debug, Serialize)]
struct Schooling<'a> {
    degree: &'a str,
    field: &'a str,
    institution: &'a str,
    year: u16,
}

#[derive(Debug, Serialize)]
struct Certificate<'a> {
    issuer: &'a str,
    name: &'a str,
}

/// The links that stand on thousands of pages, as templates are given them: each is made once.
#[derive(Debug)]
pub(super) struct Links {
    /// By position in the table.
    states: Vec<Value>,
    /// By plan number.
    plans: Vec<Value>,
}

/// States in which the same plans are taken.
#[derive(Debug, Serialize)]
struct PlanGroup<'a> {
    states: String,
    /// A [`Link`] each.
    plans: Vec<&'a Value>,
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
    pub(super) fn new(directory: &'a Directory, provider: &'a Provider) -> Self {
        Self {
            name: provider.display_name(),
            credentials: provider.credentials(),
            href: places::profile(provider.slug()),
            portrait: portrait(directory, provider),
            initials: wording::initials(provider.display_name()),
            tone: wording::tone(provider.slug().as_str()),
            accepting: wording::states(provider.accepting()),
        }
    }
}

/// The portrait's address on this site, or anywhere else.
pub(super) fn portrait<'a>(directory: &Directory, provider: &'a Provider) -> Option<Cow<'a, str>> {
    let site_url = directory.organisation().site_url();
    directory.headshot_url(provider).map(|url| match url {
        Cow::Borrowed(url) => wording::own(url, site_url).into(),
        Cow::Owned(url) => wording::own(&url, site_url).to_owned().into(),
    })
}

impl Links {
    pub(super) fn new(directory: &Directory, places: &Places) -> Self {
        let plan = |plan| Value::from_serializable(&plan_link(directory, places, plan));
        Self {
            states: StateCode::all().map(|state| Value::from_serializable(&state_link(state))).collect(),
            plans: directory.plan_numbers().map(plan).collect(),
        }
    }
}

impl<'a> ProfilePage<'a> {
    pub(super) fn new(directory: &'a Directory, links: &'a Links, provider: &'a Provider) -> Self {
        let Person { name, credentials, href: _, portrait, initials, tone, accepting } =
            Person::new(directory, provider);
        let states = |is_open: bool| {
            let states = provider.licensed().iter();
            let states = states.filter(|&state| provider.accepting().contains(state) == is_open);
            states.map(|state| &links.states[state.index()]).collect()
        };
        let visit_types = provider.visit_types().iter().filter_map(|&id| directory.visit_type(id));
        Self {
            name,
            credentials,
            portrait,
            initials,
            tone,
            accepting,
            slug: provider.slug().as_str(),
            image: directory.headshot_url(provider),
            is_physician: provider.provider_type() == ProviderType::Physician,
            bio: provider.bio(),
            menopause_society_certified: provider.menopause_society_certified(),
            interests: provider.clinical_interests(),
            education: provider.education().iter().map(Schooling::from).collect(),
            certifications: provider.certifications().iter().map(Certificate::from).collect(),
            open_states: states(true),
            closed_states: states(false),
            plans: plan_groups(links, provider),
            visits: visit_types.filter_map(|visit_type| visit(visit_type, provider)).collect(),
        }
    }
}

impl<'a> From<&'a Education> for Schooling<'a> {
    fn from(entry: &'a Education) -> Self {
        Self {
            degree: entry.degree(),
            field: entry.field(),
            institution: entry.institution(),
            year: entry.year(),
        }
    }
}

impl<'a> From<&'a Certification> for Certificate<'a> {
    fn from(entry: &'a Certification) -> Self {
        Self { issuer: entry.issuer(), name: entry.name() }
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
fn plan_groups<'a>(links: &'a Links, provider: &Provider) -> Vec<PlanGroup<'a>> {
    let mut groups: BTreeMap<&[PlanNumber], StateSet> = BTreeMap::new();
    for state in provider.licensed().iter() {
        groups.entry(provider.plans_in(state)).or_default().insert(state);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, states)| states.iter().next());
    let group = |(plans, states): (&[PlanNumber], StateSet)| PlanGroup {
        states: wording::list(&states.iter().map(StateCode::name).collect::<Vec<_>>()),
        plans: plans.iter().map(|plan| &links.plans[plan.index()]).collect(),
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

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use directory::api::Request;
    use serde_json::json;

    use super::*;
    use crate::fixture;

    #[test]
    fn a_page_says_what_the_api_answers() {
        let snapshot = fixture::snapshot();
        let directory = snapshot.directory();
        let links = Links::new(directory, &Places::new(directory));
        for provider in directory.providers() {
            let answer = snapshot.answer(&Request::profile(provider.slug()), DateTime::UNIX_EPOCH).unwrap();
            let answer: serde_json::Value = serde_json::from_slice(answer.body()).unwrap();
            let page = serde_json::to_value(ProfilePage::new(directory, &links, provider)).unwrap();
            let fields = [
                ("slug", "slug"),
                ("name", "displayName"),
                ("credentials", "credentials"),
                ("bio", "bio"),
                ("image", "headshotUrl"),
                ("menopause_society_certified", "menopauseSocietyCertified"),
                ("interests", "clinicalInterests"),
                ("education", "education"),
                ("certifications", "certifications"),
            ];
            for (on_the_page, in_the_answer) in fields {
                assert_eq!(page[on_the_page], answer[in_the_answer], "{on_the_page} of {}", provider.slug());
            }
            assert_eq!(page["is_physician"], answer["providerType"] == "physician");
            let open: Vec<_> =
                page["open_states"].as_array().unwrap().iter().map(|state| &state["code"]).collect();
            assert_eq!(json!(open), answer["statesAcceptingPatients"]);
        }
    }
}

//! A clinician's page and the card on lists: what their templates are given.
//!
//! Texts come from the directory by the same accessors that the API's answer is made with; a test holds the two
//! against each other. What concerns states is put into the words of a page: where somebody new is seen, where a
//! licence is held only, which plans are taken where. What many pages have alike comes as a fragment.

use std::borrow::Cow;

use directory::model::{
    Certification, Directory, Education, Modality, PlanNumber, Provider, ProviderType, StateCode, StateSet,
    VisitType,
};
use serde::Serialize;
use tera::{Context, Value};

use super::fragments::Fragments;
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

/// What `provider.html` is given: one after the other, as each map in a map costs Tera as much as some words of text.
#[derive(Debug)]
pub(super) struct ProfilePage<'a> {
    provider: Profile<'a>,
    /// Where new patients are taken, as links: a fragment, empty where nowhere.
    open_states: Value,
    /// The same, to choose one of.
    state_options: Value,
    /// Where a licence is held, and nobody new is seen, as links: a fragment, empty where there is none.
    closed_states: Value,
    plan_groups: Vec<PlanGroup<'a>>,
    offered_visits: Vec<Visit<'a>>,
    /// The visits whose open times can be asked for.
    timed_visits: Vec<TimedVisit>,
    certifications: Vec<Certificate<'a>>,
    education: Vec<Schooling<'a>>,
}

/// What is `provider` there: first what a card is given, too. It has no more than twelve keys: up to so many Tera
/// finds by looking, and not by hashing. (A flattened struct would be a map of texts to serde, which costs Tera more than
/// all the rest of the page.)
#[derive(Debug, Serialize)]
struct Profile<'a> {
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

/// States in which the same plans are taken.
#[derive(Debug, Serialize)]
struct PlanGroup<'a> {
    states: Cow<'a, str>,
    /// A fragment; empty where no plan is taken.
    pills: Value,
}

/// A visit as this clinician offers it.
#[derive(Debug, Serialize)]
struct Visit<'a> {
    /// What every clinician has in common: `id`, `name`, `by_video`, and `about`, which is a fragment.
    r#type: &'a Value,
    /// A fragment.
    kind: &'a Value,
    /// Where it is offered, in a sentence; empty when that is wherever the licence holds.
    states: String,
}

/// A video visit that makes open times where this clinician accepts patients: an option of the select.
#[derive(Debug, Serialize)]
struct TimedVisit {
    id: i32,
    /// Name, length, and for whom.
    label: String,
    /// Whether a new patient may book it.
    new_patients: bool,
    /// The codes of the states where it makes times, joined by spaces.
    codes: String,
    /// Whether the page asks for its times first. At most one visit is, and a new patient may book it.
    is_default: bool,
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

impl<'a> ProfilePage<'a> {
    pub(super) fn new(directory: &'a Directory, fragments: &'a Fragments, provider: &'a Provider) -> Self {
        let Person { name, credentials, href: _, portrait, initials, tone, accepting } =
            Person::new(directory, provider);
        let closed = provider.licensed().iter().filter(|&state| !provider.accepting().contains(state));
        let visit_types = provider.visit_types().iter().filter_map(|&id| directory.visit_type(id));
        let provider_of_page = Profile {
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
        };
        Self {
            provider: provider_of_page,
            open_states: fragments.links(provider.accepting()),
            state_options: fragments.options(provider.accepting()),
            closed_states: fragments.links(closed.collect()),
            plan_groups: plan_groups(fragments, provider),
            timed_visits: timed_visits(visit_types.clone(), provider),
            offered_visits: visit_types
                .filter_map(|visit_type| visit(fragments, visit_type, provider))
                .collect(),
            certifications: provider.certifications().iter().map(Certificate::from).collect(),
            education: provider.education().iter().map(Schooling::from).collect(),
        }
    }

    /// Gives it to the template.
    pub(super) fn fill(self, context: &mut Context) -> Result<(), tera::Error> {
        context.insert_value("provider", Value::try_from_serializable(&self.provider)?);
        context.insert_value("open_states", self.open_states);
        context.insert_value("state_options", self.state_options);
        context.insert_value("closed_states", self.closed_states);
        context.insert_value("plan_groups", Value::try_from_serializable(&self.plan_groups)?);
        context.insert_value("offered_visits", Value::try_from_serializable(&self.offered_visits)?);
        context.insert_value("timed_visits", Value::try_from_serializable(&self.timed_visits)?);
        context.insert_value("certifications", Value::try_from_serializable(&self.certifications)?);
        context.insert_value("education", Value::try_from_serializable(&self.education)?);
        Ok(())
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
fn plan_groups<'a>(fragments: &Fragments, provider: &'a Provider) -> Vec<PlanGroup<'a>> {
    let mut groups: Vec<(&[PlanNumber], StateSet)> = Vec::new();
    for state in provider.licensed().iter() {
        let plans = provider.plans_in(state);
        match groups.iter_mut().find(|(others, _)| *others == plans) {
            Some((_, states)) => _ = states.insert(state),
            None => groups.push((plans, StateSet::from_iter([state]))),
        }
    }
    let group = |(plans, states): (&[PlanNumber], StateSet)| PlanGroup {
        states: wording::all_states(states),
        pills: fragments.pills(plans),
    };
    groups.into_iter().map(group).collect()
}

fn visit<'a>(fragments: &'a Fragments, visit_type: &VisitType, provider: &Provider) -> Option<Visit<'a>> {
    let states = visit_type.states().intersection(provider.licensed());
    if states.is_empty() {
        return None;
    }
    let everywhere = states == provider.licensed();
    let shared = fragments.visit(visit_type.id())?;
    Some(Visit {
        r#type: &shared.described,
        kind: shared.kind(!provider.accepting().is_empty()),
        states: if everywhere { String::new() } else { wording::states(states) },
    })
}

/// The visits whose times the page can ask for, in the clinician's order. The first that a new patient may book in the
/// state that the page shows first is the default; where no visit is for new patients there, none is.
fn timed_visits<'a>(
    visit_types: impl Iterator<Item = &'a VisitType>,
    provider: &Provider,
) -> Vec<TimedVisit> {
    let first_state = provider.accepting().iter().next();
    let mut has_default = false;
    let timed = visit_types.filter(|visit_type| visit_type.modality() == Modality::Video);
    timed
        .filter_map(|visit_type| {
            let states = visit_type.states().intersection(provider.accepting());
            let new_patients = visit_type.new_patient_eligible();
            let in_first_state = first_state.is_some_and(|state| states.contains(state));
            let is_default = !has_default && new_patients && in_first_state;
            has_default |= is_default;
            (!states.is_empty()).then(|| TimedVisit {
                id: visit_type.id().get(),
                label: wording::visit(visit_type),
                new_patients,
                codes: states.iter().map(StateCode::code).collect::<Vec<_>>().join(" "),
                is_default,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use directory::api::Request;
    use serde_json::json;
    use tera::Tera;

    use super::*;
    use crate::fixture;
    use crate::site::Site;

    #[test]
    fn a_page_says_what_the_api_answers() {
        let snapshot = fixture::snapshot();
        let directory = snapshot.directory();
        let mut tera = Tera::new();
        tera.add_raw_templates(Site::load(None).unwrap().templates.iter()).unwrap();
        let fragments = Fragments::new(&tera, directory, &Places::new(directory)).unwrap();
        for provider in directory.providers() {
            let answer = snapshot.answer(&Request::profile(provider.slug()), DateTime::UNIX_EPOCH).unwrap();
            let answer: serde_json::Value = serde_json::from_slice(answer.body()).unwrap();
            let mut context = Context::new();
            ProfilePage::new(directory, &fragments, provider).fill(&mut context).unwrap();
            let given = ["provider", "education", "certifications", "state_options"];
            let given = given.map(|key| (key.to_owned(), json!(context.get(key).unwrap())));
            let page = serde_json::Value::from_iter(given);
            let fields = [
                ("/provider/slug", "slug"),
                ("/provider/name", "displayName"),
                ("/provider/credentials", "credentials"),
                ("/provider/bio", "bio"),
                ("/provider/image", "headshotUrl"),
                ("/provider/menopause_society_certified", "menopauseSocietyCertified"),
                ("/provider/interests", "clinicalInterests"),
                ("/education", "education"),
                ("/certifications", "certifications"),
            ];
            for (on_the_page, in_the_answer) in fields {
                let shown = page.pointer(on_the_page);
                assert_eq!(shown, Some(&answer[in_the_answer]), "{on_the_page} of {}", provider.slug());
            }
            assert_eq!(page["provider"]["is_physician"], answer["providerType"] == "physician");
            let options = page["state_options"].as_str().unwrap();
            let codes = options.split("value=\"").skip(1).map(|option| &option[..2]);
            let open: Vec<_> = codes.collect();
            assert_eq!(json!(open), answer["statesAcceptingPatients"]);
        }
    }
}

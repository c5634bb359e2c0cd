//! What stands on thousands of pages alike: links, and what is said of a visit.
//!
//! Each is made once, by a template of its own, and is only copied into the pages. A page's template prints it as it
//! is: what had to be escaped in it has been.

use std::collections::BTreeMap;

use directory::model::{Directory, Modality, PlanNumber, StateCode, StateSet, VisitType, VisitTypeId};
use serde::Serialize;
use tera::{Context, Tera, Value};

use super::places::{self, Places};
use super::profile::{plan_link, state_link};
use super::wording;

/// The fragments of a clinic.
#[derive(Debug, Default)]
pub(super) struct Fragments {
    /// By position in the table: an option to choose the state by, and a link to its page.
    states: Vec<(Box<str>, Box<str>)>,
    /// By plan number: a link to the plan's page.
    plans: Vec<Box<str>>,
    visit_types: BTreeMap<VisitTypeId, VisitFragments>,
}

/// A visit type, wherever it stands.
#[derive(Debug)]
pub(super) struct VisitFragments {
    /// What `type` is on a clinician's page: a [`Described`] with `about`.
    pub(super) described: Value,
    kind_if_accepting: Value,
    kind_if_not: Value,
}

/// What `visit-about.html` and `visit-kind.html` are given, as `visit`.
#[derive(Debug, Serialize)]
struct Described<'a> {
    id: i32,
    name: &'a str,
    by_video: bool,
    new_patients: bool,
    /// In words; `None` for a visit by message.
    length: Option<String>,
    description: &'a str,
    href: &'a str,
    /// What the first of the two has made.
    about: Option<&'a Value>,
}

impl Fragments {
    /// Makes all of them.
    pub(super) fn new(tera: &Tera, directory: &Directory, places: &Places) -> Result<Self, tera::Error> {
        let state = |state: StateCode| {
            let link = of("state", Value::from_serializable(&state_link(state)));
            let option = made(tera, "state-option.html", &link)?;
            Ok((option, made(tera, "state-link.html", &link)?))
        };
        let plan = |plan: PlanNumber| {
            let link = Value::from_serializable(&plan_link(directory, places, plan));
            made(tera, "plan-pill.html", &of("plan", link))
        };
        let visit = |visit_type: &VisitType| Ok((visit_type.id(), VisitFragments::new(tera, visit_type)?));
        Ok(Self {
            states: StateCode::all().map(state).collect::<Result<_, tera::Error>>()?,
            plans: directory.plan_numbers().map(plan).collect::<Result<_, _>>()?,
            visit_types: directory.visit_types().iter().map(visit).collect::<Result<_, tera::Error>>()?,
        })
    }

    /// States, to choose one of.
    pub(super) fn options(&self, states: StateSet) -> Value {
        joined(states.iter().map(|state| &*self.states[state.index()].0), "")
    }

    /// States, as links to their pages.
    pub(super) fn links(&self, states: StateSet) -> Value {
        joined(states.iter().map(|state| &*self.states[state.index()].1), ", ")
    }

    /// Plans, as links to their pages.
    pub(super) fn pills(&self, plans: &[PlanNumber]) -> Value {
        joined(plans.iter().map(|plan| &*self.plans[plan.index()]), "")
    }

    /// What is said of a visit type.
    pub(super) fn visit(&self, id: VisitTypeId) -> Option<&VisitFragments> {
        self.visit_types.get(&id)
    }
}

impl VisitFragments {
    fn new(tera: &Tera, visit_type: &VisitType) -> Result<Self, tera::Error> {
        let href = places::visit_type(visit_type.id());
        let mut described = Described {
            id: visit_type.id().get(),
            name: visit_type.name(),
            by_video: visit_type.modality() == Modality::Video,
            new_patients: visit_type.new_patient_eligible(),
            length: visit_type.duration_minutes().map(wording::length),
            description: visit_type.description(),
            href: &href,
            about: None,
        };
        let plain = of("visit", Value::from_serializable(&described));
        let kind = |is_accepting: bool| {
            let mut context = plain.clone();
            context.insert_value("accepting", is_accepting.into());
            Ok::<_, tera::Error>(Value::safe_string(&made(tera, "visit-kind.html", &context)?))
        };
        let about = Value::safe_string(&made(tera, "visit-about.html", &plain)?);
        described.about = Some(&about);
        Ok(Self {
            described: Value::from_serializable(&described),
            kind_if_accepting: kind(true)?,
            kind_if_not: kind(false)?,
        })
    }

    /// How it is held and for whom, at a clinician who takes new patients or does not.
    pub(super) fn kind(&self, is_accepting: bool) -> &Value {
        if is_accepting { &self.kind_if_accepting } else { &self.kind_if_not }
    }
}

/// A fragment, without the line's end that its file ends with.
pub(super) fn made(tera: &Tera, template: &str, context: &Context) -> Result<Box<str>, tera::Error> {
    Ok(tera.render(template, context)?.trim_end().into())
}

/// What a fragment's template is given: one value.
fn of(name: &'static str, value: Value) -> Context {
    let mut context = Context::new();
    context.insert_value(name, value);
    context
}

/// Room for nearly every list.
const LIST: usize = 512;

fn joined<'a>(fragments: impl Iterator<Item = &'a str>, between: &str) -> Value {
    let mut text = String::with_capacity(LIST);
    for fragment in fragments {
        if !text.is_empty() {
            text.push_str(between);
        }
        text.push_str(fragment);
    }
    Value::safe_string(&text)
}

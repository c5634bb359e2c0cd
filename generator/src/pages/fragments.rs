//! Renders parts that thousands of pages share: links, and descriptions of visit types.
//!
//! Each has a template of its own, which escapes it. It is rendered once, and copied into the pages.

use std::collections::BTreeMap;

use directory::model::{PlanNumber, StateCode, StateSet, VisitType, VisitTypeId};
use tera::{Context, Tera, Value};

use super::link::Local;

#[derive(Debug, Default)]
pub(super) struct Fragments {
    /// For each state: an `option` element, and a link to the state's page.
    states: Vec<(Box<str>, Box<str>)>,
    /// For each plan: a link to its page.
    plans: Vec<Box<str>>,
    visit_types: BTreeMap<VisitTypeId, VisitFragments>,
}

#[derive(Debug)]
pub(super) struct VisitFragments {
    /// The value `type` on a clinician's page: a [`Visit`](super::link::Visit) with `about`.
    pub(super) context: Value,
    kind_if_accepting: Value,
    kind_if_not: Value,
}

impl Fragments {
    pub(super) fn new(tera: &Tera, local: Local<'_>) -> Result<Self, tera::Error> {
        let directory = local.directory;
        let state = |state: StateCode| {
            let link = context_with("state", Value::from_serializable(&local.state_link(state)));
            let option = render(tera, "state-option.html", &link)?;
            Ok((option, render(tera, "state-link.html", &link)?))
        };
        let plan = |plan: PlanNumber| {
            let link = Value::from_serializable(&local.plan_link(plan));
            render(tera, "plan-pill.html", &context_with("plan", link))
        };
        let visit =
            |visit_type: &VisitType| Ok((visit_type.id, VisitFragments::new(tera, local, visit_type)?));
        Ok(Self {
            states: StateCode::all().map(state).collect::<Result<_, tera::Error>>()?,
            plans: directory.plan_numbers().map(plan).collect::<Result<_, _>>()?,
            visit_types: directory.visit_types().iter().map(visit).collect::<Result<_, tera::Error>>()?,
        })
    }

    pub(super) fn options(&self, states: StateSet) -> Value {
        join(states.iter().map(|state| &*self.states[state.index()].0), "")
    }

    pub(super) fn links(&self, states: StateSet) -> Value {
        join(states.iter().map(|state| &*self.states[state.index()].1), ", ")
    }

    pub(super) fn pills(&self, plans: &[PlanNumber]) -> Value {
        join(plans.iter().map(|plan| &*self.plans[plan.index()]), "")
    }

    pub(super) fn visit(&self, id: VisitTypeId) -> Option<&VisitFragments> {
        self.visit_types.get(&id)
    }
}

impl VisitFragments {
    fn new(tera: &Tera, local: Local<'_>, visit_type: &VisitType) -> Result<Self, tera::Error> {
        let mut visit = local.visit(visit_type);
        let plain = context_with("visit", Value::from_serializable(&visit));
        let kind = |is_accepting: bool| {
            let mut context = plain.clone();
            context.insert_value("accepting", is_accepting.into());
            Ok::<_, tera::Error>(Value::safe_string(&render(tera, "visit-kind.html", &context)?))
        };
        let about = Value::safe_string(&render(tera, "visit-about.html", &plain)?);
        visit.about = Some(about);
        Ok(Self {
            context: Value::from_serializable(&visit),
            kind_if_accepting: kind(true)?,
            kind_if_not: kind(false)?,
        })
    }

    /// Returns the output of `visit-kind.html`, which depends on whether the clinician accepts new patients.
    pub(super) fn kind(&self, is_accepting: bool) -> &Value {
        if is_accepting { &self.kind_if_accepting } else { &self.kind_if_not }
    }
}

/// Renders a template without its trailing newline.
pub(super) fn render(tera: &Tera, template: &str, context: &Context) -> Result<Box<str>, tera::Error> {
    Ok(tera.render(template, context)?.trim_end().into())
}

fn context_with(name: &'static str, value: Value) -> Context {
    let mut context = Context::new();
    context.insert_value(name, value);
    context
}

fn join<'a>(fragments: impl Iterator<Item = &'a str>, separator: &str) -> Value {
    let mut text = String::new();
    for fragment in fragments {
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(fragment);
    }
    Value::safe_string(&text)
}

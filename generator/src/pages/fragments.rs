//! Parts that thousands of pages share: links to states, and visit types. Each is rendered once, by a template that escapes
//! it.

use std::collections::BTreeMap;

use directory::model::{StateCode, StateSet, VisitType, VisitTypeId};
use tera::{Context, Tera, Value};

use super::link::Local;

#[derive(Debug, Default)]
pub(super) struct Fragments {
    /// An `option` element, and a link to the state's page.
    states: Vec<(Box<str>, Box<str>)>,
    /// The value `type` on a clinician's page: a [`Visit`](super::link::Visit).
    visit_types: BTreeMap<VisitTypeId, Value>,
}

impl Fragments {
    pub(super) fn new(tera: &Tera, local: Local<'_>) -> Result<Self, tera::Error> {
        let directory = local.directory;
        let state = |state: StateCode| {
            let mut link = Context::new();
            link.insert("state", &local.state_link(state));
            let option = render(tera, "state-option.html", &link)?;
            Ok((option, render(tera, "state-link.html", &link)?))
        };
        let visit =
            |visit_type: &VisitType| (visit_type.id, Value::from_serializable(&local.visit(visit_type)));
        Ok(Self {
            states: StateCode::all().map(state).collect::<Result<_, tera::Error>>()?,
            visit_types: directory.visit_types().iter().map(visit).collect(),
        })
    }

    pub(super) fn options(&self, states: StateSet) -> Value {
        let options = states.iter().map(|state| &*self.states[state.index()].0);
        Value::safe_string(&options.collect::<String>())
    }

    pub(super) fn links(&self, states: StateSet) -> Value {
        let links: Vec<_> = states.iter().map(|state| &*self.states[state.index()].1).collect();
        let Some((last, others)) = links.split_last() else { return Value::safe_string("") };
        // No line begins with a comma.
        let others = others.iter().map(|link| ["<span class=\"whole\">", link, ",</span> "].concat());
        Value::safe_string(&[others.collect::<String>().as_str(), last].concat())
    }

    pub(super) fn visit(&self, id: VisitTypeId) -> Option<&Value> {
        self.visit_types.get(&id)
    }
}

pub(super) fn render(tera: &Tera, template: &str, context: &Context) -> Result<Box<str>, tera::Error> {
    Ok(tera.render(template, context)?.trim_end().into())
}

//! Links to the pages of states and plans.

use directory::model::{PlanNumber, StateCode};
use serde::Serialize;

use super::{Edition, routes};

/// A link to a state's or a plan's page.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// A state's English name, if it differs: people type both.
    pub(super) english: Option<&'static str>,
    pub(super) href: String,
}

impl Edition<'_> {
    pub(super) fn state_link(&self, state: StateCode) -> Link<'_> {
        let name = self.texts.state(state);
        let english = Some(state.name()).filter(|english| *english != name);
        Link { code: state.code(), name, english, href: self.href(&routes::state(state)) }
    }

    pub(super) fn plan_link(&self, plan: PlanNumber) -> Link<'_> {
        let name = self.directory().plan(plan).as_str();
        Link { code: "", name, english: None, href: self.href(self.shared.routes.plan(plan)) }
    }
}

//! Links to the pages of states and plans.

use std::borrow::Cow;

use directory::Directory;
use directory::model::{PlanNumber, StateCode};
use serde::Serialize;

use super::routes::{self, Routes};

/// A link to a state's or a plan's page.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    pub(super) href: Cow<'a, str>,
}

pub(super) fn state_link<'a>(state: StateCode) -> Link<'a> {
    Link { code: state.code(), name: state.name(), href: routes::state(state).into() }
}

pub(super) fn plan_link<'a>(directory: &'a Directory, routes: &'a Routes, plan: PlanNumber) -> Link<'a> {
    Link { code: "", name: directory.plan(plan).as_str(), href: routes.plan(plan).into() }
}

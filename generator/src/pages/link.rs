//! A language of the site: its texts, and links to its pages.

use directory::model::{Directory, PlanNumber, StateCode, Texts};
use serde::Serialize;

use super::routes::{self, Routes};

/// A link to a state's or a plan's page.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// A state's English name, if it differs: people type both.
    pub(super) english: Option<&'static str>,
    pub(super) href: String,
}

/// What a page in a language is made of, beside templates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local<'a> {
    pub(super) directory: &'a Directory,
    pub(super) routes: &'a Routes,
    pub(super) texts: &'a Texts,
}

impl<'a> Local<'a> {
    /// The path of a page of this language.
    pub(super) fn href(self, route: &str) -> String {
        [&self.texts.base, route].concat()
    }

    pub(super) fn state_link(self, state: StateCode) -> Link<'a> {
        let name = self.texts.state(state);
        let english = Some(state.name()).filter(|english| *english != name);
        Link { code: state.code(), name, english, href: self.href(&routes::state(state)) }
    }

    pub(super) fn plan_link(self, plan: PlanNumber) -> Link<'a> {
        let name = self.directory.plan(plan).as_str();
        Link { code: "", name, english: None, href: self.href(self.routes.plan(plan)) }
    }
}

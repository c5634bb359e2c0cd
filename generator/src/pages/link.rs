//! A language of the site: its texts, links to its pages, and visit types in its words.

use directory::model::{Directory, Modality, PlanNumber, StateCode, Texts, VisitType};
use serde::Serialize;
use tera::Value;

use super::routes::{self, Routes};
use super::wording;

/// A link to a state's or a plan's page.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// A state's English name, if it differs: people type both.
    pub(super) english: Option<&'static str>,
    pub(super) href: String,
}

/// A visit type: on its page, in lists, in the choices of filters and on a profile.
#[derive(Debug, Serialize)]
pub(super) struct Visit<'a> {
    id: i32,
    name: &'a str,
    description: &'a str,
    href: String,
    by_video: bool,
    new_patients: bool,
    /// In words; `None` for a visit by message.
    length: Option<String>,
    /// Name, and whether only current patients may book it.
    title: String,
    /// Name, length, and whether only current patients may book it.
    label: String,
    /// The states where it is offered, in words.
    states: String,
    /// On a profile, the output of `visit-about.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) about: Option<Value>,
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

    pub(super) fn visit(self, visit_type: &'a VisitType) -> Visit<'a> {
        let name = &visit_type.name;
        Visit {
            id: visit_type.id.get(),
            name,
            description: &visit_type.description,
            href: self.href(&routes::visit_type(visit_type.id)),
            by_video: visit_type.modality == Modality::Video,
            new_patients: visit_type.new_patient_eligible,
            length: visit_type.duration_minutes.map(|minutes| wording::length(self.texts, minutes)),
            title: if visit_type.new_patient_eligible {
                name.to_owned()
            } else {
                wording::reserved(self.texts, name)
            },
            label: wording::visit(self.texts, visit_type),
            states: wording::states(self.texts, self.directory.offered(visit_type.id)),
            about: None,
        }
    }
}

//! Makes links and visit types for the pages in one language.

use std::borrow::Cow;

use directory::calendar::Tz;
use directory::content::zone_of_state;
use directory::model::{Directory, Modality, PlanNumber, StateCode, Texts, VisitType};
use serde::Serialize;

use super::places::zones_of_state;
use super::routes::{self, Routes};
use super::wording;

/// A link to a state's or a plan's page.
#[derive(Debug, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// The name of a state after "in".
    pub(super) said: Cow<'a, str>,
    /// The English name of a state, if it differs. Filters find both names.
    pub(super) english: Option<&'static str>,
    pub(super) href: String,
    /// The time zone of a state that has only one.
    pub(super) zone: Option<&'static str>,
    /// The time zones of a state, the usual one first.
    pub(super) zones: Option<&'static str>,
}

/// A visit type, for all pages that show one.
#[derive(Debug, Serialize)]
pub(super) struct Visit<'a> {
    id: i32,
    name: &'a str,
    description: &'a str,
    href: String,
    by_video: bool,
    new_patients: bool,
    /// The duration, in words; `None` for a visit by message.
    length: Option<String>,
    /// The name, with a note if only current patients can book it.
    title: String,
    /// The name and the duration, with a note if only current patients can book it.
    label: String,
    /// The states where it is offered, in words.
    states: String,
}

/// The data for pages in one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Local<'a> {
    pub(super) directory: &'a Directory,
    pub(super) routes: &'a Routes,
    pub(super) texts: &'a Texts,
}

impl<'a> Local<'a> {
    pub(super) fn href(self, route: &str) -> String {
        [&self.texts.base, route].concat()
    }

    pub(super) fn state_link(self, state: StateCode) -> Link<'a> {
        let name = self.texts.state(state);
        let english = Some(state.name()).filter(|english| *english != name);
        Link {
            code: state.code(),
            name,
            said: wording::in_a_sentence(self.texts, state),
            english,
            href: self.href(&routes::state(state)),
            zone: zone_of_state(state).map(Tz::name),
            zones: zones_of_state(state),
        }
    }

    pub(super) fn plan_link(self, plan: PlanNumber) -> Link<'a> {
        let name = self.directory.plan(plan).as_str();
        Link {
            code: "",
            name,
            said: name.into(),
            english: None,
            href: self.href(self.routes.plan(plan)),
            zone: None,
            zones: None,
        }
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
        }
    }
}

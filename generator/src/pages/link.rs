use std::borrow::Cow;

use directory::model::{Directory, Modality, PlanNumber, StateCode, Texts, VisitType};
use serde::Serialize;

use super::places::zones_of_state;
use super::routes::{self, Routes};
use super::wording;

#[derive(Debug, Default, Serialize)]
pub(super) struct Link<'a> {
    pub(super) code: &'a str,
    pub(super) name: &'a str,
    /// After "in".
    pub(super) said: Cow<'a, str>,
    /// If it differs. Filters find both names.
    pub(super) english: Option<&'static str>,
    pub(super) href: String,
    /// Time zones of a state, the usual one first.
    pub(super) zones: Option<&'static str>,
}

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
    /// With a note if only current patients can book it.
    title: String,
    /// The title and the duration.
    label: String,
    /// Where it is offered, in words.
    states: String,
}

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
            zones: zones_of_state(state),
        }
    }

    pub(super) fn plan_link(self, plan: PlanNumber) -> Link<'a> {
        let name = self.directory.plan(plan).as_str();
        Link { name, said: name.into(), href: self.href(self.routes.plan(plan)), ..Link::default() }
    }

    pub(super) fn visit(self, visit_type: &'a VisitType) -> Visit<'a> {
        let name = self.texts.say(&visit_type.name);
        Visit {
            id: visit_type.id.get(),
            name,
            description: self.texts.say(&visit_type.description),
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

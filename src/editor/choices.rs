//! What the form offers to choose from: the clinic's own plans, visits, states, holiday lists and time zones.

use std::collections::BTreeSet;

use directory::Directory;
use directory::model::{Modality, StateCode, StateSet};
use serde_json::{Value, json};

use super::file::EditorFile;

/// The time zones of the United States, which a clinic may not use yet.
const ZONES: [(&str, &str); 9] = [
    ("America/New_York", "Eastern (New York)"),
    ("America/Chicago", "Central (Chicago)"),
    ("America/Denver", "Mountain (Denver)"),
    ("America/Phoenix", "Mountain without daylight saving time (Phoenix)"),
    ("America/Los_Angeles", "Pacific (Los Angeles)"),
    ("America/Anchorage", "Alaska (Anchorage)"),
    ("Pacific/Honolulu", "Hawaii (Honolulu)"),
    ("America/Puerto_Rico", "Atlantic (Puerto Rico)"),
    ("Pacific/Guam", "Chamorro (Guam)"),
];

/// The choices, each as the form writes it: a list of `{label, value}`.
#[derive(Debug, Default)]
pub(super) struct Choices {
    pub(super) states: Vec<Value>,
    pub(super) plans: Vec<Value>,
    pub(super) visits: Vec<Value>,
    pub(super) video_visits: Vec<Value>,
    pub(super) holidays: Vec<Value>,
    pub(super) zones: Vec<Value>,
    pub(super) has_accuracy: bool,
    pub(super) pictures: String,
    pub(super) holiday_lists: Vec<String>,
}

impl Choices {
    pub(super) fn collect(directory: &Directory, holiday_lists: Vec<String>, file: &EditorFile) -> Self {
        let visit = |visit: &directory::model::VisitType| choice(visit.id.get(), &visit.name);
        let visits = directory.visit_types();
        let used = directory.provider_numbers().filter_map(|number| directory.schedule(number));
        let used: BTreeSet<&str> = used.map(|schedule| schedule.parts().zone.name()).collect();
        let further = used.iter().filter(|name| !ZONES.iter().any(|(zone, _)| zone == *name));
        let zones = ZONES.iter().map(|(zone, label)| choice(*zone, label));
        Self {
            states: states_in_use(directory, file)
                .iter()
                .map(|state| choice(state.code(), state.name()))
                .collect(),
            plans: directory.plans().iter().map(|plan| choice(plan.as_str(), plan.as_str())).collect(),
            visits: visits.iter().map(visit).collect(),
            video_visits: visits
                .iter()
                .filter(|visit| visit.modality == Modality::Video)
                .map(visit)
                .collect(),
            holidays: holiday_lists.iter().map(|name| choice(name.as_str(), name)).collect(),
            zones: zones.chain(further.map(|zone| choice(*zone, zone))).collect(),
            pictures: format!("{}/headshots", file.folder),
            has_accuracy: directory.accuracy().is_some(),
            holiday_lists,
        }
    }
}

fn choice(value: impl Into<Value>, label: &str) -> Value {
    json!({"label": label, "value": value.into()})
}

/// The states that the content names, and those that `editor.toml` adds.
fn states_in_use(directory: &Directory, file: &EditorFile) -> StateSet {
    let of_providers = directory.providers().iter().map(|provider| provider.licensed);
    let of_plans = directory.plan_numbers().filter_map(|plan| directory.plan_states(plan));
    // A visit that is offered everywhere names no state.
    let of_visits = directory.visit_types().iter().map(|visit_type| visit_type.states);
    let of_visits = of_visits.filter(|states| states.len() < StateCode::all().len());
    let of_file = file.states.iter().copied().collect();
    of_providers.chain(of_plans).chain(of_visits).fold(of_file, StateSet::union)
}

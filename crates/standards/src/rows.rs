//! The types of resources, each of which is published as one file. No other place lists them.

use super::context::{Context, ORGANISATION};
use super::organisation::{find_location, find_service, locations, organizations, services};
use super::people::{find_practitioner, find_role, practitioners, roles};
use super::resource::Resource;
use super::schedules::{find_schedule, offers, schedules};
use directory::model::StateSet;

#[derive(Debug)]
pub struct FhirResource {
    /// The type's name in resources and paths.
    pub name: &'static str,
    /// Makes every resource.
    pub(crate) all: fn(&Context<'_>) -> Vec<Resource>,
    /// The number of resources, and the states that they are about.
    pub(crate) count: fn(&Context<'_>) -> (usize, StateSet),
    pub(crate) find: fn(&Context<'_>, &str) -> Option<Resource>,
}

/// The types, in the order of the manifest.
pub static FHIR_RESOURCES: [FhirResource; 6] = [
    FhirResource {
        name: "Organization",
        all: organizations,
        count: |_| (1, StateSet::EMPTY),
        find: |context, id| organizations(context).pop().filter(|_| id == ORGANISATION),
    },
    FhirResource {
        name: "Location",
        all: locations,
        count: |context| {
            let states = context.directory.licensed();
            (states.len(), states)
        },
        find: find_location,
    },
    FhirResource {
        name: "HealthcareService",
        all: services,
        count: |context| (context.directory.visit_types().len(), StateSet::EMPTY),
        find: find_service,
    },
    FhirResource {
        name: "Practitioner",
        all: practitioners,
        count: |context| (context.directory.providers().len(), context.directory.licensed()),
        find: find_practitioner,
    },
    FhirResource {
        name: "PractitionerRole",
        all: roles,
        count: |context| {
            let roles = context.directory.providers().iter().map(|provider| provider.licensed.len());
            (roles.sum(), context.directory.licensed())
        },
        find: find_role,
    },
    FhirResource {
        name: "Schedule",
        all: schedules,
        count: |context| {
            let offers = offers(context);
            let states = offers.iter().fold(StateSet::EMPTY, |states, offer| states.union(offer.states));
            (offers.len(), states)
        },
        find: find_schedule,
    },
];

impl FhirResource {
    /// The path of its file in the published tree.
    #[must_use]
    pub fn file(&self) -> String {
        format!("fhir/{}.ndjson", self.name)
    }

    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        FHIR_RESOURCES.iter().find(|row| row.name == name)
    }
}

// Rows are compared by name, because function pointers have no reliable equality.
impl PartialEq for FhirResource {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for FhirResource {}

impl std::hash::Hash for FhirResource {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

use super::context::{Context, ORGANIZATION_ID};
use super::organization::{find_location, find_service, locations, organization, services};
use super::people::{find_practitioner, find_role, practitioners, roles};
use super::resource::Resource;
use super::schedules::{find_schedule, offers, schedules};
use directory::model::StateSet;

#[derive(Debug)]
pub struct FhirResourceType {
    pub name: &'static str,
    pub(crate) all: fn(&Context<'_>) -> Vec<Resource>,
    pub(crate) count: fn(&Context<'_>) -> (usize, StateSet),
    pub(crate) find: fn(&Context<'_>, &str) -> Option<Resource>,
}

/// In the order of the manifest.
pub static FHIR_RESOURCE_TYPES: [FhirResourceType; 6] = [
    FhirResourceType {
        name: "Organization",
        all: |context| vec![organization(context)],
        count: |_| (1, StateSet::EMPTY),
        find: |context, id| (id == ORGANIZATION_ID).then(|| organization(context)),
    },
    FhirResourceType {
        name: "Location",
        all: locations,
        count: |context| {
            let states = context.directory.licensed();
            (states.len(), states)
        },
        find: find_location,
    },
    FhirResourceType {
        name: "HealthcareService",
        all: services,
        count: |context| (context.directory.visit_types().len(), StateSet::EMPTY),
        find: find_service,
    },
    FhirResourceType {
        name: "Practitioner",
        all: practitioners,
        count: |context| (context.directory.providers().len(), context.directory.licensed()),
        find: find_practitioner,
    },
    FhirResourceType {
        name: "PractitionerRole",
        all: roles,
        count: |context| {
            let roles = context.directory.providers().iter().map(|provider| provider.licensed.len());
            (roles.sum(), context.directory.licensed())
        },
        find: find_role,
    },
    FhirResourceType {
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

impl FhirResourceType {
    pub fn file_path(&self) -> String {
        format!("fhir/{}.ndjson", self.name)
    }

    pub(crate) fn by_name(name: &str) -> Option<&'static Self> {
        FHIR_RESOURCE_TYPES.iter().find(|resource_type| resource_type.name == name)
    }
}

// Function pointers cannot be compared reliably.
impl PartialEq for FhirResourceType {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for FhirResourceType {}

impl std::hash::Hash for FhirResourceType {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

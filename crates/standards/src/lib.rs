//! The directory as FHIR R4.
//!
//! A file for each type of resource, the open slots by day, and a manifest of them (SMART Scheduling Links). The generator,
//! the live service and `nameplate export` all use [`FhirExport`], so the bytes are the same. Unknown facts are left out; no
//! resource has `meta.lastUpdated`, because clients would think that the facts are as new as the export.

mod capability;
mod context;
mod data;
mod export;
mod ids;
mod manifest;
mod organization;
mod people;
mod resource;
mod resource_types;
mod schedules;
mod slots;
mod systems;
mod target;
mod template;
mod time;

#[cfg(test)]
mod client_tests;
#[cfg(test)]
pub(crate) mod test_content;
#[cfg(test)]
mod tests;

pub use export::{FhirChange, FhirDocument, FhirExport};
pub use resource_types::{FHIR_RESOURCE_TYPES, FhirResourceType};
pub use slots::SlotFile;
pub use systems::{BULK_PUBLISH_PATH, FHIR_ROOT, NDJSON, SLOTS_PATH};
pub use target::FhirTarget;

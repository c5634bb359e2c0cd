//! The directory as FHIR R4.
//!
//! There is one file for each type of resource, the open slots by day, and a manifest that lists these files, as SMART
//! Scheduling Links asks (`$bulk-publish`). The export exists only if the content has `[standards]`.
//!
//! [`FHIR_RESOURCE_TYPES`] lists the types. The generator publishes their files, the live service answers every path, and
//! `nameplate export` writes all files into a folder. All of them use [`FhirExport`], so the bytes are the same.
//!
//! Unknown facts are left out: virtual visits have no street, and clinicians have no license number and no phone number. No
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

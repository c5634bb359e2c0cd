//! The directory as FHIR R4, for FHIR clients: one file for each type of resource, the open slots by day, and a
//! manifest of these files (SMART Scheduling Links, `$bulk-publish`). It exists only if the content has `[standards]`.
//!
//! [`FHIR_RESOURCES`] lists the types. The generator publishes their files, the live service answers every path, and
//! `nameplate export` writes all files into a folder. All of them use [`FhirExport`], so the bytes are the same.
//!
//! What is not known is left out: no street for a virtual visit, no licence number, no telephone of a person. No
//! resource has `meta.lastUpdated`, because readers would take the time of the export for the time of the facts.

mod capability;
mod context;
mod data;
mod export;
mod ids;
mod manifest;
mod organisation;
mod people;
mod resource;
mod rows;
mod schedules;
mod slots;
mod systems;
mod target;
mod template;
mod time;

#[cfg(test)]
mod reading_tests;
#[cfg(test)]
pub(crate) mod test_content;
#[cfg(test)]
mod tests;

pub use export::{FhirChange, FhirDocument, FhirExport};
pub use rows::{FHIR_RESOURCES, FhirResource};
pub use slots::SlotFile;
pub use systems::{BULK_PUBLISH_PATH, FHIR_ROOT, NDJSON, SLOTS_PATH};
pub use target::FhirTarget;

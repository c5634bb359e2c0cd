//! The document that a path of the export names.

use percent_encoding::percent_decode_str;

use super::rows::FhirResource;
use super::slots::SlotFile;
use super::systems::{BULK_PUBLISH_PATH, FHIR_ROOT, SLOTS_PATH};

/// The document that a path names. It may not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FhirTarget {
    /// The list of all files.
    Manifest,
    /// The `CapabilityStatement`: what the server can do.
    Metadata,
    File(&'static FhirResource),
    Slots(SlotFile),
    Resource(&'static FhirResource, String),
}

impl FhirTarget {
    /// Parses a path, which may be percent-encoded. `None` if it can name no document.
    #[must_use]
    pub fn of(path: &str) -> Option<Self> {
        let path = percent_decode_str(path).decode_utf8().ok()?;
        if path == BULK_PUBLISH_PATH {
            return Some(Self::Manifest);
        }
        if let Some(file) = path.strip_prefix(SLOTS_PATH) {
            return SlotFile::parse(file).map(Self::Slots);
        }
        let rest = path.strip_prefix(FHIR_ROOT)?.strip_prefix('/')?;
        if rest == "metadata" {
            return Some(Self::Metadata);
        }
        match rest.split_once('/') {
            None => FhirResource::named(rest.strip_suffix(".ndjson")?).map(Self::File),
            Some((kind, id)) => Some(Self::Resource(FhirResource::named(kind)?, id.to_owned())),
        }
    }

    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Manifest => BULK_PUBLISH_PATH.to_owned(),
            Self::Metadata => format!("{FHIR_ROOT}/metadata"),
            Self::File(row) => format!("/{}", row.file()),
            Self::Slots(file) => format!("{SLOTS_PATH}{}", file.path()),
            Self::Resource(row, id) => format!("{FHIR_ROOT}/{}/{id}", row.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_written() {
        for path in [
            "/fhir/$bulk-publish",
            "/fhir/metadata",
            "/fhir/Organization.ndjson",
            "/fhir/PractitionerRole.ndjson",
            "/fhir/slots/2026-11-23.ndjson",
            "/fhir/slots/2026-11-23/12.ndjson",
            "/fhir/PractitionerRole/prov-0001.CA",
        ] {
            assert_eq!(FhirTarget::of(path).map(|target| target.path()).as_deref(), Some(path));
        }
        assert_eq!(FhirTarget::of("/fhir/%24bulk-publish"), Some(FhirTarget::Manifest));
        for path in [
            "",
            "/",
            "/fhir",
            "/fhir/",
            "/fhirx",
            "/fhir/Slot.ndjson",
            "/fhir/organization.ndjson",
            "/fhir/Slot/a.1.2",
            "/fhir/slots/",
            "/fhir/slots/x.ndjson",
            "/fhir/slots/2026-11-23",
            "/fhir/slots/2026-11-23/01.ndjson",
            "/fhir/slots/2026-11-23/-1.ndjson",
            "/fhir/metadata/",
            "/fhir/%ff",
        ] {
            assert_eq!(FhirTarget::of(path), None, "{path}");
        }
    }
}

use percent_encoding::percent_decode_str;

use super::resource_types::FhirResourceType;
use super::slots::SlotFile;
use super::systems::{BULK_PUBLISH_PATH, FHIR_ROOT, SLOTS_PATH};

/// It may not exist.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FhirTarget {
    Manifest,
    Metadata,
    File(&'static FhirResourceType),
    Slots(SlotFile),
    Resource(&'static FhirResourceType, String),
}

impl FhirTarget {
    /// The path may be percent-encoded.
    pub fn parse(path: &str) -> Option<Self> {
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
            None => FhirResourceType::by_name(rest.strip_suffix(".ndjson")?).map(Self::File),
            Some((name, id)) => Some(Self::Resource(FhirResourceType::by_name(name)?, id.to_owned())),
        }
    }

    pub fn path(&self) -> String {
        match self {
            Self::Manifest => BULK_PUBLISH_PATH.to_owned(),
            Self::Metadata => format!("{FHIR_ROOT}/metadata"),
            Self::File(resource_type) => format!("/{}", resource_type.file_path()),
            Self::Slots(file) => format!("{SLOTS_PATH}{}", file.path()),
            Self::Resource(resource_type, id) => format!("{FHIR_ROOT}/{}/{id}", resource_type.name),
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
            assert_eq!(FhirTarget::parse(path).map(|target| target.path()).as_deref(), Some(path));
        }
        assert_eq!(FhirTarget::parse("/fhir/%24bulk-publish"), Some(FhirTarget::Manifest));
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
            assert_eq!(FhirTarget::parse(path), None, "{path}");
        }
    }
}

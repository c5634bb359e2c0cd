//! The manifest, which lists every file with its address, its number of lines, and its states.

use serde_json::json;

use super::context::{Context, state_codes};
use super::resource_types::FHIR_RESOURCE_TYPES;
use super::slots;
use super::systems::{BULK_PUBLISH_PATH, FHIR_ROOT, NDJSON};
use super::time::Moment;
use directory::calendar::Calendar;
use directory::model::StateSet;

pub(crate) fn manifest(context: &Context<'_>, calendar: &Calendar, moment: Moment) -> Vec<u8> {
    let base = &context.directory.organization().api_url;
    let entry = |resource_type: &str, file: String, (count, states): (usize, StateSet)| {
        let url = format!("{base}{FHIR_ROOT}/{file}");
        let mut entry = json!({ "type": resource_type, "url": url, "count": count });
        if !states.is_empty() {
            entry["extension"] = json!({ "state": state_codes(states) });
        }
        entry
    };
    let resources = FHIR_RESOURCE_TYPES.iter().map(|resource_type| {
        let name = resource_type.name;
        entry(name, format!("{name}.ndjson"), (resource_type.count)(context))
    });
    let slots = slots::files(context.directory, moment)
        .zip(slots::counts(context, calendar, moment))
        .map(|(file, count)| entry("Slot", format!("slots/{}", file.path()), count));
    let manifest = json!({
        "manifestType": "http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest",
        "transactionTime": moment.transaction_time(calendar).to_string(),
        "request": format!("{base}{BULK_PUBLISH_PATH}"),
        "requiresAccessToken": false,
        "outputFormat": NDJSON,
        "updateCadence": "PT1M",
        "output": resources.chain(slots).collect::<Vec<_>>(),
        "error": [],
    });
    let mut text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

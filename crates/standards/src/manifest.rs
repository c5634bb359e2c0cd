//! The manifest: where every file is, how many lines it has, and which states it is about.

use serde_json::json;

use super::context::{Context, codes};
use super::rows::FHIR_RESOURCES;
use super::slots;
use super::systems::{BULK_PUBLISH_PATH, FHIR_ROOT, NDJSON};
use super::time::Moment;
use directory::calendar::Calendar;
use directory::model::StateSet;

pub(crate) fn manifest(context: &Context<'_>, calendar: &Calendar, moment: Moment) -> Vec<u8> {
    let (directory, base) = (context.directory, &context.directory.organisation().api_url);
    let output = |kind: &str, file: String, (count, states): (usize, StateSet)| {
        let mut output = json!({ "type": kind, "url": format!("{base}{FHIR_ROOT}/{file}"), "count": count });
        if !states.is_empty() {
            output["extension"] = json!({ "state": codes(states) });
        }
        output
    };
    let resources = FHIR_RESOURCES
        .iter()
        .map(|row| output(row.name, format!("{}.ndjson", row.name), (row.count)(context)));
    let counts = slots::counts(context, calendar, moment);
    let files = slots::files(directory, moment).zip(counts);
    let slots = files.map(|(file, counts)| output("Slot", format!("slots/{}", file.path()), counts));
    let manifest = json!({
        "manifestType": "http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest",
        "transactionTime": moment.vouched(calendar).to_string(),
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

//! The manifest: where every file is, how many lines it has, and which states it is about.

use serde::Serialize;

use super::context::{Context, codes};
use super::rows::FHIR_RESOURCES;
use super::slots;
use super::systems::{BULK_PUBLISH_PATH, FHIR_ROOT, NDJSON};
use super::time::Moment;
use crate::calendar::{Calendar, Instant};
use crate::model::StateSet;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    #[serde(rename = "manifestType")]
    kind: &'static str,
    transaction_time: Instant,
    request: String,
    requires_access_token: bool,
    output_format: &'static str,
    update_cadence: &'static str,
    output: Vec<Output>,
    error: [(); 0],
}

#[derive(Serialize)]
struct Output {
    #[serde(rename = "type")]
    kind: &'static str,
    url: String,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    extension: Option<States>,
}

#[derive(Serialize)]
struct States {
    state: Vec<&'static str>,
}

pub(super) fn manifest(context: &Context<'_>, calendar: &Calendar, moment: Moment) -> Vec<u8> {
    let (directory, base) = (context.directory, &context.directory.organisation().api_url);
    let output = |kind, file: String, (count, states): (usize, StateSet)| Output {
        kind,
        url: format!("{base}{FHIR_ROOT}/{file}"),
        count,
        extension: (!states.is_empty()).then(|| States { state: codes(states) }),
    };
    let resources = FHIR_RESOURCES
        .iter()
        .map(|row| output(row.name, format!("{}.ndjson", row.name), (row.count)(context)));
    let counts = slots::counts(context, calendar, moment);
    let files = slots::files(directory, moment).zip(counts);
    let slots = files.map(|(file, counts)| output("Slot", format!("slots/{}", file.path()), counts));
    let manifest = Manifest {
        kind: "http://hl7.org/fhir/uv/bulkdata/StructureDefinition/BulkPublishManifest",
        transaction_time: moment.vouched(calendar),
        request: format!("{base}{BULK_PUBLISH_PATH}"),
        requires_access_token: false,
        output_format: NDJSON,
        update_cadence: "PT1M",
        output: resources.chain(slots).collect(),
        error: [],
    };
    let mut text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

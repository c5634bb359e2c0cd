//! Any path of the export is that of a document or of none; what a path means is written and read again as the same, and every
//! document is JSON.
#![no_main]

use standards::{FhirExport, FhirTarget, NDJSON};
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::{DEMO, now};

fuzz_target!(|path: &str| {
    let Some(target) = FhirTarget::parse(path) else { return };
    let path = target.path();
    assert_eq!(FhirTarget::parse(&path.replace('%', "%25")).as_ref(), Some(&target));
    let export = FhirExport::new(DEMO.directory()).expect("the demo has an export");
    let Ok(Some(document)) = export.answer(&target, DEMO.calendar(), now()) else { return };
    assert_eq!(FhirTarget::parse(&path).as_ref(), Some(&target));
    let json = |text: &[u8]| _ = serde_json::from_slice::<serde_json::Value>(text).expect("JSON");
    if target.media_type() == NDJSON {
        let lines = document.body.strip_suffix(b"\n").unwrap_or(&document.body);
        lines.split(|byte| *byte == b'\n').filter(|_| !lines.is_empty()).for_each(json);
    } else {
        json(&document.body);
    }
});

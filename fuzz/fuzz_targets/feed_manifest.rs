//! Any text is a publisher's manifest or a sentence; one that is used lists each file once, and not too many.
#![no_main]

use std::collections::BTreeSet;

use directory::calendar::ExportManifest;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let manifest = match ExportManifest::read(text) {
        Ok(manifest) => manifest,
        Err(error) => {
            return assert!(error.to_string().starts_with("this isn't a $bulk-publish manifest: "));
        }
    };
    assert!((1..=500).contains(&manifest.files.len()));
    let urls: BTreeSet<_> = manifest.files.iter().collect();
    assert_eq!(urls.len(), manifest.files.len());
    let files: Vec<_> = urls.iter().map(|url| serde_json::json!({"type": "Slot", "url": url})).collect();
    let written =
        serde_json::json!({"transactionTime": manifest.transaction_time.to_string(), "output": files});
    let again = ExportManifest::read(&written.to_string()).expect("what we write, we read");
    assert_eq!(
        (again.transaction_time, again.files.len()),
        (manifest.transaction_time, manifest.files.len())
    );
});

//! Any template that content accepts is one of RFC 6570, and our filling in is that of another implementation.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use directory::content::{Entries, load_and_check_entries};
use iri_string::spec::UriSpec;
use iri_string::template::UriTemplateStr;
use iri_string::template::simple_context::SimpleContext;
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::now;
use template::BookingLink;

// Compiled by path, because its module is private.
#[allow(dead_code, reason = "the target uses a part of it")]
#[path = "../../crates/standards/src/template.rs"]
mod template;

const LINE: &str = "booking-url = ";
const START: &str = "2026-12-01T16:00:00Z";

/// The files of a small clinic; its `directory.toml` without the line of the template.
static CLINIC: LazyLock<(Entries, String)> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cases/standards/content");
    let text = |path: &str| std::fs::read_to_string(folder.join(path)).expect("a file");
    let mut entries = Entries::default();
    let pairs = ["jane-doe", "sol"]
        .map(|slug| [format!("providers/{slug}.toml"), format!("availability/{slug}.toml")]);
    let others = ["insurances.toml", "appointment-types.toml"].map(str::to_owned);
    for path in pairs.into_iter().flatten().chain(others) {
        entries.add(&path, text(&path).into()).expect("a name");
    }
    let directory = text("directory.toml");
    let lines: Vec<_> = directory.lines().filter(|line| !line.starts_with(LINE.trim_end())).collect();
    let without = lines.join("\n");
    assert!(without.len() < directory.len() - 10);
    (entries, without)
});

fuzz_target!(|template: &str| {
    let (mut entries, directory) = CLINIC.clone();
    let quoted = serde_json::Value::from(template).to_string();
    entries.add("directory.toml", format!("{LINE}{quoted}\n{directory}").into()).expect("a name");
    let Ok(checked) = load_and_check_entries(entries, now().date_naive()) else { return };
    // An empty text isn't a template.
    let Some(template) = checked.directory.organization().booking_url.as_deref() else { return };
    let parsed = UriTemplateStr::new(template).expect("a template of RFC 6570");
    for state in [Some("WA"), None] {
        let mut filled = Vec::new();
        let Some(link) = BookingLink::fill_in(template, "jane-doe", "101", state) else {
            assert!(state.is_none(), "{template}");
            continue;
        };
        link.write(START.parse().expect("a time"), &mut filled);
        let mut variables = SimpleContext::new();
        variables.insert("providerSlug", "jane-doe");
        variables.insert("appointmentType", "101");
        variables.insert("startTime", START);
        if let Some(state) = state {
            variables.insert("state", state);
        }
        let other = parsed.expand::<UriSpec, _>(&variables).expect("it can be filled in").to_string();
        assert_eq!(String::from_utf8(filled).expect("text"), other, "{template}");
    }
});

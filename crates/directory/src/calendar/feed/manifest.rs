//! The manifest of a SMART Scheduling Links publisher (`$bulk-publish`): the list of its files.

use serde::Deserialize;

use super::super::instant::Instant;

/// The most files that a manifest may list. A publisher has about one per resource and state.
const MAX_FILES: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportManifest {
    pub transaction_time: Instant,
    /// The addresses of the files of Slots and Schedules, in order, absolute or relative to the manifest; others are skipped.
    pub files: Vec<String>,
    pub errors: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawManifest {
    transaction_time: String,
    output: Vec<RawOutput>,
    #[serde(default)]
    error: Option<Vec<serde::de::IgnoredAny>>,
}

#[derive(Deserialize)]
struct RawOutput {
    r#type: String,
    url: String,
}

impl ExportManifest {
    /// Reads a manifest. Its `request` and extensions are ignored: the states of a slot come from the provider's profile,
    /// so files of all states are read.
    pub fn read(text: &str) -> Result<Self, String> {
        let refused = |why: String| format!("this isn't a $bulk-publish manifest: {why}");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim_start().starts_with("BEGIN:VCALENDAR") {
            let advice = "it's a calendar: write a line such as `jane-doe https://…/basic.ics` into a file, and name that file";
            return Err(refused(advice.to_owned()));
        }
        let raw: RawManifest = serde_json::from_str(text).map_err(|error| refused(error.to_string()))?;
        let transaction_time = Instant::parse_floor(&raw.transaction_time)
            .map_err(|rule| refused(format!("its transactionTime isn't valid: {rule}")))?;
        if !raw.output.iter().any(|output| output.r#type == "Slot") {
            return Err(refused("it lists no file of type Slot".to_owned()));
        }
        let is_read = |output: &RawOutput| matches!(output.r#type.as_str(), "Slot" | "Schedule");
        let mut files: Vec<String> = Vec::new();
        for RawOutput { url, .. } in raw.output.into_iter().filter(is_read) {
            // A file may be listed for each of its states.
            if !files.contains(&url) {
                files.push(url);
            }
            // Each further file is compared with all before it.
            if files.len() > MAX_FILES {
                return Err(refused(format!("it lists more than {MAX_FILES} files")));
            }
        }
        Ok(Self { transaction_time, files, errors: raw.error.map_or(0, |errors| errors.len()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_slots_or_schedules_is_listed_once() {
        let text = r#"{"transactionTime": "2026-06-04T09:00:00.7-05:00", "request": "https://example.org/$bulk-publish",
            "output": [
                {"type": "Location", "url": "https://example.org/locations.ndjson"},
                {"type": "Schedule", "url": "https://example.org/schedules.ndjson"},
                {"type": "Slot", "url": "slots-ca.ndjson", "extension": {"state": ["CA"]}},
                {"type": "Slot", "url": "slots-ca.ndjson", "extension": {"state": ["NV"]}}
            ], "error": []}"#;
        let manifest = ExportManifest::read(text).unwrap();
        assert_eq!(manifest.transaction_time, "2026-06-04T14:00:00Z".parse().unwrap());
        assert_eq!(manifest.files, ["https://example.org/schedules.ndjson", "slots-ca.ndjson"]);
        assert_eq!(manifest.errors, 0);
        let with_error =
            text.replace("\"error\": []", r#""error": [{"type": "OperationOutcome", "url": "e.ndjson"}]"#);
        assert_eq!(ExportManifest::read(&with_error).unwrap().errors, 1);
    }

    #[test]
    fn an_invalid_manifest_is_refused_with_the_reason() {
        for (text, reason) in [
            ("", "EOF"),
            ("[]", "invalid"),
            (r#"{"output": []}"#, "transactionTime"),
            (r#"{"transactionTime": "today", "output": []}"#, "transactionTime isn't valid"),
            (r#"{"transactionTime": "2026-06-04T14:00:00Z", "output": []}"#, "no file of type Slot"),
            (
                r#"{"transactionTime": "2026-06-04T14:00:00Z", "output": [{"type": "Schedule", "url": "x"}]}"#,
                "no file of type Slot",
            ),
            (r#"{"transactionTime": "2026-06-04T14:00:00Z", "output": [{"type": "Slot"}]}"#, "url"),
        ] {
            let error = ExportManifest::read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let many: Vec<_> = (0..501).map(|n| format!(r#"{{"type": "Slot", "url": "{n}"}}"#)).collect();
        let text =
            format!(r#"{{"transactionTime": "2026-06-04T14:00:00Z", "output": [{}]}}"#, many.join(","));
        assert!(ExportManifest::read(&text).unwrap_err().contains("more than 500"));
    }
}

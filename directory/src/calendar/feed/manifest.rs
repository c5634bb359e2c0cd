//! The manifest of a SMART Scheduling Links publisher (`$bulk-publish`): which files there are.

use serde::Deserialize;

use super::super::instant::Instant;

/// How many files a manifest may list: a publisher has one for each kind and state, or a few more.
const FILES_AT_MOST: usize = 500;

/// A manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// When what the files say was true.
    pub transaction_time: Instant,
    /// The files with slots and schedules, in the order of writing; others are passed over.
    pub files: Vec<ManifestFile>,
    /// How many messages about things that could not be exported it lists.
    pub errors: usize,
}

/// A file that a manifest lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestFile {
    /// Where it is: absolute, or relative to the manifest.
    pub url: String,
}

/// Why a text is no manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this is no $bulk-publish manifest: {0}")]
pub struct ManifestError(String);

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

impl Manifest {
    /// Reads a manifest. Its `request` is not compared with anything, and extensions (states, mostly) are passed
    /// over: every file is read, because whom a slot is for is the profile's to say.
    ///
    /// # Errors
    /// It is no JSON of that form, its transactionTime is no time, or it lists no file of slots, or hundreds.
    pub fn read(text: &str) -> Result<Self, ManifestError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: RawManifest =
            serde_json::from_str(text).map_err(|error| ManifestError(error.to_string()))?;
        let transaction_time = Instant::parse_floor(&raw.transaction_time)
            .map_err(|rule| ManifestError(format!("its transactionTime is no time: {rule}")))?;
        if !raw.output.iter().any(|output| output.r#type == "Slot") {
            return Err(ManifestError("it lists no file of the type Slot".to_owned()));
        }
        let is_read = |output: &RawOutput| matches!(output.r#type.as_str(), "Slot" | "Schedule");
        let mut files: Vec<ManifestFile> = Vec::new();
        for output in raw.output.into_iter().filter(is_read) {
            let file = ManifestFile { url: output.url };
            // A file that is listed for two states is still one file.
            if !files.contains(&file) {
                files.push(file);
            }
        }
        if files.len() > FILES_AT_MOST {
            return Err(ManifestError(format!("it lists more than {FILES_AT_MOST} files")));
        }
        Ok(Self { transaction_time, files, errors: raw.error.map_or(0, |errors| errors.len()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_schedules_are_listed_once_each() {
        let text = r#"{"transactionTime": "2026-06-04T09:00:00.7-05:00", "request": "https://example.org/$bulk-publish",
            "output": [
                {"type": "Location", "url": "https://example.org/locations.ndjson"},
                {"type": "Schedule", "url": "https://example.org/schedules.ndjson"},
                {"type": "Slot", "url": "slots-ca.ndjson", "extension": {"state": ["CA"]}},
                {"type": "Slot", "url": "slots-ca.ndjson", "extension": {"state": ["NV"]}}
            ], "error": []}"#;
        let manifest = Manifest::read(text).unwrap();
        assert_eq!(manifest.transaction_time, "2026-06-04T14:00:00Z".parse().unwrap());
        let urls: Vec<_> = manifest.files.iter().map(|file| file.url.as_str()).collect();
        assert_eq!(urls, ["https://example.org/schedules.ndjson", "slots-ca.ndjson"]);
        assert_eq!(manifest.errors, 0);
        let with_error =
            text.replace("\"error\": []", r#""error": [{"type": "OperationOutcome", "url": "e.ndjson"}]"#);
        assert_eq!(Manifest::read(&with_error).unwrap().errors, 1);
    }

    #[test]
    fn what_is_no_manifest_says_why() {
        for (text, reason) in [
            ("", "EOF"),
            ("[]", "invalid"),
            (r#"{"output": []}"#, "transactionTime"),
            (r#"{"transactionTime": "today", "output": []}"#, "transactionTime is no time"),
            (r#"{"transactionTime": "2026-06-04T14:00:00Z", "output": []}"#, "no file of the type Slot"),
            (
                r#"{"transactionTime": "2026-06-04T14:00:00Z", "output": [{"type": "Schedule", "url": "x"}]}"#,
                "no file of the type Slot",
            ),
            (r#"{"transactionTime": "2026-06-04T14:00:00Z", "output": [{"type": "Slot"}]}"#, "url"),
        ] {
            let error = Manifest::read(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        let many: Vec<_> = (0..501).map(|n| format!(r#"{{"type": "Slot", "url": "{n}"}}"#)).collect();
        let text =
            format!(r#"{{"transactionTime": "2026-06-04T14:00:00Z", "output": [{}]}}"#, many.join(","));
        assert!(Manifest::read(&text).unwrap_err().to_string().contains("more than 500"));
    }
}

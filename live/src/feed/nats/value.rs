//! A key's value: lines of a feed, plain or gzipped.

use std::io::Read;

use directory::calendar::{FeedFile, FeedLimits};
use flate2::read::MultiGzDecoder;

use super::names::KeyName;

/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The most bytes of a value when expanded.
pub const MAX_VALUE: usize = 4 << 20;

/// The text of a value.
///
/// # Errors
/// Its gzip is broken, it expands to more than 4 MiB, or it is not UTF-8.
pub fn text_of(value: &[u8]) -> Result<String, String> {
    let bytes = if value.starts_with(&GZIP) {
        let mut bytes = Vec::new();
        let most = MAX_VALUE as u64 + 1;
        let mut expanded = MultiGzDecoder::new(value).take(most);
        expanded.read_to_end(&mut bytes).map_err(|error| format!("its gzip is broken: {error}"))?;
        bytes
    } else {
        value.to_vec()
    };
    if bytes.len() > MAX_VALUE {
        return Err(format!("it expands to more than {MAX_VALUE} bytes: list fewer months"));
    }
    String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
}

/// Reads a value of a provider's or Schedule's key. Its lines are about this provider or Schedule alone.
pub(super) fn read(key: &str, value: &[u8], limits: &FeedLimits) -> Result<FeedFile, String> {
    let name = KeyName::of(key).map_err(str::to_owned)?;
    let file = FeedFile::read(key, &text_of(value)?, limits).map_err(|error| error.to_string())?;
    let beside = match name {
        KeyName::Provider { slug, .. } => file.beside_provider(slug),
        KeyName::Schedule { id, .. } => file.beside_schedule(&id),
        KeyName::Beat { .. } | KeyName::Content => None,
    };
    match beside {
        None => Ok(file),
        Some(other) => Err(format!("a line of it is about another, {other}: put it into that one's key")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    const LINE: &str = r#"{"provider": "jane-doe", "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z", "status": "busy"}"#;

    #[test]
    fn a_value_is_lines_or_the_same_gzipped_or_empty() {
        let limits = FeedLimits::default();
        let plain = read("ehr.p.jane-doe", LINE.as_bytes(), &limits).unwrap();
        assert_eq!(read("ehr.p.jane-doe", &gzip(LINE.as_bytes()), &limits).unwrap(), plain);
        assert_eq!(plain.starts(directory::calendar::FeedMode::Busy).count(), 1);
        let empty = read("ehr.p.jane-doe", b"", &limits).unwrap();
        assert_eq!(empty.starts(directory::calendar::FeedMode::Busy).count(), 0);
    }

    #[test]
    fn a_bad_value_is_refused_with_its_reason() {
        let slot = r#"{"resourceType": "Slot", "schedule": {"reference": "Schedule/17"}, "status": "busy", "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z"}"#;
        let broken = {
            let mut bytes = gzip(LINE.as_bytes());
            bytes.truncate(20);
            bytes
        };
        for (key, value, says) in [
            ("ehr.p.jane-doe", b"nonsense".to_vec(), "ehr.p.jane-doe:1:1: this is not a JSON object"),
            ("ehr.p.jane-doe", b"\xff".to_vec(), "it is not UTF-8"),
            ("ehr.p.jane-doe", broken, "its gzip is broken"),
            ("ehr.p.jane-doe", gzip(&vec![b' '; MAX_VALUE + 1]), "it expands to more than 4194304 bytes"),
            ("ehr.p.sam-roe", LINE.as_bytes().to_vec(), "a line of it is about another, provider jane-doe"),
            ("ehr.p.jane-doe", slot.as_bytes().to_vec(), "a line of it is about another, Schedule 17"),
            ("ehr.s.18", slot.as_bytes().to_vec(), "a line of it is about another, Schedule 17"),
            ("ehr.s.17", LINE.as_bytes().to_vec(), "a line of it is about another, provider jane-doe"),
        ] {
            let error = read(key, &value, &FeedLimits::default()).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
        assert!(read("ehr.s.17", slot.as_bytes(), &FeedLimits::default()).is_ok());
    }
}

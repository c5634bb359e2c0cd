//! A key's value: lines of a feed, plain or gzipped.

use std::io::Read;
use std::sync::Arc;

use directory::calendar::{BadText, FeedFile, FeedLimits, PartId};
use flate2::read::MultiGzDecoder;

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The most bytes of a value when expanded.
pub const MAX_VALUE: usize = 4 << 20;

/// The text of a value.
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

pub(super) fn read(key: &PartId, value: &[u8], limits: &FeedLimits) -> Result<Arc<FeedFile>, BadText> {
    key.read(&text_of(value).map_err(BadText::Other)?, limits)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use directory::calendar::FeedMode;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    const LINE: &str = r#"{"provider": "jane-doe", "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z", "status": "busy"}"#;

    fn read(value: &[u8]) -> Result<Arc<FeedFile>, String> {
        let key = PartId::key("ehr.p.jane-doe").unwrap();
        super::read(&key, value, &FeedLimits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_value_is_lines_or_the_same_gzipped_or_empty() {
        let count = |value: &FeedFile| value.starts(FeedMode::Busy).count();
        let plain = read(LINE.as_bytes()).unwrap();
        assert_eq!(read(&gzip(LINE.as_bytes())).unwrap(), plain);
        assert_eq!((count(&plain), count(&read(b"").unwrap())), (1, 0));
    }

    #[test]
    fn a_bad_value_is_refused_with_its_reason() {
        let broken = {
            let mut bytes = gzip(LINE.as_bytes());
            bytes.truncate(20);
            bytes
        };
        for (value, says) in [
            (b"nonsense".to_vec(), "ehr.p.jane-doe:1:1: this isn't a JSON object"),
            (b"\xff".to_vec(), "it is not UTF-8"),
            (broken, "its gzip is broken"),
            (gzip(&vec![b' '; MAX_VALUE + 1]), "it expands to more than 4194304 bytes"),
            (
                LINE.replace("jane", "june").into_bytes(),
                "a line is about provider june-doe, which this key doesn't hold",
            ),
        ] {
            let error = read(&value).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }
}

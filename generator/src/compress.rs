//! Precompressed files for hosts that do not compress by themselves: `--precompress`.
//!
//! The bytes depend on the file alone: no name, no time and no system stands in the header.

use std::io::Write as _;
use std::path::Path;

use directory::api::is_of_the_host;
use flate2::{Compression, GzBuilder};

/// What is text, and so becomes smaller. The host's own rules are never served.
const ENDINGS: [&str; 7] = ["json", "html", "css", "js", "svg", "txt", "xml"];
/// Below this a compressed answer saves less than its header costs.
const SMALLEST: usize = 1024;
/// RFC 1952: an unknown system.
const UNKNOWN_SYSTEM: u8 = 255;

/// Whether a file of this path may be worth compressing.
pub(crate) fn may_pay(path: &str) -> bool {
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str());
    !is_of_the_host(path) && ending.is_some_and(|ending| ENDINGS.contains(&ending))
}

/// The bytes in gzip; `None` where that does not pay.
pub(crate) fn smaller(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < SMALLEST {
        return None;
    }
    let builder = GzBuilder::new().mtime(0).operating_system(UNKNOWN_SYSTEM);
    let mut encoder = builder.write(Vec::with_capacity(bytes.len() / 2), Compression::default());
    // Writing into memory does not fail; if it did, the file would go out uncompressed.
    encoder.write_all(bytes).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < bytes.len()).then_some(compressed)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn what_becomes_smaller_is_the_same_inside_and_out_of_any_machine() {
        let text = "Larkspur ".repeat(1000);
        let compressed = smaller(text.as_bytes()).unwrap();
        assert!(compressed.len() < 200 && smaller(text.as_bytes()).unwrap() == compressed);
        // Magic, deflate, no flags, no time, level, unknown system.
        assert_eq!(compressed[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        let mut back = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut back).unwrap();
        assert_eq!(back, text.as_bytes());
    }

    #[test]
    fn small_files_pictures_and_rules_stay_as_they_are() {
        assert_eq!(smaller("x".repeat(SMALLEST - 1).as_bytes()), None);
        for path in ["headshots/a.png", "headshots/a.webp", "_headers", "_worker.js", "_nginx/http.conf"] {
            assert!(!may_pay(path), "{path}");
        }
        assert!(may_pay("v1/states.json") && may_pay("index.html"));
    }
}

//! Makes gzip files for hosts that do not compress (`--precompress`).

use std::io::Write as _;
use std::path::Path;

use directory::web::is_host_configuration;
use flate2::{Compression, GzBuilder};

const EXTENSIONS: [&str; 9] = ["json", "ndjson", "html", "md", "css", "js", "svg", "txt", "xml"];
const MIN_BYTES: usize = 1024;
/// RFC 1952.
const UNKNOWN_SYSTEM: u8 = 255;

/// Hosts do not serve their rules.
pub(crate) fn is_compressible(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    !is_host_configuration(path) && extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
}

/// `None` if the file is too small, or if compression does not make it smaller.
pub(crate) fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < MIN_BYTES {
        return None;
    }
    let builder = GzBuilder::new().mtime(0).operating_system(UNKNOWN_SYSTEM);
    let mut encoder = builder.write(Vec::with_capacity(bytes.len() / 2), Compression::default());
    encoder.write_all(bytes).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < bytes.len()).then_some(compressed)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn gzip_is_reproducible_and_decompresses_to_the_same_bytes() {
        let text = "Larkspur ".repeat(1000);
        let compressed = gzip(text.as_bytes()).unwrap();
        assert!(compressed.len() < 200 && gzip(text.as_bytes()).unwrap() == compressed);
        // RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system.
        assert_eq!(compressed[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
        let mut back = Vec::new();
        flate2::read::GzDecoder::new(&compressed[..]).read_to_end(&mut back).unwrap();
        assert_eq!(back, text.as_bytes());
    }

    #[test]
    fn small_files_images_and_host_rules_are_not_compressed() {
        assert_eq!(gzip("x".repeat(MIN_BYTES - 1).as_bytes()), None);
        for path in ["headshots/a.png", "headshots/a.webp", "_headers", "_worker.js", "_nginx/http.conf"] {
            assert!(!is_compressible(path), "{path}");
        }
        assert!(is_compressible("v1/states.json") && is_compressible("index.html"));
    }
}

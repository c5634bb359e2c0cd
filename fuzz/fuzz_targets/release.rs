//! Any bytes are a release, a bundle, or a sentence. The first byte says what they are read as: a gzipped bundle, an archive
//! whose checksums are put right (no mutation finds them), or the file of a release.
//!
//! A bundle never gives more bytes than its release names, its paths stay in the folder, and packed again it gives the same
//! files. A release without a signature of the key is refused.
#![no_main]

use std::io::Write;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use libfuzzer_sys::fuzz_target;
use release::Release;
use signature::PublicKey;

#[allow(dead_code)]
#[path = "../../crates/replicas/src/releases/bundle.rs"]
mod bundle;
#[allow(dead_code)]
#[path = "../../crates/replicas/src/releases/release.rs"]
mod release;
#[allow(dead_code)]
#[path = "../../crates/replicas/src/signature.rs"]
mod signature;

/// What `signature` reads the files of keys with. No input names one.
fn read_secret(file: &std::path::Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| error.to_string())
}

const MOST: u64 = 1 << 20;
/// A public key. Its seed is thrown away, so no input can be signed with it.
static KEYS: LazyLock<Vec<PublicKey>> =
    LazyLock::new(|| vec![nkeys::KeyPair::new_account().public_key().try_into().expect("a key")]);

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::none());
    gzip.write_all(bytes).expect("memory");
    gzip.finish().expect("memory")
}

/// The archive with a right checksum in each head of a file.
fn with_check_sums(bytes: &[u8]) -> Vec<u8> {
    let mut tar = bytes.to_vec();
    let mut at = 0;
    while let Some(head) = tar.get_mut(at..at + 512) {
        at += 512;
        if head.iter().all(|byte| *byte == 0) {
            continue;
        }
        head[148..156].fill(b' ');
        let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let size = std::str::from_utf8(&head[124..135])
            .ok()
            .and_then(|digits| usize::from_str_radix(digits, 8).ok());
        at = at.saturating_add(size.unwrap_or(0).next_multiple_of(512));
    }
    tar
}

fn unpack(packed: &[u8], unpacked: u64) {
    match bundle::unpack(packed, unpacked) {
        Err(sentence) => assert!(!sentence.is_empty()),
        Ok(entries) => {
            assert!(entries.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>() <= unpacked);
            for (path, _) in entries.iter() {
                assert!(path.len() <= 255 && !path.contains(['\\', '\0', '\n']), "{path}");
                assert!(path.split('/').all(|part| !matches!(part, "" | "." | "..")), "{path}");
            }
            assert!(unpacked == 0 || bundle::unpack(packed, unpacked - 1).is_err());
            assert!(bundle::unpack(packed, unpacked + 1).is_err());
            // The format has no room for some long names that others can write.
            if let Ok(again) = bundle::pack(&entries) {
                let read = bundle::unpack(&again.bytes, again.unpacked).expect("what we pack, we unpack");
                assert!(read.iter().eq(entries.iter()));
            }
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    match first % 3 {
        0 => {
            let mut tar = Vec::new();
            let expanded = std::io::Read::take(flate2::read::GzDecoder::new(bytes), MOST);
            _ = std::io::Read::read_to_end(&mut { expanded }, &mut tar);
            unpack(bytes, tar.len() as u64);
        }
        1 => {
            let tar = with_check_sums(bytes);
            unpack(&gzipped(&tar), tar.len() as u64);
        }
        _ => {
            const NUMBER: u64 = 7;
            let Ok(release) = Release::read(NUMBER, bytes) else { return };
            let text = release.to_text();
            let again = Release::read(NUMBER, text.as_bytes()).expect("what we write, we read");
            assert_eq!(again.to_text(), text);
            assert!(again.has_content_of(&release));
            assert_eq!(release.clone().trusted(&[]).as_ref(), Ok(&release));
            assert!(release.trusted(&KEYS).is_err());
        }
    }
});

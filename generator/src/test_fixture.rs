//! The test clinic with two clinicians in `tests/fixture`.

use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use directory::api::Snapshot;
use directory::content::{ContentError, Problem, load_and_check};

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture")
}

pub(crate) fn snapshot() -> Snapshot {
    load(&folder())
}

pub(crate) fn snapshot_without_live() -> Snapshot {
    let folder = copy();
    edit(folder.path(), "directory.toml", |text| text.replace("live-url", "# live-url"));
    load(folder.path())
}

pub(crate) fn in_english_and_spanish() -> Snapshot {
    let folder = copy();
    add_spanish(folder.path());
    load(folder.path())
}

/// Adds pages in Spanish.
pub(crate) fn add_spanish(folder: &Path) {
    edit(folder, "directory.toml", |text| format!("{text}site-languages = [\"English\", \"Spanish\"]\n"));
}

/// The clinic with this many additional clinicians, who accept new patients in New York.
#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
pub(crate) fn crowd(more: usize) -> Snapshot {
    let folder = copy();
    let providers = folder.path().join("providers");
    let one = std::fs::read_to_string(providers.join("state.toml")).unwrap();
    let one = one.replace("accepting = []", "accepting = [\"NY\"]");
    for number in 0..more {
        let other = one.replace("prov-0002", &format!("crowd-{number}"));
        std::fs::write(providers.join(format!("c-{number}.toml")), other).unwrap();
    }
    load(folder.path())
}

/// Loads a content folder, which must be valid.
pub(crate) fn load(folder: &Path) -> Snapshot {
    match load_and_check(folder, NaiveDate::default()) {
        Ok(checked) => Snapshot::new(checked.directory),
        Err(ContentError::Invalid(report)) => {
            panic!("{:?}", report.problems().iter().map(Problem::what).collect::<Vec<_>>())
        }
        Err(error) => panic!("{error}"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
pub(crate) fn copy() -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for name in crate::read::names(&folder()).unwrap() {
        let to = copy.path().join(&name);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(folder().join(&name), to).unwrap();
    }
    copy
}

#[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
pub(crate) fn edit(folder: &Path, name: &str, change: impl Fn(String) -> String) {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = change(text.clone());
    assert_ne!(text, changed, "the edit changes nothing");
    std::fs::write(path, changed).unwrap();
}

/// A JPEG file as a phone writes it: light, shapes and grain of every size, stored lying on its side (Exif's orientation 6),
/// with the place where it was taken.
pub(crate) fn photograph(width: u16, height: u16, seed: u32) -> Vec<u8> {
    let (mut file, mut pixels) = (Vec::new(), Vec::new());
    for y in 0..u32::from(height) {
        for x in 0..u32::from(width) {
            let light = 60 + 90 * y / u32::from(height) + 40 * x / u32::from(width);
            let grain: u32 = [64, 16, 4, 1].iter().map(|size| noise(x / size, y / size, seed) >> 27).sum();
            let warm = noise(x / 32, y / 32, seed ^ 1) >> 28;
            pixels.extend([light + grain / 2 + warm, light + grain / 2, light + grain / 2 - warm]);
        }
    }
    let pixels: Vec<u8> = pixels.into_iter().map(|part| u8::try_from(part).unwrap_or(u8::MAX)).collect();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, 80);
    let side_ways = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0GPS 37.80 N 122.27 W";
    encoder.add_exif_metadata(side_ways).unwrap();
    encoder.encode(&pixels, width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    file
}

/// Thirty-two even bits for a place.
fn noise(x: u32, y: u32, seed: u32) -> u32 {
    let mixed = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77) ^ seed.wrapping_mul(0xc2b2_ae3d);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
    (mixed ^ mixed >> 12).wrapping_mul(0x297a_2d39) ^ mixed >> 15
}

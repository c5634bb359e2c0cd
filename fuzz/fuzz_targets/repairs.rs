//! Whatever is wrong with a content file, its repairs never leave more errors than they found, unless the file wasn't TOML,
//! which hides what else is wrong; and each file is as they read it. The first byte says which file the rest is put into,
//! and whether likely repairs are applied.
#![no_main]

use std::fs;
use std::path::Path;

use directory::content::{ContentError, Mended, load_and_check, mend};
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::now;

const FILES: [&str; 8] = [
    "providers/jane-doe.toml",
    "availability/jane-doe.toml",
    "directory.toml",
    "insurances.toml",
    "appointment-types.toml",
    "retired.toml",
    "allow.toml",
    "holidays/us-federal.toml",
];

fn errors(folder: &Path) -> usize {
    match load_and_check(folder, now().date_naive()) {
        Ok(_) => 0,
        Err(ContentError::Invalid(report)) => report.errors(),
        Err(ContentError::Load(error)) => panic!("{error}"),
    }
}

/// Writes the repaired files, and insists that each is as the repairs found it.
fn apply(folder: &Path, mended: &Mended) {
    for (name, (before, after)) in &mended.files {
        let path = folder.join(name);
        assert_eq!(fs::read_to_string(&path).ok(), *before, "{name}");
        match after {
            Some(text) => fs::write(&path, text).expect("a file"),
            None => fs::remove_file(&path).expect("a file"),
        }
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/init/starter");
    for file in FILES {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().expect("a parent")).expect("a folder");
        _ = fs::copy(starter.join(file), to);
    }
    let (which, with_likely) = (usize::from(*first) % FILES.len(), *first >= 128);
    fs::write(folder.join(FILES[which]), bytes).expect("a file");
    let before = errors(folder);
    let mended = mend(folder, now().date_naive(), with_likely).expect("a folder");
    apply(folder, &mended);
    let after = errors(folder);
    let is_toml = std::str::from_utf8(bytes).is_ok_and(|text| toml::from_str::<toml::Table>(text).is_ok());
    assert!(after <= before || !is_toml, "{before} errors became {after}: {:?}", mended.applied);
    assert_eq!(mended.applied.is_empty(), mended.files.is_empty(), "{:?}", mended.applied);
});

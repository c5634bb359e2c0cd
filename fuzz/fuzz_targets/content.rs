//! Any bytes in any content file are content or a report. The first byte says which file they are put into.
#![no_main]

use std::path::Path;

use directory::content::load_and_check;
use libfuzzer_sys::fuzz_target;
use nameplate_fuzz::now;

const FILES: [&str; 9] = [
    "providers/jane-doe.toml",
    "availability/jane-doe.toml",
    "directory.toml",
    "insurances.toml",
    "appointment-types.toml",
    "retired.toml",
    "allow.toml",
    "holidays/us-federal.toml",
    "availability/busy.ndjson",
];

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/init/starter");
    for file in &FILES[..8] {
        let to = folder.path().join(file);
        std::fs::create_dir_all(to.parent().expect("a parent")).expect("a folder");
        _ = std::fs::copy(starter.join(file), to);
    }
    std::fs::write(folder.path().join(FILES[usize::from(*first) % FILES.len()]), bytes).expect("a file");
    if let Err(error) = load_and_check(folder.path(), now().date_naive()) {
        assert!(!error.to_string().is_empty());
    }
});

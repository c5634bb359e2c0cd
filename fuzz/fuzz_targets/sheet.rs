//! Any bytes are a sheet or a sentence. The first byte says which format they are read as.
#![no_main]

use libfuzzer_sys::fuzz_target;

// The command is not a library, so its file is compiled here by path. The target uses a part of it, and `pub` has no effect
// in a program: both lints are off for that reason.
#[allow(dead_code, unreachable_pub)]
#[path = "../../crates/authoring/src/sheet/grid/mod.rs"]
mod grid;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, bytes)) = bytes.split_first() else { return };
    let read = if first % 2 == 0 { grid::csv::read(bytes) } else { grid::xlsx::read(bytes).map(|(rows, _)| rows) };
    match read {
        Ok(grid) => assert!(grid.len() <= grid::MOST_ROWS && grid.iter().all(|row| row.len() <= grid::MOST_COLUMNS)),
        Err(sentence) => assert!(!sentence.is_empty()),
    }
});

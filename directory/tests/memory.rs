//! The memory of a check is bounded, whatever lies in the folder.

#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod support;

use std::fs;

use chrono::NaiveDate;
use directory::content::{ContentError, load_and_check};

/// The largest part of this process that was in memory since it was last asked, in MB.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024;
    // Begins a new measurement.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    peak
}

#[test]
fn fourteen_broken_files_take_little_memory() {
    let (_folder, content) = support::clinic();
    let mut wrong = Vec::new();
    for (before, part, after) in
        [("", "= =\n", ""), ("", "a = 1\n", ""), ("bio = \"", "<br>", "\""), ("bio = 1\n", "\n", "")]
    {
        let text = format!("{before}{}{after}", part.repeat((1 << 20) / part.len() - 10));
        for number in 0..14 {
            fs::write(content.join(format!("providers/p-{number}.toml")), &text).unwrap();
        }
        peak();
        let Err(ContentError::Invalid(report)) =
            load_and_check(&content, NaiveDate::from_ymd_opt(2026, 11, 21).unwrap())
        else {
            panic!("{before}{part} is wrong")
        };
        let drawn = report.drawn(false);
        let peak = peak();
        println!("{before}{part:?}: {peak} MB, {} errors", report.errors());
        if peak > 250 || report.problems().len() > 1000 || drawn.len() > 200_000 {
            wrong.push(format!("{peak} MB, {} problems: {before}{part}", report.problems().len()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

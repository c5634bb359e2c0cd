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

// As in the program: it gives back what is free.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The largest part of this process that was in memory since it was last asked, in MB.
fn peak() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024;
    // Begins a new measurement.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    peak
}

/// The beginning of a file, what is repeated in it to its end, its size in kilobytes, and how many such files there are.
struct Shape(&'static str, &'static str, usize, usize);

/// More than most machines have processors.
const THREADS: usize = 16;
/// Most need few bytes for much in the parser's tree.
const SHAPES: [Shape; 11] = [
    Shape("", "= =\n", 1023, 3),
    Shape("", "a = 1\n", 1023, 3),
    Shape("bio = \"", "<br>", 1023, 3),
    Shape("bio = 1\n", "\n", 1023, 3),
    // An error a line, but not at the beginning.
    Shape("#START\n", "x\n", 1023, 3),
    // Mistakes that only decoding finds.
    Shape("bio = \"", "\\q", 1023, THREADS),
    Shape("", "[a.#.b.c]\n", 1023, THREADS),
    Shape("", "k#.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1\n", 1023, THREADS),
    Shape("education = [", "{a=1},", 1023, THREADS),
    Shape("clinical-interests = [", "[1],", 1023, THREADS),
    // As many tables as a file of this size may have.
    Shape("", "k#.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a=1\n", 48, THREADS),
];

/// A text of a shape. `#` in its part is replaced by a number, so that no key is repeated.
fn text(Shape(before, part, kilobytes, _): &Shape) -> String {
    let mut text = before.replace("START", &"#".repeat(70_000));
    for number in 0.. {
        let part = part.replace('#', &format!("{number:05}"));
        if text.len() + part.len() > kilobytes << 10 {
            break;
        }
        text.push_str(&part);
    }
    text
}

#[test]
fn hostile_files_take_little_memory_on_many_threads() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().unwrap();
    let mut wrong = Vec::new();
    for shape in &SHAPES {
        let (_folder, content) = support::clinic();
        let text = text(shape);
        for number in 0..shape.3 {
            fs::write(content.join(format!("providers/p-{number}.toml")), &text).unwrap();
        }
        peak();
        let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
        let Err(ContentError::Invalid(report)) = pool.install(|| load_and_check(&content, today)) else {
            panic!("{} is wrong", shape.1)
        };
        let (drawn, keys) = (report.drawn(false), report.keys());
        let peak = peak();
        println!("{:?}: {peak} MB, {} errors", shape.1, report.errors());
        if peak > 400 || keys.len() > 1000 || drawn.len() > 200_000 {
            wrong.push(format!("{peak} MB, {} problems: {}", keys.len(), shape.1));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

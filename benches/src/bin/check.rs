//! Loading and checking a content folder, beside merely reading its files and beside the TOML parser alone, and
//! the most memory that it takes.
//!
//! `cargo run --profile dist -p benches --bin check [PROVIDERS …]` prints a line for each size: the clock's time of
//! the check, the processors' time of it, and what the same texts take in one thread to be read, and to be parsed
//! as TOML with places and nothing else. A second line has the check of the same clinic with 300 mistakes, which looks for
//! repairs, and a third the repair of one mistake in each file, before it is written.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a measurement prints, reads for itself, and stops where it cannot go on"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use benches::clinic::Clinic;
use benches::measure::{peak_mebibytes, processor_seconds};
use chrono::NaiveDate;
use directory::content::{ContentError, load_and_check, mend};
use toml::de::DeTable;

/// The first argument of the process that does one check, so that its memory is its own.
const ONCE: &str = "--once";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [first, folder] = arguments.as_slice()
        && first == ONCE
    {
        return once(Path::new(folder));
    }
    let sizes: Vec<usize> = arguments.iter().filter_map(|size| size.parse().ok()).collect();
    println!(
        "{:>9} {:>11} {:>13} {:>11} {:>11} {:>11}",
        "providers", "check", "processors", "peak", "read", "TOML alone"
    );
    for providers in if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes } {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Clinic { providers, seed: 1, with_hours: false }.write(folder.path()).expect("the clinic is written");
        let mut runs: Vec<Run> = (0..9).map(|_| run(folder.path())).collect();
        let mut median = |of: fn(&Run) -> f64| {
            runs.sort_by(|a, b| of(a).total_cmp(&of(b)));
            of(&runs[runs.len() / 2])
        };
        println!(
            "{providers:>9} {:>8.1} ms {:>10.1} ms {:>7.1} MiB {:>8.1} ms {:>8.1} ms",
            median(|run| run.check) * 1e3,
            median(|run| run.processors) * 1e3,
            median(|run| run.peak),
            median(|run| run.read) * 1e3,
            median(|run| run.toml) * 1e3,
        );
        let planted = plant_mistakes(folder.path(), 300);
        let mut checks: Vec<f64> = (0..5).map(|_| checked_apart(folder.path())[0]).collect();
        checks.sort_by(f64::total_cmp);
        println!("{:>9} {:>8.1} ms with {planted} mistakes", "", checks[checks.len() / 2] * 1e3);
        let planted = plant_mistakes(folder.path(), providers);
        let started = Instant::now();
        let mended = mend(folder.path(), today(), false).expect("the clinic can be read");
        let took = started.elapsed().as_secs_f64();
        println!("{:>9} {:>8.1} ms to repair {} of {planted}", "", took * 1e3, mended.applied.len());
    }
}

/// Takes a quote from the gender in the first files. Returns in how many files it is missing.
fn plant_mistakes(folder: &Path, most: usize) -> usize {
    let files = std::fs::read_dir(folder.join("providers")).expect("the folder is there");
    let mut planted = 0;
    for file in files.take(most) {
        let path = file.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a file");
        let broken = text.replacen("gender = \"", "gender = ", 1);
        planted += usize::from(!broken.contains("gender = \""));
        std::fs::write(path, broken).expect("it is written");
    }
    planted
}

/// What one round shows, in seconds and MiB.
struct Run {
    check: f64,
    processors: f64,
    peak: f64,
    read: f64,
    toml: f64,
}

/// Reads all files, parses them, then has another process check them.
fn run(folder: &Path) -> Run {
    let started = Instant::now();
    let files = std::fs::read_dir(folder.join("providers")).expect("the folder is there");
    let texts: Vec<String> =
        files.map(|file| std::fs::read_to_string(file.expect("an entry").path()).expect("a file")).collect();
    let read = started.elapsed().as_secs_f64();
    let started = Instant::now();
    for text in &texts {
        assert!(DeTable::parse(black_box(text)).is_ok(), "the clinic is valid");
    }
    let toml = started.elapsed().as_secs_f64();
    let [check, processors, peak] = checked_apart(folder);
    Run { check, processors, peak, read, toml }
}

/// The clock's time, the processors' time and the memory of a check in another process.
fn checked_apart(folder: &Path) -> [f64; 3] {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).arg(ONCE).arg(folder).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("figures");
    let mut figures = text.split_whitespace().filter_map(|figure| figure.parse::<f64>().ok());
    [0; 3].map(|_| figures.next().unwrap_or(f64::NAN))
}

/// A day on which the clinic's degrees are not still to come: that would be a warning for each clinician.
fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 21).unwrap_or_default()
}

fn once(folder: &Path) {
    let started = Instant::now();
    let checked = load_and_check(folder, today());
    let took = started.elapsed().as_secs_f64();
    let processors = processor_seconds().unwrap_or(f64::NAN);
    assert!(!matches!(checked, Err(ContentError::Load(_))), "the clinic can be read");
    println!("{took} {processors} {}", peak_mebibytes().unwrap_or(f64::NAN));
}

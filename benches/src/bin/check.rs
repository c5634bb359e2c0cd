//! Loading and checking a content folder, beside merely reading its files, and the most memory that it takes.
//!
//! `cargo run --release -p benches --bin check [PROVIDERS …]` prints a line for each size.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a measurement prints, reads for itself, and stops where it cannot go on"
)]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use benches::clinic::Clinic;
use benches::measure::peak_mebibytes;
use chrono::NaiveDate;
use directory::content::load_and_check;

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
    println!("{:>9} {:>12} {:>12} {:>7} {:>10}", "providers", "read", "check", "ratio", "peak");
    for providers in if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes } {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Clinic { providers, seed: 1, with_hours: false }.write(folder.path()).expect("the clinic is written");
        let mut runs: Vec<(f64, f64, f64)> = (0..7).map(|_| run(folder.path())).collect();
        runs.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (read, check, peak) = runs[runs.len() / 2];
        println!(
            "{providers:>9} {:>9.1} ms {:>9.1} ms {:>6.1}x {peak:>6.1} MiB",
            read * 1e3,
            check * 1e3,
            check / read
        );
    }
}

/// Reads all files, then has another process check them.
fn run(folder: &Path) -> (f64, f64, f64) {
    let started = Instant::now();
    let files = std::fs::read_dir(folder.join("providers")).expect("the folder is there");
    let bytes: usize =
        files.map(|file| std::fs::read(file.expect("an entry").path()).expect("a file").len()).sum();
    assert!(bytes > 0);
    let read = started.elapsed().as_secs_f64();
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).arg(ONCE).arg(folder).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("figures");
    let mut figures = text.split_whitespace().filter_map(|figure| figure.parse::<f64>().ok());
    (read, figures.next().unwrap_or(f64::NAN), figures.next().unwrap_or(f64::NAN))
}

fn once(folder: &Path) {
    let started = Instant::now();
    let checked = load_and_check(folder, NaiveDate::default());
    let took = started.elapsed().as_secs_f64();
    assert!(checked.is_ok(), "the clinic is valid");
    println!("{took} {}", peak_mebibytes().unwrap_or(f64::NAN));
}

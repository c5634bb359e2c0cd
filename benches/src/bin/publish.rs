//! `publish [PROVIDERS…]`: what a build costs, beside the floor of the same machine in the same run.
//!
//! For each size (1,000, 10,000 and 100,000 when none is given) a clinic is invented and built: from nothing, again
//! with nothing changed, and after one provider's file was edited; once as the API alone and once with the site's
//! pages. Each build is a process of its own, this program started again, so that its time is that of a whole command
//! and its peak of memory is its own. The floor is what no build of these files can go below: reading the content's
//! bytes and writing the tree's, on as many threads; "on disk" is the same with the flush that a build makes before it
//! shows a tree. Of five rounds (two of a large clinic) the least is printed and, in brackets, the greatest; on a
//! machine that others use, the work of the processors (user and system time of all threads, the least of the rounds)
//! says more than either.
//!
//! Trees that were removed in the last five minutes slow this down several times on ext4, whose new files step over the
//! places of files that have just gone, one by one: after a run, wait before the next one.
#![expect(clippy::disallowed_methods, reason = "trees are read and written here, for measuring")]
#![expect(clippy::print_stdout, reason = "figures are printed here")]

use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use benches::clinic::Clinic;
use directory::api::Snapshot;
use directory::content::load_and_check;
use generator::{BuildOptions, Progress, build_with_progress};
use rayon::prelude::*;
use walkdir::WalkDir;

type Failure = Box<dyn Error + Send + Sync>;

/// The first argument of a process that builds once and tells its peak.
const ONCE: &str = "--once";

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [once, content, out, pages] = arguments.as_slice()
        && once == ONCE
    {
        return build_once(Path::new(content), Path::new(out), pages == "pages");
    }
    let sizes: Vec<usize> = arguments.iter().map(|size| size.parse()).collect::<Result<_, _>>()?;
    let sizes = if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes };
    println!(
        "| providers | tree | files | MB | floor | on disk | full | nothing changed | one file | check | peak | work: full | nothing | one |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for providers in sizes {
        let folder = tempfile::tempdir()?;
        let content = folder.path().join("content");
        Clinic { providers, seed: 1, with_hours: false }.write(&content)?;
        for pages in [false, true] {
            measure(folder.path(), &content, providers, pages)?;
        }
    }
    Ok(())
}

/// One row.
fn measure(folder: &Path, content: &Path, providers: usize, pages: bool) -> Result<(), Failure> {
    // A large clinic takes long enough to be measured in fewer rounds.
    let rounds = if providers > 20_000 { 2 } else { 5 };
    let (mut floor, mut on_disk, mut check) = (vec![], vec![], vec![]);
    let (mut full, mut same, mut one) = (vec![], vec![], vec![]);
    let mut peak = 0;
    let edited = first_provider(content)?;
    for round in 0..rounds {
        // A folder of its own for each round, and nothing is removed before the end: no clinic builds on the places of
        // thousands of files which have just gone.
        let out = folder.join(format!("dist-{pages}-{round}"));
        let mut run = |runs: &mut Vec<Run>| -> Result<Run, Failure> {
            let run = Run::start(content, &out, pages)?;
            peak = peak.max(run.peak);
            runs.push(run);
            Ok(run)
        };
        run(&mut full)?;
        let again = run(&mut same)?;
        assert_eq!(again.written, 0, "nothing was changed");
        let text = fs::read_to_string(&edited)?;
        fs::write(&edited, text.replacen("bio = \"\"\"", &format!("bio = \"\"\"Edit {round} "), 1))?;
        assert!(run(&mut one)?.written > 0, "the edit is seen");
        fs::write(&edited, text)?;
        let (written, flushed) = raw(content, &out, &folder.join(format!("floor-{pages}-{round}")))?;
        floor.push(written);
        on_disk.push(flushed);
        let from = Instant::now();
        load_and_check(content, chrono::NaiveDate::default())?;
        check.push(from.elapsed());
    }
    let files = files(&folder.join(format!("dist-{pages}-0")))?;
    let bytes: u64 = files.iter().map(|file| fs::metadata(file).map_or(0, |found| found.len())).sum();
    println!(
        "| {providers} | {} | {} | {}.{} | {} | {} | {} | {} | {} | {} | {} MiB | {} | {} | {} |",
        if pages { "API and pages" } else { "API" },
        files.len(),
        bytes / 1_000_000,
        bytes / 100_000 % 10,
        spread(floor),
        spread(on_disk),
        took(&full),
        took(&same),
        took(&one),
        spread(check),
        peak / 1024,
        worked(&full),
        worked(&same),
        worked(&one),
    );
    Ok(())
}

/// What one build was like.
#[derive(Debug, Clone, Copy)]
struct Run {
    took: Duration,
    /// User and system time.
    worked: Duration,
    written: usize,
    /// In KiB.
    peak: u64,
}

impl Run {
    fn start(content: &Path, out: &Path, pages: bool) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg(ONCE).args([content, out]).arg(if pages { "pages" } else { "API" });
        let from = Instant::now();
        let output = command.output()?;
        let took = from.elapsed();
        let text = String::from_utf8(output.stdout)?;
        let numbers: Vec<u64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        match numbers[..] {
            [written, peak, worked] => {
                let worked = Duration::from_millis(worked);
                Ok(Self { took, worked, written: usize::try_from(written)?, peak })
            }
            _ => Err(format!("the build failed: {}", String::from_utf8_lossy(&output.stderr)).into()),
        }
    }
}

/// Builds as `nameplate build` does, by the same function, and tells what was written and the most memory that it took;
/// on standard error also after which phase how much time, work of all threads and memory was gone: content, plan, files (rendered, hashed, compared, and staged where they
/// differ), and the tree (links, flush, exchange; the old one removed).
fn build_once(content: &Path, out: &Path, pages: bool) -> Result<(), Failure> {
    let from = Instant::now();
    let step = |name: &str| -> Result<u64, Failure> {
        let status = fs::read_to_string("/proc/self/status")?;
        let kibibytes =
            |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("0 kB");
        let number = |name: &str| kibibytes(name).trim().trim_end_matches(" kB").parse::<u64>();
        let (now, peak) = (number("VmRSS:")?, number("VmHWM:")?);
        let (wall, work) = (from.elapsed().as_millis(), work()?.as_millis());
        writeln!(io::stderr(), "{name}: {wall} ms, {work} ms of work, {now} KiB, at most {peak} KiB")?;
        Ok(peak)
    };
    let snapshot = Snapshot::for_publishing(load_and_check(content, chrono::NaiveDate::default())?.directory);
    step("content")?;
    let options = BuildOptions { with_pages: pages, ..BuildOptions::new(content, out) };
    let left = AtomicUsize::new(0);
    // Two phases end inside the build; a figure that cannot be told there is not worth failing for.
    let tell = |progress| match progress {
        Progress::Planned(files) => {
            left.store(files, Ordering::Relaxed);
            _ = step("plan");
        }
        Progress::Rendered if left.fetch_sub(1, Ordering::Relaxed) == 1 => _ = step("files"),
        Progress::Rendered => {}
    };
    let summary = build_with_progress(&snapshot, &options, &tell)?;
    let peak = step("tree")?;
    println!("{} {peak} {}", summary.written, work()?.as_millis());
    Ok(())
}

/// What all threads of this process have worked so far, to a hundredth of a second.
fn work() -> Result<Duration, Failure> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name of the program stands in brackets and may hold spaces; user and system time are the twelfth and
    // thirteenth field behind it.
    let (_, behind) = text.rsplit_once(')').ok_or("no figures of this process")?;
    let ticks = behind.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    Ok(Duration::from_millis(10 * ticks.sum::<Result<u64, _>>()?))
}

/// Reads the content and writes the bytes of a tree, and nothing else: how long that takes, and how long until
/// all is on the disk.
fn raw(content: &Path, tree: &Path, to: &Path) -> Result<(Duration, Duration), Failure> {
    let names = files(tree)?;
    let bodies: Vec<(PathBuf, Vec<u8>)> = names
        .into_iter()
        .map(|name| Ok((to.join(name.strip_prefix(tree)?), fs::read(&name)?)))
        .collect::<Result<_, Failure>>()?;
    let from = Instant::now();
    files(content)?.par_iter().try_for_each(|file| fs::read(file).map(drop))?;
    for (path, _) in &bodies {
        fs::create_dir_all(path.parent().unwrap_or(to))?;
    }
    bodies.par_iter().try_for_each(|(path, body)| fs::write(path, body))?;
    let written = from.elapsed();
    flush(to)?;
    Ok((written, from.elapsed()))
}

/// Flushes the file system of a folder, where the system can.
fn flush(folder: &Path) -> Result<(), Failure> {
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(fs::File::open(folder)?)?;
    #[cfg(not(target_os = "linux"))]
    fs::File::open(folder)?.sync_all()?;
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

fn first_provider(content: &Path) -> Result<PathBuf, Failure> {
    files(&content.join("providers"))?.into_iter().next().ok_or_else(|| "no provider was invented".into())
}

fn took(runs: &[Run]) -> String {
    spread(runs.iter().map(|run| run.took))
}

fn worked(runs: &[Run]) -> String {
    let least = runs.iter().map(|run| run.worked).min().unwrap_or_default();
    format!("{:.2} s", least.as_secs_f64())
}

/// The least, and the greatest behind it: a neighbor on the same core makes anything take up to twice as long.
fn spread(times: impl IntoIterator<Item = Duration>) -> String {
    let times: Vec<f64> = times.into_iter().map(|time| time.as_secs_f64()).collect();
    let least = times.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = times.iter().copied().fold(0.0, f64::max);
    format!("{least:.2} s ({greatest:.2})")
}

//! How things are measured: many rounds, the median, nothing else on the clock.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The median time of one call, over rounds of many calls each.
#[must_use]
pub fn median<T>(mut call: impl FnMut() -> T) -> Duration {
    const ROUND: Duration = Duration::from_millis(4);
    const ROUNDS: usize = 51;
    // As many calls in a round as fill it, so that reading the clock costs nothing.
    let started = Instant::now();
    black_box(call());
    let one = started.elapsed().max(Duration::from_nanos(20));
    let calls = u32::try_from(ROUND.as_nanos() / one.as_nanos()).unwrap_or(u32::MAX).clamp(1, 100_000);
    let mut rounds: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            for _ in 0..calls {
                black_box(call());
            }
            started.elapsed() / calls
        })
        .collect();
    rounds.sort_unstable();
    rounds[ROUNDS / 2]
}

/// The most memory that this process has held so far, in MiB, where the system tells it.
#[must_use]
pub fn peak_mebibytes() -> Option<f64> {
    memory("VmHWM:")
}

/// The memory that this process holds, in MiB, where the system tells it.
#[must_use]
pub fn resident_mebibytes() -> Option<f64> {
    memory("VmRSS:")
}

#[expect(clippy::disallowed_methods, reason = "the system tells it in a file")]
fn memory(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes / 1024.0)
}

/// How long the processors have worked for this process so far, over all threads that still live, in seconds,
/// where the system tells it. On a busy machine it says more than the clock.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "the system tells it in files")]
pub fn processor_seconds() -> Option<f64> {
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let told = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        nanoseconds += told.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(nanoseconds / 1e9)
}

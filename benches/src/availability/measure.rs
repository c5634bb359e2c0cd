//! Time and memory.

use std::fmt::{self, Display, Formatter};
use std::thread;
use std::time::{Duration, Instant};

pub(crate) use benches::chance::Chance;

/// How long something takes, and what comes of it.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let made = work();
    (made, begin.elapsed())
}

/// How many medians are taken, and the pause between them. On a shared machine a neighbor can double every time for
/// seconds at a stretch.
const TRIES: usize = 15;
const PAUSE: Duration = Duration::from_millis(300);

/// The least and the greatest of several medians: what the work costs, and what it costs beside busy neighbors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    least: Duration,
    greatest: Duration,
}

impl Display for Spread {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", shown(self.least), shown(self.greatest))
    }
}

/// The medians over `samples` samples, each the mean of a batch: reading the clock costs about 40 ns.
pub(crate) fn medians(samples: usize, batch: usize, mut work: impl FnMut(usize)) -> Spread {
    let mut calls = 0..;
    let mut median = || {
        let mut taken: Vec<Duration> = (0..samples)
            .map(|_| {
                let begin = Instant::now();
                for nth in calls.by_ref().take(batch) {
                    work(nth);
                }
                begin.elapsed() / u32::try_from(batch).unwrap_or(u32::MAX)
            })
            .collect();
        taken.sort_unstable();
        taken.get(taken.len() / 2).copied().unwrap_or_default()
    };
    let first = median();
    (1..TRIES).fold(Spread { least: first, greatest: first }, |spread, _| {
        thread::sleep(PAUSE);
        let next = median();
        Spread { least: spread.least.min(next), greatest: spread.greatest.max(next) }
    })
}

/// The time of the slowest of several tasks. Each runs five times, and its shortest time counts.
pub(crate) fn slowest(count: usize, mut work: impl FnMut(usize)) -> Duration {
    let shortest = |nth| (0..5).map(|_| timed(|| work(nth)).1).min();
    (0..count).filter_map(shortest).max().unwrap_or_default()
}

/// A length of time in the unit that suits it.
pub(crate) fn shown(time: Duration) -> String {
    let nanoseconds = time.as_nanos();
    match nanoseconds {
        0..10_000 => format!("{:.2} µs", time.as_secs_f64() * 1e6),
        10_000..1_000_000 => format!("{:.0} µs", time.as_secs_f64() * 1e6),
        1_000_000..1_000_000_000 => format!("{:.1} ms", time.as_secs_f64() * 1e3),
        _ => format!("{:.2} s", time.as_secs_f64()),
    }
}

/// Bytes as whole megabytes.
pub(crate) fn megabytes(bytes: usize) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}

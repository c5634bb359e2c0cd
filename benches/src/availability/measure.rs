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

/// How often a median is taken, and how long nothing is measured in between.
///
/// Where machines are shared, a neighbour on the same core makes anything take up to twice as long for seconds on end.
pub(crate) const TRIES: usize = 15;
pub(crate) const PAUSE: Duration = Duration::from_millis(300);

/// A median that was taken several times: the least of them says what the work costs, the greatest what it costs beside
/// the neighbours of that moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    least: Duration,
    greatest: Duration,
}

impl Spread {
    /// The least and the greatest of both.
    pub(crate) fn with(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }
}

impl Display for Spread {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", shown(self.least), shown(self.greatest))
    }
}

/// The medians of so many samples, each the mean of a batch: the clock itself costs some 40 ns.
pub(crate) fn medians(samples: usize, batch: usize, work: impl FnMut(usize)) -> Spread {
    medians_after(PAUSE, samples, batch, work)
}

/// The same with another pause. What finds something else in memory each time is measured without one, too: a pause leaves
/// it to the neighbours how much of that is still near.
pub(crate) fn medians_after(
    pause: Duration,
    samples: usize,
    batch: usize,
    mut work: impl FnMut(usize),
) -> Spread {
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
        thread::sleep(pause);
        let next = median();
        Spread { least: spread.least.min(next), greatest: spread.greatest.max(next) }
    })
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

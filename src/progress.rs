//! A progress bar: on a terminal, and only for work that takes more than a second.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const DELAY: Duration = Duration::from_secs(1);
/// The columns of the bar, each of which is drawn once.
const COLUMNS: usize = 30;
/// Goes back to the beginning of the line and clears it.
const CLEARED: &str = "\r\x1b[2K";

#[derive(Debug)]
pub(crate) struct Bar {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    /// The columns that are drawn.
    drawn: AtomicUsize,
    is_shown: bool,
    began: Instant,
}

impl Bar {
    /// A bar for `total` steps; it stays hidden if standard error is not a terminal.
    pub(crate) fn new(total: usize, what: &'static str) -> Self {
        let (done, drawn) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { what, total, done, drawn, is_shown: io::stderr().is_terminal(), began: Instant::now() }
    }

    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let columns = (done * COLUMNS / self.total.max(1)).min(COLUMNS);
        if !self.is_shown || self.began.elapsed() < DELAY {
            return;
        }
        if self.drawn.fetch_max(columns, Ordering::Relaxed) < columns {
            let bar = format!("{:░<COLUMNS$}", "█".repeat(columns));
            _ = write!(io::stderr(), "{CLEARED}{bar} {done} of {} {}", self.total, self.what);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if *self.drawn.get_mut() > 0 {
            _ = write!(io::stderr(), "{CLEARED}");
        }
    }
}

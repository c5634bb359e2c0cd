//! What is being done: on a terminal, and only for work that takes more than a second.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::terminal::{can_move, is_quiet};

const DELAY: Duration = Duration::from_secs(1);
/// The columns of the bar, each of which is drawn once.
const COLUMNS: usize = 30;
/// Goes back to the beginning of the line and clears it.
const CLEARED: &str = "\r\x1b[2K";

pub(crate) struct Bar {
    what: &'static str,
    total: usize,
    done: AtomicUsize,
    drawn: AtomicUsize,
    is_shown: bool,
    began: Instant,
}

impl Bar {
    /// A bar for `total` steps; it stays hidden if standard error is not a terminal.
    pub(crate) fn new(total: usize, what: &'static str) -> Self {
        let (done, drawn) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Self { what, total, done, drawn, is_shown: is_shown(), began: Instant::now() }
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

/// Does work that has no steps to count, and says what it is.
pub(crate) fn while_slow<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !is_shown() {
        return work();
    }
    let (working, ended) = mpsc::channel::<()>();
    let tell = move || {
        if ended.recv_timeout(DELAY) == Err(RecvTimeoutError::Timeout) {
            _ = write!(io::stderr(), "{CLEARED}{what} …");
            _ = ended.recv();
            _ = write!(io::stderr(), "{CLEARED}");
        }
    };
    thread::scope(|scope| {
        // Without a thread, the work is done all the same.
        _ = thread::Builder::new().spawn_scoped(scope, tell);
        let done = work();
        drop(working);
        done
    })
}

fn is_shown() -> bool {
    can_move(&io::stderr()) && !is_quiet()
}

impl Drop for Bar {
    fn drop(&mut self) {
        if *self.drawn.get_mut() > 0 {
            _ = write!(io::stderr(), "{CLEARED}");
        }
    }
}

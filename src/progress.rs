//! A progress bar: on a terminal, and only for work that takes more than a second.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const DELAY: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    began: Instant,
}

impl Bar {
    /// A bar for `total` steps; it stays hidden if standard error is not a terminal.
    pub(crate) fn new(total: usize, what: &'static str) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
        });
        Self { bar, began: Instant::now() }
    }

    pub(crate) fn step(&self) {
        let Some(bar) = &self.bar else { return };
        bar.inc(1);
        if bar.is_hidden() && self.began.elapsed() > DELAY {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

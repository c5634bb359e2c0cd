//! A bar for what takes long: on a terminal, and only after a second, so that nothing flickers.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// So much of it is done. The bar goes away when this is dropped.
#[derive(Debug)]
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    from: Instant,
}

impl Bar {
    /// Nothing is drawn where nobody looks: standard error is no terminal.
    pub(crate) fn new(total: usize, what: &'static str) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::hidden());
            let style = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}");
            bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())).with_message(what)
        });
        Self { bar, from: Instant::now() }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        let Some(bar) = &self.bar else { return };
        bar.inc(1);
        if bar.is_hidden() && self.from.elapsed() > PATIENCE {
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

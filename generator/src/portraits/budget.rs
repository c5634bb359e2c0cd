//! Limits the pixels that are decoded at a time, on all threads together, to as many as the largest photograph may
//! have. Each pixel takes up to nine bytes.

use std::sync::{Condvar, Mutex, PoisonError};

use directory::content::MOST_PIXELS;

#[derive(Debug)]
pub(crate) struct Budget {
    free: Mutex<u64>,
    returned: Condvar,
}

/// Pixels that are given back when this is dropped.
#[derive(Debug)]
pub(super) struct Held<'a> {
    budget: &'a Budget,
    pixels: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { free: Mutex::new(MOST_PIXELS), returned: Condvar::new() }
    }
}

impl Budget {
    /// Waits until this many pixels are free. A thread that holds pixels never waits for another, so the wait always
    /// ends.
    pub(super) fn take(&self, pixels: u64) -> Held<'_> {
        let pixels = pixels.min(MOST_PIXELS);
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let is_short = |free: &mut u64| *free < pixels;
        let mut free = self.returned.wait_while(free, is_short).unwrap_or_else(PoisonError::into_inner);
        *free -= pixels;
        Held { budget: self, pixels }
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *self.budget.free.lock().unwrap_or_else(PoisonError::into_inner) += self.pixels;
        self.budget.returned.notify_all();
    }
}

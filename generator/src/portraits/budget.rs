//! Limits the pixels that all threads together decode at a time. Each pixel takes up to nine bytes.

use std::sync::{Condvar, Mutex, PoisonError};

use directory::content::MOST_PIXELS;

#[derive(Debug)]
pub(crate) struct Budget {
    free: Mutex<u64>,
    returned: Condvar,
}

#[derive(Debug)]
pub(super) struct ReservedPixels<'a> {
    budget: &'a Budget,
    pixels: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { free: Mutex::new(MOST_PIXELS), returned: Condvar::new() }
    }
}

impl Budget {
    /// The wait always ends, because no thread with reserved pixels waits for another.
    pub(super) fn reserve(&self, pixels: u64) -> ReservedPixels<'_> {
        let pixels = pixels.min(MOST_PIXELS);
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let is_short = |free: &mut u64| *free < pixels;
        let mut free = self.returned.wait_while(free, is_short).unwrap_or_else(PoisonError::into_inner);
        *free -= pixels;
        ReservedPixels { budget: self, pixels }
    }
}

impl Drop for ReservedPixels<'_> {
    fn drop(&mut self) {
        *self.budget.free.lock().unwrap_or_else(PoisonError::into_inner) += self.pixels;
        self.budget.returned.notify_all();
    }
}

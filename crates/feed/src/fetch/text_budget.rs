//! Bounds the memory for texts that are being read. Several files are fetched at once, and their expanded sizes are not known
//! in advance. So each text claims its bytes of one budget before it allocates them, and gives them back once it is parsed.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
pub(crate) struct TextBudget {
    each: usize,
    total: usize,
    left: AtomicUsize,
}

impl TextBudget {
    pub(crate) fn new(each: usize, total: usize) -> Arc<Self> {
        Arc::new(Self { each, total, left: AtomicUsize::new(total) })
    }

    pub(super) fn claim(self: &Arc<Self>) -> Claim {
        Claim { budget: Arc::clone(self), bytes: 0 }
    }
}

/// The bytes of a budget that one text claims, until this is dropped.
#[derive(Debug)]
pub(super) struct Claim {
    budget: Arc<TextBudget>,
    bytes: usize,
}

impl Claim {
    /// Claims this many bytes in all, and some more if there is room, so that a text seldom moves. Returns how many it has.
    pub(super) fn room(&mut self, bytes: usize) -> Result<usize, String> {
        let (missing, ample) = (bytes.saturating_sub(self.bytes), self.bytes / 8);
        if missing > 0 && (ample <= missing || self.grow(ample).is_err()) {
            self.grow(missing)?;
        }
        Ok(self.bytes)
    }

    pub(super) fn grow(&mut self, by: usize) -> Result<(), String> {
        let TextBudget { each, total, left } = &*self.budget;
        if by > each - self.bytes {
            return Err(format!("it expands to more than {each} bytes"));
        }
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(by))
            .map_err(|_| format!("all files together expand to more than {total} bytes"))?;
        self.bytes += by;
        Ok(())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.budget.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(crate) struct HeldText {
    pub(crate) text: String,
    pub(super) _claim: Claim,
}

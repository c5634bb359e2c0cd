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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_grows_claims_an_eighth_more_while_there_is_room() {
        let budget = TextBudget::new(100, 150);
        let mut one = budget.claim();
        assert_eq!(
            [one.room(80), one.room(81), one.room(90), one.room(95)],
            [Ok(80), Ok(90), Ok(90), Ok(95)]
        );
        assert!(one.room(101).unwrap_err().contains("more than 100 bytes"));

        let mut other = budget.claim();
        // An eighth more would be too much for all, and the text's own bytes are not.
        assert_eq!([other.room(54), other.room(55)], [Ok(54), Ok(55)]);
        assert!(other.room(56).unwrap_err().contains("more than 150 bytes"));
        drop(one);
        assert_eq!(other.room(56), Ok(61));
    }
}

//! Bounds the memory for texts that are being read.
//!
//! Several files are fetched at once, and the expanded size of each is unknown before. So they share one budget: each takes
//! its bytes from it before it allocates them, and gives them back when its text has been read. The source counts what it
//! keeps of the files.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The budget: for each text, and for all at once.
#[derive(Debug)]
pub(super) struct Room {
    each: usize,
    total: usize,
    left: AtomicUsize,
}

impl Room {
    pub(super) fn new(each: usize, total: usize) -> Arc<Self> {
        Arc::new(Self { each, total, left: AtomicUsize::new(total) })
    }

    /// A place for one text, of no bytes yet.
    pub(super) fn place(self: &Arc<Self>) -> Place {
        Place { room: Arc::clone(self), bytes: 0 }
    }
}

/// The bytes that one text takes of a room, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    room: Arc<Room>,
    bytes: usize,
}

impl Place {
    /// Takes `by` more bytes, or returns why it cannot.
    pub(super) fn grow(&mut self, by: usize) -> Result<(), String> {
        let Room { each, total, left } = &*self.room;
        if by > each - self.bytes {
            return Err(format!("it expands to more than {each} bytes"));
        }
        left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(by))
            .map_err(|_| format!("all files together expand to more than {total} bytes"))?;
        self.bytes += by;
        Ok(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

/// A text and its place in a room.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) _place: Place,
}

//! How much text of a publisher's files may be in memory while it is being read.
//!
//! Several files are fetched at once, and how much each expands to is known only when it has. So they share one
//! room: each takes its place in it byte by byte, before it has the bytes, and gives it back when its text has been
//! read. What is kept of the files is counted by the source.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the texts may have: each of them, and all that are there at once.
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

    /// A place for one text, without a byte as yet.
    pub(super) fn place(self: &Arc<Self>) -> Place {
        Place { room: Arc::clone(self), bytes: 0 }
    }
}

/// What one text takes of a room, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    room: Arc<Room>,
    bytes: usize,
}

impl Place {
    /// Takes so many bytes more, or says why not.
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

/// A text that has its place.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) text: String,
    pub(super) _place: Place,
}

//! The last bookings of one provider, which that one's runs do not know of yet.
//!
//! A booking is a bit in a row and a start here, in the line of memory that was read for it anyway; the runs, which
//! lie elsewhere, are cut when there is no room left, once for several bookings.

/// As many fit in what is left of that line.
const ROOM: usize = 4;
/// No start: an index that reached so far would not be built.
const FREE: u32 = u32::MAX;

/// A few starts, each once.
#[derive(Debug, Clone, Copy)]
pub(in crate::calendar) struct Taken([u32; ROOM]);

impl Default for Taken {
    fn default() -> Self {
        Self([FREE; ROOM])
    }
}

impl Taken {
    /// Adds a start; false when there is no room for it.
    pub(in crate::calendar) fn add(&mut self, start: u32) -> bool {
        let free = self.0.iter_mut().find(|place| **place == FREE);
        free.map(|place| *place = start).is_some()
    }

    #[inline]
    pub(in crate::calendar) fn has(&self, start: u32) -> bool {
        self.0.contains(&start)
    }

    #[inline]
    pub(in crate::calendar) fn is_empty(&self) -> bool {
        self.0[0] == FREE
    }

    pub(in crate::calendar) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().copied().filter(|&start| start != FREE)
    }
}

//! Bounds the memory for the bodies of requests and for responses that are not written yet.
//!
//! All clients share one bound, so that unread responses cannot exhaust the memory. At the bound, further requests get 503
//! until responses are read or cut at their deadlines.

use std::sync::Arc;

use directory::api::{Fault, FaultKind};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The bytes of one permit: a call of the semaphore takes at most 2^32 permits.
const UNIT: usize = 1024;

/// A number of bytes to reserve from. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
    /// All units. A larger reservation takes this many, because it would never succeed otherwise.
    total: u32,
}

/// Bytes that are reserved until this is dropped.
#[derive(Debug)]
pub(crate) struct Reserved(OwnedSemaphorePermit);

/// The bytes that a response holds until it is written, as one of its extensions, if they are not its body's length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held(pub(crate) usize);

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        let total = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).max(1);
        Self { units: Arc::new(Semaphore::new(total as usize)), total }
    }

    /// Reserves bytes now; `None` if there are not enough.
    pub(crate) fn try_reserve(&self, bytes: usize) -> Option<Reserved> {
        Arc::clone(&self.units).try_acquire_many_owned(self.units(bytes)).ok().map(Reserved)
    }

    /// Reserves bytes, and waits until there are enough. Reservations that wait are served first in, first out, before any
    /// [`try_reserve`](Self::try_reserve).
    pub(crate) async fn reserve(&self, bytes: usize) -> Option<Reserved> {
        // The semaphore is never closed.
        Arc::clone(&self.units).acquire_many_owned(self.units(bytes)).await.ok().map(Reserved)
    }

    fn units(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.total)
    }
}

impl Reserved {
    /// Gives back all but this number of bytes. A smaller reservation stays as it is.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let above = self.0.num_permits().saturating_sub(bytes.div_ceil(UNIT));
        drop(self.0.split(above));
    }
}

/// The error of a request for which not enough is left.
pub(crate) fn exhausted() -> Fault {
    let message = "too many responses are waiting to be read; try again in a moment";
    Fault::of_transport(FaultKind::Overloaded, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn reserved_bytes_are_given_back_when_they_are_dropped() {
        let budget = Budget::new(10 * UNIT);
        let mut most = budget.try_reserve(9 * UNIT).unwrap();
        assert!(budget.try_reserve(UNIT + 1).is_none());
        most.shrink_to(8 * UNIT - 1);
        let two = budget.try_reserve(UNIT + 1).unwrap();
        assert!(budget.try_reserve(1).is_none());
        drop((most, two));
        assert!(budget.reserve(usize::MAX).await.is_some(), "more than the whole budget waits for the whole");
    }
}

//! The memory that may be held for clients at once: bodies of requests, and responses that are not written yet.
//!
//! Without a common bound, a few clients that read nothing could make the service hold responses until the system kills
//! it. With it, further requests are answered by 503 until clients have read, or their deadlines have ended them.

use std::sync::Arc;

use directory::api::{Fault, FaultKind};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The unit of the count: a semaphore counts at most 2^32 of them.
const UNIT: usize = 1024;

/// The bytes that are left. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
    /// A larger reservation would never succeed, so it is made as large as this.
    total: u32,
}

/// Bytes that count until this is dropped.
#[derive(Debug)]
pub(crate) struct Reserved(OwnedSemaphorePermit);

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        let total = u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).max(1);
        Self { units: Arc::new(Semaphore::new(total as usize)), total }
    }

    /// Reserves bytes now; `None` if there are not enough.
    pub(crate) fn try_reserve(&self, bytes: usize) -> Option<Reserved> {
        Arc::clone(&self.units).try_acquire_many_owned(self.units(bytes)).ok().map(Reserved)
    }

    /// Reserves bytes, and waits for them if necessary.
    pub(crate) async fn reserve(&self, bytes: usize) -> Option<Reserved> {
        // The semaphore is never closed.
        Arc::clone(&self.units).acquire_many_owned(self.units(bytes)).await.ok().map(Reserved)
    }

    fn units(&self, bytes: usize) -> u32 {
        u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.total)
    }
}

impl Reserved {
    /// Gives back what is above this number of bytes.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let above = self.0.num_permits().saturating_sub(bytes.div_ceil(UNIT));
        drop(self.0.split(above));
    }
}

/// The error of a request for which nothing is left.
pub(crate) fn exhausted() -> Fault {
    let message = "too many responses are waiting to be read; try again in a moment";
    Fault::of_transport(FaultKind::Overloaded, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_reserved_is_missing_until_it_is_dropped() {
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

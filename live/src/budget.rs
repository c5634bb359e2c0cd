//! Bounds the memory that clients hold together: requests, and responses that are not written yet. Half of it is for
//! requests that are alone on their connection: clients with many streams cannot take it. At the bound, requests get 503.

use std::sync::Arc;

use bytes::Bytes;
use directory::api::{Fault, FaultKind};
use smallvec::SmallVec;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The bytes of one permit: a call of the semaphore takes at most 2^32 permits.
const UNIT: usize = 1024;
/// A request that is alone takes at most one part in this many of what is left, so a few large responses leave room for many
/// small ones.
const PARTS: usize = 16;

/// Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Budget {
    alone: Arc<Semaphore>,
    shared: Arc<Semaphore>,
    /// All shared units. A larger reservation takes this many, because it would never succeed otherwise.
    total: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Reserved(SmallVec<[OwnedSemaphorePermit; 2]>);

/// What a response takes until it is written, as one of its extensions, if it is not its body's length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Occupied(pub(crate) usize);

struct Holding<B, C> {
    bytes: B,
    _claim: C,
}

impl<B: AsRef<[u8]>, C> AsRef<[u8]> for Holding<B, C> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// Bytes that keep a claim, such as reserved memory, until they are written.
pub(crate) fn holding<C: Send + 'static>(bytes: impl AsRef<[u8]> + Send + 'static, claim: C) -> Bytes {
    Bytes::from_owner(Holding { bytes, _claim: claim })
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        let total = (bytes / 2).div_ceil(UNIT).clamp(1, u32::MAX as usize);
        Self { alone: Arc::new(Semaphore::new(total)), shared: Arc::new(Semaphore::new(total)), total }
    }

    /// Makes a reservation at least this large. If there are not enough bytes, it stays as it is.
    pub(crate) fn grow(&self, reserved: &mut Reserved, bytes: usize, is_alone: bool) -> bool {
        let missing = bytes.div_ceil(UNIT).min(self.total).saturating_sub(reserved.units());
        if missing == 0 {
            return true;
        }
        let has_share = is_alone && missing <= self.alone.available_permits() / PARTS;
        let own = has_share.then(|| take(&self.alone, missing)).flatten();
        let taken = own.or_else(|| take(&self.shared, missing));
        let is_taken = taken.is_some();
        reserved.0.extend(taken);
        is_taken
    }

    /// Waits until there are enough shared bytes, before any later [`grow`](Self::grow) of them.
    pub(crate) async fn reserve(&self, bytes: usize) -> Reserved {
        let units = u32::try_from(bytes.div_ceil(UNIT).min(self.total)).unwrap_or(u32::MAX);
        // The semaphore is never closed.
        Reserved(Arc::clone(&self.shared).acquire_many_owned(units).await.into_iter().collect())
    }
}

fn take(units: &Arc<Semaphore>, number: usize) -> Option<OwnedSemaphorePermit> {
    Arc::clone(units).try_acquire_many_owned(u32::try_from(number).ok()?).ok()
}

impl Reserved {
    fn units(&self) -> usize {
        self.0.iter().map(OwnedSemaphorePermit::num_permits).sum()
    }

    /// A smaller reservation stays as it is.
    pub(crate) fn shrink_to(&mut self, bytes: usize) {
        let mut above = self.units().saturating_sub(bytes.div_ceil(UNIT));
        for permit in self.0.iter_mut().rev() {
            let part = above.min(permit.num_permits());
            above -= part;
            drop(permit.split(part));
        }
    }
}

pub(crate) fn exhausted() -> Fault {
    let message = "too many requests and unread responses at once; try again in a moment";
    Fault::of_transport(FaultKind::Overloaded, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_reserve(budget: &Budget, bytes: usize, is_alone: bool) -> Option<Reserved> {
        let mut reserved = Reserved::default();
        budget.grow(&mut reserved, bytes, is_alone).then_some(reserved)
    }

    #[tokio::test]
    async fn reserved_bytes_are_given_back_when_they_are_dropped() {
        let budget = Budget::new(20 * UNIT);
        let mut most = try_reserve(&budget, 5 * UNIT, false).unwrap();
        assert!(budget.grow(&mut most, 9 * UNIT, false));
        assert!(try_reserve(&budget, UNIT + 1, false).is_none());
        let last = try_reserve(&budget, UNIT, false).unwrap();
        assert!(!budget.grow(&mut most, 11 * UNIT, false));
        assert_eq!(most.units(), 9, "a failed growth changes nothing");
        drop(last);
        most.shrink_to(8 * UNIT - 1);
        let two = try_reserve(&budget, UNIT + 1, false).unwrap();
        assert!(try_reserve(&budget, 1, false).is_none());
        most.shrink_to(UNIT);
        assert!(try_reserve(&budget, usize::MAX, false).is_none());
        drop((most, two));
        assert_eq!(budget.reserve(usize::MAX).await.units(), 10, "more than all waits for all");
    }

    #[tokio::test]
    async fn a_request_beside_others_can_have_a_response_larger_than_all_bytes() {
        let budget = Budget::new(20 * UNIT);
        let mut large = try_reserve(&budget, 2 * UNIT, false).unwrap();
        assert!(budget.grow(&mut large, 1_000 * UNIT, false), "no one else has shared bytes");
        assert!(try_reserve(&budget, 1, false).is_none());
        drop(large);
        let (other, mut large) =
            (try_reserve(&budget, 1, false), try_reserve(&budget, 2 * UNIT, false).unwrap());
        assert!(!budget.grow(&mut large, 1_000 * UNIT, false));
        drop(other);
        assert!(budget.grow(&mut large, 1_000 * UNIT, false));
    }

    #[tokio::test]
    async fn requests_that_are_alone_have_bytes_of_their_own_and_large_ones_leave_room_for_small_ones() {
        let budget = Budget::new(2 * 160 * UNIT);
        let shared = try_reserve(&budget, 160 * UNIT, false).unwrap();
        assert!(try_reserve(&budget, 1, false).is_none());
        assert!(try_reserve(&budget, 11 * UNIT, true).is_none(), "more than a 16th of what is left");
        let alone: Vec<_> = std::iter::from_fn(|| try_reserve(&budget, 10 * UNIT, true)).collect();
        assert_eq!(alone.len(), 1, "the second would be more than a 16th of 150");
        let small: Vec<_> = std::iter::from_fn(|| try_reserve(&budget, UNIT, true)).collect();
        assert_eq!(small.len(), 150 - 15, "each is at most a 16th of what is left");
        drop(shared);
        assert!(try_reserve(&budget, 100 * UNIT, true).is_some(), "the shared bytes are for all");
    }
}

//! A connection's phase and its deadline, shared by the connection's stream ([`super::timed`]) and its requests.
//!
//! A connection is in one of three phases, each with its own deadline:
//! 1. reading a head: from accepting the connection, or from the first byte after an idle phase;
//! 2. answering: while a request is in flight, from the end of its head until its response is written. The deadline is
//!    that of the oldest request in flight, so later requests on the same connection do not extend it;
//! 3. idle between requests.
//!
//! The start of a head and of an idle phase is read from the clock when the deadline is first needed, which is when a
//! read has to wait. So a connection whose next bytes have already arrived reads the clock once per request.
//!
//! Over HTTP/2, bytes also arrive without a request (pings, window updates), so bytes do not end the idle phase there:
//! a request must begin before its deadline.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use tokio::time::Instant;

use crate::config::Limits;

#[derive(Debug)]
pub(super) struct ConnectionPhase {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// When the head or the idle phase began; `None` until it is needed.
    since: Option<Instant>,
    /// The requests in flight, the oldest first: a number, and when the head was complete.
    in_flight: VecDeque<(u64, Instant)>,
    requests: u64,
    multiplexed: bool,
    /// Set when the connection has to make way for another one.
    is_evicted: bool,
    /// The task that reads from the connection.
    reader: Option<Waker>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Head,
    Answer,
    Idle,
}

impl ConnectionPhase {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        let state = State {
            phase: Phase::Head,
            since: Some(Instant::now()),
            in_flight: VecDeque::new(),
            requests: 0,
            multiplexed: false,
            is_evicted: false,
            reader: None,
        };
        Arc::new(Self { limits, state: Mutex::new(state) })
    }

    pub(super) fn bytes_read(&self) {
        let mut state = self.state();
        if state.phase == Phase::Idle && !state.multiplexed {
            state.enter(Phase::Head);
        }
    }

    /// Reports that a head is complete. The request is in flight until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>, multiplexed: bool) -> (InFlight, Instant) {
        let now = Instant::now();
        let mut state = self.state();
        let number = state.requests;
        state.requests += 1;
        state.in_flight.push_back((number, now));
        state.multiplexed = multiplexed;
        state.enter(Phase::Answer);
        (InFlight { phase: Arc::clone(self), number }, now)
    }

    /// The phase's deadline. `blocked_since`: the time since which bytes wait to be written.
    pub(super) fn deadline(&self, blocked_since: Option<Instant>) -> Instant {
        let mut state = self.state();
        if state.is_evicted {
            return Instant::now();
        }
        let deadline = match (state.phase, state.in_flight.front()) {
            (Phase::Answer, Some((_, began))) => *began + self.limits.answer,
            (Phase::Head, _) => state.since() + self.limits.head,
            _ => state.since() + self.limits.idle,
        };
        blocked_since.map_or(deadline, |blocked| deadline.min(blocked + self.limits.stalled))
    }

    /// Remembers the task that reads, so that [`evict`](Self::evict) can end it.
    pub(super) fn read_waits(&self, context: &Context<'_>) {
        let mut state = self.state();
        match &mut state.reader {
            Some(reader) => reader.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
    }

    /// Since when the connection has had no request in flight; `None` while it has one.
    pub(super) fn resting_since(&self) -> Option<Instant> {
        let mut state = self.state();
        state.in_flight.is_empty().then(|| state.since())
    }

    /// Ends the connection if no request is in flight; returns whether it does.
    pub(super) fn evict(&self) -> bool {
        let mut state = self.state();
        state.is_evicted |= state.in_flight.is_empty();
        if state.is_evicted
            && let Some(reader) = state.reader.take()
        {
            reader.wake();
        }
        state.is_evicted
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn since(&mut self) -> Instant {
        *self.since.get_or_insert_with(Instant::now)
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = None;
    }
}

/// Counts a request as in flight until its response is written or given up.
#[derive(Debug)]
pub(super) struct InFlight {
    phase: Arc<ConnectionPhase>,
    number: u64,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.phase.state();
        state.in_flight.retain(|(number, _)| *number != self.number);
        if state.in_flight.is_empty() {
            state.enter(Phase::Idle);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn left(phase: &ConnectionPhase) -> Duration {
        phase.deadline(None) - Instant::now()
    }

    #[tokio::test(start_paused = true)]
    async fn each_phase_has_its_own_deadline() {
        let limits = Limits::default();
        let phase = ConnectionPhase::new(limits);
        assert_eq!(left(&phase), limits.head);
        tokio::time::advance(Duration::from_secs(3)).await;
        phase.bytes_read();
        assert_eq!(left(&phase) + Duration::from_secs(3), limits.head, "further bytes do not extend a head");
        let (request, _) = phase.begin_request(false);
        assert_eq!(left(&phase), limits.answer);
        let blocked = Some(Instant::now());
        assert_eq!(phase.deadline(blocked) - Instant::now(), limits.stalled);
        drop(request);
        assert_eq!(left(&phase), limits.idle);
        phase.bytes_read();
        assert_eq!(left(&phase), limits.head);
    }

    #[tokio::test(start_paused = true)]
    async fn a_later_request_does_not_extend_the_deadline_of_an_earlier_one() {
        let limits = Limits::default();
        let phase = ConnectionPhase::new(limits);
        let (stuck, _) = phase.begin_request(true);
        for _ in 0..4 {
            tokio::time::advance(Duration::from_secs(15)).await;
            drop(phase.begin_request(true));
        }
        assert_eq!(left(&phase) + Duration::from_mins(1), limits.answer);
        let (second, _) = phase.begin_request(true);
        drop(stuck);
        assert_eq!(left(&phase), limits.answer);
        drop(second);
        assert_eq!(left(&phase), limits.idle);
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_resting_connection_is_evicted() {
        let phase = ConnectionPhase::new(Limits::default());
        let (request, _) = phase.begin_request(false);
        assert_eq!(phase.resting_since(), None);
        assert!(!phase.evict());
        drop(request);
        assert_eq!(phase.resting_since(), Some(Instant::now()));
        assert!(phase.evict());
        assert_eq!(left(&phase), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_do_not_end_the_idle_phase_of_a_multiplexed_connection() {
        let limits = Limits::default();
        let phase = ConnectionPhase::new(limits);
        let ((first, _), (second, _)) = (phase.begin_request(true), phase.begin_request(true));
        drop(first);
        assert_eq!(left(&phase), limits.answer);
        drop(second);
        phase.bytes_read();
        assert_eq!(left(&phase), limits.idle);
    }
}

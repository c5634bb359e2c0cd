//! A connection's phase and its deadline, shared by its stream ([`super::timed`]) and its requests. While requests are in
//! flight, the oldest one's deadline counts, so later ones do not extend it. The clock is read only when a read has to wait.
//! Over HTTP/2, bytes also arrive without a request (pings, window updates), so bytes do not end the idle phase there.

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
    /// Of the head or the idle phase; `None` until the clock is read.
    since: Option<Instant>,
    /// The oldest first: a number, and when the head was complete.
    in_flight: VecDeque<(u64, Instant)>,
    next_request: u64,
    is_multiplexed: bool,
    /// Since the last request.
    has_waited: bool,
    /// To admit another connection.
    is_evicted: bool,
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
            next_request: 0,
            is_multiplexed: false,
            has_waited: true,
            is_evicted: false,
            reader: None,
        };
        Arc::new(Self { limits, state: Mutex::new(state) })
    }

    /// Over HTTP/1, bytes end an idle phase.
    pub(super) fn bytes_read(&self) {
        let mut state = self.state();
        if state.phase == Phase::Idle && !state.is_multiplexed {
            state.enter(Phase::Head);
        }
    }

    /// The guard keeps the request in flight until it is dropped.
    pub(super) fn begin_request(self: &Arc<Self>, is_multiplexed: bool) -> (InFlight, Instant) {
        let now = Instant::now();
        let mut state = self.state();
        let number = state.next_request;
        state.next_request += 1;
        let is_alone = state.in_flight.is_empty();
        state.in_flight.push_back((number, now));
        state.is_multiplexed = is_multiplexed;
        let has_waited = std::mem::take(&mut state.has_waited);
        let is_in_bulk = if is_multiplexed { !is_alone } else { !has_waited };
        state.enter(Phase::Answer);
        (InFlight { phase: Arc::clone(self), number, is_alone, is_in_bulk }, now)
    }

    /// Now for an evicted connection. `blocked_since` is when a write began to wait for the client, if one does.
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

    /// [`evict`](Self::evict) can wake it.
    pub(super) fn read_waits(&self, context: &Context<'_>) {
        let mut state = self.state();
        state.has_waited = true;
        match &mut state.reader {
            Some(reader) => reader.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
    }

    /// `None` while a request is in flight.
    pub(super) fn unused_since(&self) -> Option<Instant> {
        let mut state = self.state();
        state.in_flight.is_empty().then(|| state.since())
    }

    /// Not while a request is in flight. The read is woken, finds that the deadline has passed, and fails.
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

/// Until the response is written or the connection ends.
#[derive(Debug)]
pub(super) struct InFlight {
    phase: Arc<ConnectionPhase>,
    number: u64,
    pub(super) is_alone: bool,
    /// It was sent before the client had the response to the one before.
    pub(super) is_in_bulk: bool,
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
        assert!(stuck.is_alone && !second.is_alone);
        drop(stuck);
        assert_eq!(left(&phase), limits.answer);
        drop(second);
        assert_eq!(left(&phase), limits.idle);
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_with_a_request_in_flight_is_not_evicted() {
        let phase = ConnectionPhase::new(Limits::default());
        let (request, _) = phase.begin_request(false);
        assert_eq!(phase.unused_since(), None);
        assert!(!phase.evict());
        drop(request);
        assert_eq!(phase.unused_since(), Some(Instant::now()));
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

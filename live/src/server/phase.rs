//! A connection's phase and its deadline, shared by the connection's stream ([`super::timed`]) and its requests.
//!
//! A connection is in one of three phases, each with its own deadline:
//! 1. reading a head: from accepting the connection, or from the first byte after an idle phase;
//! 2. answering: from the end of the head until the client has read the whole response;
//! 3. idle between requests.
//!
//! hyper may drop a response's body long before its bytes are written. While bytes wait to be written, the second
//! deadline applies; the idle phase begins when they are written.
//!
//! The start of a head and of an idle phase is read from the clock when the deadline is first needed, which is when a
//! read has to wait. So a connection whose next bytes have already arrived reads the clock once per request.
//!
//! Over HTTP/2, bytes also arrive without a request (pings, window updates), so bytes do not end the idle phase there:
//! a request must begin before its deadline.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// When the phase began; `None` until its deadline is needed.
    since: Option<Instant>,
    began: Instant,
    in_flight: usize,
    multiplexed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Head,
    Answer,
    Idle,
}

impl ConnectionPhase {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        let now = Instant::now();
        let state =
            State { phase: Phase::Head, since: Some(now), began: now, in_flight: 0, multiplexed: false };
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
        state.in_flight += 1;
        state.multiplexed = multiplexed;
        state.phase = Phase::Answer;
        state.since = Some(now);
        state.began = now;
        (InFlight(Arc::clone(self)), now)
    }

    /// The phase's deadline. `blocked_since`: the time since which bytes wait to be written.
    pub(super) fn deadline(&self, blocked_since: Option<Instant>) -> Instant {
        let mut state = self.state();
        let since = *state.since.get_or_insert_with(Instant::now);
        match (state.phase, blocked_since) {
            (Phase::Idle, Some(blocked)) => {
                (state.began + self.limits.answer).min(blocked + self.limits.stalled)
            }
            (Phase::Idle, None) => since + self.limits.idle,
            (Phase::Answer, blocked) => {
                let deadline = since + self.limits.answer;
                blocked.map_or(deadline, |blocked| deadline.min(blocked + self.limits.stalled))
            }
            (Phase::Head, _) => since + self.limits.head,
        }
    }

    pub(super) fn write_unblocked(&self) {
        let mut state = self.state();
        if state.phase == Phase::Idle {
            state.enter(Phase::Idle);
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.since = None;
    }
}

/// Counts a request as in flight; it is held by the response's body.
#[derive(Debug)]
pub(super) struct InFlight(Arc<ConnectionPhase>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        let phase = if state.in_flight == 0 { Phase::Idle } else { Phase::Answer };
        state.enter(phase);
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
        drop(request);
        assert_eq!(left(&phase), limits.idle);
        tokio::time::advance(Duration::from_secs(7)).await;
        let blocked = Some(Instant::now());
        assert_eq!(phase.deadline(blocked) - Instant::now(), limits.stalled);
        tokio::time::advance(Duration::from_secs(100)).await;
        let blocked = Some(Instant::now());
        assert_eq!(phase.deadline(blocked) - Instant::now() + Duration::from_secs(107), limits.answer);
        phase.write_unblocked();
        assert_eq!(left(&phase), limits.idle);
        phase.bytes_read();
        assert_eq!(left(&phase), limits.head);
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

//! What a connection is doing, and until when it may: shared by its bytes ([`super::timed`]) and its requests.
//!
//! A connection is in one of three phases, and each has its own deadline:
//! 1. reading a head: from the connection, or from the first byte after a pause;
//! 2. answering: from the head until the whole answer has been taken over, however slowly the client reads;
//! 3. resting between requests.
//!
//! hyper may take over an answer's whole body long before the client has taken its bytes. As long as bytes
//! wait to be written, the second deadline counts, and the rest begins when they have gone.
//!
//! The beginning of a head and of a rest is read from the clock when the deadline is first asked for, which is as soon
//! as a read has to wait: a connection whose next bytes are already there asks the clock once a request.
//!
//! Over HTTP/2 bytes also come for reasons of their own (pings, windows), so there they do not end a rest:
//! a request must begin before the rest is over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use crate::config::Limits;

/// One connection's phase.
#[derive(Debug)]
pub(super) struct Pulse {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phase: Phase,
    /// When the phase began; `None` until somebody asks.
    since: Option<Instant>,
    /// When the last request's head was complete.
    began: Instant,
    in_flight: usize,
    multiplexed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Head,
    Answer,
    Rest,
}

impl Pulse {
    /// A connection that has just been accepted.
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        let now = Instant::now();
        let state =
            State { phase: Phase::Head, since: Some(now), began: now, in_flight: 0, multiplexed: false };
        Arc::new(Self { limits, state: Mutex::new(state) })
    }

    /// Bytes have come.
    pub(super) fn heard(&self) {
        let mut state = self.state();
        if state.phase == Phase::Rest && !state.multiplexed {
            state.enter(Phase::Head);
        }
    }

    /// A head is complete, now; the request is in flight until what is returned here is dropped.
    pub(super) fn begin(self: &Arc<Self>, multiplexed: bool) -> (InFlight, Instant) {
        let now = Instant::now();
        let mut state = self.state();
        state.in_flight += 1;
        state.multiplexed = multiplexed;
        state.phase = Phase::Answer;
        state.since = Some(now);
        state.began = now;
        (InFlight(Arc::clone(self)), now)
    }

    /// When the phase will have taken too long. `stuck_since`: bytes have been waiting to be written.
    pub(super) fn deadline(&self, stuck_since: Option<Instant>) -> Instant {
        let mut state = self.state();
        let since = *state.since.get_or_insert_with(Instant::now);
        match (state.phase, stuck_since) {
            (Phase::Rest, Some(stuck)) => (state.began + self.limits.answer).min(stuck + self.limits.stalled),
            (Phase::Rest, None) => since + self.limits.idle,
            (Phase::Answer, stuck) => {
                let deadline = since + self.limits.answer;
                stuck.map_or(deadline, |stuck| deadline.min(stuck + self.limits.stalled))
            }
            (Phase::Head, _) => since + self.limits.head,
        }
    }

    /// Bytes that had to wait have been written.
    pub(super) fn moved_on(&self) {
        let mut state = self.state();
        if state.phase == Phase::Rest {
            state.enter(Phase::Rest);
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

/// A request on its way; it travels with the answer's body.
#[derive(Debug)]
pub(super) struct InFlight(Arc<Pulse>);

impl Drop for InFlight {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.in_flight -= 1;
        let phase = if state.in_flight == 0 { Phase::Rest } else { Phase::Answer };
        state.enter(phase);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn left(pulse: &Pulse) -> Duration {
        pulse.deadline(None) - Instant::now()
    }

    #[tokio::test(start_paused = true)]
    async fn each_phase_has_its_own_deadline() {
        let limits = Limits::default();
        let pulse = Pulse::new(limits);
        assert_eq!(left(&pulse), limits.head);
        tokio::time::advance(Duration::from_secs(3)).await;
        pulse.heard();
        assert_eq!(left(&pulse) + Duration::from_secs(3), limits.head, "dripping does not prolong a head");
        let (request, _) = pulse.begin(false);
        assert_eq!(left(&pulse), limits.answer);
        drop(request);
        assert_eq!(left(&pulse), limits.idle);
        tokio::time::advance(Duration::from_secs(7)).await;
        let stuck = Some(Instant::now());
        assert_eq!(pulse.deadline(stuck) - Instant::now(), limits.stalled);
        tokio::time::advance(Duration::from_secs(100)).await;
        let stuck = Some(Instant::now());
        assert_eq!(pulse.deadline(stuck) - Instant::now() + Duration::from_secs(107), limits.answer);
        pulse.moved_on();
        assert_eq!(left(&pulse), limits.idle);
        pulse.heard();
        assert_eq!(left(&pulse), limits.head);
    }

    #[tokio::test(start_paused = true)]
    async fn bytes_do_not_end_the_rest_of_a_multiplexed_connection() {
        let limits = Limits::default();
        let pulse = Pulse::new(limits);
        let ((first, _), (second, _)) = (pulse.begin(true), pulse.begin(true));
        drop(first);
        assert_eq!(left(&pulse), limits.answer);
        drop(second);
        pulse.heard();
        assert_eq!(left(&pulse), limits.idle);
    }
}

//! What is asked for again before anything in it has changed: open slots, and searches for clinicians.
//!
//! A page that is shared, or an assistant that many talk to, asks the same question again and again. So an answer is
//! kept from the second time on, and given as it is while it holds: a full page of slots is the same bytes until the
//! first of its starts can no longer be booked in time, and a page of clinicians as long as there is its directory.
//! What is remembered stands beside one calendar, or one directory, and goes with it: whatever a feed or the content
//! changes, nothing is remembered of what was before.
//!
//! Most questions come once, so what those pay for it is a hash and a look at some numbers: nothing is locked, copied
//! or worked out before an answer is kept. That is when the question was the last one at its place already, and time
//! has not gone back since.
//!
//! Each question has one place, which it shares with others: memory is bounded, and the last one that came twice
//! stays. Hashes only say where to look and whether it is worth it: an answer is given again for the very question
//! alone.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use foldhash::fast::FixedState;

use super::answer::Answer;
use super::fault::Fault;
use crate::calendar::Instant;

/// How many answers are kept at the most.
const PLACES: usize = 256;
/// No longer one is, so that all of them together take 8 MiB.
const LONGEST: usize = 32 * 1024;

/// The last answers.
#[derive(Debug)]
pub(super) struct Remembered<Q> {
    places: Vec<Place<Q>>,
}

/// A hint that is read late or lost costs an answer that is made once more, so hints are neither locked nor ordered.
#[derive(Debug)]
struct Place<Q> {
    /// The hash of the question that came last.
    last: AtomicU64,
    /// The moment for which it was asked, in seconds.
    asked: AtomicI64,
    /// The hash of the question whose answer is kept, and the moment from which that is the answer.
    kept_for: AtomicU64,
    kept_from: AtomicI64,
    kept: Mutex<Option<Box<Kept<Q>>>>,
}

#[derive(Debug)]
struct Kept<Q> {
    question: Q,
    from: Instant,
    until: Instant,
    answer: Answer,
}

/// An answer, and the last moment at which it is the answer, if that is known and was asked for.
pub(super) struct Holding {
    pub(super) answer: Answer,
    pub(super) until: Option<Instant>,
}

impl<Q: Clone + Eq + Hash> Remembered<Q> {
    pub(super) fn new() -> Self {
        Self { places: (0..PLACES).map(|_| Place::new()).collect() }
    }

    /// The answer to a question, made only where none is known that holds. Who makes it is told whether it would be
    /// kept.
    pub(super) fn answer(
        &self,
        question: &Q,
        now: Instant,
        make: impl FnOnce(bool) -> Result<Holding, Fault>,
    ) -> Result<Answer, Fault> {
        let hash = FixedState::default().hash_one(question);
        let number = usize::try_from(hash % PLACES as u64).unwrap_or_default();
        let Some(place) = self.places.get(number) else { return Ok(make(false)?.answer) };
        let is_again = place.comes_again(hash, now);
        if let Some(answer) = place.find(hash, question, now) {
            return Ok(answer);
        }
        let Holding { answer, until } = make(is_again)?;
        if let (true, Some(until)) = (is_again && answer.body().len() <= LONGEST, until) {
            // Its tag is made now, once for everybody.
            _ = answer.etag();
            let kept = Kept { question: question.clone(), from: now, until, answer: answer.clone() };
            place.keep(hash, Box::new(kept));
        }
        Ok(answer)
    }

    /// The answer to a question that has only one, whenever it is asked.
    pub(super) fn always(
        &self,
        question: &Q,
        make: impl FnOnce() -> Result<Answer, Fault>,
    ) -> Result<Answer, Fault> {
        let only = Instant::MIN;
        self.answer(question, only, |_| Ok(Holding { answer: make()?, until: Some(only) }))
    }
}

impl<Q: Eq> Place<Q> {
    fn new() -> Self {
        Self {
            last: AtomicU64::default(),
            asked: AtomicI64::default(),
            kept_for: AtomicU64::default(),
            kept_from: AtomicI64::default(),
            kept: Mutex::new(None),
        }
    }

    /// The answer that is kept, if it is this question's and holds.
    fn find(&self, hash: u64, question: &Q, now: Instant) -> Option<Answer> {
        let is_kept = self.kept_for.load(Ordering::Relaxed) == hash;
        if !is_kept || now.unix() < self.kept_from.load(Ordering::Relaxed) {
            return None;
        }
        let place = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = place.as_deref()?;
        let holds = (kept.from..=kept.until).contains(&now) && kept.question == *question;
        holds.then(|| kept.answer.clone())
    }

    /// Whether the question was the last one here, too, for no later moment: an answer holds from its moment on, so
    /// none is worth keeping while moments go back. From now on it is the last one.
    fn comes_again(&self, hash: u64, now: Instant) -> bool {
        let (last, asked) = (self.last.load(Ordering::Relaxed), self.asked.load(Ordering::Relaxed));
        // What many ask at once is read by all of them and written by none.
        if last != hash {
            self.last.store(hash, Ordering::Relaxed);
        }
        if asked != now.unix() {
            self.asked.store(now.unix(), Ordering::Relaxed);
        }
        last == hash && asked <= now.unix()
    }

    fn keep(&self, hash: u64, kept: Box<Kept<Q>>) {
        let mut place = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        self.kept_for.store(hash, Ordering::Relaxed);
        self.kept_from.store(kept.from.unix(), Ordering::Relaxed);
        let replaced = place.replace(kept);
        drop(place);
        // Freed when the place is free again.
        drop(replaced);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::answer::Caching;
    use super::super::request::{ProviderSearch, SlotSearch};
    use super::*;

    #[test]
    fn an_answer_is_made_twice_and_then_kept_while_it_holds() {
        let remembered = Remembered::new();
        let made = Cell::new(0);
        let search = |limit: i64| SlotSearch { limit, ..SlotSearch::of("CA".parse().unwrap()) };
        let ask = |limit: i64, now: i64, until: Option<i64>| {
            let anew = |_| {
                made.set(made.get() + 1);
                let answer = Answer::new(format!("{limit} {}", made.get()), Caching::Availability);
                Ok(Holding { answer, until: until.map(Instant::from_unix) })
            };
            let answer = remembered.answer(&search(limit), Instant::from_unix(now), anew).unwrap();
            String::from_utf8(answer.body().to_vec()).unwrap()
        };
        // One that nobody can say how long it holds is made each time.
        assert_eq!([ask(1, 100, None), ask(1, 100, None), ask(1, 100, None)], ["1 1", "1 2", "1 3"]);
        assert_eq!([ask(1, 100, Some(110)), ask(1, 105, None), ask(1, 110, None)], ["1 4", "1 4", "1 4"]);
        // Not before, where a clock is set back, and not behind.
        assert_eq!([ask(1, 99, Some(110)), ask(1, 111, Some(120))], ["1 5", "1 6"]);
        assert_eq!([ask(1, 111, None), ask(1, 120, None), ask(1, 121, None)], ["1 6", "1 6", "1 7"]);
        // Another question has its own, wherever it is kept.
        for limit in 2..2000 {
            let first = ask(limit, 100, Some(110));
            assert!(first.starts_with(&format!("{limit} ")));
            assert_ne!(ask(limit, 100, Some(110)), first);
        }
    }

    #[test]
    fn only_what_comes_again_is_worth_keeping() {
        let remembered = Remembered::new();
        let search = SlotSearch::of("CA".parse().unwrap());
        let told = |now: i64| {
            let mut told = None;
            let make = |is_kept: bool| {
                told = Some(is_kept);
                let answer = Answer::new("", Caching::Availability);
                Ok(Holding { answer, until: is_kept.then(|| Instant::from_unix(now + 10)) })
            };
            remembered.answer(&search, Instant::from_unix(now), make).unwrap();
            told
        };
        // Back in time, where nothing that is kept would hold; and forward.
        assert_eq!([told(90), told(60), told(30)], [Some(false); 3]);
        assert_eq!(
            [told(60), told(60), told(70), told(71), told(20)],
            [Some(true), None, None, Some(true), Some(false)]
        );
    }

    #[test]
    fn an_answer_is_never_another_questions_though_their_hashes_are_one() {
        let (place, hash) = (Place::new(), 7);
        let [one, two] = ["CA", "NY"].map(|code| SlotSearch::of(code.parse().unwrap()));
        let (from, until) = (Instant::from_unix(10), Instant::from_unix(20));
        let answer = Answer::new("", Caching::Availability);
        place.keep(hash, Box::new(Kept { question: one.clone(), from, until, answer }));
        assert!(place.find(hash, &one, from).is_some());
        assert!(place.find(hash, &two, from).is_none());
    }

    #[test]
    fn a_question_with_one_answer_is_answered_twice_and_an_answer_that_is_too_long_each_time() {
        let remembered = Remembered::new();
        let made = Cell::new(0);
        let ask = |limit: i64, length: usize| {
            let anew = || {
                made.set(made.get() + 1);
                Ok(Answer::new(vec![b' '; length], Caching::Catalogue))
            };
            let question = ProviderSearch { limit, ..ProviderSearch::default() };
            assert_eq!(remembered.always(&question, anew).unwrap().body().len(), length);
            made.take()
        };
        assert_eq!([ask(1, 32_768), ask(1, 32_768), ask(1, 32_768), ask(1, 32_768)], [1, 1, 0, 0]);
        assert_eq!([ask(2, 32_769), ask(2, 32_769), ask(2, 32_769), ask(2, 32_769)], [1, 1, 1, 1]);
    }
}

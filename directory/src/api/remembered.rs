//! Open slots that are asked for again before anything in them has changed.
//!
//! A full page is the same bytes until the first of its starts can no longer be booked in time, and a page that is
//! shared, or an assistant that many talk to, asks for the same one again and again. So an answer is kept from the
//! second time on, and given as it is while it holds. It stands beside one calendar and goes with it: whatever a feed
//! or the content changes, nothing is remembered of what was before.
//!
//! Each question has one place, which it shares with others: memory is bounded, and the last one that came twice
//! stays.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use super::answer::Answer;
use super::fault::Fault;
use super::request::SlotSearch;
use crate::calendar::Instant;

/// How many answers are kept at the most; the longest has some 24 KB.
const PLACES: usize = 256;

/// The last answers.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    places: Vec<Mutex<Place>>,
}

#[derive(Debug, Default)]
struct Place {
    /// The hash of the question that came last.
    last: u64,
    kept: Option<Box<Kept>>,
}

#[derive(Debug)]
struct Kept {
    search: SlotSearch,
    from: Instant,
    until: Instant,
    answer: Answer,
}

/// An answer, and the last moment at which it is the answer, if that is known and was asked for.
pub(super) struct Holding {
    pub(super) answer: Answer,
    pub(super) until: Option<Instant>,
}

impl Remembered {
    pub(super) fn new() -> Self {
        Self { places: (0..PLACES).map(|_| Mutex::default()).collect() }
    }

    /// The answer to a question, made only where none is known that holds. Who makes it is told whether it would be
    /// kept.
    pub(super) fn answer(
        &self,
        search: &SlotSearch,
        now: Instant,
        make: impl FnOnce(bool) -> Result<Holding, Fault>,
    ) -> Result<Answer, Fault> {
        let mut hasher = DefaultHasher::new();
        search.hash(&mut hasher);
        let hash = hasher.finish();
        let number = usize::try_from(hash % PLACES as u64).unwrap_or_default();
        let place =
            || self.places.get(number).map(|place| place.lock().unwrap_or_else(PoisonError::into_inner));
        let mut is_again = false;
        if let Some(mut place) = place() {
            is_again = std::mem::replace(&mut place.last, hash) == hash;
            if let Some(kept) = place.kept.as_deref()
                && (kept.from..=kept.until).contains(&now)
                && kept.search == *search
            {
                return Ok(kept.answer.clone());
            }
        }
        let Holding { answer, until } = make(is_again)?;
        if let (true, Some(until)) = (is_again, until) {
            // Its tag is made now, once for everybody.
            _ = answer.etag();
            let kept = Kept { search: search.clone(), from: now, until, answer: answer.clone() };
            // What it replaces is freed when the place is free again.
            let _replaced = place().and_then(|mut place| place.kept.replace(Box::new(kept)));
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::answer::Caching;
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
    fn a_fault_is_not_remembered() {
        let remembered = Remembered::new();
        let search = SlotSearch::of("CA".parse().unwrap());
        for _ in 0..3 {
            let make = |_| Err(Fault::availability_unavailable(false));
            assert!(remembered.answer(&search, Instant::from_unix(0), make).is_err());
        }
        let answer = Answer::new("", Caching::Availability);
        assert!(
            remembered
                .answer(&search, Instant::from_unix(0), |_| Ok(Holding { answer, until: None }))
                .is_ok()
        );
    }
}

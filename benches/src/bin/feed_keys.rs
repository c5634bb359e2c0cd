//! What a changed key of a feed costs, from its text to the snapshot that is served.
//!
//! `cargo run --profile dist -p benches --bin feed-keys [PROVIDERS ...]`
//!
//! Clinics of 10,000 and 100,000 clinicians with weekly hours get a busy feed with a key each, of 12 and of 120 visits in
//! the next 30 days. Then the key of one of them changes, again and again: one visit is moved, or all are. Batches of ten
//! keys are what 2,000 puts a second bring in 5 ms. Each figure is a median of many changes.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a measurement prints, and stops where it cannot go on"
)]

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use benches::chance::Chance;
use benches::clinic::Clinic;
use benches::measure::{peak_mebibytes, processor_seconds};
use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::calendar::{
    AsOf, Calendar, Engine, Event, FeedLimits, FeedMode, FeedRules, Instant as Moment, PartId,
};
use directory::content::load_and_check;
use feed::{Target, moment};
use live::Store;

const SIZES: [usize; 2] = [10_000, 100_000];
const LINES: [usize; 2] = [12, 120];
const NOW: &str = "2026-06-01T12:00:00Z";
const ROUNDS: usize = 200;
/// The visits begin on half hours of these days from now on.
const DAYS: usize = 30;

/// A clinic whose feed is followed.
struct FollowedClinic {
    store: Store,
    engine: Engine,
    slugs: Vec<String>,
    visits: Vec<Vec<usize>>,
    chance: Chance,
}

fn main() {
    let sizes: Vec<usize> =
        std::env::args().skip(1).map(|size| size.parse().expect("a number of clinicians")).collect();
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    for providers in sizes {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Clinic { providers, seed: 1, with_hours: true }.write(folder.path()).expect("the clinic is written");
        for lines in LINES {
            let now: DateTime<Utc> = NOW.parse().expect("a moment");
            let directory = load_and_check(folder.path(), now.date_naive()).expect("it is valid").directory;
            println!("{providers} clinicians, a key of {lines} visits each");
            measure(&Snapshot::new(directory), now, lines);
        }
    }
}

fn measure(snapshot: &Snapshot, now: DateTime<Utc>, lines: usize) {
    let slugs: Vec<String> =
        snapshot.directory().providers().iter().map(|provider| provider.slug.to_string()).collect();
    let calendar = Calendar::with_feed(snapshot.directory(), FeedMode::Busy, Moment::ceil(now));
    let mut clinic = FollowedClinic {
        store: Store::new(snapshot.with_calendar(calendar)),
        engine: Engine::new(Arc::new(FeedRules::new(FeedMode::Busy))),
        visits: vec![Vec::new(); slugs.len()],
        slugs,
        chance: Chance::new(7),
    };
    clinic.fill(lines);
    for (what, moved) in [("one visit moved", 1), ("all visits moved", lines)] {
        for batch in [1, 10, 512] {
            clinic.change(what, batch, moved);
        }
    }
}

impl FollowedClinic {
    /// Puts every key, a thousand at a time, so that texts need little memory.
    fn fill(&mut self, lines: usize) {
        let (mut reading, mut setting, mut applying) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
        let all: Vec<usize> = (0..self.slugs.len()).collect();
        for providers in all.chunks(1_000) {
            let texts: Vec<_> = providers.iter().map(|&number| self.text(number, lines)).collect();
            let [read, set, applied] = self.apply(providers, &texts);
            (reading, setting, applying) = (reading + read, setting + set, applying + applied);
        }
        println!(
            "  all keys: read {reading:.1?}, set {setting:.1?}, applied {applying:.1?}; at most {:.0} MiB",
            peak_mebibytes().unwrap_or_default(),
        );
    }

    /// Changes keys in batches, and prints the median times of a batch.
    fn change(&mut self, what: &str, batch: usize, moved: usize) {
        let rounds = if batch > 100 { ROUNDS / 10 } else { ROUNDS };
        let began = processor_seconds();
        let mut times: Vec<[Duration; 3]> = (0..rounds)
            .map(|_| {
                let providers: Vec<usize> = (0..batch).map(|_| self.chance.below(self.slugs.len())).collect();
                let texts: Vec<_> = providers.iter().map(|&number| self.text(number, moved)).collect();
                self.apply(&providers, &texts)
            })
            .collect();
        let busy = began.zip(processor_seconds()).map_or(0.0, |(from, to)| to - from);
        let total = |[read, set, applied]: &[Duration; 3]| *read + *set + *applied;
        let mut at = |part: &dyn Fn(&[Duration; 3]) -> Duration, percent: usize| {
            times.sort_unstable_by_key(part);
            part(&times[(times.len() * percent / 100).min(times.len() - 1)])
        };
        println!(
            "  {what}, {batch:>3} keys: read {:>8.1?}, set {:>8.1?}, calendar and swap {:>8.1?}; in all p50 {:>8.1?}, p99 {:>8.1?}; {:.2} ms of processor time a batch with its texts",
            at(&|times| times[0], 50),
            at(&|times| times[1], 50),
            at(&|times| times[2], 50),
            at(&total, 50),
            at(&total, 99),
            busy * 1e3 / f64::from(u32::try_from(rounds).unwrap_or(1)),
        );
    }

    /// The text of a clinician's key after some visits have moved.
    fn text(&mut self, number: usize, moved: usize) -> String {
        let half_hours = DAYS * 48;
        let visits = &mut self.visits[number];
        for nth in 0..moved {
            let new = self.chance.below(half_hours);
            let at = if moved == 1 { self.chance.below(visits.len()) } else { nth };
            match visits.get_mut(at) {
                Some(visit) => *visit = new,
                None => visits.push(new),
            }
        }
        let (now, slug) = (NOW.parse::<Moment>().expect("a moment"), &self.slugs[number]);
        let mut text = String::new();
        for visit in visits {
            let start = now.plus_seconds(i64::try_from(*visit).unwrap_or_default() * 1_800);
            let end = start.plus_seconds(1_800);
            // Writing into a string cannot fail.
            _ = writeln!(text, r#"{{"provider":"{slug}","start":"{start}","end":"{end}","status":"busy"}}"#);
        }
        text
    }

    /// The times of reading texts, of the engine, and of the calendar and the swap.
    fn apply(&mut self, providers: &[usize], texts: &[String]) -> [Duration; 3] {
        let began = Instant::now();
        let read = |(number, text): (&usize, &String)| {
            let part = PartId::key(&format!("larkspur.p.{}", self.slugs[*number])).expect("a key's name");
            let text = part.read(text, &FeedLimits::default());
            Event::PartChanged { part, text: Ok(text.expect("the lines are valid")) }
        };
        let mut events: Vec<_> = providers.iter().zip(texts).map(read).collect();
        events.push(Event::Beat {
            writer: "larkspur".into(),
            as_of: AsOf::read(None, moment()),
            late: Vec::new(),
        });
        let read = began.elapsed();
        let snapshot = self.store.current();
        let began = Instant::now();
        let now = NOW.parse::<Moment>().expect("a moment");
        let change = self.engine.take(events, snapshot.directory().generation(), snapshot.directory(), now);
        let ages = self.engine.ages();
        let set = began.elapsed();
        drop(snapshot);
        let began = Instant::now();
        Target::apply_feed(&self.store, &change.providers, || ages.judge(moment()));
        [read, set, began.elapsed()]
    }
}

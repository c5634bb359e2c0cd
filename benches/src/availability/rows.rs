//! The table: one column for the calendar and one for each rival.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use directory::calendar::{
    Busy, Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed, SlotFilter,
};
use directory::model::{ProviderNumber, StateCode};
use directory::{Directory, Request, Snapshot};

use crate::clinic;
use crate::measure::{Chance, PAUSE, Spread, TRIES, medians, medians_after, megabytes, shown, timed};
use crate::rivals;

/// A Monday morning in New York.
const NOW: i64 = 1_780_318_800;
const DAY: i64 = 86_400;
/// So many bookings are timed at once.
const BATCH: usize = 8;
/// How many calendars are booked in without a pause, which takes so short that each meets one mood of the machine.
const CALENDARS: usize = 5;

/// Measures a clinic of so many providers.
pub(crate) fn print(out: &mut impl Write, size: usize) -> io::Result<()> {
    let (directory, loading) = timed(|| clinic::load(size, true));
    let directory = directory?;
    let state = StateCode::all().nth(5).ok_or_else(|| io::Error::other("the table has states"))?;
    let now = Instant::from_unix(NOW);
    let rivals = rivals::measure(&directory, now, state);
    let (calendar, build) = timed(|| Calendar::of(&directory, now));
    writeln!(
        out,
        "\n{size} providers, loaded in {}; {} open starts in the calendar",
        shown(loading),
        calendar.starts()
    )?;
    writeln!(out, "| | calendar | sorted arrays | heap merge |\n|---|---|---|---|")?;
    let [sorted, heap] = &rivals;
    let mut row = |name: &str, ours: String, rivals: Option<[String; 2]>| {
        let [sorted, heap] = rivals.unwrap_or_else(|| ["–".to_owned(), "–".to_owned()]);
        writeln!(out, "| {name} | {ours} | {sorted} | {heap} |")
    };
    let times = |of: fn(&rivals::Cost) -> Spread| Some([of(sorted).to_string(), of(heap).to_string()]);
    row("memory", megabytes(calendar.bytes()), Some([megabytes(sorted.bytes), megabytes(heap.bytes)]))?;
    row("build", shown(build), Some([shown(sorted.build), shown(heap.build)]))?;
    let asked = Questions::new(&directory, state);
    let time = |filters: &[SlotFilter]| {
        medians(1001, 16, |nth| {
            std::hint::black_box(calendar.open(&directory, &filters[nth % filters.len()]));
        })
        .to_string()
    };
    row("limit 50, no filter, p50", time(&asked.first_fifty), times(|cost| cost.first_fifty))?;
    row("limit 200, rare type, 30 d, p50", time(&asked.rare), times(|cost| cost.rare))?;
    row("provider filter, p50", time(&asked.provider), times(|cost| cost.provider))?;

    let bookings = bookings(&calendar, &directory);
    let numbers: Vec<_> = directory.provider_numbers().collect();
    let slugs: Vec<_> = numbers.iter().map(|&number| directory.provider(number).slug().clone()).collect();
    let busy = Calendar::with_feed(&directory, FeedMode::Busy, now).with_freshness(
        &directory,
        Freshness::Fresh,
        &[],
    );
    let one_set = medians(201, 1, {
        let mut current = Arc::new(busy.clone());
        let mut chance = Chance::new(11);
        let directory = &directory;
        move |nth| {
            let start = now.plus_seconds(i64::try_from(nth).unwrap_or_default() * 600);
            let entries = FeedEntries::Busy(vec![Busy { start, end: start.plus_seconds(3600) }]);
            let provider = slugs[chance.below(slugs.len())].clone();
            current = Arc::new(current.apply(directory, &[ProviderFeed { provider, entries }]));
            std::hint::black_box(&current);
        }
    });
    drop(busy);
    let roll = timed(|| calendar.roll(&directory, now.plus_seconds(DAY))).1;
    let snapshot = Snapshot::new(directory).with_calendar(calendar);
    let answer = |nth: usize, moment: usize| {
        let request = &asked.requests[nth % asked.requests.len()];
        if let Ok(answer) = snapshot.answer(request, asked.moments[moment % asked.moments.len()]) {
            std::hint::black_box((answer.body().len(), answer.etag().tag().len()));
        }
    };
    // From moment to moment back in time, where nothing that is remembered holds and nothing is worth it.
    row("query + body + ETag, p50", medians(1001, 16, |nth| answer(0, nth)).to_string(), None)?;
    row("the same, each state in turn, p50", medians(1001, 16, |nth| answer(nth, nth)).to_string(), None)?;
    row("the same question again, p50", medians(1001, 16, |_| answer(0, 0)).to_string(), None)?;
    let swapped = medians(301, 1, {
        let mut current = Arc::new(snapshot.clone());
        let bookings = &bookings;
        move |nth| {
            let (at, number) = bookings[nth % bookings.len()];
            let mut calendar = current.calendar().clone();
            calendar.withdraw(number, at);
            current = Arc::new(current.with_calendar(calendar));
        }
    });
    // Calendars that are made anew, as in the design's prototype, and are nobody else's, so that nothing is copied.
    let (at_once, after_pauses) = bookings.split_at(bookings.len() / 2);
    let samples = at_once.len() / (BATCH * TRIES);
    let book = |pause: Duration, bookings: &[(Instant, ProviderNumber)]| {
        let mut alone = Calendar::of(snapshot.directory(), now);
        medians_after(pause, samples, BATCH, |nth| {
            let (at, number) = bookings[nth];
            std::hint::black_box(alone.withdraw(number, at));
        })
    };
    let at_once = || book(Duration::ZERO, at_once);
    let stream = (1..CALENDARS).fold(at_once(), |spread, _| spread.with(at_once()));
    let single = book(PAUSE, after_pauses);
    row("one booking applied in place, p50", stream.to_string(), times(|cost| cost.booking))?;
    row("the same, hundreds after a pause, p50", single.to_string(), None)?;
    row("clone, change, swap the snapshot, p50", swapped.to_string(), None)?;
    row("a provider's whole set from a feed, visible, p50", one_set.to_string(), None)?;
    row("roll by a day", shown(roll), None)
}

/// The questions of a run, each at 64 moments.
struct Questions {
    first_fifty: Vec<SlotFilter>,
    rare: Vec<SlotFilter>,
    provider: Vec<SlotFilter>,
    moments: Vec<DateTime<Utc>>,
    requests: Vec<Request>,
}

impl Questions {
    fn new(directory: &Directory, state: StateCode) -> Self {
        let mut chance = Chance::new(5);
        let numbers: Vec<ProviderNumber> = directory.provider_numbers().collect();
        let here = |number: &&ProviderNumber| directory.provider(**number).accepting().contains(state);
        let here: Vec<ProviderNumber> = numbers.iter().filter(here).copied().collect();
        let base = SlotFilter {
            state,
            provider: None,
            visit_type: None,
            now: Instant::from_unix(NOW),
            horizon_seconds: 14 * DAY,
            limit: 50,
        };
        let queries = StateCode::all().map(|state| format!("state={state}&limit=50"));
        let request = |query: String| Request::from_path_and_query("/v1/availability", Some(&query)).ok();
        let mut asked = Self {
            first_fifty: vec![],
            rare: vec![],
            provider: vec![],
            moments: vec![],
            requests: queries.filter_map(request).collect(),
        };
        let now = DateTime::from_timestamp(NOW, 0).unwrap_or_default();
        for _ in 0..64 {
            let later = i64::try_from(chance.below(86_400)).unwrap_or_default();
            let base = SlotFilter { now: base.now.plus_seconds(later), ..base };
            let provider = here.get(chance.below(here.len())).copied();
            asked.first_fifty.push(base);
            asked.provider.push(SlotFilter { provider, ..base });
            let visit_type = Some(clinic::RARE);
            asked.rare.push(SlotFilter { visit_type, horizon_seconds: 30 * DAY, limit: 200, ..base });
            asked.moments.push(now + TimeDelta::seconds(later));
        }
        asked.moments.sort_unstable_by(|a, b| b.cmp(a));
        asked
    }
}

/// Open starts of providers by chance, each once.
fn bookings(calendar: &Calendar, directory: &Directory) -> Vec<(Instant, ProviderNumber)> {
    let mut chance = Chance::new(9);
    let numbers: Vec<_> = directory.provider_numbers().collect();
    let (mut found, mut is_taken) = (Vec::new(), BTreeSet::new());
    for _ in 0..16_000 {
        let number = numbers[chance.below(numbers.len())];
        let Some(state) = directory.provider(number).accepting().iter().next() else { continue };
        let later = i64::try_from(chance.below(28 * 86_400)).unwrap_or_default();
        let filter = SlotFilter {
            state,
            provider: Some(number),
            visit_type: None,
            now: Instant::from_unix(NOW).plus_seconds(later),
            horizon_seconds: 4 * DAY,
            limit: 1,
        };
        let first = calendar.open(directory, &filter).first().copied();
        found.extend(first.filter(|&(at, number)| is_taken.insert((at, number.index()))));
    }
    found
}

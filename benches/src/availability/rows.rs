//! The table: one column for the calendar and one for each rival.

use std::io::{self, Write};
use std::sync::Arc;

use benches::measure::resident_mebibytes;
use chrono::{DateTime, TimeDelta, Utc};
use directory::calendar::{
    Busy, Calendar, FeedEntries, FeedMode, Freshness, Instant, ProviderFeed, SlotFilter,
};
use directory::model::{ProviderNumber, StateCode};
use directory::{Directory, Request, Snapshot};

use crate::clinic;
use crate::further;
use crate::measure::{Chance, Spread, medians, megabytes, shown, slowest, timed};
use crate::rivals;

/// A Monday morning in New York.
const NOW: i64 = 1_780_318_800;
const DAY: i64 = 86_400;

/// Measures a clinic of `size` providers.
pub(crate) fn print(out: &mut impl Write, size: usize) -> io::Result<()> {
    let (directory, loading) = timed(|| clinic::load(size, true));
    let directory = directory?;
    let state = StateCode::all().nth(5).ok_or_else(|| io::Error::other("the table has states"))?;
    let now = Instant::from_unix(NOW);
    let rivals = rivals::measure(&directory, now, state);
    let (calendar, build) = timed(|| Calendar::from_hours(&directory, now));
    writeln!(
        out,
        "\n{size} providers, written and loaded in {}; {} open starts in the calendar",
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
    // What one more calendar adds: the first one uses what the loading has left.
    let before = resident_mebibytes().unwrap_or_default();
    let another = Calendar::from_hours(&directory, now);
    let memory = resident_mebibytes().unwrap_or_default() - before;
    drop(another);
    row("memory", format!("{memory:.0} MB"), Some([megabytes(sorted.bytes), megabytes(heap.bytes)]))?;
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
    for (name, filters) in further::questions(&directory, &asked.first_fifty) {
        row(&format!("limit 50, {name}, p50"), time(&filters), None)?;
    }
    let booked = further::booked(&directory, now);
    for (name, calendar) in [("worst of each state", &calendar), ("worst, most fully booked", &booked)] {
        let filters = further::worst(&directory, now);
        let worst = slowest(filters.len(), |nth| {
            std::hint::black_box(calendar.open(&directory, &filters[nth]));
        });
        row(&format!("limit 201, all filters, 30 d, {name}"), shown(worst), None)?;
    }

    let slugs: Vec<_> = directory.providers().iter().map(|provider| provider.slug.clone()).collect();
    let busy = Calendar::with_feed(&directory, FeedMode::Busy, now).with_freshness(
        &directory,
        Freshness::Fresh,
        &[],
    );
    let roll = timed(|| calendar.roll(&directory, now.plus_seconds(DAY))).1;
    let snapshot = Snapshot::new(directory).with_calendar(calendar);
    let answer = |nth: usize, moment: usize| {
        let request = &asked.requests[nth % asked.requests.len()];
        if let Ok(answer) = snapshot.answer(request, asked.moments[moment % asked.moments.len()]) {
            std::hint::black_box((answer.body().len(), answer.etag().tag().len()));
        }
    };
    // From each moment to an earlier one, so that no answer of another moment could be given again.
    row("query + body + ETag, p50", medians(1001, 16, |nth| answer(0, nth)).to_string(), None)?;
    row("the same, each state in turn, p50", medians(1001, 16, |nth| answer(nth, nth)).to_string(), None)?;
    row("the same question again, p50", medians(1001, 16, |_| answer(0, 0)).to_string(), None)?;
    let one_set = medians(201, 1, {
        let mut current = Arc::new(snapshot.with_calendar(busy));
        let mut chance = Chance::new(11);
        move |nth| {
            let start = now.plus_seconds(i64::try_from(nth).unwrap_or_default() * 600);
            let entries = FeedEntries::Busy(vec![Busy { start, end: start.plus_seconds(3600) }]);
            let feed = ProviderFeed { provider: slugs[chance.below(slugs.len())].clone(), entries };
            let calendar = current.calendar().apply(current.directory(), &[feed]);
            current = Arc::new(current.with_calendar(calendar));
            std::hint::black_box(&current);
        }
    });
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
        let here = |number: &&ProviderNumber| directory.provider(**number).accepting.contains(state);
        let here: Vec<ProviderNumber> = numbers.iter().filter(here).copied().collect();
        let base = SlotFilter::new(state, Instant::from_unix(NOW), 14 * DAY, 50);
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

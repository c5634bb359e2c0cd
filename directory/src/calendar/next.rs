//! A provider's next starts, for whoever wrote the hours: looked up without an index, one provider at a time.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::feed::{FeedMode, ProviderFeed};
use super::index::own::{Stretch, starts};
use super::index::said::Said;
use super::instant::Instant;
use super::schedule::{DEFAULT_NOTICE, Schedule};
use crate::model::{Directory, ProviderNumber};

/// How far is looked: the farthest horizon that can be asked for.
const AHEAD: i64 = 30 * 86_400;

/// The first so many starts of a provider within thirty days, notice kept: of the content's hours without the
/// time that the feed says is taken, or of the feed where it lists what is free. By the provider's own clock;
/// without hours of the content's that one is unknown, and it is UTC.
#[must_use]
pub fn next_starts(
    directory: &Directory,
    number: ProviderNumber,
    feed: Option<(FeedMode, Option<&ProviderFeed>)>,
    now: Instant,
    count: usize,
) -> Vec<DateTime<Tz>> {
    let schedule = directory.schedule(number);
    let zone = schedule.map_or(Tz::UTC, |schedule| schedule.parts().zone);
    let notice = schedule.map_or(DEFAULT_NOTICE, Schedule::notice);
    let said = feed.and_then(|(_, said)| said).map(Said::of);
    let from = now.plus_minutes(notice).unix();
    let stretch = Stretch { from, to: from + AHEAD, origin: from };
    let mode = feed.map(|(mode, _)| mode);
    let packed = starts(directory, number, mode, said.as_ref().map(|said| &said.set), stretch);
    let mut next: Vec<Instant> = packed
        .iter()
        .flat_map(|(_, runs)| runs.from(0).take(count))
        .map(|start| Instant::from_unix(from + i64::from(start)))
        .collect();
    next.sort_unstable();
    next.dedup();
    next.into_iter().take(count).map(|at| DateTime::<Utc>::from(at).with_timezone(&zone)).collect()
}

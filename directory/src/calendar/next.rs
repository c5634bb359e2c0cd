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

#[cfg(test)]
mod tests {
    use super::super::clinics::{at, clinic, provider, round_the_clock, slug};
    use super::*;

    #[test]
    fn the_next_starts_are_all_of_thirty_days_behind_the_notice() {
        let directory = clinic(vec![(provider(0), Some(round_the_clock(Tz::America__New_York, 45)))]);
        let number = directory.find(slug(0).as_str()).unwrap().provider();
        let next = |now, count| next_starts(&directory, number, None, now, count);
        // The moment at which a clinic's story begins is a full hour, and hours of half an hour go on around the clock:
        // 1,440 of them begin in the thirty days behind the notice, whatever clocks do meanwhile.
        let all = next(at(0), 10_000);
        let expected: Vec<_> = (0..1440).map(|half| at(3600 + half * 1800)).collect();
        assert_eq!(all.iter().map(|start| Instant::floor(start.to_utc())).collect::<Vec<_>>(), expected);
        assert_eq!(all[0].to_rfc3339(), "2026-03-06T04:00:00-05:00");
        // The notice is inclusive.
        assert_eq!(next(at(900), 1), all[..1]);
        assert_eq!(next(at(901), 2), all[1..3]);
    }
}

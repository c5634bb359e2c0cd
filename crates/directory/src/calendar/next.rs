//! One provider's next starts, computed without an index: `nameplate check` shows them to the author of the hours.

use chrono::{DateTime, Utc};
use chrono_tz::Tz;

use super::MAX_HORIZON_DAYS;
use super::feed::{FeedMode, ProviderFeed};
use super::index::packed_feed::PackedFeed;
use super::index::provider_starts::{Period, starts};
use super::instant::Instant;
use crate::model::{DEFAULT_NOTICE, Directory, ProviderNumber, Schedule};

/// A provider's first starts within thirty days after the notice: from the content's hours without the feed's busy time,
/// or from the feed's free slots. Times are in the provider's zone, or in UTC if the content has no hours.
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
    let packed = feed.and_then(|(_, feed)| feed).map(PackedFeed::pack);
    let from = now.plus_minutes(notice).unix();
    let period = Period { from, to: from + MAX_HORIZON_DAYS * 86_400, origin: from };
    let mode = feed.map(|(mode, _)| mode);
    let starts = starts(directory, number, mode, packed.as_ref().map(|packed| &packed.entries), period);
    let starts = starts.iter().flat_map(|(_, runs)| runs.from(0).take(count));
    let mut next: Vec<_> = starts.map(|start| Instant::from_unix(from + i64::from(start))).collect();
    next.sort_unstable();
    next.dedup();
    next.into_iter().take(count).map(|at| DateTime::<Utc>::from(at).with_timezone(&zone)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::test_clinics::{at, clinic, provider, round_the_clock, slug};
    use super::*;

    #[test]
    fn next_starts_cover_thirty_days_after_the_notice() {
        let directory = clinic(vec![(provider(0), Some(round_the_clock(Tz::America__New_York, 45)))]);
        let number = directory.find(slug(0).as_str()).unwrap().provider();
        let next = |now, count| next_starts(&directory, number, None, now, count);
        // Half hours around the clock: 1,440 of them start in thirty days, also where the clock changes.
        let all = next(at(0), 10_000);
        let expected: Vec<_> = (0..1440).map(|half| at(3600 + half * 1800)).collect();
        assert_eq!(all.iter().map(|start| Instant::floor(start.to_utc())).collect::<Vec<_>>(), expected);
        assert_eq!(all[0].to_rfc3339(), "2026-03-06T04:00:00-05:00");
        // The notice is inclusive.
        assert_eq!(next(at(900), 1), all[..1]);
        assert_eq!(next(at(901), 2), all[1..3]);
    }
}

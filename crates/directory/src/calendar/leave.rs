//! Leaves as instants. They take precedence over everything: hours, extra hours and the slots of a feed.

use chrono_tz::Tz;

use super::boundary::first_instant;
use super::hours::BlockedPeriods;
use super::instant::Instant;
use crate::model::{ClockTime, Directory, Leave, ProviderNumber, Schedule};

const HOUR: i64 = 3_600;

/// The half-open period of a leave; one until further notice ends with time.
/// Dates are in the zone of the provider's hours. Without hours the zone is unknown: then the leave begins with its
/// first day in the easternmost zone and ends with its last day in the westernmost.
pub(crate) fn period(leave: Leave, schedule: Option<&Schedule>) -> (Instant, Instant) {
    let (zone, east, west) = schedule.map_or((Tz::UTC, 14, 12), |schedule| (schedule.parts().zone, 0, 0));
    let first = |date| first_instant(zone, date, ClockTime::DAY_START);
    let until = leave.until.map_or(Instant::MAX, |date| first(date).plus_seconds(west * HOUR));
    (first(leave.from).plus_seconds(-east * HOUR), until)
}

pub(super) fn periods(directory: &Directory, number: ProviderNumber) -> BlockedPeriods {
    let schedule = directory.schedule(number);
    let leaves = directory.provider(number).leave.iter();
    let instants = leaves.map(|leave| period(*leave, schedule));
    BlockedPeriods::new(instants.map(|(from, until)| (from.unix(), until.unix())).collect())
}

#[cfg(test)]
mod tests {
    use super::super::feed::{FeedEntries, FeedMode, Freshness, OpenSlot, ProviderFeed};
    use super::super::open::{Calendar, SlotFilter};
    use super::super::test_clinics::{clinic, provider, round_the_clock, slug, state};
    use super::*;
    use crate::model::Provider;

    const DAY: i64 = 24 * HOUR;

    fn at(text: &str) -> Instant {
        text.parse().unwrap()
    }

    fn on_leave(from: &str, until: Option<&str>) -> Provider {
        let leave = Leave { from: from.parse().unwrap(), until: until.map(|until| until.parse().unwrap()) };
        Provider { leave: vec![leave], ..provider(0) }
    }

    /// The last opening before the leave and the first one after it, of half hours around the clock.
    fn around(zone: Tz, from: &str, until: &str) -> (String, String) {
        let directory = clinic(vec![(on_leave(from, Some(until)), Some(round_the_clock(zone, 0)))]);
        let now = at(&format!("{from}T12:00:00Z")).plus_seconds(-2 * DAY);
        let calendar = Calendar::from_hours(&directory, now);
        let open = calendar.open(&directory, &SlotFilter::new(state("CA"), now, 20 * DAY, 10_000));
        let gap = open.windows(2).find(|pair| pair[1].0.unix() - pair[0].0.unix() > HOUR).unwrap();
        (gap[0].0.to_string(), gap[1].0.to_string())
    }

    #[test]
    fn a_leave_takes_whole_days_of_the_clinicians_zone_also_where_the_clock_changes() {
        for (zone, from, until, last, first) in [
            // Clocks go forward on March 8: two days have 47 hours.
            (
                Tz::America__New_York,
                "2026-03-07",
                "2026-03-09",
                "2026-03-07T04:30:00Z",
                "2026-03-09T04:00:00Z",
            ),
            // And back on November 1.
            (
                Tz::America__New_York,
                "2026-10-31",
                "2026-11-02",
                "2026-10-31T03:30:00Z",
                "2026-11-02T05:00:00Z",
            ),
            (
                Tz::Pacific__Honolulu,
                "2026-12-01",
                "2026-12-02",
                "2026-12-01T09:30:00Z",
                "2026-12-02T10:00:00Z",
            ),
            // The first day back begins at one o'clock: its midnight does not exist.
            (
                Tz::America__Santiago,
                "2026-09-04",
                "2026-09-06",
                "2026-09-04T03:30:00Z",
                "2026-09-06T04:00:00Z",
            ),
            // Midnight comes twice, and the leave begins with the first.
            (Tz::America__Havana, "2026-11-01", "2026-11-02", "2026-11-01T03:30:00Z", "2026-11-02T05:00:00Z"),
        ] {
            assert_eq!(around(zone, from, until), (last.to_owned(), first.to_owned()), "{zone} {from}");
        }
    }

    #[test]
    fn nothing_is_open_from_the_first_day_of_a_leave_without_an_end() {
        let hours = round_the_clock(Tz::UTC, 0);
        let directory = clinic(vec![(on_leave("2026-12-01", None), Some(hours))]);
        let now = at("2026-11-30T22:00:00Z");
        let open = |now| {
            let filter = SlotFilter::new(state("CA"), now, 30 * DAY, 10_000);
            Calendar::from_hours(&directory, now).open(&directory, &filter).len()
        };
        assert_eq!(
            (open(now), open(now.plus_seconds(2 * HOUR)), open(now.plus_seconds(900 * DAY))),
            (4, 0, 0)
        );
    }

    #[test]
    fn a_feed_of_free_slots_opens_no_day_of_leave() {
        for (hours, expected) in [
            (
                Some(round_the_clock(Tz::America__New_York, 0)),
                &["2026-12-01T04:00:00Z", "2026-12-02T05:00:00Z", "2026-12-02T12:00:00Z"][..],
            ),
            // In an unknown zone, the leave lasts from its first minute anywhere to its last one.
            (None, &["2026-12-02T12:00:00Z"]),
        ] {
            let directory = clinic(vec![(on_leave("2026-12-01", Some("2026-12-02")), hours)]);
            let now = at("2026-11-30T12:00:00Z");
            let slot =
                |start: &str| OpenSlot { start: at(start), end: at(start).plus_seconds(HOUR), types: None };
            // The second one ends within the leave.
            let slots =
                ["04:00", "04:30", "05:00", "23:30"].map(|time| slot(&format!("2026-12-01T{time}:00Z")));
            let later = ["04:30", "05:00", "12:00"].map(|time| slot(&format!("2026-12-02T{time}:00Z")));
            let entries = FeedEntries::Open(slots.into_iter().chain(later).collect());
            let calendar = Calendar::with_feed(&directory, FeedMode::Open, now)
                .with_freshness(&directory, Freshness::Fresh, &[])
                .apply(&directory, &[ProviderFeed { provider: slug(0), entries }]);
            let open = calendar.open(&directory, &SlotFilter::new(state("CA"), now, 5 * DAY, 100));
            assert_eq!(open.iter().map(|(start, _)| start.to_string()).collect::<Vec<_>>(), expected);
        }
    }
}

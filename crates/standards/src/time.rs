//! The moment of a publication, and its days.

use chrono::{DateTime, NaiveDate, Utc};

use directory::calendar::{Calendar, Freshness, Instant};

const MINUTE: i64 = 60;
const DAY: i64 = 86_400;
/// Today and 31 more UTC days have slots published, so the API's thirty days always fit.
pub(crate) const DAYS: i64 = 32;

/// The moment of a publication. All answers within a minute are the same, unless the feed or the content changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    /// The start of the current minute.
    pub(crate) published: Instant,
    /// The next full minute, or this one at its first second. Slots are listed as of this time, so each can be booked throughout the minute.
    pub(crate) bookable_from: Instant,
}

impl Moment {
    pub(crate) fn of(now: DateTime<Utc>) -> Self {
        let (floor, ceil) = (Instant::floor(now).unix(), Instant::ceil(now).unix());
        Self {
            published: Instant::from_unix(floor.div_euclid(MINUTE) * MINUTE),
            bookable_from: Instant::from_unix(-(-ceil).div_euclid(MINUTE) * MINUTE),
        }
    }

    /// The days whose slots are published.
    pub(crate) fn days(self) -> impl Iterator<Item = SlotDay> {
        let SlotDay(today) = self.today();
        (today..today + DAYS).map(SlotDay)
    }

    pub(crate) fn today(self) -> SlotDay {
        SlotDay::of(self.published)
    }

    /// The `transactionTime` of the manifest: the time of the last good feed if the feed is late, else the minute.
    pub(crate) fn vouched(self, calendar: &Calendar) -> Instant {
        match calendar.freshness() {
            Freshness::Stale { as_of } => as_of,
            Freshness::Fresh | Freshness::Expired => self.published,
        }
    }
}

/// A UTC day, as the number of days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SlotDay(i64);

impl SlotDay {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let date: NaiveDate = text.parse().ok()?;
        let day = date.signed_duration_since(NaiveDate::default()).num_days();
        (Self(day).to_string() == text).then_some(Self(day))
    }

    pub(crate) fn begin(self) -> Instant {
        Instant::from_unix(self.0 * DAY)
    }

    pub(crate) fn end(self) -> Instant {
        Instant::from_unix((self.0 + 1) * DAY)
    }

    /// How many days it is after another.
    pub(crate) fn after(self, first: Self) -> i64 {
        self.0 - first.0
    }

    pub(crate) fn of(at: Instant) -> Self {
        Self(at.unix().div_euclid(DAY))
    }
}

impl std::fmt::Display for SlotDay {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(&self.begin().to_string()[..10])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_rounded_up_to_the_minute() {
        let moment = |text: &str| {
            let moment = Moment::of(text.parse().unwrap());
            (moment.published.to_string(), moment.bookable_from.to_string())
        };
        let of = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        let full = of("2026-11-22T18:00:00Z", "2026-11-22T18:00:00Z");
        assert_eq!(moment("2026-11-22T18:00:00Z"), full);
        let next = of("2026-11-22T18:00:00Z", "2026-11-22T18:01:00Z");
        assert_eq!(moment("2026-11-22T18:00:00.001Z"), next);
        assert_eq!(moment("2026-11-22T18:00:59.999Z"), next);
    }

    #[test]
    fn days_are_read_as_they_are_written() {
        let first = SlotDay::parse("2026-11-22").unwrap();
        assert_eq!(
            (first.to_string().as_str(), first.begin().to_string().as_str()),
            ("2026-11-22", "2026-11-22T00:00:00Z")
        );
        let days: Vec<_> = Moment::of("2026-11-22T18:00:00Z".parse().unwrap()).days().collect();
        assert_eq!((days.len(), days[0], days[31].to_string().as_str()), (32, first, "2026-12-23"));
        for wrong in ["", "2026-11-2", "2026-11-31", "+2026-11-22", "2026-1-22", "20261122", "2026-11-22T"] {
            assert_eq!(SlotDay::parse(wrong), None, "{wrong}");
        }
    }
}

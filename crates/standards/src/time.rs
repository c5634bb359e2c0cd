use chrono::{DateTime, NaiveDate, Utc};

use directory::calendar::{Calendar, Freshness, Instant};

const MINUTE_SECONDS: i64 = 60;
const DAY_SECONDS: i64 = 86_400;
/// Today and 31 more UTC days always cover the thirty days of the API.
const PUBLISHED_DAYS: i64 = 32;

/// As the full minutes before and after it: between two of them, only the content and the feed change documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Moment {
    minute: Instant,
    /// The first full minute at or after the moment. A listed slot can still be booked then, so none closes earlier.
    pub(crate) bookable_from: Instant,
}

impl Moment {
    pub(crate) fn new(now: DateTime<Utc>) -> Self {
        let minute_of = |second: i64| second.div_euclid(MINUTE_SECONDS) * MINUTE_SECONDS;
        let rounded_up = Instant::ceil(now).unix();
        Self {
            minute: Instant::from_unix(minute_of(Instant::floor(now).unix())),
            bookable_from: Instant::from_unix(minute_of(rounded_up + MINUTE_SECONDS - 1)),
        }
    }

    pub(crate) fn days(self) -> impl Iterator<Item = SlotDay> {
        let SlotDay(today) = self.today();
        (today..today + PUBLISHED_DAYS).map(SlotDay)
    }

    pub(crate) fn publishes(self, day: SlotDay) -> bool {
        (0..PUBLISHED_DAYS).contains(&day.days_after(self.today()))
    }

    pub(crate) fn today(self) -> SlotDay {
        SlotDay::containing(self.minute)
    }

    /// `transactionTime`: if the feed is late, the time of its last good data. While all of it is expired, there is no
    /// manifest.
    pub(crate) fn transaction_time(self, calendar: &Calendar) -> Instant {
        match calendar.freshness() {
            Freshness::Stale { as_of } => as_of,
            Freshness::Fresh | Freshness::Expired => self.minute,
        }
    }
}

/// As the number of UTC days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SlotDay(i64);

impl SlotDay {
    /// The date must be written exactly as [`SlotDay`] writes it.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let date: NaiveDate = text.parse().ok()?;
        let day = Self(date.signed_duration_since(NaiveDate::default()).num_days());
        (day.to_string() == text).then_some(day)
    }

    pub(crate) fn containing(time: Instant) -> Self {
        Self(time.unix().div_euclid(DAY_SECONDS))
    }

    pub(crate) fn start(self) -> Instant {
        Instant::from_unix(self.0 * DAY_SECONDS)
    }

    pub(crate) fn end(self) -> Instant {
        Instant::from_unix((self.0 + 1) * DAY_SECONDS)
    }

    pub(crate) fn days_after(self, other: Self) -> i64 {
        self.0 - other.0
    }
}

impl std::fmt::Display for SlotDay {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.pad(&self.start().to_string()[..10])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_listed_from_the_next_full_minute() {
        let moment = |text: &str| {
            let moment = Moment::new(text.parse().unwrap());
            (moment.minute.to_string(), moment.bookable_from.to_string())
        };
        for (now, bookable_from) in [
            ("2026-11-22T18:00:00Z", "2026-11-22T18:00:00Z"),
            ("2026-11-22T18:00:00.001Z", "2026-11-22T18:01:00Z"),
            ("2026-11-22T18:00:59.999Z", "2026-11-22T18:01:00Z"),
        ] {
            assert_eq!(moment(now), ("2026-11-22T18:00:00Z".to_owned(), bookable_from.to_owned()));
        }
    }

    #[test]
    fn days_are_parsed_as_they_are_written() {
        let first = SlotDay::parse("2026-11-22").unwrap();
        assert_eq!(
            (first.to_string().as_str(), first.start().to_string().as_str()),
            ("2026-11-22", "2026-11-22T00:00:00Z")
        );
        let days: Vec<_> = Moment::new("2026-11-22T18:00:00Z".parse().unwrap()).days().collect();
        assert_eq!((days.len(), days[0], days[31].to_string().as_str()), (32, first, "2026-12-23"));
        for wrong in ["", "2026-11-2", "2026-11-31", "+2026-11-22", "2026-1-22", "20261122", "2026-11-22T"] {
            assert_eq!(SlotDay::parse(wrong), None, "{wrong}");
        }
    }
}

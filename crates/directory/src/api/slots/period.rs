//! The time that a search asks for.

use chrono::{DateTime, Days, Utc};

use super::super::operation::{FROM, PART, Part, SlotSearch, UNTIL, When, Wrong, WrongParameter};
use crate::calendar::{ClockTime, Instant, MAX_HORIZON_DAYS, Tz, first_instant};

const DAY: i64 = 86_400;
const DEFAULT_DAYS: i64 = 14;

pub(super) struct Asked {
    /// The bounds that were given.
    pub(super) from: Option<Instant>,
    pub(super) until: Option<Instant>,
    /// When the list ends.
    pub(super) end: Instant,
    /// What is left of the time by the part of the day, in order.
    pub(super) periods: Vec<(Instant, Instant)>,
}

impl Asked {
    pub(super) fn by(search: &SlotSearch, now: Instant) -> Result<Self, WrongParameter> {
        let zone = search.time_zone;
        let wrong = |parameter, rule: &'static str| WrongParameter {
            parameter,
            sent: None,
            wrong: Wrong::Rule(rule.into()),
        };
        let needs_zone = |parameter| wrong(parameter, "needs timeZone, such as America/Phoenix");
        let given = |when: Option<When>, bound: fn(When, Option<Tz>) -> Option<Instant>, parameter| {
            when.map(|when| bound(when, zone).ok_or(needs_zone(parameter))).transpose()
        };
        let from = given(search.from, When::begin, &FROM)?;
        let until = given(search.until, When::end, &UNTIL)?;
        if until.zip(from).is_some_and(|(until, from)| until <= from) {
            return Err(wrong(&UNTIL, "must be after from"));
        }
        let start = from.map_or(now, |from| from.max(now));
        let farthest = now.plus_seconds(MAX_HORIZON_DAYS * DAY);
        let end = match (search.horizon_days, until) {
            (Some(days), _) => now.plus_seconds(days * DAY),
            (None, Some(_)) => farthest,
            (None, None) => farthest.min(start.plus_seconds(DEFAULT_DAYS * DAY)),
        };
        let end = until.map_or(end, |until| until.min(end));
        let periods = match (search.part, zone) {
            (None, _) => vec![(start, end)],
            (Some(_), None) => return Err(needs_zone(&PART)),
            (Some(part), Some(zone)) => parts(part, zone, start, end),
        };
        Ok(Self { from, until, end, periods })
    }
}

/// A part of each day between two moments.
fn parts(part: Part, zone: Tz, start: Instant, end: Instant) -> Vec<(Instant, Instant)> {
    let (begins, ends) = match part {
        Part::Morning => (ClockTime::DAY_START, ClockTime::NOON),
        Part::Afternoon => (ClockTime::NOON, ClockTime::EVENING),
        Part::Evening => (ClockTime::EVENING, ClockTime::DAY_END),
    };
    let date = |at: Instant| DateTime::<Utc>::from(at).with_timezone(&zone).date_naive();
    // A clock that is set back over midnight shows the date before once more.
    let days = (date(start) - Days::new(1)).iter_days().take_while(|day| *day <= date(end) + Days::new(1));
    let whole = days.map(|day| (first_instant(zone, day, begins), first_instant(zone, day, ends)));
    let inside = whole.map(|(begin, finish)| (begin.max(start), finish.min(end)));
    inside.filter(|(begin, finish)| begin < finish).collect()
}

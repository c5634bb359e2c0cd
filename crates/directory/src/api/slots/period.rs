//! The time that a search asks for.

use chrono::{DateTime, Days, Utc};

use super::super::operation::{
    FROM, HORIZON_DAYS, PART, Parameter, Part, SlotSearch, UNTIL, When, Wrong, WrongParameter,
};
use crate::calendar::{ClockTime, Instant, MAX_HORIZON_DAYS, Tz, first_instant};

const DAY: i64 = 86_400;
const DEFAULT_DAYS: i64 = 14;

/// The end of the time that openings are known for.
pub(super) fn last_known(now: Instant) -> Instant {
    now.plus_seconds(MAX_HORIZON_DAYS * DAY)
}

pub(super) struct Asked {
    pub(super) from: Option<Instant>,
    pub(super) until: Option<Instant>,
    pub(super) end: Instant,
    /// What is left of the time by the part of the day, in order.
    pub(super) periods: Vec<(Instant, Instant)>,
}

impl Asked {
    pub(super) fn by(search: &SlotSearch, now: Instant) -> Result<Self, WrongParameter> {
        let zone = search.time_zone;
        let wrong = |parameter, rule, spoken| WrongParameter {
            parameter,
            sent: None,
            wrong: Wrong::Told(rule, spoken),
        };
        let needs_zone = |parameter: &'static Parameter| {
            let asked = format!(
                "To look by {}, please say which time zone you are in, such as America/Phoenix.",
                parameter.label
            );
            wrong(parameter, "needs timeZone, such as America/Phoenix", asked)
        };
        let given = |when: Option<When>, bound: fn(When, Option<Tz>) -> Option<Instant>, parameter| {
            when.map(|when| bound(when, zone).ok_or(needs_zone(parameter))).transpose()
        };
        let from = given(search.from, When::begin, &FROM)?;
        let until = given(search.until, When::end, &UNTIL)?;
        if let (Some(first), Some(last)) = (search.from, search.until)
            && until <= from
        {
            let told = format!(
                "The end time, {last}, isn't after the start time, {first}. Please give a later end time."
            );
            return Err(wrong(&UNTIL, "must be after from", told));
        }
        let start = from.map_or(now, |from| from.max(now));
        let farthest = last_known(now);
        let end = match (search.horizon_days, until) {
            (Some(days), _) if start < farthest && start >= now.plus_seconds(days * DAY) => {
                let rule = "counts from now and ends before from: leave it out, or send until";
                let told = "The start time is after the last of the days to look ahead. Please give an end \
                            time, such as 2026-11-30, in place of a number of days.";
                return Err(wrong(&HORIZON_DAYS, rule, told.to_owned()));
            }
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

//! Finds weekly windows of one visit type that overlap, for the check of content.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Weekday;

use crate::model::{Class, VisitTypeId, Weekly};

const DAY: u32 = 24 * 60;
const WEEK: u32 = 7 * DAY;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Written {
    pub entry: usize,
    pub window: usize,
}

/// Two weekly windows that offer one visit type at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    pub first: Written,
    pub second: Written,
    /// The first weekday, from Monday, on which an overlap begins.
    pub day: Weekday,
    /// The lowest visit type that both windows have.
    pub visit_type: VisitTypeId,
}

/// Each overlapping window is reported once, in the order of the content, with the earlier one that ends last. Not
/// every pair is: ten thousand windows at one time would be fifty million. A window past midnight continues on the next
/// weekday, and Sunday's on Monday. Windows that only touch do not overlap. Durations and steps do not matter.
pub fn overlapping(weekly: &[Weekly]) -> Vec<Overlap> {
    let types_of = |entry: &Weekly| entry.hours.classes().iter().flat_map(Class::types).copied().collect();
    let types: Vec<BTreeSet<VisitTypeId>> = weekly.iter().map(types_of).collect();
    let sorted = windows(weekly);
    let mut found = BTreeMap::new();
    let every_type: BTreeSet<VisitTypeId> = types.iter().flatten().copied().collect();
    for visit_type in every_type {
        let mut longest: Option<(u32, Written)> = None;
        // Two weeks, because Sunday's night continues on Monday.
        let first_week = sorted.iter().map(|later| (0, later));
        for (week, later) in first_week.chain(sorted.iter().map(|later| (WEEK, later))) {
            if !types[later.written.entry].contains(&visit_type) {
                continue;
            }
            let (start, b) = (week + later.start, later.written);
            if let Some((_, a)) = longest.filter(|(end, _)| *end > start) {
                let begins =
                    found.entry((a.min(b), a.max(b))).or_insert((later.start, later.day, visit_type));
                if later.start < begins.0 {
                    *begins = (later.start, later.day, begins.2);
                }
            }
            if longest.is_none_or(|(end, _)| end < start + later.minutes) {
                longest = Some((start + later.minutes, b));
            }
        }
    }
    let overlap = |((first, second), (_, day, visit_type))| Overlap { first, second, day, visit_type };
    found.into_iter().map(overlap).collect()
}

/// One window on one weekday, in minutes since Monday 00:00.
struct WeeklyWindow {
    start: u32,
    minutes: u32,
    day: Weekday,
    written: Written,
}

fn windows(weekly: &[Weekly]) -> Vec<WeeklyWindow> {
    let mut windows = Vec::new();
    for (entry, Weekly { days, hours }) in weekly.iter().enumerate() {
        for (index, window) in hours.windows().iter().enumerate() {
            windows.extend(days.iter(Weekday::Mon).map(|day| WeeklyWindow {
                start: day.num_days_from_monday() * DAY + u32::from(window.start().minutes()),
                minutes: u32::from(window.clock_minutes()),
                day,
                written: Written { entry, window: index },
            }));
        }
    }
    windows.sort_by_key(|window| window.start);
    windows
}

#[cfg(test)]
mod tests {
    use chrono::WeekdaySet;

    use super::*;
    use crate::model::Hours;

    fn entry(days: &[Weekday], windows: &[&str], types: &[i64]) -> Weekly {
        let types = types.iter().map(|&id| VisitTypeId::try_from(id).unwrap()).collect();
        let classes = vec![Class::new(types, 30, 30).unwrap()];
        let windows = windows.iter().map(|text| text.parse().unwrap()).collect();
        Weekly { days: days.iter().copied().collect::<WeekdaySet>(), hours: Hours::new(windows, classes) }
    }

    /// Entry and window.
    type Numbers = (usize, usize);

    /// Both positions, the day and the type.
    fn found(weekly: &[Weekly]) -> Vec<(Numbers, Numbers, Weekday, i32)> {
        let position = |written: Written| (written.entry, written.window);
        let overlaps = overlapping(weekly).into_iter();
        overlaps.map(|it| (position(it.first), position(it.second), it.day, it.visit_type.get())).collect()
    }

    use Weekday::{Fri, Mon, Sat, Sun, Thu, Tue, Wed};

    #[test]
    fn windows_that_touch_or_differ_in_type_or_day_do_not_overlap() {
        assert_eq!(
            found(&[
                entry(&[Mon, Tue], &["09:00-12:00", "12:00-17:00", "17:00-09:00"], &[1]),
                entry(&[Mon], &["10:00-11:00"], &[2]),
                entry(&[Fri], &["10:00-11:00"], &[1]),
            ]),
            []
        );
        let round_the_clock = [Mon, Tue, Wed, Thu, Fri, Sat, Sun];
        assert_eq!(found(&[entry(&round_the_clock, &["09:00-09:00"], &[1])]), []);
        assert_eq!(found(&[entry(&round_the_clock, &["00:00-24:00"], &[1])]), []);
    }

    #[test]
    fn a_pair_of_windows_is_reported_once_for_all_days() {
        assert_eq!(
            found(&[
                entry(&[Thu, Tue], &["08:00-09:00", "09:00-12:00"], &[3, 2]),
                entry(&[Tue, Wed, Thu], &["13:00-14:00", "11:59-13:00"], &[1, 2, 3]),
            ]),
            [((0, 1), (1, 1), Tue, 2)]
        );
        assert_eq!(
            found(&[entry(&[Wed], &["09:00-10:00", "09:00-10:00"], &[1])]),
            [((0, 0), (0, 1), Wed, 1)]
        );
        // Each of three overlapping windows is reported.
        assert_eq!(
            found(&[entry(&[Wed], &["09:00-10:00", "09:30-10:00", "09:15-11:00"], &[1])]),
            [((0, 0), (0, 2), Wed, 1), ((0, 1), (0, 2), Wed, 1)]
        );
    }

    #[test]
    fn a_night_continues_on_the_next_day_and_sundays_on_monday() {
        assert_eq!(
            found(&[entry(&[Mon], &["22:00-02:00"], &[1]), entry(&[Tue], &["01:00-03:00"], &[1])]),
            [((0, 0), (1, 0), Tue, 1)]
        );
        assert_eq!(
            found(&[entry(&[Mon], &["01:00-03:00"], &[1]), entry(&[Sun], &["22:00-02:00"], &[1])]),
            [((0, 0), (1, 0), Mon, 1)]
        );
        assert_eq!(
            found(&[entry(&[Mon], &["02:00-03:00"], &[1]), entry(&[Sun], &["22:00-02:00"], &[1])]),
            []
        );
    }

    #[test]
    fn one_type_in_two_classes_overlaps_too() {
        let mut long = entry(&[Sat], &["09:00-12:00"], &[5]);
        let types = vec![VisitTypeId::try_from(4).unwrap(), VisitTypeId::try_from(5).unwrap()];
        long.hours = Hours::new(long.hours.windows().to_vec(), vec![Class::new(types, 60, 15).unwrap()]);
        assert_eq!(found(&[entry(&[Sat], &["11:30-12:30"], &[5]), long]), [((0, 0), (1, 0), Sat, 5)]);
    }
}

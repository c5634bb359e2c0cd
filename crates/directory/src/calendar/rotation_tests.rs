//! The order of providers at one start, and that it is fair.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{NaiveDate, WeekdaySet};
use chrono_tz::Tz;

use super::instant::Instant;
use super::open::{Calendar, SlotFilter};
use super::test_clinics::*;
use crate::content::load_and_check;
use crate::model::{Class, ClockTime, Hours, Schedule, ScheduleParts, Weekly, Window};
use crate::model::{Directory, ProviderNumber};

const DAY: i64 = 86_400;

/// Half hours between two times of day, every day.
fn daily(start: u16, end: u16) -> Schedule {
    let class = Class::new(vec![type_id(101)], 30, 30).unwrap();
    let time = |half_hours: u16| ClockTime::from_minutes(half_hours * 30).unwrap();
    let hours = Hours::new(vec![Window::new(time(start), time(end)).unwrap()], vec![class]);
    let weekly = vec![Weekly { days: WeekdaySet::ALL, hours }];
    Schedule::new(ScheduleParts { weekly, ..ScheduleParts::new(Tz::UTC) }).unwrap()
}

/// Providers with starts around the clock.
fn crowd(count: usize) -> Directory {
    clinic((0..count).map(|index| (provider(index), Some(daily(0, 48)))).collect())
}

/// How often a provider led, and how often it would with equal chances among those present.
#[derive(Debug, Clone, Copy, Default)]
struct Leads {
    led: f64,
    fair: f64,
}

type Shares = BTreeMap<ProviderNumber, Leads>;

/// By state: the number of starts with a choice over some weeks, and who led at them.
fn leads<const N: usize>(directory: &Directory, codes: [&str; N], weeks: i64) -> [(usize, Shares); N] {
    let mut all = [const { (0, Shares::new()) }; N];
    for week in 0..weeks {
        let now = at(week * 7 * DAY);
        let calendar = Calendar::from_hours(directory, now);
        for ((starts, leads), code) in all.iter_mut().zip(codes) {
            let filter = SlotFilter::new(state(code), now, 10 * DAY, 200_000);
            let mut rounds: BTreeMap<Instant, Vec<ProviderNumber>> = BTreeMap::new();
            for (start, number) in calendar.open(directory, &filter) {
                rounds.entry(start).or_default().push(number);
            }
            // After three days every notice is kept.
            for round in rounds.range(now.plus_seconds(3 * DAY)..).map(|(_, round)| round) {
                if let [first, _, ..] = round[..] {
                    *starts += 1;
                    leads.entry(first).or_default().led += 1.0;
                    let fair = 1.0 / f64::from(u32::try_from(round.len()).unwrap());
                    for &number in round {
                        leads.entry(number).or_default().fair += fair;
                    }
                }
            }
        }
    }
    all
}

/// Compares leads with equal chances, one by one and all together. `spread` is a further allowance for each share.
fn assert_fair(leads: &Shares, spread: f64) {
    let mut sum = 0.0;
    for (number, Leads { led, fair }) in leads {
        let room = 5.0 * fair.sqrt() + 3.0 + spread * fair;
        assert!((led - fair).abs() <= room, "{number:?} led {led} times of {fair}");
        sum += (led - fair).powi(2) / fair;
    }
    // Five standard deviations of chi-square.
    let many = f64::from(u32::try_from(leads.len()).unwrap());
    if spread == 0.0 {
        assert!(sum <= many + 5.0 * (2.0 * many).sqrt(), "{sum} for {many}");
    }
}

#[test]
fn all_lead_equally_often_where_the_same_providers_are_present() {
    // Exactly up to 48 providers. With more, each leads in proportion to the 48 gaps before it.
    for (count, spread) in [(2, 0.0), (3, 0.0), (20, 0.0), (48, 0.0), (150, 0.5)] {
        let directory = crowd(count);
        let [(starts, leads)] = leads(&directory, ["CA"], 30);
        assert_eq!((starts, leads.len()), (30 * 7 * 48, count));
        assert_fair(&leads, spread);
    }
}

#[test]
fn all_lead_equally_often_where_others_are_present_at_each_start() {
    for seed in 0..4_u64 {
        let person = |index: usize| {
            let chance = super::index::order::mix(seed * 1000 + index as u64);
            let start = u16::try_from(chance % 30).unwrap();
            let length = u16::try_from(chance / 64 % 17).unwrap() + 1;
            (provider(index), Some(daily(start, start + length)))
        };
        let directory = clinic((0..40).map(person).collect());
        let [(starts, leads)] = leads(&directory, ["CA"], 40);
        assert!(starts > 10_000, "{starts}");
        assert_fair(&leads, 0.0);
    }
}

#[test]
fn all_lead_equally_often_in_the_demo_clinic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
    let directory = load_and_check(&folder, NaiveDate::default()).unwrap().directory;
    let mut most = 0;
    for (starts, leads) in leads(&directory, ["CA", "NY", "TX", "FL", "IL"], 104) {
        most = most.max(starts);
        assert_fair(&leads, 0.0);
    }
    assert!(most > 10_000, "{most}");
}

#[test]
fn every_start_has_the_same_cyclic_order() {
    for count in [40_usize, 48, 49, 130] {
        let directory = crowd(count);
        let calendar = Calendar::from_hours(&directory, at(0));
        let round = |start: i64| {
            let filter = SlotFilter { limit: count, ..filters(at(start - 3600), DAY, 0)[0] };
            let found = calendar.open(&directory, &filter);
            assert!(found.iter().all(|&(when, _)| when == at(start)));
            found.into_iter().map(|(_, number)| number).collect::<Vec<_>>()
        };
        let (one, other) = (round(1800), round(3600));
        assert_ne!(one, other);
        // The first 48 are rotated among themselves: with that undone, the cyclic order is common.
        let window = count.min(48);
        let is_common = |back: (usize, usize)| {
            let (mut one, mut other) = (one.clone(), other.clone());
            one[..window].rotate_right(back.0);
            other[..window].rotate_right(back.1);
            let entered = one.iter().position(|&number| number == other[0]).unwrap();
            one.rotate_left(entered);
            one == other
        };
        assert!((0..window).any(|one| (0..window).any(|other| is_common((one, other)))), "{count}");
    }
}

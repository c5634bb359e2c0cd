//! Decides which release is served now, and which ones are prepared for later.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::release::Release;

/// The releases after the one that was served last, as far as they are known. At any time the highest number whose time
/// has come is served.
#[derive(Debug)]
pub(super) struct Schedule {
    /// The number that was served or held last. It and lower ones are not served again.
    last: u64,
    known: BTreeMap<u64, Known>,
}

#[derive(Debug)]
enum Known {
    /// Its file is in the store.
    Unread,
    Read(Release),
    /// It cannot be served.
    Failed,
}

impl Schedule {
    pub(super) fn after(served: u64) -> Self {
        Self { last: served, known: BTreeMap::new() }
    }

    /// The number that the store is asked for next; `None` after the highest possible number.
    pub(super) fn next_number(&self) -> Option<u64> {
        self.known.keys().next_back().copied().unwrap_or(self.last).checked_add(1)
    }

    /// Takes a listing of all numbers. What is not in it is forgotten: a file that was removed may be replaced by
    /// another release with its number.
    pub(super) fn list(&mut self, numbers: &[u64], served: u64) {
        let newest = numbers.iter().max().copied().unwrap_or_default();
        self.last = self.last.min(newest).max(served);
        self.known.retain(|number, _| numbers.contains(number));
        for &number in numbers.iter().filter(|&&number| number > self.last) {
            self.known.entry(number).or_insert(Known::Unread);
        }
    }

    /// Notes that a file is to be read again.
    pub(super) fn read_again(&mut self, number: u64) {
        self.known.insert(number, Known::Unread);
    }

    pub(super) fn has_read(&mut self, release: Release) {
        self.known.insert(release.number, Known::Read(release));
    }

    pub(super) fn has_failed(&mut self, number: u64) {
        self.known.insert(number, Known::Failed);
    }

    pub(super) fn is_removed(&mut self, number: u64) {
        self.known.remove(&number);
    }

    /// Notes that a release is served or held: lower numbers are dropped.
    pub(super) fn has_served(&mut self, number: u64) {
        self.last = number;
        self.known.retain(|&known, _| known > number);
    }

    /// Whether no release is known after the one that is served.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether a number is higher than what was served, and not known as a release that can be read.
    pub(super) fn is_news(&self, number: u64) -> bool {
        number > self.last && !matches!(self.known.get(&number), Some(Known::Read(_)))
    }

    /// The number whose file must be read before it is known what to serve.
    pub(super) fn unread(&self, now: DateTime<Utc>) -> Option<u64> {
        for (&number, known) in self.known.iter().rev() {
            match known {
                Known::Unread => return Some(number),
                Known::Read(release) if release.from <= now => return None,
                Known::Read(_) | Known::Failed => {}
            }
        }
        None
    }

    /// The releases to serve, in the order of their times and numbers. Only the first may be due. A release is left out
    /// if a higher number is due by then.
    pub(super) fn plan(&self, now: DateTime<Utc>) -> Vec<&Release> {
        let mut plan: Vec<&Release> = Vec::new();
        for known in self.known.values().rev() {
            let Known::Read(release) = known else { continue };
            if plan.last().is_none_or(|later| release.from < later.from) {
                plan.push(release);
            }
            if release.from <= now {
                break;
            }
        }
        plan.reverse();
        plan
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> DateTime<Utc> {
        format!("2026-{time}:00Z").parse().unwrap()
    }

    fn release(number: u64, from: &str) -> Release {
        Release {
            number,
            generation: "0123456789abcdef".to_owned(),
            sha256: "ab".repeat(32),
            bytes: 1,
            unpacked: 1,
            from: at(from),
            previous: None,
            by: "ann".to_owned(),
            at: at("11-20T09:00"),
            signed: None,
        }
    }

    /// Release 1 is served, and these are read.
    fn schedule(releases: &[(u64, &str)]) -> Schedule {
        let mut schedule = Schedule::after(1);
        for &(number, from) in releases {
            schedule.has_read(release(number, from));
        }
        schedule
    }

    fn plan(schedule: &Schedule, now: &str) -> Vec<u64> {
        schedule.plan(at(now)).into_iter().map(|release| release.number).collect()
    }

    const NOW: &str = "11-26T09:00";
    const SOON: &str = "11-26T09:01";
    const DECEMBER: &str = "12-01T06:00";

    #[test]
    fn a_release_for_later_does_not_delay_a_newer_one() {
        let schedule = schedule(&[(2, DECEMBER), (3, SOON)]);
        assert_eq!(plan(&schedule, NOW), [3]);
        assert_eq!(plan(&schedule, SOON), [3]);
        assert_eq!(plan(&schedule, DECEMBER), [3], "2 is never served after 3");
    }

    #[test]
    fn a_release_that_is_due_is_served_before_one_for_later() {
        let mut schedule = schedule(&[(2, NOW), (3, DECEMBER)]);
        assert_eq!(plan(&schedule, NOW), [2, 3]);
        schedule.has_served(2);
        assert_eq!(plan(&schedule, NOW), [3]);
    }

    #[test]
    fn each_of_three_releases_for_later_is_served() {
        let mut schedule = schedule(&[(2, SOON), (3, "11-30T06:00"), (4, DECEMBER)]);
        assert_eq!(plan(&schedule, NOW), [2, 3, 4]);
        schedule.has_served(2);
        assert_eq!(plan(&schedule, SOON), [3, 4]);
        assert_eq!(plan(&schedule, DECEMBER), [4]);
    }

    #[test]
    fn of_several_that_are_due_the_highest_is_served_and_lower_ones_if_it_fails() {
        let mut schedule = schedule(&[(2, "11-25T09:00"), (3, "11-24T09:00"), (4, NOW)]);
        assert_eq!(plan(&schedule, NOW), [4]);
        schedule.has_failed(4);
        assert_eq!(plan(&schedule, NOW), [3]);
        schedule.has_failed(3);
        assert_eq!(plan(&schedule, NOW), [2]);
        schedule.has_served(4);
        assert!(schedule.is_empty());
    }

    #[test]
    fn files_are_read_from_the_newest_to_the_first_that_is_due() {
        let mut schedule = Schedule::after(1);
        schedule.list(&[1, 2, 3, 4, 5], 1);
        assert_eq!(schedule.unread(at(NOW)), Some(5));
        schedule.has_read(release(5, DECEMBER));
        assert_eq!(schedule.unread(at(NOW)), Some(4));
        schedule.has_failed(4);
        assert_eq!(schedule.unread(at(NOW)), Some(3));
        schedule.has_read(release(3, NOW));
        assert_eq!(schedule.unread(at(NOW)), None);
        schedule.has_failed(3);
        assert_eq!(schedule.unread(at(NOW)), Some(2), "the one that is due cannot be served");
    }

    #[test]
    fn the_number_of_a_removed_file_is_asked_for_again() {
        let mut schedule = Schedule::after(1);
        assert_eq!(schedule.next_number(), Some(2));
        schedule.has_failed(2);
        assert_eq!(schedule.next_number(), Some(3));
        schedule.is_removed(2);
        assert_eq!(schedule.next_number(), Some(2));

        schedule.list(&[1, u64::MAX], 1);
        assert_eq!((schedule.next_number(), schedule.unread(at(NOW))), (None, Some(u64::MAX)));
        schedule.list(&[1], 1);
        assert_eq!(schedule.next_number(), Some(2));

        // Release 4 is held and not served, and its file is removed.
        schedule.has_served(4);
        assert_eq!(schedule.next_number(), Some(5));
        schedule.list(&[1, 2, 3], 1);
        assert_eq!(schedule.next_number(), Some(4));
        schedule.list(&[], 1);
        assert_eq!(schedule.next_number(), Some(2), "never at or below what is served");
    }

    #[test]
    fn an_announcement_of_what_is_known_is_no_news() {
        let mut schedule = schedule(&[(3, DECEMBER)]);
        schedule.has_failed(4);
        let news = (0..6).filter(|&number| schedule.is_news(number));
        assert_eq!(
            news.collect::<Vec<_>>(),
            [2, 4, 5],
            "another release may have the number of one that failed"
        );
    }
}

//! Detects a reading that has lost so much that its source is probably broken.
//!
//! - It compares the numbers of listed providers and of entries, of all files together and of each file.
//! - Only entries of the next 30 days count, in both readings. So a feed that leaves out old appointments loses
//!   nothing, and appointments that move years ahead are lost.
//! - A reading is compared with the last one that was used, and with the largest one of the last day (`most`), so that
//!   several losses add up.
//! - Bookings and cancellations are small losses, and those of a whole day must not add up. So in each hour the first
//!   small losses, up to a tenth of the entries or a few, also lower the largest reading.

use std::collections::BTreeMap;
use std::collections::HashSet;
use std::sync::Arc;

use directory::calendar::{FeedEntries, FeedFile, FeedMode, FeedSet, Instant};
use directory::model::Slug;

use crate::orders::ORDER;

pub(crate) const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
/// The longest horizon of a request, in hours.
const HORIZON: i64 = 30 * 24;
/// The loss that is never held, whatever the size of the feed: a clinic with three appointments may lose two.
pub(crate) const FEW_ENTRIES: usize = 4;

/// The number of entries that begin in each hour since 1970.
pub(crate) type Hours = BTreeMap<i64, usize>;

/// The size of a reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct Size {
    /// Each provider that is listed, with the end of the last entry.
    providers: BTreeMap<Slug, Instant>,
    /// The entries of all files together (`None`), and of each file if there are several.
    entries: BTreeMap<Option<Arc<str>>, Hours>,
}

/// The sizes of earlier readings, with which new readings are compared.
#[derive(Debug, Default)]
pub(crate) struct Shrink {
    pub(crate) last_providers: BTreeMap<Slug, Instant>,
    /// The reading with the most providers within a day, and its time.
    pub(crate) most_providers: (BTreeMap<Slug, Instant>, Option<Instant>),
    pub(crate) provider_losses: SmallLosses,
    /// As [`Size::entries`].
    pub(crate) entries: BTreeMap<Option<Arc<str>>, EntryHistory>,
}

/// The entries of earlier readings.
#[derive(Debug, Clone, Default)]
pub(crate) struct EntryHistory {
    /// The entries of the last reading.
    pub(crate) last: Hours,
    /// The largest reading within a day.
    pub(crate) most: Hours,
    /// The time of that reading.
    pub(crate) since: Option<Instant>,
    pub(crate) losses: SmallLosses,
}

/// The allowance of small losses in an hour. A loss within it also lowers the largest reading.
#[derive(Debug, Clone, Default)]
pub(crate) struct SmallLosses {
    hour: i64,
    /// How much more may be lost in this hour.
    left: usize,
}

impl SmallLosses {
    /// Takes a loss from this hour's allowance if it fits; returns whether it did. `most` is the allowance of a new
    /// hour.
    pub(crate) fn take(&mut self, lost: usize, most: usize, now: Instant) -> bool {
        let hour = now.unix().div_euclid(HOUR);
        if self.hour != hour {
            *self = Self { hour, left: most };
        }
        let is_small = lost <= self.left;
        self.left -= if is_small { lost } else { 0 };
        is_small
    }
}

impl Size {
    pub(crate) fn of(set: &FeedSet, files: &[Arc<FeedFile>], mode: FeedMode) -> Self {
        let providers = set.listed.iter().map(|(slug, listed)| (slug.clone(), listed.until)).collect();
        let mut all = Hours::new();
        for feed in &set.providers {
            match &feed.entries {
                FeedEntries::Open(slots) => count_hours(slots.iter().map(|slot| slot.start), &mut all),
                FeedEntries::Busy(taken) => count_hours(taken.iter().map(|busy| busy.start), &mut all),
            }
        }
        let mut entries = BTreeMap::from([(None, all)]);
        for file in files.iter().filter(|_| files.len() > 1) {
            count_hours(file.starts(mode), entries.entry(Some(file.shared_name())).or_default());
        }
        Self { providers, entries }
    }
}

/// Counts starts by hour. Counting runs of the same hour makes sorted starts cheap.
fn count_hours(starts: impl Iterator<Item = Instant>, entries: &mut Hours) {
    let mut run: Option<(i64, usize)> = None;
    for start in starts {
        let hour = start.unix().div_euclid(HOUR);
        match &mut run {
            Some((same, count)) if *same == hour => *count += 1,
            _ => {
                if let Some((hour, count)) = run.replace((hour, 1)) {
                    *entries.entry(hour).or_default() += count;
                }
            }
        }
    }
    if let Some((hour, count)) = run {
        *entries.entry(hour).or_default() += count;
    }
}

/// The number of entries that begin within the horizon, from the next hour on.
pub(crate) fn ahead(entries: &Hours, now: Instant) -> usize {
    let hour = now.unix().div_euclid(HOUR);
    entries.range(hour + 1..=hour + HORIZON).map(|(_, count)| count).sum()
}

/// Whether an entry that begins then is one that [`ahead`] counts.
pub(crate) fn is_ahead(start: Instant, now: Instant) -> bool {
    let hour = now.unix().div_euclid(HOUR);
    (hour + 1..=hour + HORIZON).contains(&start.unix().div_euclid(HOUR))
}

/// Counts the providers with future entries in `before`: how many of them `after` does not list, and how many there
/// are. Providers that the directory (`here`) does not have are left out.
fn lost_providers(
    before: &BTreeMap<Slug, Instant>,
    after: &BTreeMap<Slug, Instant>,
    here: &HashSet<&Slug>,
    now: Instant,
) -> (usize, usize) {
    let expected = || before.iter().filter(|(slug, until)| **until > now && here.contains(slug));
    (expected().filter(|(slug, _)| !after.contains_key(*slug)).count(), expected().count())
}

/// Whether a reading is older than a day. One from the future, before the clock was set back, counts as old.
pub(crate) fn is_old(since: Option<Instant>, now: Instant) -> bool {
    since.is_none_or(|since| !(0..DAY).contains(&(now.unix() - since.unix())))
}

impl Shrink {
    /// Why a reading is held, if it has lost too much; `here` are the providers of the directory.
    pub(crate) fn judge(
        &self,
        size: &Size,
        here: &HashSet<&Slug>,
        max_shrink: f64,
        now: Instant,
    ) -> Option<String> {
        #[expect(clippy::cast_precision_loss, reason = "counts of people and slots are far below 2^52")]
        let is_too_much = |lost: usize, before: usize| lost as f64 > max_shrink * before as f64;
        let reason = |who: &str, lost, before, what: &str, since: &str| {
            format!(
                "{who} has lost {lost} of the {before} {what} that it had {since} and is held: the last good data \
                 stays, until it has grown back or is accepted with {ORDER}"
            )
        };
        let (day, reading) = ("within a day", "at the last reading");
        let (most, since) = &self.most_providers;
        let most = if is_old(*since, now) { &self.last_providers } else { most };
        for (before, since) in [(most, day), (&self.last_providers, reading)] {
            let (lost, count) = lost_providers(before, &size.providers, here, now);
            if is_too_much(lost, count) {
                return Some(reason("the feed", lost, count, "providers", since));
            }
        }
        // An entry that has moved to another file is not lost.
        let mut lost_in_all = [usize::MAX; 2];
        for (file, after) in &size.entries {
            let Some(before) = self.entries.get(file) else { continue };
            let sides = [(before.most_of_the_day(now), day), (&before.last, reading)];
            for ((before, since), lost_in_all) in sides.into_iter().zip(&mut lost_in_all) {
                let count = ahead(before, now);
                let lost = count.saturating_sub(ahead(after, now)).min(*lost_in_all);
                if file.is_none() {
                    *lost_in_all = lost;
                }
                if lost > FEW_ENTRIES && is_too_much(lost, count) {
                    let who = file.as_deref().unwrap_or("the feed");
                    return Some(reason(who, lost, count, "future entries", since));
                }
            }
        }
        None
    }

    /// Records a reading that is used, to compare later ones with it.
    pub(crate) fn accept(&mut self, size: Size, here: &HashSet<&Slug>, now: Instant) {
        let (lost, count) = lost_providers(&self.last_providers, &size.providers, here, now);
        let (most, since) = &mut self.most_providers;
        if self.provider_losses.take(lost, count.max(size.providers.len()) / 10, now) {
            most.retain(|slug, _| {
                size.providers.contains_key(slug) || !self.last_providers.contains_key(slug)
            });
        }
        let expected = most.values().filter(|until| **until > now).count();
        let listed = size.providers.values().filter(|until| **until > now).count();
        if is_old(*since, now) || listed >= expected {
            (*most, *since) = (size.providers.clone(), Some(now));
        }
        self.last_providers = size.providers;
        self.entries.retain(|file, _| size.entries.contains_key(file));
        for (file, hours) in size.entries {
            self.entries.entry(file).or_default().accept(hours, now);
        }
    }

    /// Forgets earlier readings, because an operator accepts this one or there is a new directory.
    pub(crate) fn begin_with(&mut self, size: Size, now: Instant) {
        *self = Self::default();
        self.accept(size, &HashSet::new(), now);
    }
}

impl EntryHistory {
    /// The largest reading of the last day; the last one if that is older.
    pub(crate) fn most_of_the_day(&self, now: Instant) -> &Hours {
        if is_old(self.since, now) { &self.last } else { &self.most }
    }

    pub(crate) fn accept(&mut self, hours: Hours, now: Instant) {
        let (before, after) = (ahead(&self.last, now), ahead(&hours, now));
        let most_small = FEW_ENTRIES.max(before.max(after) / 10);
        if self.losses.take(before.saturating_sub(after), most_small, now) {
            for (hour, count) in &mut self.most {
                let of = |entries: &Hours| entries.get(hour).copied().unwrap_or_default();
                let lost = of(&self.last).saturating_sub(of(&hours));
                *count = of(&hours).max(count.saturating_sub(lost));
            }
        }
        if is_old(self.since, now) || after >= ahead(&self.most, now) {
            (self.most, self.since) = (hours.clone(), Some(now));
        }
        self.last = hours;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hour: i64) -> Instant {
        Instant::from_unix(1_800_000_000 / DAY * DAY + hour * HOUR)
    }

    /// The size of a reading with an entry of each of these providers in each of these hours.
    fn size(slugs: &[&str], hours: impl Iterator<Item = i64> + Clone) -> Size {
        let last = hours.clone().max().unwrap_or_default();
        let base = at(0).unix().div_euclid(HOUR);
        Size {
            providers: slugs.iter().map(|slug| (slug.parse().unwrap(), at(last + 1))).collect(),
            entries: [(None, hours.map(|hour| (base + hour, slugs.len())).collect())].into(),
        }
    }

    const TEN: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

    struct Feed(Shrink, HashSet<&'static Slug>);

    impl Feed {
        fn new(first: Size) -> Self {
            let here = TEN.map(|slug| &*Box::leak(Box::new(slug.parse().unwrap())));
            let mut shrink = Shrink::default();
            shrink.begin_with(first, at(0));
            Self(shrink, here.into_iter().collect())
        }

        fn read(&mut self, hour: i64, size: Size) -> Option<String> {
            let held = self.0.judge(&size, &self.1, 0.5, at(hour));
            if held.is_none() {
                self.0.accept(size, &self.1, at(hour));
            }
            held
        }
    }

    #[test]
    fn every_clinician_losing_six_of_seven_days_is_held() {
        let mut feed = Feed::new(size(&TEN, 0..7 * 24));
        let held = feed.read(1, size(&TEN, 0..24)).unwrap();
        // From the hour after one o'clock: 166 hours of ten clinicians, and 22 are left.
        assert!(held.contains("lost 1440 of the 1660 future entries"), "{held}");
        // So are the last day alone and the same week of next year.
        assert!(feed.read(1, size(&TEN, 6 * 24..7 * 24)).is_some());
        assert!(feed.read(1, size(&TEN, 365 * 24..372 * 24)).is_some());
        assert!(feed.read(1, size(&TEN, 0..7 * 24)).is_none());
    }

    #[test]
    fn a_feed_that_only_grows_old_is_never_held() {
        // The publisher leaves out what has passed, up to the very last appointment.
        let mut feed = Feed::new(size(&TEN, 0..48));
        for hour in 0..60 {
            assert_eq!(
                feed.read(hour, size(if hour < 48 { &TEN } else { &[] }, hour..48.max(hour))),
                None,
                "{hour}"
            );
        }
        // Or it moves its window along.
        let mut feed = Feed::new(size(&TEN, 0..48));
        for hour in 0..200 {
            assert_eq!(feed.read(hour, size(&TEN, hour..hour + 48)), None, "{hour}");
        }
    }

    #[test]
    fn readings_that_halve_step_by_step_are_held_within_a_day() {
        let mut feed = Feed::new(size(&TEN[..8], 0..90));
        assert_eq!(feed.read(0, size(&TEN[..4], 0..90)), None);
        let held = feed.read(1, size(&TEN[..2], 0..90)).unwrap();
        assert!(held.contains("lost 6 of the 8 providers that it had within a day"), "{held}");
        // A day later it is compared with what has been true since.
        assert_eq!(feed.read(25, size(&TEN[..4], 0..90)), None);
        assert_eq!(feed.read(26, size(&TEN[..2], 0..90)), None);
        // So is the first reading after a quiet day.
        let mut feed = Feed::new(size(&TEN[..8], 0..90));
        assert_eq!(feed.read(0, size(&TEN[..4], 0..90)), None);
        assert_eq!(feed.read(25, size(&TEN[..2], 0..90)), None);

        let mut feed = Feed::new(size(&TEN, 0..100));
        assert_eq!(feed.read(0, size(&TEN, 0..60)), None);
        // Of the largest reading, not of the last one: 99 hours of ten from the hour after now, and 39 are left.
        let held = feed.read(0, size(&TEN, 0..40)).unwrap();
        assert!(held.contains("lost 600 of the 990 future entries that it had within a day"), "{held}");
    }

    #[test]
    fn a_file_that_loses_most_of_its_entries_is_held_unless_another_has_them() {
        let files = |a: i64, b: i64| {
            let mut both = size(&TEN, 0..200);
            let of = |hours: i64| size(&TEN[..1], 0..hours).entries.remove(&None).unwrap();
            let entries = [(None, of(a + b)), (Some("a".into()), of(a)), (Some("b".into()), of(b))];
            both.entries = entries.into();
            both
        };
        let mut feed = Feed::new(files(31, 201));
        // A few of a small file are bookings.
        assert_eq!(feed.read(0, files(27, 201)), None);
        let held = feed.read(0, files(6, 201)).unwrap();
        assert!(held.starts_with("a has lost 21 of the 26 future entries"), "{held}");
        assert_eq!(feed.read(0, files(6, 222)), None);
    }

    #[test]
    fn slots_that_are_booked_over_hours_are_never_held() {
        let mut feed = Feed::new(size(&TEN[..1], 100..139));
        for booked in 1..39 {
            let hour = booked / 4;
            assert_eq!(feed.read(hour, size(&TEN[..1], 100 + booked..139)), None, "{booked}");
        }
    }

    #[test]
    fn small_losses_at_each_of_many_readings_are_held_within_an_hour() {
        let mut feed = Feed::new(size(&TEN[..1], 100..200));
        let held: Vec<_> = (1..100).map(|lost| feed.read(0, size(&TEN[..1], 100 + lost..200))).collect();
        // Ten of the hundred are forgotten; of the 90 that are left, more than half have gone with the 56th.
        assert_eq!(held.iter().position(Option::is_some), Some(55), "{held:?}");
        // Ten clinicians who leave one by one: one of them is forgotten, and of nine five are more than half.
        let mut feed = Feed::new(size(&TEN, 100..104));
        let held: Vec<_> = (1..10).map(|lost| feed.read(0, size(&TEN[lost..], 100..104))).collect();
        assert_eq!(held.iter().position(Option::is_some), Some(5), "{held:?}");
    }
}

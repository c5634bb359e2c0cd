//! All open starts of a period, provider by provider: for files that list every slot.

use std::borrow::Cow;

use super::feed::Freshness;
use super::instant::Instant;
use super::open::Calendar;
use crate::model::{Directory, ProviderNumber, VisitTypeId};

impl Calendar {
    pub fn covering_period(&self, directory: &Directory, from: Instant, until: Instant) -> Cow<'_, Self> {
        if self.covers(from.unix(), until.unix()) {
            Cow::Borrowed(self)
        } else {
            Cow::Owned(self.covering(directory, None, from, until.unix()))
        }
    }

    /// Ascending. None before the provider's notice has passed, and none if the provider's part of the feed is too old
    /// to be shown. The calendar must cover the period.
    pub fn starts_for(
        &self,
        number: ProviderNumber,
        visit_type: VisitTypeId,
        now: Instant,
        (from, until): (Instant, Instant),
    ) -> Vec<Instant> {
        let rank = self.order.rank(number);
        let is_expired = |feed: &super::open::FeedState| {
            feed.expired.as_deref().is_some_and(|expired| expired.contains(rank))
        };
        if self.feed.as_ref().is_some_and(is_expired) {
            return Vec::new();
        }
        let from = from.max(now.plus_seconds(self.order.notice(rank))).unix();
        let since = u32::try_from((from - self.origin).max(0)).unwrap_or(u32::MAX);
        let lists = self.providers.get(rank).starts(since);
        let mut walks = lists.filter(|(set, _)| self.eligibility.has_type(*set, visit_type));
        let Some((_, first)) = walks.next() else { return Vec::new() };
        let at = |start: u32| Instant::from_unix(self.origin + i64::from(start));
        let mut starts: Vec<Instant> = first.map(at).take_while(|at| *at < until).collect();
        let before = starts.len();
        for (_, walk) in walks {
            starts.extend(walk.map(at).take_while(|at| *at < until));
        }
        // Windows with other sets of types may have the same start.
        if starts.len() > before {
            starts.sort_unstable();
            starts.dedup();
        }
        starts
    }

    /// The first moment whose starts no notice hides anymore: later ones do not change while time passes.
    pub fn longest_notice_after(&self, now: Instant) -> Instant {
        now.plus_seconds(self.order.longest_notice)
    }

    /// Whether it is unknown what is open anywhere: the feed has expired as a whole, or the part of each provider who has
    /// hours or slots.
    pub fn is_all_unknown(&self, directory: &Directory) -> bool {
        let Some(feed) = &self.feed else { return false };
        if feed.freshness == Freshness::Expired {
            return true;
        }
        let Some(expired) = feed.expired.as_deref() else { return false };
        let mut others = self.order.ranks().filter(|rank| !expired.contains(*rank));
        !expired.is_empty() && !others.any(|rank| self.has_hours_or_slots(directory, rank))
    }
}

//! The calendar, and its open slots in order. A slot is offered in a state only where its provider is licensed and
//! accepts new patients and the visit type is offered. A patient who asks for a visit type that new patients can't book
//! is a current one: then the license is enough. A [`Calendar`] covers whole chunks of time, from before now to some
//! days after the farthest horizon. A query outside that time gets the same answer, but its starts are computed for it
//! alone, which is slow in a large clinic. A service calls [`Calendar::roll`] at least every hour; the margin of two
//! days allows for a late call.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::feed::{FeedMode, Freshness};
use super::index::blocks::Blocks;
use super::index::chunk::{CHUNK, Chunk};
use super::index::eligibility::{Eligibility, Wanted};
use super::index::filters::ProviderFilter;
use super::index::members::Members;
use super::index::order::Order;
use super::index::packed_feed::PackedFeed;
use super::index::provider_starts::ProviderStarts;
use super::index::query::{Index, Limits};
use super::index::slot_query::{RankedStart, SlotQuery};
use super::instant::Instant;
use crate::bits::Mask;
use crate::model::{Directory, ProviderNumber, Slug, StateCode};

#[derive(Debug, Clone, Copy)]
pub struct SlotFilter {
    /// Where the patient will be.
    pub state: StateCode,
    pub provider: Option<ProviderNumber>,
    /// Only this visit type's. The number need not be that of a type.
    pub visit_type: Option<i64>,
    pub now: Instant,
    /// How far to look, in elapsed seconds.
    pub horizon_seconds: i64,
    pub limit: usize,
    /// The earliest start, if it is later than now.
    pub from: Option<Instant>,
    pub one_per_provider: bool,
    /// Whether only visit types for new patients count.
    pub new_patients: bool,
    pub providers: ProviderFilter,
}

impl SlotFilter {
    pub fn new(state: StateCode, now: Instant, horizon_seconds: i64, limit: usize) -> Self {
        Self {
            state,
            provider: None,
            visit_type: None,
            now,
            horizon_seconds,
            limit,
            from: None,
            one_per_provider: false,
            new_patients: false,
            providers: ProviderFilter::default(),
        }
    }
}

/// It belongs to the directory that it was made from, and every call takes that directory. A copy costs microseconds,
/// and a changed copy shares what did not change.
#[derive(Debug, Clone)]
pub struct Calendar {
    pub(super) order: Arc<Order>,
    pub(super) eligibility: Eligibility,
    /// By rank.
    pub(super) providers: Blocks<ProviderStarts>,
    /// The number of the first chunk.
    pub(super) first: i64,
    pub(super) chunks: Vec<Arc<Chunk>>,
    /// The moment from which the seconds in `providers` are counted.
    pub(super) origin: i64,
    pub(super) feed: Option<FeedState>,
    pub(super) limits: Limits,
}

/// The state of the feed as a whole. Each provider's entries are in its [`ProviderStarts`].
#[derive(Debug, Clone)]
pub(super) struct FeedState {
    pub(super) mode: FeedMode,
    pub(super) freshness: Freshness,
    pub(super) was_read: bool,
    pub(super) expired: Option<Arc<Mask>>,
    /// The entries of slugs that the directory does not have. They are kept because the next directory may have them.
    pub(super) unmatched: Arc<BTreeMap<Slug, Arc<PackedFeed>>>,
}

impl FeedState {
    pub(super) fn unread(mode: FeedMode) -> Self {
        Self {
            mode,
            freshness: Freshness::Expired,
            was_read: false,
            expired: None,
            unmatched: Arc::default(),
        }
    }
}

impl Calendar {
    /// The first open slots, earliest first, each provider at most once at one start.
    pub fn open(&self, directory: &Directory, filter: &SlotFilter) -> Vec<(Instant, ProviderNumber)> {
        let found = self.find(directory, filter).into_iter();
        found.map(|found| (Instant::from_unix(found.at), self.order.number(found.rank))).collect()
    }

    pub(super) fn find(&self, directory: &Directory, filter: &SlotFilter) -> Vec<RankedStart> {
        let Some((wanted, pair)) = self.pair(filter) else { return Vec::new() };
        if filter.limit == 0 {
            return Vec::new();
        }
        let query = SlotQuery {
            state: filter.state,
            wanted,
            pair,
            now: filter.now,
            from: filter.from,
            until: filter.now.plus_seconds(filter.horizon_seconds).unix(),
            limit: filter.limit,
            one_per_provider: filter.one_per_provider,
            is_counted: !filter.one_per_provider && filter.providers == ProviderFilter::default(),
            expired: self.feed.as_ref().and_then(|feed| feed.expired.as_deref()),
        };
        if self.covers(query.now.unix(), query.until) {
            self.answer(filter, &query)
        } else {
            self.covering(directory, filter.provider, query.now, query.until).answer(filter, &query)
        }
    }

    pub(super) fn answer(&self, filter: &SlotFilter, query: &SlotQuery<'_>) -> Vec<RankedStart> {
        let index = Index {
            order: &self.order,
            eligibility: &self.eligibility,
            first: self.first,
            chunks: &self.chunks,
            providers: &self.providers,
            origin: self.origin,
            limits: self.limits,
        };
        let Some(number) = filter.provider else {
            let members =
                self.eligibility.members(filter.state, (query.wanted, query.pair), filter.providers);
            return index.find(&members, query);
        };
        let rank = self.order.rank(number);
        if !self.eligibility.meets(rank, filter.state, query.wanted, filter.providers) {
            return Vec::new();
        }
        index.find(&Members::List((&[rank][..]).into()), query)
    }

    pub(super) fn pair(&self, filter: &SlotFilter) -> Option<(Wanted, usize)> {
        let wanted = self.eligibility.wanted(filter.visit_type, filter.new_patients)?;
        Some((wanted, self.eligibility.pair(filter.state, wanted)?))
    }

    pub(super) fn covers(&self, from: i64, until: i64) -> bool {
        !self.chunks.is_empty() && self.first * CHUNK <= from && until <= self.end()
    }

    pub(super) fn end_chunk(&self) -> i64 {
        self.first + i64::try_from(self.chunks.len()).unwrap_or_default()
    }

    pub(super) fn end(&self) -> i64 {
        self.end_chunk() * CHUNK
    }

    /// The freshness of the feed's data. Without a feed, the content's hours are always fresh.
    pub fn freshness(&self) -> Freshness {
        self.feed.as_ref().map_or(Freshness::Fresh, |feed| feed.freshness)
    }

    pub fn awaits_feed(&self) -> bool {
        self.feed.as_ref().is_some_and(|feed| !feed.was_read)
    }

    pub fn feed_mode(&self) -> Option<FeedMode> {
        self.feed.as_ref().map(|feed| feed.mode)
    }

    /// Whether a query cannot be answered now, because an empty list would wrongly mean that nothing is open:
    /// - the whole feed has expired;
    /// - the requested provider's part of the feed has expired, and the provider meets the filters of providers;
    /// - parts of providers who meet all filters have expired, and no other of them has hours or slots.
    pub fn is_unknown(&self, directory: &Directory, filter: &SlotFilter) -> bool {
        let Some(feed) = &self.feed else { return false };
        if feed.freshness == Freshness::Expired {
            return true;
        }
        let Some(expired) = feed.expired.as_deref() else { return false };
        if let Some(number) = filter.provider {
            let rank = self.order.rank(number);
            let wanted =
                self.eligibility.wanted(filter.visit_type, filter.new_patients).unwrap_or(Wanted::Any);
            let is_asked_for = filter.providers == ProviderFilter::default()
                || self.eligibility.meets(rank, filter.state, wanted, filter.providers);
            return is_asked_for && expired.contains(rank);
        }
        let (expired, others): (Vec<u32>, Vec<u32>) =
            self.matches(filter).into_iter().partition(|&rank| expired.contains(rank));
        !expired.is_empty() && !others.into_iter().any(|rank| self.has_hours_or_slots(directory, rank))
    }

    /// The providers who meet all filters, and of whom it is unknown what is open.
    pub(crate) fn unknown(&self, filter: &SlotFilter) -> Vec<ProviderNumber> {
        let expired = self.feed.as_ref().and_then(|feed| feed.expired.as_deref());
        let of_mask = |mask: &Mask| {
            self.matching(filter).filter(|number| mask.contains(self.order.rank(*number))).collect()
        };
        expired.map(of_mask).unwrap_or_default()
    }

    /// Whether a provider has free slots in the feed, or hours where the feed has busy time.
    pub(super) fn has_hours_or_slots(&self, directory: &Directory, rank: u32) -> bool {
        self.providers.get(rank).feed.as_ref().is_some_and(|packed| packed.has_slots())
            || (self.feed_mode() == Some(FeedMode::Busy)
                && directory.schedule(self.order.number(rank)).is_some())
    }

    /// The ranks of the providers who meet all filters but `provider`, with or without an open slot.
    fn matches(&self, filter: &SlotFilter) -> Vec<u32> {
        let Some((wanted, pair)) = self.pair(filter) else { return Vec::new() };
        let members = self.eligibility.members(filter.state, (wanted, pair), filter.providers);
        members.ranks_with(self.eligibility.in_pair(pair), self.order.len())
    }

    /// Whether a provider takes new patients of a state at an appointment.
    pub fn serves(&self, state: StateCode) -> bool {
        self.eligibility.pair(state, Wanted::Any).is_some()
    }

    /// The providers who meet all filters, with or without an open slot.
    pub(crate) fn matching(&self, filter: &SlotFilter) -> impl Iterator<Item = ProviderNumber> {
        let numbers = self.matches(filter).into_iter().map(|rank| self.order.number(rank));
        numbers.filter(move |number| filter.provider.is_none_or(|only| only == *number))
    }

    pub fn has_match(&self, filter: &SlotFilter) -> bool {
        self.matching(filter).next().is_some()
    }

    pub fn starts(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.starts()).sum()
    }
}

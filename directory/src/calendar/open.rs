//! The open slots of a question, in their order.
//!
//! A slot is offered in a state only where its provider is licensed and accepts new patients, and where the
//! visit type is held. Slots are ordered by start. At one start the order rotates: a fixed permutation of
//! the providers is entered at a place that depends on the start and on who has it open, so that every replica
//! answers alike and each leads about equally often.
//!
//! A [`Calendar`] covers a stretch of time, in whole chunks: from before now to some days behind the farthest
//! horizon. **Its answers are right whether or not a question lies inside**: what lies outside is worked out
//! on the spot, from the same hours and the same feed, which is slow in a large clinic. Whoever serves calls
//! [`Calendar::roll`] now and then, at most every hour; two days of margin forgive a roll that comes late.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::feed::{FeedMode, Freshness};
use super::index::blocks::Blocks;
use super::index::chunk::{CHUNK, Chunk};
use super::index::offer::Offers;
use super::index::order::{Order, SlugText};
use super::index::own::Own;
use super::index::query::{Asked, Found, Shelves};
use super::index::said::Said;
use super::instant::Instant;
use crate::model::{Directory, ProviderNumber, Slug, StateCode};

/// Which slots are asked for.
#[derive(Debug, Clone, Copy)]
pub struct SlotFilter {
    /// Where the patient will be.
    pub state: StateCode,
    /// Only this provider's.
    pub provider: Option<ProviderNumber>,
    /// Only this visit type's; the number may be no type's at all.
    pub visit_type: Option<i64>,
    /// The moment of asking.
    pub now: Instant,
    /// How far to look, in elapsed seconds.
    pub horizon_seconds: i64,
    /// How many at most.
    pub limit: usize,
}

/// What is open, and in which order providers take turns.
///
/// It belongs to the directory that it was made of, and every call that takes one takes that one. A copy costs
/// microseconds, and a changed copy shares what did not change, so a new calendar can be put in front of
/// readers for each booking.
#[derive(Debug, Clone)]
pub struct Calendar {
    pub(super) order: Arc<Order>,
    pub(super) offers: Offers,
    pub(super) own: Blocks<Own>,
    /// The number of the first chunk.
    pub(super) first: i64,
    pub(super) chunks: Vec<Arc<Chunk>>,
    /// From when the starts of [`Own`] are counted, in seconds.
    pub(super) origin: i64,
    pub(super) feed: Option<Feed>,
}

/// What is known of the feed besides what it says of each provider.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    pub(super) mode: FeedMode,
    pub(super) freshness: Freshness,
    /// Whether it has ever said anything.
    pub(super) was_read: bool,
    /// A bit for each turn whose part of the feed is too old to be shown; none when there is no such part.
    pub(super) gone: Option<Arc<[u64]>>,
    /// What it says of slugs that are nobody's: they may be somebody's in the next directory.
    pub(super) strays: Arc<BTreeMap<Slug, Arc<Said>>>,
}

impl Feed {
    /// One that has said nothing yet.
    pub(super) fn unread(mode: FeedMode) -> Self {
        Self { mode, freshness: Freshness::Expired, was_read: false, gone: None, strays: Arc::default() }
    }
}

/// Open slots, by start and then by turn; a provider is named by the slug.
#[derive(Debug)]
pub(crate) struct OpenSlots<'a> {
    found: Vec<Found>,
    order: &'a Order,
}

impl OpenSlots<'_> {
    /// Each start, in seconds since 1970, with its provider's slug.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (i64, SlugText<'_>)> {
        self.found.iter().map(|found| (found.at, self.order.slug(found.turn)))
    }
}

impl Calendar {
    /// The first open slots, earliest first, each provider at most once at one start.
    #[must_use]
    pub fn open(&self, directory: &Directory, filter: &SlotFilter) -> Vec<(Instant, ProviderNumber)> {
        let found = self.found(directory, filter).into_iter();
        found.map(|found| (Instant::from_unix(found.at), self.order.number(found.turn))).collect()
    }

    /// The same for a body.
    pub(crate) fn open_slots(&self, directory: &Directory, filter: &SlotFilter) -> OpenSlots<'_> {
        OpenSlots { found: self.found(directory, filter), order: &self.order }
    }

    fn found(&self, directory: &Directory, filter: &SlotFilter) -> Vec<Found> {
        let Some(wanted) = self.offers.wanted(filter.visit_type) else { return Vec::new() };
        let asked = Asked {
            state: filter.state,
            wanted,
            now: filter.now,
            until: filter.now.plus_seconds(filter.horizon_seconds).unix(),
            limit: filter.limit,
            gone: self.feed.as_ref().and_then(|feed| feed.gone.as_deref()),
        };
        if self.covers(asked.now.unix(), asked.until) {
            self.look_up(filter.provider, &asked)
        } else {
            self.on_the_spot(directory, filter.provider, asked.now, asked.until)
                .look_up(filter.provider, &asked)
        }
    }

    fn look_up(&self, provider: Option<ProviderNumber>, asked: &Asked<'_>) -> Vec<Found> {
        let shelves = Shelves {
            order: &self.order,
            offers: &self.offers,
            first: self.first,
            chunks: &self.chunks,
            own: &self.own,
            origin: self.origin,
        };
        match provider {
            Some(number) => shelves.merge(&[self.order.turn(number)], asked),
            None => shelves.find(asked),
        }
    }

    /// Whether every start of a stretch of time is in the index.
    fn covers(&self, from: i64, until: i64) -> bool {
        !self.chunks.is_empty() && self.first * CHUNK <= from && until <= self.end()
    }

    /// The number of the first chunk behind those that are covered.
    pub(super) fn covered(&self) -> i64 {
        self.first + i64::try_from(self.chunks.len()).unwrap_or_default()
    }

    /// The first second that is not covered.
    pub(super) fn end(&self) -> i64 {
        self.covered() * CHUNK
    }

    /// How true the feed's data is; without a feed the hours are always true.
    #[must_use]
    pub fn freshness(&self) -> Freshness {
        self.feed.as_ref().map_or(Freshness::Fresh, |feed| feed.freshness)
    }

    /// Whether its feed has never been read, not even long ago: what is not known is not too old.
    #[must_use]
    pub fn awaits_feed(&self) -> bool {
        self.feed.as_ref().is_some_and(|feed| !feed.was_read)
    }

    /// What the entries of its feed mean; nothing without a feed.
    #[must_use]
    pub fn feed_mode(&self) -> Option<FeedMode> {
        self.feed.as_ref().map(|feed| feed.mode)
    }

    /// Whether a question cannot be answered now: an empty list would claim that nothing is open, and nobody
    /// knows. It cannot when the feed is too old; or when the part of the one provider that is asked for is;
    /// or when those of all who could have had a slot to show are.
    #[must_use]
    pub fn is_unknown(&self, directory: &Directory, filter: &SlotFilter) -> bool {
        let Some(feed) = &self.feed else { return false };
        if feed.freshness == Freshness::Expired {
            return true;
        }
        let Some(gone) = feed.gone.as_deref() else { return false };
        let is_gone = |turn: u32| gone[(turn / 64) as usize] >> (turn % 64) & 1 == 1;
        if let Some(number) = filter.provider {
            return is_gone(self.order.turn(number));
        }
        let has_source = |turn: u32| {
            // A feed of open slots says of whom it does not list that they have none: no slot could come of that.
            self.own.get(turn).feed.as_ref().is_some_and(|said| said.has_slots())
                || (feed.mode == FeedMode::Busy && directory.schedule(self.order.number(turn)).is_some())
        };
        let Some(wanted) = self.offers.wanted(filter.visit_type) else { return false };
        let mut is_any_gone = false;
        let Some(pair) = self.offers.pair(filter.state, wanted) else { return false };
        let is_offered =
            |turn| self.offers.is_offered(directory.provider(self.order.number(turn)), filter.state, wanted);
        let everybody = || self.offers.mask(filter.state).turns();
        for turn in self.offers.few(pair).map_or_else(everybody, <[u32]>::to_vec) {
            if is_offered(turn) {
                if is_gone(turn) {
                    is_any_gone = true;
                } else if has_source(turn) {
                    return false;
                }
            }
        }
        is_any_gone
    }

    /// How many open starts the index holds.
    #[must_use]
    pub fn starts(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.starts()).sum()
    }

    /// How many bytes of memory it holds, for the benches: what the allocator adds is not in it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let chunks: usize = self.chunks.iter().map(|chunk| chunk.bytes()).sum();
        let own: usize = self.own.iter().map(Own::bytes).sum();
        chunks + own + self.order.bytes() + self.offers.bytes()
    }
}

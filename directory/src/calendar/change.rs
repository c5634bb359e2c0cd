//! How a calendar comes to be, and how it changes: with a feed's sets and with time.
//!
//! What one provider has follows from the content's hours and the feed's set for that provider, and from
//! nothing else; so whatever the order of changes, the calendar is the one that would be made anew. Few
//! changes are made row by row; many, by filling the rows again.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::feed::{FeedMode, Freshness, ProviderFeed};
use super::index::blocks::Blocks;
use super::index::chunk::{CHUNK, Chunk, Who, chunk_of, second};
use super::index::fill::fill;
use super::index::offer::Offers;
use super::index::order::Order;
use super::index::own::{self, List, Own, Packed, Stretch};
use super::index::runs::Runs;
use super::index::said::Said;
use super::instant::Instant;
use super::open::{Calendar, Feed};
use crate::model::{Directory, ProviderNumber, Slug};

const DAY: i64 = 86_400;
/// The farthest horizon that can be asked for, and the margin for a roll that comes late.
const AHEAD: i64 = (30 + 2) * DAY;
/// More changed providers than one in so many: the rows are filled again.
const MANY: usize = 50;

impl Calendar {
    /// A calendar that covers no time yet: every answer is worked out on the spot.
    #[must_use]
    pub fn unrolled(directory: &Directory) -> Self {
        let order = Order::of(directory);
        let offers = Offers::of(directory, &order);
        let turns = 0..u32::try_from(order.len()).unwrap_or(u32::MAX);
        let own = turns.map(|turn| Own::of(directory.provider(order.number(turn))));
        let own = Blocks::new(own.collect());
        Self { order: Arc::new(order), offers, own, first: 0, chunks: Vec::new(), origin: 0, feed: None }
    }

    /// The calendar of a directory's own hours, around now.
    #[must_use]
    pub fn of(directory: &Directory, now: Instant) -> Self {
        Self::unrolled(directory).roll(directory, now)
    }

    /// The calendar of a directory with a feed that has said nothing yet: it counts as expired until
    /// [`Calendar::with_freshness`] says otherwise.
    #[must_use]
    pub fn with_feed(directory: &Directory, mode: FeedMode, now: Instant) -> Self {
        Self { feed: Some(Feed::unread(mode)), ..Self::unrolled(directory) }.roll(directory, now)
    }

    /// The same stretch of time with a feed that has said nothing yet, for a service that finds one while it runs.
    #[must_use]
    pub fn listening(&self, directory: &Directory, mode: FeedMode) -> Self {
        let mut other = Self { feed: Some(Feed::unread(mode)), ..Self::unrolled(directory) };
        other.cover(directory, self.first, self.covered(), None);
        other
    }

    /// The calendar of another directory, with what the feed has said so far: for content that changes.
    #[must_use]
    pub fn for_directory(&self, directory: &Directory, now: Instant) -> Self {
        let mut other = Self::unrolled(directory);
        if let Some(feed) = &self.feed {
            let told = self.own.iter().filter_map(|own| own.feed.clone());
            let feeds: Vec<Arc<Said>> = feed.strays.values().cloned().chain(told).collect();
            let mut gone = Vec::new();
            if let Some(words) = feed.gone.as_deref() {
                gone.extend(
                    super::index::row::positions(words)
                        .map(|turn| self.order.slug(turn).bytes())
                        .filter_map(|slug| std::str::from_utf8(slug).ok()?.parse().ok()),
                );
            }
            other.feed = Some(Feed { gone: None, strays: Arc::default(), ..feed.clone() });
            other.tell(directory, feeds.into_iter().map(|told| (told.provider.clone(), told)).collect());
            other = other.with_freshness(directory, feed.freshness, &gone);
        }
        other.roll(directory, now)
    }

    /// With these providers' whole sets in place of what the feed said of them before.
    #[must_use]
    pub fn apply(&self, directory: &Directory, feeds: &[ProviderFeed]) -> Self {
        let said = |feed: &ProviderFeed| (feed.provider.clone(), Arc::new(Said::of(feed)));
        let told: Vec<_> = feeds.par_iter().with_min_len(16).map(said).collect();
        let mut changed = self.clone();
        changed.tell(directory, told.into_iter().collect());
        if let Some(feed) = &mut changed.feed {
            feed.was_read = true;
        }
        changed
    }

    /// With the feed's data as true as this, and the parts of these providers too old to be shown.
    /// Without a feed it changes nothing.
    #[must_use]
    pub fn with_freshness(&self, directory: &Directory, freshness: Freshness, expired: &[Slug]) -> Self {
        let mut changed = self.clone();
        if let Some(feed) = &mut changed.feed {
            let mut gone = vec![0_u64; self.order.len().div_ceil(64)];
            for number in expired.iter().filter_map(|slug| directory.find(slug.as_str())) {
                let turn = self.order.turn(number.provider());
                gone[(turn / 64) as usize] |= 1 << (turn % 64);
            }
            feed.freshness = freshness;
            // One that has nothing to say of anybody is as true as any other.
            feed.was_read |= freshness != Freshness::Expired;
            feed.gone = Some(gone.into()).filter(|gone: &Arc<[u64]>| gone.iter().any(|&word| word != 0));
        }
        changed
    }

    /// Whether it covers the time around now, so that [`Calendar::roll`] has nothing to do.
    #[must_use]
    pub fn is_around(&self, now: Instant) -> bool {
        let (first, last) = around(now);
        !self.chunks.is_empty() && self.first == first && self.covered() > last
    }

    /// The calendar that covers the time around now: further chunks are added, past ones are dropped. When
    /// there is nothing to do, that costs nothing.
    #[must_use]
    pub fn roll(&self, directory: &Directory, now: Instant) -> Self {
        if self.is_around(now) {
            return self.clone();
        }
        let (first, last) = around(now);
        let covered = self.covered();
        let mut rolled = self.clone();
        let reaches_back = first < self.first || first >= covered;
        if reaches_back || u32::try_from((last + 1) * CHUNK - self.origin).is_err() {
            rolled.cover(directory, first, last + 1, None);
            return rolled;
        }
        let to = (last + 1).max(covered);
        let stretch = Stretch { from: covered * CHUNK, to: to * CHUNK, origin: self.origin };
        let since = u32::try_from(first * CHUNK - self.origin).unwrap_or_default();
        let added = rolled.expand(directory, stretch, None);
        let kept = self.own.iter().zip(added).map(|(own, added)| {
            let mut lists: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
            for (set, starts) in own.starts(since) {
                lists.insert(set, starts.collect());
            }
            for (types, starts) in added {
                lists.entry(rolled.offers.number(&types)).or_default().extend(starts.from(0));
            }
            let lists = lists.into_iter().map(|(set, starts)| List { set, runs: Runs::of(starts) });
            own.with(lists, own.feed.clone())
        });
        rolled.own = Blocks::new(kept.collect());
        let past = usize::try_from(first - self.first).unwrap_or_default();
        rolled.chunks = self.chunks[past..].to_vec();
        rolled.first = first;
        let further = rolled.fill(covered, to);
        rolled.chunks.extend(further);
        rolled
    }

    /// A calendar for one question outside what this one covers.
    pub(super) fn on_the_spot(
        &self,
        directory: &Directory,
        only: Option<ProviderNumber>,
        from: Instant,
        until: i64,
    ) -> Self {
        let mut other = self.clone();
        other.cover(directory, chunk_of(from.unix()), chunk_of(until) + 1, only);
        other
    }

    /// Covers these chunks and no others, everything anew.
    fn cover(&mut self, directory: &Directory, first: i64, to: i64, only: Option<ProviderNumber>) {
        self.first = first;
        self.origin = first * CHUNK;
        let stretch = Stretch { from: self.origin, to: to * CHUNK, origin: self.origin };
        let starts = self.expand(directory, stretch, only);
        let own = starts.into_iter().zip(self.own.iter());
        let own = own.map(|(starts, own)| with(own, &mut self.offers, starts, own.feed.clone()));
        self.own = Blocks::new(own.collect());
        self.chunks = self.fill(first, to);
    }

    /// Everybody's starts in a stretch of time, by turn.
    fn expand(&self, directory: &Directory, stretch: Stretch, only: Option<ProviderNumber>) -> Vec<Packed> {
        let mode = self.feed.as_ref().map(|feed| feed.mode);
        let turns = 0..u32::try_from(self.order.len()).unwrap_or(u32::MAX);
        let starts = turns.into_par_iter().with_min_len(16).map(|turn| {
            let number = self.order.number(turn);
            let is_asked_for = only.is_none_or(|only| only == number);
            let set = self.own.get(turn).feed.as_ref().map(|said| &said.set);
            if is_asked_for { own::starts(directory, number, mode, set, stretch) } else { Packed::new() }
        });
        starts.collect()
    }

    /// The chunks with these numbers, from what everybody has.
    pub(super) fn fill(&self, first: i64, to: i64) -> Vec<Arc<Chunk>> {
        fill(
            &self.own,
            &self.offers,
            first * CHUNK - self.origin,
            usize::try_from(to - first).unwrap_or_default(),
        )
    }

    /// Takes in what the feed says of some providers.
    fn tell(&mut self, directory: &Directory, told: BTreeMap<Slug, Arc<Said>>) {
        let mode = self.feed.as_ref().map(|feed| feed.mode);
        let mut changed: BTreeMap<u32, Arc<Said>> = BTreeMap::new();
        for (slug, said) in told {
            let Some(found) = directory.find(slug.as_str()) else {
                if let Some(feed) = &mut self.feed {
                    Arc::make_mut(&mut feed.strays).insert(slug, said);
                }
                continue;
            };
            let turn = self.order.turn(found.provider());
            if self.own.get(turn).feed.as_ref() != Some(&said) {
                changed.insert(turn, said);
            }
        }
        let stretch = Stretch { from: self.first * CHUNK, to: self.end(), origin: self.origin };
        let changed: Vec<_> = changed.into_iter().collect();
        let anew = |(turn, said): (u32, Arc<Said>)| {
            let starts = own::starts(directory, self.order.number(turn), mode, Some(&said.set), stretch);
            (turn, said, starts)
        };
        let changed: Vec<_> = changed.into_par_iter().with_min_len(16).map(anew).collect();
        let is_many = changed.len() * MANY > self.order.len() && changed.len() > MANY;
        for (turn, said, starts) in changed {
            let own = with(self.own.get(turn), &mut self.offers, starts, Some(said));
            if !is_many {
                self.differ(turn, &own);
            }
            *self.own.change(turn) = own;
        }
        if is_many {
            self.chunks = self.fill(self.first, self.covered());
        }
    }

    /// Brings the rows from what a provider has to what the provider will have.
    fn differ(&mut self, turn: u32, will: &Own) {
        let Self { own, offers, chunks, order, origin, first, .. } = self;
        let has = own.get(turn);
        let who = Who { turn, states: has.states() };
        let mut sets: Vec<u32> = has.sets().chain(will.sets()).collect();
        sets.sort_unstable();
        sets.dedup();
        for set in sets {
            let mut before = has.starts_of(set, 0);
            let mut after = will.starts_of(set, 0);
            loop {
                let (old, new) = (before.peek(), after.peek());
                let Some(start) = old.into_iter().chain(new).min() else { break };
                let (is_old, is_new) = (old == Some(start), new == Some(start));
                if is_old {
                    before.next();
                }
                if is_new {
                    after.next();
                }
                if is_old == is_new {
                    continue;
                }
                if let Some((chunk, second)) = place(chunks, *origin, *first, start) {
                    if is_new {
                        chunk.insert(second, set, who, offers, order.len());
                    } else {
                        chunk.remove(second, set, who, offers);
                    }
                }
            }
        }
    }
}

/// The first and the last chunk of the time around now. The one before now's is kept: a clock that is set back a
/// little finds its starts.
fn around(now: Instant) -> (i64, i64) {
    (chunk_of(now.unix()) - 1, chunk_of(now.unix() + AHEAD))
}

/// A provider with other starts, their sets numbered.
fn with(own: &Own, offers: &mut Offers, starts: Packed, feed: Option<Arc<Said>>) -> Own {
    own.with(starts.into_iter().map(|(types, runs)| List { set: offers.number(&types), runs }), feed)
}

/// The chunk of a start, to be changed, and the start's second in it.
fn place(chunks: &mut [Arc<Chunk>], origin: i64, first: i64, start: u32) -> Option<(&mut Chunk, u16)> {
    let at = origin + i64::from(start);
    let number = chunk_of(at);
    let chunk = chunks.get_mut(usize::try_from(number - first).ok()?)?;
    let second = second(u32::try_from(at - number * CHUNK).ok()?)?;
    Some((Arc::make_mut(chunk), second))
}

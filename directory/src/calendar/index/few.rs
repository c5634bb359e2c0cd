//! The answer for a few providers, from what each of them has.

use super::super::instant::Instant;
use super::order::earliest;
use super::query::{Asked, Found, Shelves};
use super::runs::Walk;

/// One provider's starts with one set of types, on the way to be merged with others.
struct Single<'a> {
    turn: u32,
    /// The first start that may be shown: what lies before it counts in the round of its start, and no more.
    from: u32,
    walk: Walk<'a>,
}

impl<'a> Shelves<'a> {
    /// The first starts of these few providers.
    pub(in crate::calendar) fn merge(&self, turns: &[u32], asked: &Asked<'_>) -> Vec<Found> {
        let mut found = Vec::new();
        let Ok(until) = u32::try_from(asked.until - self.origin) else { return found };
        let mut walks: Vec<Single<'a>> = Vec::with_capacity(turns.len());
        for &turn in turns {
            let is_gone = asked.gone.is_some_and(|gone| gone[(turn / 64) as usize] >> (turn % 64) & 1 == 1);
            let from = if is_gone { u32::MAX } else { self.since(asked.now, self.order.notice(turn)) };
            let walked =
                if let [_] = turns { from } else { self.since(asked.now, self.order.shortest_notice()) };
            if !self.offers.mask(asked.state).contains(turn) {
                continue;
            }
            let starts = self.own.get(turn).starts(walked);
            let starts = starts.filter(|(set, _)| self.offers.answers(*set, asked.state, asked.wanted));
            walks.extend(starts.map(|(_, walk)| Single { turn, from, walk }));
        }
        if let [Single { turn, from, walk }] = walks.as_mut_slice() {
            let starts = walk.take_while(|&start| start < until).skip_while(|start| start < from);
            found.reserve(asked.limit);
            let at = |start: u32| self.origin + i64::from(start);
            found.extend(starts.take(asked.limit).map(|start| Found { at: at(start), turn: *turn }));
            return found;
        }
        // The next start of each, side by side: the earliest of a dozen is found faster than a heap is kept.
        let next = |walk: &Walk<'_>| walk.peek().unwrap_or(u32::MAX);
        let mut heads: Vec<u32> = walks.iter().map(|own| next(&own.walk)).collect();
        let mut here: Vec<(u32, bool)> = Vec::with_capacity(heads.len());
        while let Some(start) = heads.iter().copied().min().filter(|&start| start < until) {
            here.clear();
            for (head, own) in heads.iter_mut().zip(&mut walks) {
                if *head == start {
                    own.walk.next();
                    *head = next(&own.walk);
                    here.push((own.turn, own.from <= start));
                }
            }
            let at = self.origin + i64::from(start);
            if here.len() > 1 {
                // A provider with two sets of types has two walks, one behind the other.
                here.dedup();
                let begin = self.order.begin(at);
                let behind = here.partition_point(|&(turn, _)| turn < begin.first);
                let count = here.len();
                // Few are fewer than a window, and all of them turn.
                let lead = begin.lead(count);
                here.rotate_left((behind + lead) % count);
            }
            let room = asked.limit - found.len();
            let shown = here.iter().filter(|(_, is_shown)| *is_shown).take(room);
            found.extend(shown.map(|&(turn, _)| Found { at, turn }));
            if found.len() == asked.limit {
                break;
            }
        }
        found
    }

    /// The first start that keeps a notice, in seconds since the origin.
    fn since(&self, now: Instant, notice: i64) -> u32 {
        u32::try_from((earliest(now, notice) - self.origin).max(0)).unwrap_or(u32::MAX)
    }
}

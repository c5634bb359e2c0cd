//! The open slots of a question, in their order.
//!
//! A slot is offered in a state only where its provider is licensed and accepts new patients, and where the
//! visit type is held. Slots are ordered by start. At one start the order rotates: a fixed permutation of
//! the providers is entered at a point that depends on the start alone, so that every replica answers alike
//! and nobody is always first.

use std::collections::BTreeSet;

use super::instant::Instant;
use crate::model::{Directory, ProviderNumber, StateCode, VisitType};

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
#[derive(Debug)]
pub struct Calendar {
    /// For each provider, its place in the permutation.
    turns: Vec<usize>,
}

impl Calendar {
    /// The calendar of a directory's own hours.
    #[must_use]
    pub fn of(directory: &Directory) -> Self {
        let mut order: Vec<usize> = (0..directory.providers().len()).collect();
        order.sort_by_cached_key(|&index| {
            let id = directory.providers()[index].id();
            (id.as_str().bytes().fold(0, |mixed, byte| mix(mixed ^ u64::from(byte))), id.clone())
        });
        let mut turns = vec![0; order.len()];
        for (turn, index) in order.into_iter().enumerate() {
            turns[index] = turn;
        }
        Self { turns }
    }

    /// The first open slots, earliest first, each provider at most once at one start.
    #[must_use]
    pub fn open(&self, directory: &Directory, filter: &SlotFilter) -> Vec<(Instant, ProviderNumber)> {
        let until = filter.now.plus_seconds(filter.horizon_seconds);
        let mut slots = BTreeSet::new();
        for number in directory.provider_numbers() {
            if filter.provider.is_none_or(|only| only == number) {
                let starts = starts_of(directory, number, filter, until);
                slots.extend(starts.map(|at| (at, self.turn(at, number), number)));
            }
        }
        slots.into_iter().take(filter.limit).map(|(at, _, number)| (at, number)).collect()
    }

    /// When it is a provider's turn, among all who have this start.
    fn turn(&self, at: Instant, number: ProviderNumber) -> usize {
        let providers = self.turns.len();
        #[expect(clippy::cast_possible_truncation, reason = "the remainder is a position of the list")]
        let first = (mix(at.unix().cast_unsigned()) % providers as u64) as usize;
        (self.turns[number.index()] + providers - first) % providers
    }
}

/// The starts of one provider that answer a question.
fn starts_of(
    directory: &Directory,
    number: ProviderNumber,
    filter: &SlotFilter,
    until: Instant,
) -> impl Iterator<Item = Instant> {
    let provider = directory.provider(number);
    let schedule = directory.schedule(number).filter(|_| provider.accepting().contains(filter.state));
    let answers = |visit_type: &VisitType| {
        visit_type.states().contains(filter.state)
            && filter.visit_type.is_none_or(|only| only == i64::from(visit_type.id().get()))
    };
    let found = schedule.map(|schedule| {
        let types = |class: usize| schedule.classes()[class].types().iter();
        let is_offered = |class| types(class).any(|&id| directory.visit_type(id).is_some_and(answers));
        let offered: Vec<bool> = (0..schedule.classes().len()).map(is_offered).collect();
        let mut starts = schedule.starts(filter.now.plus_minutes(schedule.notice()), until, &[]);
        starts.retain(|start| offered[start.class]);
        starts
    });
    found.into_iter().flatten().map(|start| start.at)
}

/// A number that looks like chance and is the same everywhere (the finaliser of `SplitMix64`).
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mixer_is_the_published_one() {
        // The first outputs of SplitMix64 seeded with 1234567, as published with its reference code.
        assert_eq!(mix(1_234_567), 6_457_827_717_110_365_317);
        assert_eq!(mix(1_234_567_u64.wrapping_add(0x9e37_79b9_7f4a_7c15)), 3_203_168_211_198_807_973);
    }
}

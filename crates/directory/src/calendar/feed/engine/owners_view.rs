//! What follows from what all parts say: who is withheld for it, and what is not used.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::line::Owner;
use super::super::resolve::{Candidates, Former, Resolution, map};
use super::super::skipped::{SkipReason, Skipped, SkippedLine};
use super::super::{FeedMode, ProviderFeed};
use super::owner::{OwnerState, Says};
use super::owners::Owners;
use crate::model::{Directory, Slug};

impl Owners {
    /// The parts with unowned busy time: it may be anyone's, and every clinician has described time.
    pub(super) fn unclear(&self) -> impl Iterator<Item = (&Says, &OwnerState)> {
        let is_busy = self.rules.mode == FeedMode::Busy;
        let mut known = BTreeMap::new();
        let is_nobodys = move |owner: &&OwnerState| {
            let candidates = owner.effect.candidates;
            is_busy
                && matches!(owner.meaning.resolution, Resolution::Unresolved(_))
                && owner.effect.withheld.is_empty()
                // All providers are looked at, so once for all owners.
                && *known.entry(candidates).or_insert_with(|| self.undescribed(candidates).next().is_none())
        };
        self.unused_owners().filter(is_nobodys).flat_map(|owner| {
            let taken = owner.said.iter().filter(|says| says.entries.counted > 0);
            taken.map(move |says| (says, owner))
        })
    }

    fn state(&self, owner: &Owner<'static>) -> Option<&OwnerState> {
        self.states.get(*self.numbers.get(owner)?)
    }

    /// The providers to whom an owner's time belongs or may belong.
    pub(super) fn providers_of(&self, owner: &Owner<'static>) -> impl Iterator<Item = Slug> {
        self.state(owner).into_iter().flat_map(|state| {
            let of = state.effect.providers.iter().chain(&state.effect.withheld);
            let now = of.map(|number| &self.providers[number.index()].name);
            now.chain(&state.former.providers).map(|(slug, _)| slug.clone())
        })
    }

    pub(super) fn leads(&self, owner: &Owner<'static>) -> bool {
        self.state(owner).is_some_and(|state| !state.effect.providers.is_empty())
    }

    /// Whether what the owner names is unknown, so that it may be anyone.
    pub(super) fn is_unresolved(&self, owner: &Owner<'static>) -> bool {
        self.state(owner).is_some_and(|state| matches!(state.meaning.resolution, Resolution::Unresolved(_)))
    }

    pub(super) fn sets(&self, directory: &Directory) -> Vec<ProviderFeed> {
        directory.provider_numbers().map(|number| self.remade(directory, number).0).collect()
    }

    pub(super) fn led_to(&self) -> impl Iterator<Item = (&Owner<'static>, Former)> {
        let all = self.states.iter().map(|(_, state)| {
            let mut people = state.former.clone();
            let now = state.effect.providers.iter();
            people.providers.extend(now.map(|number| self.providers[number.index()].name.clone()));
            (&state.owner, people)
        });
        all.filter(|(_, people)| !people.providers.is_empty())
    }

    pub(super) fn remember(&mut self, owner: Owner<'static>, former: Former) {
        let number = self.number_of(owner);
        self.states[number].former = former;
    }

    /// What is not used. The first messages about unknown slugs name similar ones, `most_suggested` of them: that takes time.
    pub(super) fn skipped(&self, directory: &Directory, most_suggested: usize) -> Skipped {
        let mut counts: BTreeMap<SkipReason, usize> = BTreeMap::new();
        for number in &self.unoffered {
            let skips = self.providers[number.index()].skips.iter();
            for (reason, count) in skips.flat_map(|skips| &skips.counts) {
                *counts.entry(*reason).or_default() += count;
            }
        }
        for owner in self.unused_owners() {
            let is_withheld = self.withheld_for(owner).next().is_some();
            // The busy time of several people is used.
            let is_used = self.rules.mode == FeedMode::Busy && !is_withheld;
            match reason(&owner.meaning.resolution, is_withheld) {
                None => {}
                Some(SkipReason::SeveralPeople) if is_used => {}
                Some(reason) => *counts.entry(reason).or_default() += owner.counted(),
            }
        }
        let owners = self.unused_owners().enumerate().filter_map(|(nth, owner)| {
            let mut withheld = self.withheld_for(owner);
            let withheld = withheld.next().map(|first| (first, withheld.count()));
            let reason = reason(&owner.meaning.resolution, withheld.is_some())?;
            let near = (nth < most_suggested).then_some(directory);
            let (what, help) = explain(&owner.owner, &owner.meaning.resolution, withheld, near)?;
            let says = owner.said.iter().find(|says| says.entries.counted > 0)?;
            let (file, line, span) = (says.id.name(), says.entries.line, Some(says.entries.span.clone()));
            // Nothing is to be done about a clinician who has left.
            let line = SkippedLine { file: Arc::clone(file), line, reason, what, help, span };
            (reason != SkipReason::Retired).then_some(line)
        });
        let slots = self.unoffered.iter().filter_map(|number| self.providers[number.index()].skips.as_ref());
        let slots = slots.flat_map(|skips| skips.lines.iter().cloned());
        let blank: Vec<_> = self.blank_lines().collect();
        if !blank.is_empty() {
            counts.insert(SkipReason::EmptyFile, blank.len());
        }
        Skipped::new(counts, slots.chain(blank).chain(owners))
    }

    fn withheld_for<'a>(&'a self, owner: &'a OwnerState) -> impl Iterator<Item = &'a Slug> {
        let known = owner.effect.withheld.iter().map(|number| &self.providers[number.index()]);
        known.chain(self.undescribed(owner.effect.candidates)).map(|provider| &provider.name.0)
    }

    /// A line for each blank part, as long as it withholds a clinician.
    fn blank_lines(&self) -> impl Iterator<Item = SkippedLine> {
        let mut unlisted = self.providers.iter().filter(|provider| provider.listing.writers.is_empty());
        let is_in_use = self.rules.mode == FeedMode::Busy && !self.blank.is_empty();
        let first = if is_in_use { unlisted.next() } else { None };
        let others = unlisted.count();
        let who = first.map(|first| match (&first.name.0, others) {
            (first, 0) => first.to_string(),
            (first, others) => format!("{first} and {others} more"),
        });
        who.into_iter().flat_map(|who| {
            self.blank.iter().map(move |part| SkippedLine {
                file: Arc::clone(part),
                line: 1,
                reason: SkipReason::EmptyFile,
                what: format!(
                    "this file has no lines, so clinicians whom no file lists have no openings: {who}"
                ),
                help: "list one busy time for each clinician, even a past one".to_owned(),
                span: None,
            })
        })
    }
}

/// Why the entries of an owner are not used. `is_withheld`: whether a provider is withheld for them.
pub(super) fn reason(resolution: &Resolution, is_withheld: bool) -> Option<SkipReason> {
    match resolution {
        Resolution::One(_) => None,
        Resolution::Several { .. } if !is_withheld => Some(SkipReason::SeveralPeople),
        Resolution::NotPublished(Candidates::None) if !is_withheld => Some(SkipReason::Retired),
        Resolution::Several { .. } | Resolution::NotPublished(_) => Some(SkipReason::NotPublished),
        Resolution::Unresolved(_) => Some(SkipReason::Unresolved),
    }
}

/// The same in words, and what to do about it. `withheld` is the first provider that is withheld for them, and the number of
/// others; `directory`, where to look for a similar slug.
pub(super) fn explain(
    owner: &Owner<'_>,
    resolution: &Resolution,
    withheld: Option<(&Slug, usize)>,
    directory: Option<&Directory>,
) -> Option<(String, String)> {
    let (mut what, help) = match resolution {
        Resolution::One(_) => return None,
        Resolution::Several { .. } => (
            match withheld {
                Some(_) => format!(
                    "the {owner} belongs to several people, and at least one of them isn't in the content"
                ),
                None => format!("the {owner} belongs to several people"),
            },
            format!("publish a Schedule for each, or {}", owner.map_by_hand()),
        ),
        Resolution::NotPublished(Candidates::None) => (
            format!("the {owner} belongs to a clinician who has left"),
            "remove its lines from the feed if no clinician in the content has this time".to_owned(),
        ),
        Resolution::NotPublished(_) => (
            format!("the {owner} belongs to a clinician, place or service that isn't in the content"),
            format!(
                "ignore this if it belongs to no clinician in the content; otherwise {}",
                owner.map_by_hand()
            ),
        ),
        Resolution::Unresolved(mistake) => mistake.words(directory),
    };
    if let Some((first, others)) = withheld {
        let others = match others {
            0 => String::new(),
            1 => " or one other clinician".to_owned(),
            _ => format!(" or one of {others} others"),
        };
        what = format!("{what}: its time may belong to {first}{others}, so they have no openings");
    }
    Some((what, help))
}

impl Owner<'_> {
    fn map_by_hand(&self) -> String {
        match self {
            Self::Provider(_) => "remove its lines from the feed".to_owned(),
            Self::Schedule(id) => map(id),
        }
    }
}

//! What follows from what all parts say: who is withheld for it, and what is not used.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::line::Owner;
use super::super::resolve::{Former, Resolution, Resolver};
use super::super::skipped::{SkipReason, Skipped, SkippedLine};
use super::super::{FeedMode, ProviderFeed};
use super::owner::OwnerState;
use super::owners::Owners;
use super::unused::explain;
use crate::model::{Directory, Slug};

impl Owners {
    /// The parts with taken time of nobody: it may be anybody's, and everybody has described time.
    pub(super) fn unclear(&self) -> impl Iterator<Item = (u32, &OwnerState)> {
        let owners = self.skips.owners.iter().filter_map(|owner| self.states[*owner as usize].as_ref());
        let is_busy = self.rules.mode == FeedMode::Busy;
        let is_nobodys = move |owner: &&OwnerState| {
            let of = owner.effect.candidates.and_then(|candidates| self.suspects.among(candidates));
            is_busy
                && matches!(owner.meaning.resolution, Resolution::Unresolved { .. })
                && owner.effect.withheld.is_empty()
                && of.is_none_or(BTreeSet::is_empty)
        };
        owners.filter(is_nobodys).flat_map(|owner| {
            let taken = owner.said.iter().filter(|(_, entries)| entries.counted > 0);
            taken.map(move |(part, _)| (*part, owner))
        })
    }

    /// The providers to whom an owner's time belongs or may belong.
    pub(super) fn providers_of(&self, owner: &Owner<'static>) -> Vec<Slug> {
        let number = self.numbers.get(owner);
        let Some(state) = number.and_then(|number| self.states[*number as usize].as_ref()) else {
            return Vec::new();
        };
        let of = state.effect.providers.iter().chain(&state.effect.withheld);
        let former = state.former.providers.iter().map(|(slug, _)| slug.clone());
        of.map(|number| self.names[number.index()].0.clone()).chain(former).collect()
    }

    /// The number of entries of each provider.
    pub(super) fn counts(&self) -> BTreeMap<Slug, usize> {
        let names = self.names.iter().map(|(slug, _)| slug.clone());
        names.zip(self.providers.iter().map(|provider| provider.count)).collect()
    }

    /// The sets of all providers.
    pub(super) fn sets(&self, directory: &Directory) -> Vec<ProviderFeed> {
        let set = |number| ProviderFeed {
            provider: directory.provider(number).slug.clone(),
            entries: self.remade(directory, number).entries,
        };
        directory.provider_numbers().map(set).collect()
    }

    /// Whether an owner leads to a provider.
    pub(super) fn leads(&self, owner: &Owner<'static>) -> bool {
        let state = self.numbers.get(owner).and_then(|number| self.states[*number as usize].as_ref());
        state.is_some_and(|state| !state.effect.providers.is_empty())
    }

    /// Whom each owner has led to, as far as that is known.
    pub(super) fn led_to(&self) -> impl Iterator<Item = (&Owner<'static>, Former)> {
        let all = self.all().map(|state| {
            let mut people = state.former.clone();
            let now = state.effect.providers.iter().map(|number| self.names[number.index()].clone());
            people.providers.extend(now);
            (&state.owner, people)
        });
        all.filter(|(_, people)| !people.providers.is_empty())
    }

    /// Remembers whom an owner led to before a restart.
    pub(super) fn remember(&mut self, owner: &Owner<'static>, former: Former) {
        let number = match self.numbers.get(owner) {
            Some(number) => *number,
            None => self.add_owner(owner.clone()),
        };
        if let Some(state) = &mut self.states[number as usize] {
            state.former = former;
        }
    }

    /// What is not used. The first messages about unknown slugs name similar ones, `most_suggested` of them: that takes time.
    pub(super) fn skipped(&self, directory: &Directory, most_suggested: usize) -> Skipped {
        let possible = |candidates| self.suspects.among(candidates).filter(|of| !of.is_empty());
        let mut counts = self.skips.totals(|candidates| possible(candidates).is_some());
        let owners = self.skips.owners.iter().filter_map(|owner| self.states[*owner as usize].as_ref());
        let resolver = Resolver::new(directory, &self.rules);
        let mut suggested = 0;
        let owners = owners.filter_map(|owner| {
            let of = owner.effect.candidates.and_then(possible);
            let first = owner.effect.withheld.first().or_else(|| of.and_then(BTreeSet::first));
            let count = owner.effect.withheld.len() + of.map_or(0, BTreeSet::len);
            let withheld = first.map(|first| (&directory.provider(*first).slug, count - 1));
            let is_described = owner.said.iter().any(|(_, entries)| !entries.schedules.is_empty());
            let better = (suggested < most_suggested && !is_described).then(|| {
                suggested += 1;
                resolver.meaning(&owner.owner, None).resolution
            });
            let resolution = better.as_ref().unwrap_or(&owner.meaning.resolution);
            let (reason, what, help) = explain(&owner.owner, resolution, withheld)?;
            // Nothing is to be done about a clinician who has left.
            let (_, entries) = owner
                .said
                .iter()
                .find(|(_, entries)| entries.counted > 0 && reason != SkipReason::Retired)?;
            let (file, span) = (Arc::clone(&entries.part), Some(entries.span.clone()));
            Some(SkippedLine { file, line: entries.line, reason, what, help, span })
        });
        let providers = self.skips.providers.iter();
        let slots = providers.filter_map(|number| self.providers[number.index()].skips.as_ref());
        let slots = slots.flat_map(|skips| skips.lines.iter().cloned());
        let blank: Vec<_> = self.blank_lines(directory).collect();
        if !blank.is_empty() {
            counts.insert(SkipReason::EmptyFile, blank.len());
        }
        Skipped::new(counts, slots.chain(blank).chain(owners), self.skips.others.clone())
    }

    /// A line for each blank part, as long as it withholds somebody.
    fn blank_lines(&self, directory: &Directory) -> impl Iterator<Item = SkippedLine> {
        let unlisted = directory.provider_numbers().zip(&self.providers);
        let mut unlisted = unlisted.filter(|(_, provider)| provider.listing.parts.is_empty());
        let is_in_use = self.rules.mode == FeedMode::Busy && !self.blank.is_empty();
        let first = if is_in_use { unlisted.next().map(|(number, _)| number) } else { None };
        let others = unlisted.count();
        let who = first.map(|first| match (&directory.provider(first).slug, others) {
            (first, 0) => first.to_string(),
            (first, others) => format!("{first} and {others} more"),
        });
        who.into_iter().flat_map(|who| {
            self.blank.iter().map(move |part| SkippedLine {
                file: Arc::clone(part),
                line: 1,
                reason: SkipReason::EmptyFile,
                what: format!(
                    "this file has no line, so no time is offered of those whom no file lists: {who}"
                ),
                help: "list one taken time for each provider, even one that has passed".to_owned(),
                span: None,
            })
        })
    }
}

//! The owner of entries (a provider or a Schedule): the providers it resolves to, and the providers it withholds.

use std::sync::Arc;

use super::super::FeedMode;
use super::super::line::Owner;
use super::super::resolve::{Candidates, Former, Meaning, Resolution, Resolver};
use super::super::skipped::SkipReason;
use super::entries::Entries;
use crate::model::ProviderNumber;

/// What all parts say of a provider or Schedule.
pub(super) struct OwnerState {
    pub(super) owner: Owner<'static>,
    /// By the numbers of the parts, ascending.
    pub(super) said: Vec<(u32, Arc<Entries>)>,
    pub(super) meaning: Meaning,
    /// To whom the owner resolved earlier. Nobody while it resolves completely: then `meaning` has the providers.
    pub(super) former: Former,
    pub(super) effect: Effect,
}

/// What an owner adds to the set besides its entries. It is taken back before the owner changes.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// The providers of its time.
    pub(super) providers: Vec<ProviderNumber>,
    /// The providers whose busy time it may be.
    pub(super) withheld: Vec<ProviderNumber>,
    /// Which further providers its busy time may belong to. If it may be anybody's and everybody is described, it is
    /// nobody's: its parts are in doubt.
    pub(super) candidates: Option<Candidates>,
    pub(super) skip: OwnerSkip,
}

/// Whether the entries of an owner are skipped.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnerSkip {
    #[default]
    None,
    Counted(SkipReason, usize),
    /// They count as [`SkipReason::NotPublished`] while one of these candidates exists.
    WhilePossible(Candidates, usize),
}

impl OwnerState {
    pub(super) fn new(owner: Owner<'static>) -> Self {
        let resolution = Resolution::NotPublished(Candidates::None);
        let meaning = Meaning { resolution, is_active: true, types: None };
        Self { owner, said: Vec::new(), meaning, former: Former::default(), effect: Effect::default() }
    }

    /// The providers to whom the entries belong. A Schedule of several people makes all of them busy; its free slots are not
    /// offered.
    pub(super) fn providers_in(&self, mode: FeedMode) -> &[ProviderNumber] {
        match (&self.meaning.resolution, mode) {
            (Resolution::One(_), _) | (_, FeedMode::Busy) => self.meaning.resolution.providers(),
            (_, FeedMode::Open) => &[],
        }
    }

    pub(super) fn counted(&self) -> usize {
        self.said.iter().map(|(_, entries)| entries.counted).sum()
    }

    /// What is wrong with taken time that may be anybody's.
    pub(super) fn unclear_because(&self, part: u32, resolver: Resolver<'_>) -> String {
        let part = self.said.iter().find(|(number, _)| *number == part);
        let place =
            part.map(|(_, entries)| format!("{}:{}: ", entries.part, entries.line)).unwrap_or_default();
        let is_described = self.said.iter().any(|(_, entries)| !entries.schedules.is_empty());
        let suggested = (!is_described).then(|| resolver.meaning(&self.owner, None).resolution);
        match suggested.as_ref().unwrap_or(&self.meaning.resolution) {
            Resolution::Unresolved { what, help } => {
                format!("{place}{what}, so its taken time may be anybody's: {help}")
            }
            _ => format!("{place}the taken time of the {} may be anybody's", self.owner),
        }
    }

    /// Resolves the owner.
    pub(super) fn resolve(&mut self, resolver: Resolver<'_>, mode: FeedMode) {
        let count = self.counted();
        let mut described = self.said.iter().flat_map(|(_, entries)| &entries.schedules);
        let schedule = described.next();
        if described.any(|other| Some(other) != schedule) {
            let contradiction = self.contradiction(resolver);
            self.effect = Effect::default();
            self.meaning = Meaning {
                resolution: Resolution::Unresolved {
                    what: format!("the {} is described in two ways", self.owner),
                    help: "describe each Schedule in the same way everywhere".to_owned(),
                },
                is_active: false,
                types: None,
            };
            self.find_effect(resolver, mode, count, contradiction);
        } else {
            self.meaning = resolver.meaning(&self.owner, schedule);
            let providers = self.meaning.resolution.providers().to_vec();
            self.effect = Effect { providers, ..Effect::default() };
            self.find_effect(resolver, mode, count, (Vec::new(), Candidates::None));
        }
    }

    /// All providers whom one of the owner's Schedules describes, and whom else one may mean.
    fn contradiction(&self, resolver: Resolver<'_>) -> (Vec<ProviderNumber>, Candidates) {
        let (mut providers, mut others) = (Vec::new(), Candidates::None);
        for schedule in self.said.iter().flat_map(|(_, entries)| &entries.schedules) {
            let Meaning { resolution, .. } = resolver.meaning(&self.owner, Some(schedule));
            providers.extend_from_slice(resolution.providers());
            if let Resolution::Several { others: more, .. } | Resolution::NotPublished(more) = resolution {
                others = others.max(more);
            }
        }
        (providers, others)
    }

    /// Finds who is withheld for the owner's busy time, and what is skipped. `possible` are the providers and candidates
    /// of contradicting Schedules.
    fn find_effect(
        &mut self,
        resolver: Resolver<'_>,
        mode: FeedMode,
        count: usize,
        possible: (Vec<ProviderNumber>, Candidates),
    ) {
        let resolution = &self.meaning.resolution;
        // An owner without busy time is remembered, too: later it may have some and still not resolve.
        if mode == FeedMode::Open || resolution.is_complete() {
            self.former = Former::default();
        } else if !self.former.providers.is_empty() || !self.effect.providers.is_empty() {
            self.former.others = self.former.others.max(resolution.others()).max(possible.1);
        }
        if count == 0 {
            return;
        }
        if mode == FeedMode::Open {
            let reason = match resolution {
                Resolution::One(_) => return,
                Resolution::Several { .. } => SkipReason::SeveralPeople,
                Resolution::NotPublished(Candidates::None) => SkipReason::Retired,
                Resolution::NotPublished(_) => SkipReason::NotPublished,
                Resolution::Unresolved { .. } => SkipReason::Unresolved,
            };
            self.effect.skip = OwnerSkip::Counted(reason, count);
            return;
        }
        let candidates = match resolution {
            Resolution::One(_) | Resolution::Several { others: Candidates::None, .. } => return,
            Resolution::Several { others, .. } => *others,
            Resolution::NotPublished(candidates) => *candidates,
            Resolution::Unresolved { .. } => possible.1.max(self.former.others),
        };
        let former = self.former.providers.iter().filter_map(|name| resolver.present(name));
        let known = former.chain(possible.0);
        let mut withheld: Vec<_> =
            known.filter(|it| resolution.providers().binary_search(it).is_err()).collect();
        withheld.sort_unstable();
        withheld.dedup();
        let is_unresolved = matches!(resolution, Resolution::Unresolved { .. });
        let was_ever_known = !self.former.providers.is_empty() || !withheld.is_empty();
        let candidates = match candidates {
            Candidates::None if is_unresolved && !was_ever_known => Candidates::Any,
            candidates => candidates,
        };
        self.effect.candidates = Some(candidates);
        let is_known = !withheld.is_empty();
        self.effect.skip = match resolution {
            Resolution::Several { .. } if !is_known => OwnerSkip::WhilePossible(candidates, count),
            Resolution::NotPublished(Candidates::None) if !is_known => {
                OwnerSkip::Counted(SkipReason::Retired, count)
            }
            Resolution::Unresolved { .. } => OwnerSkip::Counted(SkipReason::Unresolved, count),
            _ => OwnerSkip::Counted(SkipReason::NotPublished, count),
        };
        self.effect.withheld = withheld;
    }
}

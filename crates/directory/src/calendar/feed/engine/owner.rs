//! The owner of entries (a provider or a Schedule): the providers it resolves to, and the providers it withholds.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::FeedMode;
use super::super::line::{FeedSchedule, Owner};
use super::super::resolve::{Candidates, Former, Meaning, Mistake, Resolution, Resolver};
use super::entries::Entries;
use super::part::PartId;
use crate::model::{Directory, ProviderNumber};

pub(super) struct OwnerState {
    pub(super) owner: Owner<'static>,
    /// By the ids of the parts, ascending.
    pub(super) said: Vec<Says>,
    pub(super) meaning: Meaning,
    /// To whom the owner resolved earlier. None while it resolves completely: then `meaning` has the providers.
    pub(super) former: Former,
    pub(super) effect: Effect,
}

#[derive(Debug)]
pub(super) struct Says {
    pub(super) id: Arc<PartId>,
    pub(super) entries: Arc<Entries>,
}

/// What an owner adds to the set besides its entries. It is taken back before the owner changes.
#[derive(Debug, Default)]
pub(super) struct Effect {
    pub(super) providers: Vec<ProviderNumber>,
    /// The providers whose busy time it may be.
    pub(super) withheld: Vec<ProviderNumber>,
    /// Which further providers its busy time may belong to. If it may be anyone's and every clinician is described, it
    /// is no one's: its parts are in doubt.
    pub(super) candidates: Candidates,
    /// Whether it has entries that are not used, as far as its meaning says.
    pub(super) is_unused: bool,
}

impl OwnerState {
    pub(super) fn new(owner: Owner<'static>) -> Self {
        let resolution = Resolution::NotPublished(Candidates::None);
        let meaning = Meaning { resolution, is_active: true, types: None };
        Self { owner, said: Vec::new(), meaning, former: Former::default(), effect: Effect::default() }
    }

    /// A Schedule of several people makes all of them busy; its free slots are not offered.
    pub(super) fn providers_in(&self, mode: FeedMode) -> &[ProviderNumber] {
        match (&self.meaning.resolution, mode) {
            (Resolution::One(_), _) | (_, FeedMode::Busy) => self.meaning.resolution.providers(),
            (_, FeedMode::Open) => &[],
        }
    }

    pub(super) fn counted(&self) -> usize {
        self.said.iter().map(|says| says.entries.counted).sum()
    }

    fn schedules(&self) -> impl Iterator<Item = &FeedSchedule> {
        self.said.iter().flat_map(|says| &says.entries.schedules)
    }

    /// What is wrong with busy time of this part that may be anyone's. `directory`: where to look for a similar slug.
    pub(super) fn unclear_because(&self, says: &Says, directory: Option<&Directory>) -> String {
        let place = format!("{}:{}", says.id.name(), says.entries.line);
        match &self.meaning.resolution {
            Resolution::Unresolved(mistake) => {
                let (what, help) = mistake.words(directory);
                format!("{place}: {what}, so its busy time may be anyone's: {help}")
            }
            _ => format!("{place}: the busy time of the {} may be anyone's", self.owner),
        }
    }

    pub(super) fn resolve(&mut self, resolver: Resolver<'_>, mode: FeedMode) {
        let schedule = self.schedules().next();
        let mut meaning = resolver.meaning(&self.owner, schedule);
        // All providers whom one of contradicting Schedules describes, and whom else one may mean.
        let (mut possible, mut candidates) = (Vec::new(), Candidates::None);
        if let Owner::Schedule(id) = &self.owner
            && self.schedules().any(|other| Some(other) != schedule)
        {
            for schedule in self.schedules() {
                let Meaning { resolution, .. } = resolver.meaning(&self.owner, Some(schedule));
                possible.extend_from_slice(resolution.providers());
                candidates = candidates.max(resolution.others());
            }
            let resolution = Resolution::Unresolved(Mistake::DescribedTwice(id.to_string()));
            meaning = Meaning { resolution, is_active: false, types: None };
        }
        self.meaning = meaning;
        let resolution = &self.meaning.resolution;
        let providers = resolution.providers().to_vec();
        // An owner without busy time is remembered, too: later it may have some and still not resolve.
        if mode == FeedMode::Open || resolution.is_complete() {
            self.former = Former::default();
        } else if !self.former.providers.is_empty() || !providers.is_empty() {
            self.former.others = self.former.others.max(resolution.others()).max(candidates);
        }
        let is_used = match mode {
            FeedMode::Busy => resolution.is_complete(),
            FeedMode::Open => matches!(resolution, Resolution::One(_)),
        };
        let is_unused = !is_used && self.counted() > 0;
        self.effect = Effect { providers, is_unused, ..Effect::default() };
        if mode == FeedMode::Open || !is_unused {
            return;
        }
        let former = self.former.providers.iter().flat_map(|name| resolver.present(name));
        let is_new = |number: &ProviderNumber| resolution.providers().binary_search(number).is_err();
        let withheld: BTreeSet<_> = former.chain(possible).filter(is_new).collect();
        if let Resolution::Unresolved(_) = resolution {
            candidates = candidates.max(self.former.others);
            let was_ever_known = !self.former.providers.is_empty() || !withheld.is_empty();
            if candidates == Candidates::None && !was_ever_known {
                candidates = Candidates::Any;
            }
        } else {
            candidates = resolution.others();
        }
        (self.effect.withheld, self.effect.candidates) = (withheld.into_iter().collect(), candidates);
    }
}

//! What an engine knows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::super::line::Owner;
use super::super::{FeedRules, Skipped};
use super::age::AsOf;
use super::entries::Said;
use super::mark::{Hours, Mark};
use super::owners::{Change, Owners};
use super::part::{BadText, PartId};
use crate::calendar::Instant;
use crate::model::{Directory, Generation};

/// The number of unknown slugs for which a service of files, which change seldom, suggests similar ones.
const FEW_SUGGESTED: usize = 5;

pub struct Engine {
    pub(super) rules: Arc<FeedRules>,
    pub(super) owners: Owners,
    pub(super) writers: BTreeMap<Arc<str>, Writer>,
    /// The parts with busy time that may be anyone's, and what is wrong with its owner.
    pub(super) unclear: BTreeMap<Arc<PartId>, String>,
}

#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) id: Arc<PartId>,
    /// Its last text without doubt.
    pub(super) good: Said,
    /// Present if its newest text is not simply believed.
    pub(super) doubt: Option<Box<Doubt>>,
    /// Its age, if that is not its writer's.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "own_age")]
    pub(super) own: Option<OwnAge>,
    pub(super) mark: Mark,
    #[serde(skip)]
    pub(super) others: BTreeMap<String, usize>,
    pub(super) is_blank: bool,
}

/// The age of a part that is older than its writer's last beat; `None`: it was never read without doubt.
pub(super) type OwnAge = Option<AsOf>;

/// An age that is written: of the outer option, null would make nothing.
fn own_age<'de, D: Deserializer<'de>>(from: D) -> Result<Option<OwnAge>, D::Error> {
    OwnAge::deserialize(from).map(Some)
}

#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Doubt {
    pub(super) newest: Said,
    pub(super) believed: Said,
    pub(super) is_gone: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) lost: Option<Held>,
    pub(super) bad: Option<BadText>,
    /// Whether an operator has accepted what vanished from it.
    #[serde(skip)]
    pub(super) is_accepted: bool,
    /// Whether it is from before a restart, and neither the part nor its writer was looked at since.
    #[serde(skip)]
    pub(super) is_remembered: bool,
}

/// Why something is held until an operator accepts it, and a hash of it.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Held {
    pub(super) why: String,
    pub(super) token: u64,
}

#[derive(Default)]
pub(super) struct Writer {
    /// A part that is gone without doubt is removed.
    pub(super) parts: BTreeMap<Arc<PartId>, Part>,
    /// The parts that name each owner, or did in their last reading without doubt.
    pub(super) naming: HashMap<Owner<'static>, Vec<Arc<PartId>>>,
    /// The time of its last beat without doubt.
    pub(super) as_of: Option<AsOf>,
    /// The time of its last beat, which may be held, and the parts that it named as late.
    pub(super) heard: Option<AsOf>,
    pub(super) late: BTreeMap<Arc<str>, Option<Instant>>,
    pub(super) is_gone: bool,
    /// Whether it was ever read without doubt.
    pub(super) was_read: bool,
    /// The content in which the look of its last beat began.
    pub(super) looked_in: Option<Generation>,
    pub(super) lost: Option<Held>,
    /// Why its first reading is in doubt.
    pub(super) first: Option<Held>,
    /// What is wrong with its last look, and with parts that it could not look at.
    pub(super) trouble: Vec<String>,
    pub(super) mark: Mark,
    /// How much its parts had when they were last read without doubt.
    pub(super) hours: Hours,
}

/// The parts of each writer about which there is news.
pub(super) type Touched = BTreeMap<Arc<str>, BTreeSet<Arc<PartId>>>;

impl Part {
    pub(super) fn new(id: Arc<PartId>) -> Self {
        let (good, mark, others) = (Said::default(), Mark::default(), BTreeMap::new());
        Self { id, good, doubt: None, own: Some(None), mark, others, is_blank: false }
    }

    pub(super) fn newest(&self) -> &Said {
        self.doubt.as_ref().map_or(&self.good, |doubt| &doubt.newest)
    }

    pub(super) fn believed(&self) -> &Said {
        self.doubt.as_ref().map_or(&self.good, |doubt| &doubt.believed)
    }

    pub(super) fn names(&self, owner: &Owner<'static>) -> bool {
        self.good.get(owner).is_some() || self.newest().get(owner).is_some()
    }

    /// Makes room for a newer text.
    pub(super) fn doubt(&mut self) -> &mut Doubt {
        let new = || Doubt { newest: self.good.clone(), believed: self.good.clone(), ..Doubt::default() };
        self.doubt.get_or_insert_with(|| Box::new(new()))
    }
}

impl Writer {
    pub(super) fn name_owners(&mut self, id: &Arc<PartId>) {
        let Some(part) = self.parts.get(id) else { return };
        for owner in part.good.owners().chain(part.newest().owners()) {
            let parts = self.naming.entry(owner.clone()).or_default();
            if !parts.contains(id) {
                parts.push(Arc::clone(id));
            }
        }
    }

    pub(super) fn set_newest(&mut self, id: &Arc<PartId>, newest: Said) {
        let Some(part) = self.parts.get_mut(id) else { return };
        let doubt = part.doubt();
        doubt.is_remembered = false;
        let before = std::mem::replace(&mut doubt.newest, newest);
        self.name_owners(id);
        before.owners().for_each(|owner| self.forget_names(owner));
    }

    pub(super) fn forget_names(&mut self, owner: &Owner<'static>) {
        let Some(parts) = self.naming.get_mut(owner) else { return };
        parts.retain(|id| self.parts.get(id).is_some_and(|part| part.names(owner)));
        if parts.is_empty() {
            self.naming.remove(owner);
        }
    }
}

impl Engine {
    pub fn new(rules: Arc<FeedRules>) -> Self {
        Self {
            owners: Owners::new(Arc::clone(&rules)),
            rules,
            writers: BTreeMap::new(),
            unclear: BTreeMap::new(),
        }
    }

    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.writers.values().flat_map(|writer| writer.parts.values())
    }

    pub(super) fn part(&self, id: &PartId) -> Option<&Part> {
        self.writers.get(id.writer())?.parts.get(id)
    }

    pub(super) fn part_mut(&mut self, id: &PartId) -> Option<&mut Part> {
        self.writers.get_mut(id.writer())?.parts.get_mut(id)
    }

    /// Adds to a change what is not used, if that may be other than was told.
    pub(super) fn told(&mut self, mut change: Change, here: &Directory) -> Change {
        if std::mem::take(&mut self.owners.is_unused_new) {
            let is_of_files = self.parts().any(|part| part.id.is_file());
            change.skipped = Some(self.skipped(here, if is_of_files { FEW_SUGGESTED } else { 0 }));
        }
        change
    }

    pub(super) fn skipped(&self, here: &Directory, most_suggested: usize) -> Skipped {
        let mut skipped = self.owners.skipped(here, most_suggested);
        for (kind, count) in self.parts().flat_map(|part| &part.others) {
            *skipped.other_resources.entry(kind.clone()).or_default() += count;
        }
        skipped
    }
}

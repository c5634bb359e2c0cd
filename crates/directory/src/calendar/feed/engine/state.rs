//! What an engine knows.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::super::line::Owner;
use super::super::{FeedRules, ProviderFeed, Skipped};
use super::age::AsOf;
use super::entries::Said;
use super::listing::FeedProviders;
use super::mark::{Hours, Mark};
use super::owners::{Changed, Owners};
use super::part::{BadText, PartId};

/// The state of a feed.
pub struct Engine {
    pub(super) rules: Arc<FeedRules>,
    pub(super) owners: Owners,
    /// By number; a part that is gone without doubt is removed.
    pub(super) parts: Vec<Option<Part>>,
    pub(super) numbers: HashMap<Arc<str>, u32>,
    pub(super) free_numbers: Vec<u32>,
    /// The parts that name each owner, or did in their last reading without doubt.
    pub(super) naming: HashMap<Owner<'static>, Vec<u32>>,
    pub(super) writers: BTreeMap<Arc<str>, Writer>,
    pub(super) providers: Arc<FeedProviders>,
    /// The parts with taken time that may be anybody's.
    pub(super) unclear: BTreeSet<u32>,
}

/// What a part says and said.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Part {
    pub(super) id: PartId,
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
    #[serde(skip)]
    pub(super) lost: Option<Held>,
    pub(super) bad: Option<BadText>,
    /// What is wrong with an owner of taken time that may be anybody's.
    #[serde(skip)]
    pub(super) unclear: Option<String>,
    /// Whether an operator has accepted what vanished from it.
    #[serde(skip)]
    pub(super) is_accepted: bool,
}

/// Why something is held until an operator accepts it, and a hash of it.
#[derive(Clone)]
pub(super) struct Held {
    pub(super) why: String,
    pub(super) token: u64,
}

#[derive(Default)]
pub(super) struct Writer {
    pub(super) parts: BTreeSet<u32>,
    /// The last beat without doubt, and the last one.
    pub(super) as_of: Option<AsOf>,
    pub(super) heard: Option<AsOf>,
    pub(super) is_gone: bool,
    /// Whether it was ever read without doubt.
    pub(super) was_read: bool,
    /// Whether it was looked at since the content was replaced.
    pub(super) was_looked_at: bool,
    pub(super) lost: Option<Held>,
    /// Why its first reading is in doubt.
    pub(super) first: Option<Held>,
    /// What is wrong with its last look, and with parts that it could not look at.
    pub(super) trouble: Vec<String>,
    pub(super) mark: Mark,
    /// How much its parts had when they were last read without doubt.
    pub(super) hours: Hours,
}

/// What differs after events.
#[derive(Debug, Default)]
pub struct Change {
    /// Whether it is about all providers, because the content is another one than before.
    pub is_complete: bool,
    /// The new sets of the providers whose time has changed.
    pub providers: Vec<ProviderFeed>,
    /// What is not used, if that has changed.
    pub skipped: Option<Skipped>,
    /// Whether providers are withheld or listed otherwise than before.
    pub is_listed_anew: bool,
}

impl Part {
    fn new(id: PartId) -> Self {
        let (good, mark, others) = (Said::default(), Mark::default(), BTreeMap::new());
        Self { id, good, doubt: None, own: Some(None), mark, others, is_blank: false }
    }

    pub(super) fn newest(&self) -> &Said {
        self.doubt.as_ref().map_or(&self.good, |doubt| &doubt.newest)
    }

    pub(super) fn believed(&self) -> &Said {
        self.doubt.as_ref().map_or(&self.good, |doubt| &doubt.believed)
    }

    /// Makes room for a newer text.
    pub(super) fn doubt(&mut self) -> &mut Doubt {
        let new = || Doubt { newest: self.good.clone(), believed: self.good.clone(), ..Doubt::default() };
        self.doubt.get_or_insert_with(|| Box::new(new()))
    }
}

impl Doubt {
    pub(super) fn has_reason(&self) -> bool {
        self.lost.is_some() || self.bad.is_some() || self.unclear.is_some()
    }
}

impl Engine {
    #[must_use]
    pub fn new(rules: Arc<FeedRules>) -> Self {
        Self {
            owners: Owners::new(Arc::clone(&rules)),
            rules,
            parts: Vec::new(),
            numbers: HashMap::new(),
            free_numbers: Vec::new(),
            naming: HashMap::new(),
            writers: BTreeMap::new(),
            providers: Arc::default(),
            unclear: BTreeSet::new(),
        }
    }

    pub(super) fn part(&self, number: u32) -> Option<&Part> {
        self.parts.get(number as usize)?.as_ref()
    }

    /// The number of a part, a new one if it is not known.
    pub(super) fn number_of(&mut self, id: PartId) -> u32 {
        let known = self.numbers.get(id.name()).copied();
        known.unwrap_or_else(|| self.add_part(Part::new(id)))
    }

    pub(super) fn add_part(&mut self, part: Part) -> u32 {
        let number = self.free_numbers.pop().unwrap_or_else(|| {
            self.parts.push(None);
            u32::try_from(self.parts.len() - 1).unwrap_or(u32::MAX)
        });
        self.owners.is_of_files |= part.id.is_file();
        self.numbers.insert(Arc::clone(part.id.name()), number);
        self.writers.entry(Arc::clone(part.id.writer())).or_default().parts.insert(number);
        self.parts[number as usize] = Some(part);
        number
    }

    /// Notes that a part names these owners.
    pub(super) fn name_owners(&mut self, number: u32, owners: impl IntoIterator<Item = Owner<'static>>) {
        for owner in owners {
            let parts = self.naming.entry(owner).or_default();
            if !parts.contains(&number) {
                parts.push(number);
            }
        }
    }

    /// Notes who lists whom, and who is withheld.
    pub(super) fn note(&mut self, changed: Changed) -> Change {
        let is_listed_anew =
            changed.is_complete || !(changed.listed.is_empty() && changed.withheld.is_empty());
        if is_listed_anew {
            // `make_mut` copies the lists only while a reader holds them.
            let providers = Arc::make_mut(&mut self.providers);
            if changed.is_complete {
                *providers = FeedProviders::default();
            }
            for (slug, parts) in &changed.listed {
                let parts = parts.iter().filter_map(|number| self.parts[*number as usize].as_ref());
                let writers: BTreeSet<_> = parts.map(|part| Arc::clone(part.id.writer())).collect();
                providers.list(slug, writers.into_iter().collect(), self.rules.mode);
            }
            for (slug, is_withheld) in &changed.withheld {
                providers.withhold(slug, *is_withheld);
            }
        }
        let Changed { is_complete, providers, skipped, .. } = changed;
        Change { is_complete, providers, skipped, is_listed_anew }
    }
}

//! Resolves the owner of a line to providers.
//! A plain line names a slug; a former slug means its present provider. A FHIR Slot names a Schedule, whose provider is
//! found by, in this order:
//! 1. the configuration's map, if it has the Schedule's id;
//! 2. a national provider identifier of the Schedule or of its actor;
//! 3. an actor `Practitioner/<provider id>`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::line::{FeedSchedule, Owner, Person};
use super::{FeedMode, FeedRules};
use crate::model::{Directory, ProviderId, ProviderNumber, Slug, SlugMatch, VisitTypeId, is_npi};
use crate::near::nearest;

#[derive(Debug, Clone)]
pub(super) enum Resolution {
    One(ProviderNumber),
    /// Several people, of whom these are providers.
    Several {
        providers: Vec<ProviderNumber>,
        /// Which providers the other people may be.
        others: Candidates,
    },
    /// A clinician, a place or a service that the directory does not have.
    NotPublished(Candidates),
    Unresolved(Mistake),
}

/// A mistake of the feed or of the configuration, which leaves unclear whose entries are.
#[derive(Debug, Clone)]
pub(super) enum Mistake {
    NoProvider(String),
    /// A slug of the configuration's table of this Schedule.
    NoProviderOfTable(String, String),
    NotDescribed(String),
    DescribedTwice(String),
    NamesNobody(String),
}

impl Mistake {
    /// What is wrong, and what to do. `directory`: where to look for a similar slug, which takes milliseconds.
    pub(super) fn words(&self, directory: Option<&Directory>) -> (String, String) {
        match self {
            Self::NoProvider(slug) | Self::NoProviderOfTable(slug, _) => {
                let slugs = directory.into_iter().flat_map(Directory::providers);
                let near = nearest(slug, slugs.map(|provider| provider.slug.as_str()));
                let help = match near {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "correct the slug, or remove the lines of a clinician who isn't published; if \
                        a clinician has left, their slug goes in retired.toml"
                        .to_owned(),
                };
                let named = match self {
                    Self::NoProviderOfTable(_, id) => format!(", which {} names", table_of(id)),
                    _ => String::new(),
                };
                (format!("no clinician has the slug \"{slug}\"{named}"), help)
            }
            Self::NotDescribed(id) => (
                format!("no file of the feed describes the Schedule {id}"),
                format!("publish the Schedule resource {id} along with its Slots, or {}", map(id)),
            ),
            Self::DescribedTwice(id) => (
                format!("the Schedule {id} is described in two ways"),
                "describe each Schedule the same way everywhere".to_owned(),
            ),
            Self::NamesNobody(id) => (
                format!("the Schedule {id} doesn't name a clinician by a valid NPI or as Practitioner/<id>"),
                format!("give its actor an NPI or the clinician's id, or {}", map(id)),
            ),
        }
    }
}

/// Which providers an unknown clinician may be. Each variant includes those before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Candidates {
    /// The clinician has left, or there is no unknown one.
    #[default]
    None,
    /// Those without a national identifier: the feed gives one that no provider has.
    WithoutNpi,
    Any,
}

impl Resolution {
    pub(super) fn providers(&self) -> &[ProviderNumber] {
        match self {
            Self::One(number) => std::slice::from_ref(number),
            Self::Several { providers, .. } => providers,
            Self::NotPublished(_) | Self::Unresolved(_) => &[],
        }
    }

    pub(super) fn others(&self) -> Candidates {
        match self {
            Self::Several { others, .. } | Self::NotPublished(others) => *others,
            Self::One(_) | Self::Unresolved(_) => Candidates::None,
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        matches!(self, Self::One(_) | Self::Several { others: Candidates::None, .. })
    }
}

#[derive(Debug)]
pub(super) struct Meaning {
    pub(super) resolution: Resolution,
    pub(super) is_active: bool,
    pub(super) types: Option<Vec<VisitTypeId>>,
}

/// The people of a slug or Schedule in earlier readings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Former {
    pub(super) providers: BTreeSet<ProviderName>,
    pub(super) others: Candidates,
}

/// How a provider of an earlier directory is found again.
pub(super) type ProviderName = (Slug, ProviderId);

#[derive(Clone, Copy)]
pub(super) struct Resolver<'a> {
    pub(super) directory: &'a Directory,
    pub(super) rules: &'a FeedRules,
}

impl Resolver<'_> {
    /// Its slug or its id may have changed since, and someone else may have its slug.
    pub(super) fn present(&self, (slug, id): &ProviderName) -> impl Iterator<Item = ProviderNumber> {
        self.find(slug.as_str()).into_iter().chain(self.directory.with_id(id.as_str()))
    }

    pub(super) fn meaning(&self, owner: &Owner<'_>, schedule: Option<&FeedSchedule>) -> Meaning {
        let id = match owner {
            Owner::Provider(slug) => {
                return Meaning { resolution: self.by_slug(slug), is_active: true, types: None };
            }
            Owner::Schedule(id) => &**id,
        };
        let configured = self.rules.schedules.get(id);
        let types = configured.and_then(|meaning| meaning.types.clone());
        Meaning {
            resolution: match (configured, schedule) {
                (Some(meaning), _) => match self.by_slug(meaning.provider.as_str()) {
                    Resolution::Unresolved(Mistake::NoProvider(slug)) => {
                        Resolution::Unresolved(Mistake::NoProviderOfTable(slug, id.to_owned()))
                    }
                    found => found,
                },
                (None, Some(schedule)) => self.actors(id, schedule),
                (None, None) => Resolution::Unresolved(Mistake::NotDescribed(id.to_owned())),
            },
            is_active: schedule.is_none_or(|schedule| schedule.is_active),
            types: types.or_else(|| {
                let named = schedule?.types.as_ref()?.in_directory(self.directory)?;
                Some(named.into_owned())
            }),
        }
    }

    fn find(&self, slug: &str) -> Option<ProviderNumber> {
        self.directory.find(slug).map(SlugMatch::provider)
    }

    fn by_slug(&self, slug: &str) -> Resolution {
        match self.find(slug) {
            Some(number) => Resolution::One(number),
            None if self.directory.remembers(slug) => Resolution::NotPublished(Candidates::None),
            None => Resolution::Unresolved(Mistake::NoProvider(slug.to_owned())),
        }
    }

    fn actors(&self, id: &str, schedule: &FeedSchedule) -> Resolution {
        let FeedSchedule { npis, people, has_no_person, .. } = schedule;
        let npis = npis.iter().chain(people.iter().filter_map(|person| person.npi.as_ref()));
        let of_npis: BTreeSet<_> = npis.map(|npi| self.directory.with_npi(npi)).collect();
        let practitioners = people.iter().filter_map(|person| person.practitioner.as_ref());
        let of_practitioners: BTreeSet<_> = practitioners.map(|id| self.directory.with_id(id)).collect();
        // NPIs take precedence over Practitioner ids. An NPI that no provider has counts as one more person.
        let first = if of_npis.is_empty() { &of_practitioners } else { &of_npis };
        let all: BTreeSet<_> = of_npis.iter().chain(&of_practitioners).copied().flatten().collect();
        let others = self.unknown_people(schedule);
        if let (Some(Some(number)), 1) = (first.first(), first.len())
            && (self.rules.mode == FeedMode::Open || (all.len() == 1 && others == Candidates::None))
        {
            return Resolution::One(*number);
        }
        if !all.is_empty() {
            return Resolution::Several { providers: all.into_iter().collect(), others };
        }
        if others != Candidates::None {
            return Resolution::NotPublished(others);
        }
        if *has_no_person {
            return Resolution::NotPublished(Candidates::Any);
        }
        Resolution::Unresolved(Mistake::NamesNobody(id.to_owned()))
    }

    /// Which providers the unknown people of a Schedule may be: those whom neither an NPI nor an id resolves. An NPI of the
    /// Schedule itself is counted as that of an actor without an NPI.
    fn unknown_people(&self, FeedSchedule { npis, people, .. }: &FeedSchedule) -> Candidates {
        let is_unknown_npi = |npi: &String| is_npi(npi) && self.directory.with_npi(npi).is_none();
        let unknown = people.iter().filter(|Person { npi, practitioner }| {
            npi.as_ref().is_none_or(|npi| self.directory.with_npi(npi).is_none())
                && practitioner.as_ref().is_none_or(|id| self.directory.with_id(id).is_none())
        });
        let (with_npi, without): (Vec<_>, Vec<_>) =
            unknown.partition(|person| person.npi.as_deref().is_some_and(is_npi));
        // A provider's id follows FHIR's rule for the id of a resource.
        let has_id = |person: &&&Person| {
            person.practitioner.as_deref().is_some_and(|id| id.parse::<ProviderId>().is_ok())
        };
        let without = without.iter().filter(has_id).count();
        let of_schedule: BTreeSet<_> = npis
            .iter()
            .filter(|npi| is_npi(npi) && people.iter().all(|person| person.npi.as_ref() != Some(npi)))
            .collect();
        if without > of_schedule.len() {
            Candidates::Any
        } else if !with_npi.is_empty()
            || (without > 0 || people.is_empty()) && of_schedule.iter().any(|npi| is_unknown_npi(npi))
        {
            Candidates::WithoutNpi
        } else {
            Candidates::None
        }
    }
}

pub(super) fn map(id: &str) -> String {
    format!("map it in the configuration: below {}, write provider = \"<slug>\"", table_of(id))
}

/// The head of a Schedule's table in the configuration. TOML wants quotes around an id with a dot, which FHIR allows.
fn table_of(id: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_written_bare = !id.is_empty() && id.bytes().all(is_bare);
    if is_written_bare { format!("[feed.schedules.{id}]") } else { format!("[feed.schedules.{id:?}]") }
}

//! From the slug or the Schedule of a line to the providers whose time it is.
//!
//! A plain line names a slug; a former slug means the provider of today. A FHIR Slot names a Schedule, whose
//! provider is found in this order:
//! 1. the map of the configuration, where the Schedule's id stands in it;
//! 2. a national provider identifier, of the Schedule's actor or of the Schedule;
//! 3. an actor that is `Practitioner/<provider id>`.

use std::collections::{BTreeSet, HashMap};

use super::line::{Schedule, Whom};
use super::{FeedMode, FeedRules};
use crate::model::{Directory, ProviderNumber, Slug, SlugMatch, VisitTypeId, is_npi};
use crate::near::nearest;

/// Where a slug or a Schedule leads.
#[derive(Debug, Clone)]
pub(super) enum Leads {
    /// To one provider.
    One(ProviderNumber),
    /// To several people; these of them are providers of the directory.
    Several(Vec<ProviderNumber>),
    /// To a clinician, a place or a service that the directory does not have.
    Elsewhere(MayBe),
    /// To nothing.
    Nowhere { what: String, help: String },
}

/// Which provider a clinician with an unknown identifier may be; the later variant includes the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MayBe {
    /// None: the slug is a former clinician's.
    NoProvider,
    /// One without a national identifier, as the feed gives another.
    OneWithoutNpi,
    /// Any.
    Any,
}

/// Where a line leads, and what goes for its entries.
pub(super) struct Meaning {
    pub(super) leads: Leads,
    pub(super) is_active: bool,
    pub(super) types: Option<Vec<VisitTypeId>>,
}

/// Which providers each slug and Schedule of an accepted reading led to. A later reading in which one of them leads
/// to no provider any more withholds these.
#[derive(Debug, Clone, Default)]
pub struct LedTo(pub(super) HashMap<Whom<'static>, Vec<Slug>>);

/// The ways to a provider.
pub(super) struct Ways<'a> {
    directory: &'a Directory,
    rules: &'a FeedRules,
    by_npi: HashMap<&'a str, ProviderNumber>,
    by_id: HashMap<&'a str, ProviderNumber>,
}

impl<'a> Ways<'a> {
    pub(super) fn of(directory: &'a Directory, rules: &'a FeedRules) -> Self {
        let numbered = || directory.provider_numbers().map(|number| (directory.provider(number), number));
        Self {
            directory,
            rules,
            by_npi: numbered().filter_map(|(provider, number)| Some((provider.npi()?, number))).collect(),
            by_id: numbered().map(|(provider, number)| (provider.id().as_str(), number)).collect(),
        }
    }

    pub(super) fn meaning(&self, whom: &Whom<'_>, schedules: &HashMap<&str, &Schedule>) -> Meaning {
        match whom {
            Whom::Provider(slug) => Meaning { leads: self.by_slug(slug), is_active: true, types: None },
            Whom::Schedule(id) => self.schedule(id, schedules.get(&**id).copied()),
        }
    }

    pub(super) fn schedule(&self, id: &str, schedule: Option<&Schedule>) -> Meaning {
        let configured = self.rules.schedules.get(id);
        let types = configured.and_then(|meaning| meaning.types.clone());
        Meaning {
            leads: match (configured, schedule) {
                (Some(meaning), _) => self.configured(id, meaning.provider.as_str()),
                (None, Some(schedule)) => self.actors(id, schedule),
                (None, None) => Leads::Nowhere {
                    what: format!("no file of the feed describes the Schedule {id}"),
                    help: format!("publish the Schedule resource {id} beside its Slots, or {}", map(id)),
                },
            },
            is_active: schedule.is_none_or(|schedule| schedule.is_active),
            types: types.or_else(|| schedule.and_then(|schedule| schedule.types.clone())),
        }
    }

    fn find(&self, slug: &str) -> Option<ProviderNumber> {
        self.directory.find(slug).map(SlugMatch::provider)
    }

    fn by_slug(&self, slug: &str) -> Leads {
        match self.find(slug) {
            Some(number) => Leads::One(number),
            None if self.directory.remembers(slug) => Leads::Elsewhere(MayBe::NoProvider),
            None => {
                let slugs = self.directory.providers().iter().map(|provider| provider.slug().as_str());
                let help = match nearest(slug, slugs) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "correct the slug, or leave out the lines of a clinician who is not published; \
                             the slug of a clinician who has left belongs into retired.toml"
                        .to_owned(),
                };
                Leads::Nowhere { what: format!("there is no provider \"{slug}\""), help }
            }
        }
    }

    fn configured(&self, id: &str, slug: &str) -> Leads {
        match self.by_slug(slug) {
            Leads::Nowhere { what, help } => {
                Leads::Nowhere { what: format!("{what}, whom [feed.schedules.{id}] names"), help }
            }
            found => found,
        }
    }

    fn actors(&self, id: &str, schedule: &Schedule) -> Leads {
        let Schedule { npis, practitioners, has_no_person, .. } = schedule;
        let known = |names: &[String], by: &HashMap<&str, ProviderNumber>| -> BTreeSet<_> {
            names.iter().map(|name| by.get(name.as_str()).copied()).collect()
        };
        let (of_npis, of_practitioners) = (known(npis, &self.by_npi), known(practitioners, &self.by_id));
        // Identifiers count before ids, and a name that leads to no provider is a second person.
        let first = if npis.is_empty() { &of_practitioners } else { &of_npis };
        let all: BTreeSet<_> = of_npis.iter().chain(&of_practitioners).copied().flatten().collect();
        if let (Some(Some(number)), 1) = (first.first(), first.len())
            && (self.rules.mode == FeedMode::Open || all.len() == 1)
        {
            return Leads::One(*number);
        }
        if !all.is_empty() {
            return Leads::Several(all.into_iter().collect());
        }
        if npis.iter().any(|npi| is_npi(npi)) {
            return Leads::Elsewhere(MayBe::OneWithoutNpi);
        }
        if *has_no_person || practitioners.iter().any(|id| is_fhir_id(id)) {
            return Leads::Elsewhere(MayBe::Any);
        }
        Leads::Nowhere {
            what: format!("the Schedule {id} names no clinician by a valid NPI or as Practitioner/<id>"),
            help: format!("give its actor an NPI or the provider's id, or {}", map(id)),
        }
    }
}

/// How a Schedule is mapped by hand.
pub(super) fn map(id: &str) -> String {
    format!("map it in the configuration: [feed.schedules.{id}] provider = \"<slug>\"")
}

/// FHIR's rule for the id of a resource.
fn is_fhir_id(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}

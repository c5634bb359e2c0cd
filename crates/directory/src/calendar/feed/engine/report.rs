//! What is known of a feed: its ages, what is held, and what operators should do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::{FeedFile, FeedRules, ProviderFeed, Skipped};
use super::age::{Ages, AsOf, Concerns, Moment, Unit};
use super::doubt::token_of;
use super::part::{BadText, Event, PartId};
use super::provider::ProviderState;
use super::state::{Engine, Held, Part};
use crate::calendar::Instant;
use crate::model::{Directory, Slug};

/// The most reasons that a message names; all are counted.
const MAX_NAMED: usize = 5;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Why something is held until an operator accepts it, and its token.
    pub held: Option<(String, String)>,
    pub trouble: Option<String>,
    /// Whether everything was looked at since the content was replaced, and nothing that may be about anyone is in doubt.
    pub is_settled: bool,
}

/// A feed as it is read once.
#[derive(Debug, Clone)]
pub struct FeedSet {
    /// One set for each provider of the directory, in its order.
    pub providers: Vec<ProviderFeed>,
    /// The providers with entries of any status.
    pub listed: BTreeSet<Slug>,
    /// The providers whose busy time may be among the entries that are not used.
    pub withheld: BTreeSet<Slug>,
    pub skipped: Skipped,
    /// Why a service would not use it, and what to do.
    pub held: Option<String>,
    pub trouble: Option<String>,
}

impl Engine {
    pub fn report(&self, here: &Directory) -> Report {
        let is_settled = self.owners.generation.as_ref() == Some(here.generation())
            && self.writers.values().all(|writer| {
                let mut files = writer.parts.values().filter(|part| part.id.is_file()).peekable();
                let was_looked_at =
                    files.peek().is_none() || writer.looked_in.as_ref() == Some(here.generation());
                writer.lost.is_none()
                    && writer.first.is_none()
                    && was_looked_at
                    && files.all(|part| part.own.is_none())
                    && writer.trouble.is_empty()
            });
        Report { held: self.held(), trouble: self.trouble(), is_settled }
    }

    fn held(&self) -> Option<(String, String)> {
        let of_writers =
            self.writers.values().flat_map(|writer| [writer.lost.as_ref(), writer.first.as_ref()]);
        let of_parts = self.parts().map(|part| part.doubt.as_ref()?.lost.as_ref());
        let held: Vec<&Held> = of_writers.chain(of_parts).flatten().collect();
        let tokens: BTreeSet<u64> = held.iter().map(|held| held.token).collect();
        let why = some_of(held.iter().map(|held| held.why.clone()))?;
        Some((why, format!("{:016x}", token_of(&tokens))))
    }

    /// What is wrong, each cause once with the names of the parts that have it.
    fn trouble(&self) -> Option<String> {
        let of_writers = self.writers.iter().flat_map(|(name, writer)| {
            let named = move |why: &String| match why.strip_prefix(&format!("{name}: ")) {
                Some(why) => (why.to_owned(), Some(Arc::clone(name))),
                None => (why.clone(), None),
            };
            writer.trouble.iter().map(named)
        });
        let of_parts = self.parts().filter_map(|part| match &part.doubt.as_ref()?.bad {
            Some(BadText::Lines(error)) => Some((error.to_string(), None)),
            Some(BadText::Other(why)) => Some((why.clone(), Some(Arc::clone(part.id.name())))),
            None => Some((self.unclear.get(&part.id)?.clone(), None)),
        });
        let mut causes: BTreeMap<String, Vec<Arc<str>>> = BTreeMap::new();
        for (why, name) in of_writers.chain(of_parts) {
            causes.entry(why).or_default().extend(name);
        }
        some_of(causes.into_iter().map(|(why, names)| {
            let names = some_of(names.iter().map(ToString::to_string));
            names.map_or_else(|| why.clone(), |names| format!("{names}: {why}"))
        }))
    }

    /// How old everything is. Costs work in proportion to the parts that are older than their writers.
    pub fn ages(&self) -> Ages {
        let (mut units, mut shown) = (Vec::new(), Vec::new());
        let listing = self.owners.list.listing();
        for (name, writer) in &self.writers {
            let parts = || writer.parts.values();
            let is_alone = parts().next().is_some_and(|part| part.id.is_calendar());
            let is_of_files = parts().next().is_some_and(|part| part.id.owner().is_none());
            let mut following = parts().filter(|part| part.own.is_none()).peekable();
            if following.peek().is_some() || writer.parts.is_empty() {
                let is_listing = if is_of_files {
                    following.any(|part| self.lists(part))
                } else {
                    following.peek().is_some() && listing.contains(name)
                };
                let concerns = Concerns::Writer(Arc::clone(name));
                units.push(Unit { as_of: writer.as_of, is_listing, is_alone, concerns });
            }
            units.extend(parts().filter_map(|part| self.unit(part)));
            // A site's keys are too many to be shown, but a calendar in doubt is older than its writer's last look.
            if is_of_files || is_alone {
                let as_of = |part: &Part| part.own.unwrap_or(writer.as_of);
                shown.extend(parts().map(|part| (Arc::clone(part.id.name()), as_of(part))));
            } else {
                shown.push((Arc::clone(name), writer.as_of));
            }
        }
        let is_of_calendars = !units.is_empty() && self.parts().all(|part| part.id.is_calendar());
        let (units, shown) = (Arc::new(units), Arc::new(shown));
        let providers = Arc::clone(&self.owners.list);
        Ages { rule: self.rules.freshness, units, is_of_calendars, providers, shown }
    }

    /// A part that is older than its writer.
    fn unit(&self, part: &Part) -> Option<Unit> {
        let as_of = part.own?;
        // A line with an unknown slug, whose calendar cannot be read, may be anyone's who has no other.
        let is_unknown =
            part.id.is_calendar() && part.id.owner().is_some_and(|it| self.owners.is_unresolved(it));
        let is_alone = part.id.owner().is_some() && !is_unknown;
        let concerns = if self.unclear.contains_key(&part.id) || part.id.is_file() && as_of.is_none() {
            Concerns::Everybody
        } else {
            let owners = part.believed().owners().chain(part.id.owner());
            Concerns::Providers(owners.flat_map(|owner| self.owners.providers_of(owner)).collect())
        };
        let is_listing = part.id.owner().is_some() || self.lists(part);
        Some(Unit { as_of, is_listing, is_alone, concerns })
    }

    fn lists(&self, part: &Part) -> bool {
        part.believed().iter().any(|(owner, entries)| entries.lists && self.owners.leads(owner))
    }

    pub fn counts(&self) -> BTreeMap<Slug, usize> {
        let of = |provider: &ProviderState| (provider.name.0.clone(), provider.count);
        self.owners.providers.iter().map(of).collect()
    }

    pub fn is_past(&self, now: Instant) -> bool {
        self.owners.providers.iter().all(|provider| provider.listing.until <= now)
    }

    /// Everything that is believed now, with a suggestion for each unknown slug.
    pub fn set(&self, here: &Directory) -> FeedSet {
        let Report { held, trouble, .. } = self.report(here);
        FeedSet {
            providers: self.owners.sets(here),
            listed: self.owners.list.listed().map(|(slug, _)| slug.clone()).collect(),
            withheld: self.owners.withheld.clone(),
            skipped: self.skipped(here, usize::MAX),
            held: held.map(|(why, _)| why),
            trouble,
        }
    }
}

impl FeedSet {
    /// What a service believes of these files when it reads nothing else.
    pub fn of_files(files: &[Arc<FeedFile>], rules: &FeedRules, here: &Directory) -> Self {
        let now = Moment::default();
        let writer: Arc<str> = "feed".into();
        let part = |file: &Arc<FeedFile>| PartId::file(&writer, file.name.clone());
        let texts =
            files.iter().map(|file| Event::PartChanged { part: part(file), text: Ok(Arc::clone(file)) });
        let beat =
            Event::Beat { writer: Arc::clone(&writer), as_of: AsOf::read(None, now), late: Vec::new() };
        let mut engine = Engine::new(Arc::new(rules.clone()));
        engine.take(texts.chain([beat]).collect(), here.generation(), here, Instant::floor(now.wall));
        engine.set(here)
    }
}

pub fn some_of(reasons: impl Iterator<Item = String>) -> Option<String> {
    let mut all: Vec<String> = reasons.collect();
    let more = all.len().saturating_sub(MAX_NAMED);
    all.truncate(MAX_NAMED);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    (!all.is_empty()).then(|| all.join("; "))
}

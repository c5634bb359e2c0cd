//! From a feed's files to what each provider of a directory has: whom the lines mean, and which visit types.
//!
//! A plain line names a slug; a former slug means the provider of today. A FHIR Slot names a Schedule, whose
//! provider is found in this order:
//! 1. the map of the configuration, where the Schedule's id stands in it;
//! 2. a national provider identifier, of the Schedule's actor or of the Schedule;
//! 3. an actor that is `Practitioner/<provider id>`.
//!
//! Where that leads to two people the Schedule is nobody's: a slot that needs both is not one that either can
//! give. An inactive Schedule opens nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::super::hours::Busy;
use super::error::{BadLine, FeedError};
use super::file::{FeedFile, FeedLimits, FileEntry};
use super::line::{Schedule, Whom};
use super::{FeedEntries, FeedMode, OpenSlot, ProviderFeed};
use crate::model::{Directory, Modality, Provider, ProviderNumber, Slug, SlugMatch, VisitTypeId};

/// How many unknown providers are named; the entries of all of them are counted.
const NAMED_AT_MOST: usize = 20;

/// How the entries of a feed are to be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedRules {
    /// What they mean.
    pub mode: FeedMode,
    /// What the ids of Schedules mean, where the feed does not say or should not be asked.
    pub schedules: BTreeMap<String, ScheduleMeaning>,
    /// How many there may be.
    pub limits: FeedLimits,
}

/// What the configuration says of a Schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduleMeaning {
    /// Whose it is.
    pub provider: Slug,
    /// The visit types of slots that name none; none: what the Schedule says, or those that fit.
    pub types: Option<Vec<VisitTypeId>>,
}

/// What every provider of a directory has by a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedSet {
    /// Each provider of the directory, in its order.
    pub providers: Vec<ProviderFeed>,
    /// Those of them that the feed has entries of, whatever their status, with the files that have some.
    pub listed: BTreeMap<Slug, Vec<Arc<str>>>,
    /// What was left out.
    pub skipped: Skipped,
}

/// What was well-formed, and not ours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Entries of providers that the directory does not have.
    pub unknown_provider: usize,
    /// Free slots whose named visit types the provider does not offer.
    pub unknown_types: usize,
    /// Free slots of Schedules that are not active.
    pub inactive: usize,
    /// Lines with other resources.
    pub other_resources: usize,
    /// Who the unknown providers are: the first twenty.
    pub unknown: Vec<UnknownProvider>,
}

/// A slug, or a Schedule, that leads to nobody.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownProvider {
    /// The file's name.
    pub file: Arc<str>,
    /// The first line that names it, from 1.
    pub line: usize,
    /// The slug or the Schedule's id.
    pub name: String,
    /// Where the line is in the text.
    pub(crate) span: Range<usize>,
}

impl FeedRules {
    /// Rules without a map and with the default limits.
    #[must_use]
    pub fn new(mode: FeedMode) -> Self {
        Self { mode, schedules: BTreeMap::new(), limits: FeedLimits::default() }
    }
}

impl FeedSet {
    /// Finds out whom the entries of all the files of a feed mean.
    ///
    /// # Errors
    /// Two files describe one Schedule in two ways, or a provider has more entries than the limit.
    pub fn of(files: &[Arc<FeedFile>], rules: &FeedRules, directory: &Directory) -> Result<Self, FeedError> {
        let schedules = schedules_of(files)?;
        let people = People::of(directory, rules);
        let mut grouped: Vec<Vec<OpenSlot>> = vec![Vec::new(); directory.providers().len()];
        let mut listed: Vec<Vec<Arc<str>>> = vec![Vec::new(); grouped.len()];
        let mut skipped = Skipped::default();
        for file in files {
            skipped.other_resources += file.others;
            let meanings: Vec<_> =
                file.whoms.iter().map(|who| people.meaning(&who.whom, &schedules)).collect();
            for (who, _) in file.whoms.iter().zip(&meanings).filter(|(_, meaning)| meaning.is_none()) {
                if skipped.unknown.len() < NAMED_AT_MOST {
                    let (Whom::Provider(name) | Whom::Schedule(name)) = &who.whom;
                    let (file, name) = (Arc::clone(&file.name), name.to_string());
                    skipped.unknown.push(UnknownProvider {
                        file,
                        line: who.line,
                        name,
                        span: who.span.clone(),
                    });
                }
            }
            for entry in &file.entries {
                let Some(meaning) = meanings.get(entry.whom as usize).and_then(Option::as_ref) else {
                    skipped.unknown_provider += 1;
                    continue;
                };
                let files = &mut listed[meaning.provider.index()];
                if files.last().is_none_or(|last| !Arc::ptr_eq(last, &file.name)) {
                    files.push(Arc::clone(&file.name));
                }
                let slot = match rules.mode {
                    FeedMode::Busy => (!entry.is_free).then(|| entry.slot(None)),
                    FeedMode::Open if !entry.is_free => None,
                    FeedMode::Open => people.open(file, entry, meaning, &mut skipped),
                };
                let entries = &mut grouped[meaning.provider.index()];
                if entries.len() >= rules.limits.entries_per_provider {
                    return Err(too_many(file, directory, meaning.provider, rules));
                }
                entries.extend(slot);
            }
        }
        let slugs = directory.providers().iter().map(Provider::slug);
        let listed = slugs.clone().cloned().zip(listed).filter(|(_, files)| !files.is_empty()).collect();
        let sets = slugs.zip(grouped);
        let providers = sets.map(|(slug, entries)| provider_feed(slug, entries, rules.mode)).collect();
        Ok(Self { providers, listed, skipped })
    }
}

impl FileEntry {
    fn slot(&self, types: Option<Vec<VisitTypeId>>) -> OpenSlot {
        OpenSlot { start: self.start, end: self.end, types }
    }
}

fn provider_feed(slug: &Slug, mut slots: Vec<OpenSlot>, mode: FeedMode) -> ProviderFeed {
    slots.sort_unstable();
    slots.dedup();
    let entries = match mode {
        FeedMode::Open => FeedEntries::Open(slots),
        FeedMode::Busy => FeedEntries::Busy(
            slots.into_iter().map(|slot| Busy { start: slot.start, end: slot.end }).collect(),
        ),
    };
    ProviderFeed { provider: slug.clone(), entries }
}

fn too_many(
    file: &FeedFile,
    directory: &Directory,
    provider: ProviderNumber,
    rules: &FeedRules,
) -> FeedError {
    let slug = directory.provider(provider).slug();
    let most = rules.limits.entries_per_provider;
    FeedError::whole(&file.name, &format!("{slug} has more than {most} entries: publish fewer months"))
}

/// The Schedules of all files: publishers split files by state and repeat what belongs to several.
fn schedules_of(files: &[Arc<FeedFile>]) -> Result<HashMap<&str, &Schedule>, FeedError> {
    let mut schedules: HashMap<&str, &Schedule> = HashMap::new();
    let mut bad = Vec::new();
    for file in files {
        for (id, schedule) in &file.schedules {
            if schedules.insert(id, schedule).is_some_and(|before| before != schedule) {
                let what = format!("the Schedule {id} is described in another way in another file");
                bad.push(BadLine::whole(&file.name, &what));
            }
        }
    }
    let count = bad.len();
    if bad.is_empty() { Ok(schedules) } else { Err(FeedError::new(bad, count)) }
}

/// Whom an entry is about, and what goes for their entries.
struct Meaning {
    provider: ProviderNumber,
    is_active: bool,
    types: Option<Vec<VisitTypeId>>,
}

/// The ways to a provider.
struct People<'a> {
    directory: &'a Directory,
    rules: &'a FeedRules,
    by_npi: HashMap<&'a str, ProviderNumber>,
    by_id: HashMap<&'a str, ProviderNumber>,
}

impl<'a> People<'a> {
    fn of(directory: &'a Directory, rules: &'a FeedRules) -> Self {
        let numbered = || directory.provider_numbers().map(|number| (directory.provider(number), number));
        Self {
            directory,
            rules,
            by_npi: numbered().filter_map(|(provider, number)| Some((provider.npi()?, number))).collect(),
            by_id: numbered().map(|(provider, number)| (provider.id().as_str(), number)).collect(),
        }
    }

    fn meaning(&self, whom: &Whom<'_>, schedules: &HashMap<&str, &Schedule>) -> Option<Meaning> {
        let find = |slug: &str| self.directory.find(slug).map(SlugMatch::provider);
        match whom {
            Whom::Provider(slug) => Some(Meaning { provider: find(slug)?, is_active: true, types: None }),
            Whom::Schedule(id) => {
                let schedule = schedules.get(&**id).copied();
                let configured = self.rules.schedules.get(&**id);
                let provider = match configured {
                    Some(meaning) => find(meaning.provider.as_str())?,
                    None => self.actor(schedule?)?,
                };
                let types = configured.and_then(|meaning| meaning.types.clone());
                let types = types.or_else(|| schedule.and_then(|schedule| schedule.types.clone()));
                let is_active = schedule.is_none_or(|schedule| schedule.is_active);
                Some(Meaning { provider, is_active, types })
            }
        }
    }

    /// The one provider of the directory that acts in a Schedule.
    fn actor(&self, schedule: &Schedule) -> Option<ProviderNumber> {
        let one = |names: &[String], known: &HashMap<&str, ProviderNumber>| {
            let found: BTreeSet<_> = names.iter().map(|name| known.get(name.as_str()).copied()).collect();
            // A name that leads to nobody here is a second person, too.
            if found.len() == 1 { found.into_iter().next().flatten() } else { None }
        };
        if schedule.npis.is_empty() {
            one(&schedule.practitioners, &self.by_id)
        } else {
            one(&schedule.npis, &self.by_npi)
        }
    }

    /// A free slot, unless there is nobody or nothing that it is for.
    fn open(
        &self,
        file: &FeedFile,
        entry: &FileEntry,
        meaning: &Meaning,
        skipped: &mut Skipped,
    ) -> Option<OpenSlot> {
        if !meaning.is_active {
            skipped.inactive += 1;
            return None;
        }
        let own = entry.types.and_then(|list| file.type_lists.get(list as usize));
        let Some(named) = own.or(meaning.types.as_ref()) else { return Some(entry.slot(None)) };
        let provider = self.directory.provider(meaning.provider);
        let is_offered = |id: &VisitTypeId| {
            let visit_type = self.directory.visit_type(*id);
            provider.visit_types().contains(id)
                && visit_type.is_some_and(|visit_type| visit_type.modality() == Modality::Video)
        };
        let mut types: Vec<_> = named.iter().copied().filter(is_offered).collect();
        types.sort_unstable();
        types.dedup();
        if types.is_empty() {
            skipped.unknown_types += 1;
            return None;
        }
        Some(entry.slot(Some(types)))
    }
}

//! The lists that other files refer to: plans, visit types, holidays and retired clinicians.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::super::load::Sources;
use super::super::problem::{Advice, Place, Problem};
use super::super::problems::Problems;
use super::super::raw::{AppointmentTypesFile, InsurancesFile, Located, RetiredFile};
use super::super::words::nearest;
use super::fields::File;
use super::holidays::Holidays;
use super::starter;
use super::visit_type::{CheckedType, read_type};
use crate::model::{PlanName, PlanNumber, ProviderId, Slug, VisitTypeId};

/// The entries that other files may refer to.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    plans: BTreeMap<PlanName, (PlanNumber, Place)>,
    /// Whether the whole file was read, so that a plan outside the list is unknown.
    knows_plans: bool,
    /// The near plans of unknown names: the same unknown name is often in many files.
    near_plans: Mutex<BTreeMap<String, Option<String>>>,
    no_plans: NoFile,
    pub(super) types: BTreeMap<VisitTypeId, CheckedType>,
    no_types: NoFile,
    /// The same for visit types.
    pub(super) knows_types: bool,
    pub(super) holidays: Holidays,
    pub(super) retired_ids: BTreeMap<ProviderId, Place>,
    pub(super) retired_slugs: BTreeMap<Slug, Place>,
}

/// A file that must exist only if another file refers to its entries.
#[derive(Debug, Default)]
struct NoFile {
    is_missing: bool,
    is_wanted: AtomicBool,
}

impl Catalogue {
    pub(super) fn read(sources: &Sources, problems: &mut Problems) -> Self {
        let mut catalogue = Self::default();
        catalogue.read_plans(sources, problems);
        catalogue.read_types(sources, problems);
        catalogue.read_retired(sources, problems);
        catalogue.holidays = Holidays::read(sources, problems);
        catalogue
    }

    pub(super) fn plan_names(&self) -> Vec<PlanName> {
        self.plans.keys().cloned().collect()
    }

    /// The plans' names and places, sorted.
    pub(super) fn plans(&self) -> impl Iterator<Item = (&PlanName, &Place)> {
        self.plans.iter().map(|(name, (_, place))| (name, place))
    }

    /// The number of a plan that a file names. Reports an unknown one in that file.
    pub(super) fn plan(&self, file: &mut File<'_>, text: &Located<String>) -> Option<PlanNumber> {
        let wanted = text.value.trim();
        if file.is_empty_entry(text) {
            return None;
        }
        if let Some((number, _)) = self.plans.get(wanted) {
            return Some(*number);
        }
        self.no_plans.is_wanted.store(true, Ordering::Relaxed);
        if self.knows_plans {
            let hint = match self.near_plan(wanted) {
                Some(near) => Advice::meant(format!("\"{near}\"")),
                None => "add it to insurances.toml, or write it as it stands there".into(),
            };
            file.error(&text.span, format!("there is no plan \"{wanted}\" in insurances.toml"), hint);
        }
        None
    }

    /// Reports each missing file that other files refer to, once.
    pub(super) fn missing_lists(&self, problems: &mut Problems) {
        let lists = [
            (&self.no_plans, "insurances.toml", "it lists the plans"),
            (&self.no_types, "appointment-types.toml", "it lists the visit types"),
        ];
        for (file, path, purpose) in lists {
            if file.is_missing && file.is_wanted.load(Ordering::Relaxed) {
                let missing = Problem::error(Place::file(path), format!("the file {path} is missing"));
                problems.push(missing.hint(format!("{purpose}: `nameplate init` writes an example")));
            }
        }
    }

    fn near_plan(&self, wanted: &str) -> Option<String> {
        let known = |near: &Mutex<BTreeMap<String, Option<String>>>| {
            near.lock().unwrap_or_else(PoisonError::into_inner).get(wanted).cloned()
        };
        known(&self.near_plans).unwrap_or_else(|| {
            let near = nearest(wanted, self.plans.keys().map(PlanName::as_str)).map(str::to_owned);
            let mut all = self.near_plans.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(wanted.to_owned(), near.clone());
            near
        })
    }

    /// A visit type that a file names. Reports an unknown one in that file.
    pub(super) fn visit_type(&self, file: &mut File<'_>, id: &Located<i64>) -> Option<&CheckedType> {
        let found = VisitTypeId::try_from(id.value).ok().and_then(|id| self.types.get(&id));
        if found.is_none() {
            self.no_types.is_wanted.store(true, Ordering::Relaxed);
        }
        if found.is_none() && self.knows_types {
            let known: Vec<_> = self.types.keys().map(VisitTypeId::to_string).collect();
            let hint = format!("the ids there: {}", known.join(", "));
            file.error(
                &id.span,
                format!("there is no visit type {} in appointment-types.toml", id.value),
                hint,
            );
        }
        found
    }

    fn read_plans(&mut self, sources: &Sources, problems: &mut Problems) {
        const PATH: &str = "insurances.toml";
        let Some(text) = sources.text(PATH) else {
            self.no_plans.is_missing = !problems.has(PATH);
            return;
        };
        let (mut file, raw) = File::read::<InsurancesFile>(PATH, text, problems);
        self.knows_plans = file.is_whole();
        let mut by_small_letters: BTreeMap<String, Place> = BTreeMap::new();
        for table in raw.plan {
            let Some(name) =
                file.required_line(table.value.name, Some(&table.span), "name", "\"Goldenrod PPO\"")
            else {
                self.knows_plans = false;
                continue;
            };
            starter::look(&mut file, &name);
            match name.value.parse::<PlanName>() {
                Err(rule) => {
                    file.error(&name.span, format!("this is not a plan's name: {rule}"), "shorten it");
                }
                Ok(plan) => {
                    // A filter ignores case, so it could not tell such plans apart.
                    let small_letters = plan.as_str().to_lowercase();
                    if let Some(first) = by_small_letters.get(&small_letters) {
                        let problem =
                            Problem::error(file.place(&name.span), format!("\"{plan}\" is listed twice"));
                        file.add(problem.also(first.clone(), "first here").hint("delete one of the two"));
                    } else {
                        by_small_letters.insert(small_letters, file.place(&name.span));
                        self.plans.insert(plan, (PlanNumber(0), file.place(&name.span)));
                    }
                }
            }
        }
        // A plan's number is its rank among all names.
        for (rank, (number, place)) in self.plans.values_mut().enumerate() {
            match u16::try_from(rank) {
                Ok(rank) => *number = PlanNumber(rank),
                Err(_) => file.add(Problem::error(place.clone(), "there are more than 65,536 plans")),
            }
        }
    }

    fn read_types(&mut self, sources: &Sources, problems: &mut Problems) {
        const PATH: &str = "appointment-types.toml";
        let Some(text) = sources.text(PATH) else {
            self.no_types.is_missing = !problems.has(PATH);
            return;
        };
        let (mut file, raw) = File::read::<AppointmentTypesFile>(PATH, text, problems);
        self.knows_types = file.is_whole();
        let mut names: BTreeMap<String, Place> = BTreeMap::new();
        for table in raw.types {
            let name_at = table.value.name.as_ref().map(|name| file.place(&name.span));
            let Some(checked) = read_type(&mut file, table) else {
                self.knows_types = false;
                continue;
            };
            let id = checked.visit_type.id;
            if let Some(place) = name_at.filter(|_| checked.is_enabled) {
                let name = checked.visit_type.name.to_lowercase();
                if let Some(first) = names.get(&name).filter(|_| !self.types.contains_key(&id)) {
                    let what = format!("two visit types are called \"{}\"", checked.visit_type.name);
                    let warning = Problem::warning(place, what).also(first.clone(), "first here");
                    file.add(
                        warning.hint("give each a name of its own, so that patients can tell them apart"),
                    );
                } else {
                    names.insert(name, place);
                }
            }
            if let Some(first) = self.types.get(&id) {
                let problem = Problem::error(checked.place, format!("the id {id} is used twice"));
                let hint = "give the new type an id that was never used";
                file.add(problem.also(first.place.clone(), "first here").hint(hint));
            } else {
                self.types.insert(id, checked);
            }
        }
    }

    fn read_retired(&mut self, sources: &Sources, problems: &mut Problems) {
        const PATH: &str = "retired.toml";
        let Some(text) = sources.text(PATH) else { return };
        let (mut file, raw) = File::read::<RetiredFile>(PATH, text, problems);
        for table in raw.provider {
            let id = file.required_line(table.value.id, Some(&table.span), "id", "\"prov-0099\"");
            let slug = file.required_line(table.value.slug, Some(&table.span), "slug", "\"old-doc\"");
            if let Some(id) = id {
                match id.value.parse() {
                    Ok(parsed) => once(&mut file, &mut self.retired_ids, parsed, &id),
                    Err(rule) => file.error(&id.span, "this is not an id", rule.to_string()),
                }
            }
            if let Some(slug) = slug {
                match slug.value.parse() {
                    Ok(parsed) => once(&mut file, &mut self.retired_slugs, parsed, &slug),
                    Err(rule) => file.error(&slug.span, "this is not a slug", rule.to_string()),
                }
            }
        }
    }
}

/// Adds a name to those seen, or reports that it is listed twice.
fn once<T: Ord>(file: &mut File<'_>, seen: &mut BTreeMap<T, Place>, name: T, text: &Located<String>) {
    let place = file.place(&text.span);
    if let Some(first) = seen.get(&name) {
        let problem = Problem::error(place, format!("\"{}\" is listed twice", text.value));
        file.add(problem.also(first.clone(), "first here").hint("delete one of the two"));
    } else {
        seen.insert(name, place);
    }
}

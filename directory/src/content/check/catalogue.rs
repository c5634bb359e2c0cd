//! The lists that other files refer to: plans, visit types, holidays, and who has left.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDate;

use super::super::load::{Source, Sources};
use super::super::parse::{given, parse};
use super::super::raw::{
    AppointmentTypesFile, HolidaysFile, InsurancesFile, Located, RetiredFile, StatesValue, TypeTable,
};
use super::super::report::{Place, Problem};
use super::super::words::nearest;
use super::fields::File;
use crate::model::{Modality, PlanName, PlanNumber, ProviderId, Slug, StateSet, VisitType, VisitTypeId};

/// The longest visit.
const LONGEST_VISIT: u32 = 1440;

/// What the other files may refer to.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    plans: BTreeMap<PlanName, (PlanNumber, Place)>,
    /// Whether a plan that is not in the list is unknown: the file could be read whole.
    knows_plans: bool,
    pub(super) types: BTreeMap<VisitTypeId, CheckedType>,
    knows_types: bool,
    /// A list that could not be read is there, without its dates.
    holidays: BTreeMap<String, Option<Arc<BTreeSet<NaiveDate>>>>,
    pub(super) retired_ids: BTreeMap<ProviderId, Place>,
    pub(super) retired_slugs: BTreeMap<Slug, Place>,
}

/// A visit type, enabled or not.
#[derive(Debug)]
pub(super) struct CheckedType {
    pub(super) visit_type: VisitType,
    pub(super) is_enabled: bool,
    pub(super) place: Place,
}

impl Catalogue {
    pub(super) fn read(sources: &Sources, problems: &mut Vec<Problem>) -> Self {
        let mut catalogue = Self::default();
        catalogue.read_plans(sources, problems);
        catalogue.read_types(sources, problems);
        catalogue.read_retired(sources, problems);
        for (path, source) in sources.below("holidays") {
            if let Source::Text(text) = source {
                catalogue.read_holidays(path, text, problems);
            }
        }
        catalogue
    }

    /// The plans' names, sorted.
    pub(super) fn plan_names(&self) -> Vec<PlanName> {
        self.plans.keys().cloned().collect()
    }

    /// The plans' names with their places, sorted.
    pub(super) fn plans(&self) -> impl Iterator<Item = (&PlanName, &Place)> {
        self.plans.iter().map(|(name, (_, place))| (name, place))
    }

    /// The number of a plan that a file names; an unknown one is that file's problem.
    pub(super) fn plan(&self, file: &mut File<'_>, text: &Located<String>) -> Option<PlanNumber> {
        let wanted = text.value.trim();
        if let Some((number, _)) = self.plans.get(wanted) {
            return Some(*number);
        }
        if self.knows_plans {
            let names = self.plans.keys().map(PlanName::as_str);
            let hint = match nearest(wanted, names) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "add it to insurances.toml, or write it as it stands there".to_owned(),
            };
            file.error(&text.span, format!("there is no plan \"{wanted}\" in insurances.toml"), hint);
        }
        None
    }

    /// A visit type that a file names; an unknown one is that file's problem.
    pub(super) fn visit_type(&self, file: &mut File<'_>, id: &Located<i64>) -> Option<&CheckedType> {
        let found = VisitTypeId::try_from(id.value).ok().and_then(|id| self.types.get(&id));
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

    /// The dates of a list of holidays that a file names; an unknown one is that file's problem.
    pub(super) fn holidays(
        &self,
        file: &mut File<'_>,
        name: &Located<String>,
    ) -> Option<Arc<BTreeSet<NaiveDate>>> {
        let Some(dates) = self.holidays.get(name.value.trim()) else {
            let hint = match nearest(&name.value, self.holidays.keys().map(String::as_str)) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("write the dates into holidays/{}.toml", name.value.trim()),
            };
            file.error(&name.span, format!("there is no list holidays/{}.toml", name.value.trim()), hint);
            return None;
        };
        dates.clone()
    }

    fn read_plans(&mut self, sources: &Sources, problems: &mut Vec<Problem>) {
        const PATH: &str = "insurances.toml";
        let Some(text) = sources.text(PATH) else {
            // Without a catalogue there is no plan to name; a file that could not be read is told already.
            self.knows_plans = problems.iter().all(|problem| problem.path() != PATH);
            return;
        };
        let parsed = parse::<InsurancesFile>(PATH, text, problems);
        let may_miss = parsed.is_whole();
        self.knows_plans = may_miss;
        let mut file = File { path: PATH, problems };
        for table in parsed.raw.plan {
            let Some(name) = file.required_line(
                table.value.name,
                may_miss,
                Some(&table.span),
                "name",
                "\"Goldenrod PPO\"",
            ) else {
                self.knows_plans = false;
                continue;
            };
            match name.value.parse::<PlanName>() {
                Err(rule) => {
                    file.error(&name.span, format!("this is not a plan's name: {rule}"), "shorten it");
                }
                Ok(plan) => {
                    let same = self.plans.keys().find(|other| same_plan(other, &plan)).cloned();
                    if let Some((_, first)) = same.and_then(|same| self.plans.get(&same)) {
                        let problem =
                            Problem::error(file.place(&name.span), format!("\"{plan}\" is listed twice"));
                        file.add(problem.also(first.clone(), "first here").hint("delete one of the two"));
                    } else {
                        self.plans.insert(plan, (PlanNumber(0), file.place(&name.span)));
                    }
                }
            }
        }
        // A plan's number is its rank among the names, so it is known once all of them are.
        for (rank, (number, place)) in self.plans.values_mut().enumerate() {
            match u16::try_from(rank) {
                Ok(rank) => *number = PlanNumber(rank),
                Err(_) => file.add(Problem::error(place.clone(), "there are more than 65,536 plans")),
            }
        }
    }

    fn read_types(&mut self, sources: &Sources, problems: &mut Vec<Problem>) {
        const PATH: &str = "appointment-types.toml";
        let Some(text) = sources.text(PATH) else {
            self.knows_types = problems.iter().all(|problem| problem.path() != PATH);
            return;
        };
        let parsed = parse::<AppointmentTypesFile>(PATH, text, problems);
        let may_miss = parsed.is_whole();
        self.knows_types = may_miss;
        let mut file = File { path: PATH, problems };
        for table in parsed.raw.types {
            let Some(checked) = read_type(&mut file, table, may_miss) else {
                self.knows_types = false;
                continue;
            };
            let id = checked.visit_type.id;
            if let Some(first) = self.types.get(&id) {
                let problem = Problem::error(checked.place, format!("the id {id} is used twice"));
                let hint = "give the new type an id that was never used";
                file.add(problem.also(first.place.clone(), "first here").hint(hint));
            } else {
                self.types.insert(id, checked);
            }
        }
    }

    fn read_retired(&mut self, sources: &Sources, problems: &mut Vec<Problem>) {
        const PATH: &str = "retired.toml";
        let Some(text) = sources.text(PATH) else { return };
        let parsed = parse::<RetiredFile>(PATH, text, problems);
        let may_miss = parsed.is_whole();
        let mut file = File { path: PATH, problems };
        for table in parsed.raw.provider {
            let id = file.required_line(table.value.id, may_miss, Some(&table.span), "id", "\"prov-0099\"");
            let slug =
                file.required_line(table.value.slug, may_miss, Some(&table.span), "slug", "\"old-doc\"");
            if let Some(id) = id {
                match id.value.parse() {
                    Ok(parsed) => _ = self.retired_ids.insert(parsed, file.place(&id.span)),
                    Err(rule) => file.error(&id.span, "this is not an id", rule.to_string()),
                }
            }
            if let Some(slug) = slug {
                match slug.value.parse() {
                    Ok(parsed) => _ = self.retired_slugs.insert(parsed, file.place(&slug.span)),
                    Err(rule) => file.error(&slug.span, "this is not a slug", rule.to_string()),
                }
            }
        }
    }

    fn read_holidays(&mut self, path: &str, text: &str, problems: &mut Vec<Problem>) {
        let Some(name) = path.strip_prefix("holidays/").and_then(|name| name.strip_suffix(".toml")) else {
            return;
        };
        let parsed = parse::<HolidaysFile>(path, text, problems);
        let mut file = File { path, problems };
        let dates: Vec<_> = parsed.raw.dates.iter().map(|date| file.date(date)).collect();
        let is_whole = parsed.is_whole() && dates.iter().all(Option::is_some);
        let dates = is_whole.then(|| Arc::new(dates.into_iter().flatten().collect()));
        self.holidays.insert(name.to_owned(), dates);
    }
}

fn read_type(file: &mut File<'_>, table: Located<TypeTable>, may_miss: bool) -> Option<CheckedType> {
    let Located { value: raw, span } = table;
    let name = file.required_line(raw.name, may_miss, Some(&span), "name", "\"New patient visit\"");
    let description =
        file.required_line(raw.description, may_miss, Some(&span), "description", "\"A first visit.\"");
    let modality = file.required_line(raw.modality, may_miss, Some(&span), "modality", "\"video\"");
    let modality = modality.and_then(|text| match text.value.parse::<Modality>() {
        Ok(modality) => Some(modality),
        Err(words) => {
            let what = format!("\"{}\" is not a modality", text.value);
            file.error(&text.span, what, format!("write one of {}", words.join(", ")));
            None
        }
    });
    if raw.id.is_none() && may_miss {
        file.missing(Some(&span), "id", "101");
    }
    let id = raw.id.as_ref().and_then(|id| match VisitTypeId::try_from(id.value) {
        Ok(id) => Some(id),
        Err(rule) => {
            file.error(&id.span, format!("{} is not an id", id.value), rule.to_string());
            None
        }
    });
    let new_patient_eligible = raw.new_patient_eligible.map(|flag| flag.value);
    if new_patient_eligible.is_none() && may_miss {
        file.missing(Some(&span), "new-patient-eligible", "true");
    }
    let states = read_states(file, raw.states, may_miss, &span);
    let duration = given(raw.duration);
    let duration_minutes = duration.as_ref().and_then(|text| {
        let minutes = file.minutes(text)?;
        if !(1..=LONGEST_VISIT).contains(&minutes) {
            file.error(&text.span, "a visit takes between one minute and one day", "write \"30m\"");
        }
        Some(minutes)
    });
    match (modality, &duration) {
        (Some(Modality::Video), None) if may_miss => {
            file.error(&span, "a video visit needs a duration", "add a line: duration = \"30m\"");
        }
        (Some(Modality::Async), Some(duration)) => {
            file.error(&duration.span, "an async visit has no time, and so no duration", "delete this line");
        }
        _ => {}
    }
    Some(CheckedType {
        place: file.place(raw.id.as_ref().map_or(&span, |id| &id.span)),
        is_enabled: raw.enabled.is_none_or(|flag| flag.value),
        visit_type: VisitType {
            id: id?,
            name: name?.value,
            description: description?.value,
            modality: modality?,
            new_patient_eligible: new_patient_eligible?,
            duration_minutes,
            states: states?,
        },
    })
}

fn read_states(
    file: &mut File<'_>,
    states: Option<Located<StatesValue>>,
    may_miss: bool,
    table: &Range<usize>,
) -> Option<StateSet> {
    let Some(states) = states else {
        if may_miss {
            file.missing(Some(table), "states", "[\"CA\", \"NY\"]");
        }
        return None;
    };
    match states.value {
        StatesValue::List(list) => Some(file.states(list)),
        StatesValue::Word(word) if word.trim() == "all" => Some(StateSet::all()),
        StatesValue::Word(word) => {
            let what = format!("\"{word}\" is not a list of states");
            file.error(&states.span, what, "write [\"CA\", \"NY\"], or \"all\"");
            None
        }
    }
}

/// Plans whose names differ in case alone would be one filter's two answers.
fn same_plan(a: &PlanName, b: &PlanName) -> bool {
    a.as_str().to_lowercase() == b.as_str().to_lowercase()
}

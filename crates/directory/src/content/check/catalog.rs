//! The lists that other files refer to: `insurances.toml`, `appointment-types.toml`, `retired.toml` and `holidays/`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::super::mistakes::nearest;
use super::super::problem::{Advice, FileSpan, Problem, sentence};
use super::super::problems::Problems;
use super::super::raw::{AppointmentTypesFile, InsurancesFile, Located, RetiredFile, TypeTable};
use super::super::sources::{OPEN_PATH, Sources};
use super::fields::File;
use super::holidays::Holidays;
use super::starter;
use super::visit_type::{CheckedType, read_type};
use crate::model::{PlanName, PlanNumber, ProviderId, Slug, StateCode, StateSet, VisitTypeId, slug_words};

#[derive(Debug, Default)]
pub(super) struct Catalog {
    plans: BTreeMap<PlanName, (PlanNumber, FileSpan)>,
    /// The states where a plan is sold, and the place of the list; absent: anywhere.
    plan_states: BTreeMap<PlanName, (StateSet, FileSpan)>,
    /// Whether the whole file was read. Only then is a plan outside the list an error.
    all_plans_read: bool,
    /// A cache of plans with similar names, by unknown name: the same unknown name is often in many files.
    near_plans: Mutex<BTreeMap<String, Option<String>>>,
    /// The words of each plan's name.
    plan_words: OnceLock<Vec<BTreeSet<String>>>,
    plans_file: OptionalFile,
    pub(super) types: BTreeMap<VisitTypeId, CheckedType>,
    types_file: OptionalFile,
    pub(super) all_types_read: bool,
    pub(super) holidays: Holidays,
    /// Whether the folder has a feed that lists open times, in place of hours.
    pub(super) has_open_feed: bool,
    pub(super) retired_ids: BTreeMap<ProviderId, FileSpan>,
    pub(super) retired_slugs: BTreeMap<Slug, FileSpan>,
    /// The slug beside each id in `retired.toml`.
    pub(super) retired: BTreeMap<ProviderId, Slug>,
}

/// A file that must exist if another file refers to its entries.
#[derive(Debug, Default)]
struct OptionalFile {
    /// "missing" or "empty".
    lack: Option<&'static str>,
    is_wanted: AtomicBool,
}

impl OptionalFile {
    fn text<'s>(&mut self, path: &str, sources: &'s Sources, problems: &Problems) -> Option<&'s str> {
        let text = sources.text(path).filter(|text| !text.trim().is_empty());
        if text.is_none() && !problems.has(path) {
            self.lack = Some(if sources.get(path).is_some() { "empty" } else { "missing" });
        }
        text
    }
}

/// What people write for plans in place of their names.
const NO_PLANS: [&str; 8] =
    ["all", "all plans", "any", "any plan", "same", "same as above", "see above", "all of the above"];

impl Catalog {
    pub(super) fn read(sources: &Sources, problems: &mut Problems) -> Self {
        let mut catalog = Self::default();
        catalog.read_plans(sources, problems);
        catalog.read_types(sources, problems);
        catalog.read_retired(sources, problems);
        catalog.holidays = Holidays::read(sources, problems);
        catalog.has_open_feed = sources.get(OPEN_PATH).is_some();
        catalog
    }

    pub(super) fn plan_names(&self) -> Vec<PlanName> {
        self.plans.keys().cloned().collect()
    }

    pub(super) fn plans(&self) -> impl Iterator<Item = (&PlanName, &FileSpan)> {
        self.plans.iter().map(|(name, (_, place))| (name, place))
    }

    pub(super) fn states_of_plans(&self) -> Vec<Option<StateSet>> {
        self.plans.keys().map(|plan| self.plan_states.get(plan).map(|(states, _)| *states)).collect()
    }

    pub(super) fn plan_states(&self, plan: &str) -> Option<(StateSet, &FileSpan)> {
        self.plan_states.get(plan.trim()).map(|(states, place)| (*states, place))
    }

    pub(super) fn has_plan(&self, name: &str) -> bool {
        self.plans.contains_key(name)
    }

    pub(super) fn plan(&self, file: &mut File<'_>, text: &Located<String>) -> Option<PlanNumber> {
        let wanted = text.value.trim();
        if file.report_empty_entry(text) {
            return None;
        }
        if let Some((number, _)) = self.plans.get(wanted) {
            return Some(*number);
        }
        self.plans_file.is_wanted.store(true, Ordering::Relaxed);
        if self.all_plans_read {
            let parts: Vec<&str> = wanted.split([',', ';', '/']).map(str::trim).collect();
            let mut listed = String::new();
            let known = |part: &&str| {
                if self.plans.contains_key(*part) { Some((*part).to_owned()) } else { self.near_plan(part) }
            };
            let each = (2..5)
                .contains(&parts.len())
                .then(|| parts.iter().map(known).collect::<Option<Vec<_>>>())
                .flatten();
            let hint = match (self.near_plan(wanted), each) {
                _ if parts.len() > 1 && parts.iter().all(|part| self.plans.contains_key(*part)) => {
                    Advice::write(format!("\"{}\"", parts.join("\", \"")))
                }
                (Some(near), _) => Advice::meant(format!("\"{near}\"")),
                (None, Some(each)) => Advice::meant(format!("\"{}\"", each.join("\", \""))),
                (None, None) if NO_PLANS.contains(&&*wanted.to_lowercase()) => {
                    listed = self.plans_in_words(&[]);
                    "Write the name of each plan that is accepted.".into()
                }
                (None, None) => {
                    let perhaps = self.plans_with_words_of(wanted);
                    listed = self.plans_in_words(&perhaps);
                    let first = match perhaps.as_slice() {
                        [] if listed.is_empty() => String::new(),
                        [] => "Write one of those. ".to_owned(),
                        _ => format!("If \"{0}\" is meant, write that. ", perhaps.join("\" or \"")),
                    };
                    format!(
                        "{first}If it is a new plan, add it to insurances.toml:\n[[plan]]\nname = \"{wanted}\""
                    )
                    .into()
                }
            };
            let special = wanted.chars().find(|sign| sign.is_whitespace() && *sign != ' ');
            let special = special.map_or("", |sign| match sign {
                '\u{a0}' | '\u{202f}' => " The space in this name is a special one (a no-break space).",
                _ => " A space in this name is a special one.",
            });
            let what = format!("No plan in insurances.toml is named \"{wanted}\".{special}{listed}");
            file.error(&text.span, what, hint);
        }
        None
    }

    pub(super) fn missing_lists(&self, problems: &mut Problems) {
        let lists = [
            (&self.plans_file, "insurances.toml", "It lists the plans."),
            (&self.types_file, "appointment-types.toml", "It lists the visit types."),
        ];
        for (file, path, purpose) in lists {
            if let Some(lack) = file.lack.filter(|_| file.is_wanted.load(Ordering::Relaxed)) {
                let missing = Problem::in_file(path, format!("The file {path} is {lack}."));
                let hint = match lack {
                    "empty" => format!("{purpose} Restore its last version, or write its entries again."),
                    _ => format!(
                        "{purpose} Restore it, or run `nameplate init example`, and copy `example/{path}` here."
                    ),
                };
                problems.push(missing.hint(hint));
            }
        }
    }

    fn plans_in_words(&self, likely: &[&str]) -> String {
        const LISTED: usize = 6;
        let others = self.plans.keys().map(PlanName::as_str).filter(|name| !likely.contains(name));
        let names: Vec<&str> = likely.iter().copied().chain(others).take(LISTED).collect();
        let names = names.join("\", \"");
        match self.plans.len().saturating_sub(LISTED) {
            _ if names.is_empty() => String::new(),
            0 => format!(" The plans there are \"{names}\"."),
            more => format!(" The plans there are \"{names}\" and {more} more."),
        }
    }

    /// The plans with a word of a name that says which plan is meant.
    fn plans_with_words_of(&self, wanted: &str) -> Vec<&str> {
        const GENERIC: [&str; 9] = ["ppo", "hmo", "epo", "pos", "plan", "health", "insurance", "of", "the"];
        let words = |name: &str| slug_words(name).split('-').map(str::to_owned).collect::<BTreeSet<_>>();
        let all =
            self.plan_words.get_or_init(|| self.plans.keys().map(|plan| words(plan.as_str())).collect());
        let is_of_one = |word: &String| {
            !GENERIC.contains(&word.as_str()) && all.iter().filter(|words| words.contains(word)).count() == 1
        };
        let wanted = words(wanted);
        let plans = self.plans.keys().zip(all);
        let likely = plans.filter(|(_, words)| words.intersection(&wanted).any(is_of_one));
        likely.map(|(name, _)| name.as_str()).take(3).collect()
    }

    fn near_plan(&self, wanted: &str) -> Option<String> {
        let near_plans = || self.near_plans.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = near_plans().get(wanted) {
            return known.clone();
        }
        let names = || self.plans.keys().map(PlanName::as_str);
        // "Blue Mesa" and "Goldenrod PPO (in-network)". What follows may be another plan, which must not get lost.
        let is_note =
            |rest: &str| !rest.contains([',', ';', '/', '&', '+', '|', '\n']) && !rest.contains(" and ");
        let mut longer = names().filter(|name| {
            let is_longer = || wanted.strip_prefix(*name).is_some_and(is_note);
            wanted.len() > 3 && (name.starts_with(wanted) || is_longer())
        });
        let only = longer.next().filter(|_| longer.next().is_none());
        let near = nearest(wanted, names()).or(only).filter(|near| !is_another_plan(wanted, near));
        let near = near.map(str::to_owned);
        near_plans().insert(wanted.to_owned(), near.clone());
        near
    }

    pub(super) fn visit_type(&self, file: &mut File<'_>, id: &Located<i64>) -> Option<&CheckedType> {
        let found = VisitTypeId::try_from(id.value).ok().and_then(|id| self.types.get(&id));
        if found.is_none() {
            self.types_file.is_wanted.store(true, Ordering::Relaxed);
        }
        if found.is_none() && self.all_types_read {
            let known: Vec<_> = self.types.keys().map(VisitTypeId::to_string).collect();
            let hint = format!("The ids there are: {}.", known.join(", "));
            file.error(&id.span, format!("appointment-types.toml has no visit type {}.", id.value), hint);
        }
        found
    }

    fn read_plans(&mut self, sources: &Sources, problems: &mut Problems) {
        const PATH: &str = "insurances.toml";
        let Some(text) = self.plans_file.text(PATH, sources, problems) else { return };
        let (mut file, raw) = File::read::<InsurancesFile>(PATH, text, problems);
        self.all_plans_read = file.is_whole();
        let mut by_lower_case: BTreeMap<String, FileSpan> = BTreeMap::new();
        for table in raw.plan {
            let Some(name) =
                file.required_line(table.value.name, Some(&table.span), "name", "\"Goldenrod PPO\"")
            else {
                self.all_plans_read = false;
                continue;
            };
            starter::warn_of_example(&mut file, &name);
            let states = file.states(table.value.states.unwrap_or_default());
            match name.value.parse::<PlanName>() {
                Err(rule) => {
                    file.error(&name.span, format!("This isn't a valid plan name: {rule}."), "Shorten it.");
                }
                Ok(plan) => {
                    // A filter ignores case, so plans must differ in more than case.
                    let lower_case = plan.as_str().to_lowercase();
                    if let Some(first) = by_lower_case.get(&lower_case) {
                        let problem =
                            Problem::error(file.place(&name.span), format!("\"{plan}\" is listed twice."));
                        file.add(problem.also(first.clone(), "first here").hint("Delete one of the two."));
                    } else {
                        by_lower_case.insert(lower_case, file.place(&name.span));
                        if !states.is_empty() {
                            self.plan_states.insert(plan.clone(), (states, file.place(&name.span)));
                        }
                        self.plans.insert(plan, (PlanNumber(0), file.place(&name.span)));
                    }
                }
            }
        }
        // A plan's number is its index among the sorted names.
        for (rank, (number, place)) in self.plans.values_mut().enumerate() {
            match u16::try_from(rank) {
                Ok(rank) => *number = PlanNumber(rank),
                Err(_) => file.add(Problem::error(place.clone(), "There are more than 65,536 plans.")),
            }
        }
    }

    fn read_types(&mut self, sources: &Sources, problems: &mut Problems) {
        const PATH: &str = "appointment-types.toml";
        let Some(text) = self.types_file.text(PATH, sources, problems) else { return };
        let (mut file, raw) = File::read::<AppointmentTypesFile>(PATH, text, problems);
        self.all_types_read = file.is_whole();
        let mut known: BTreeMap<(&str, String), FileSpan> = BTreeMap::new();
        let word = |table: &TypeTable| table.modality.as_ref().map(|text| text.value.clone());
        let tables = raw.types.iter().map(|table| &table.value);
        let ids: Vec<_> = tables.filter_map(|table| Some((table.id.as_ref()?.value, word(table)))).collect();
        // The next id of the same kind of visit.
        let free_id = |table: &TypeTable| {
            let alike = ids.iter().filter(|(_, modality)| *modality == word(table)).map(|(id, _)| *id).max();
            let last = alike.or_else(|| ids.iter().map(|(id, _)| *id).max()).unwrap_or(100);
            (last.saturating_add(1)..i64::MAX).find(|free| ids.iter().all(|(id, _)| id != free))
        };
        for table in raw.types {
            let free_id = free_id(&table.value).unwrap_or(101);
            let texts_at = [&table.value.name, &table.value.description];
            let texts_at = texts_at.map(|text| text.as_ref().map(|text| file.place(&text.span)));
            let Some(checked) = read_type(&mut file, table, free_id) else {
                self.all_types_read = false;
                continue;
            };
            let id = checked.visit_type.id;
            let of_type = &checked.visit_type;
            let texts = [(&of_type.name, "name"), (&of_type.description, "description")];
            for ((text, key), place) in texts.into_iter().zip(texts_at).filter(|_| checked.is_enabled) {
                let Some(place) = place.filter(|_| !self.types.contains_key(&id)) else { continue };
                let letters: String =
                    text.to_lowercase().chars().filter(|sign| sign.is_alphanumeric()).collect();
                if let Some(first) = known.get(&(key, letters.clone())) {
                    let warning = Problem::warning(place, format!("Two visit types have the same {key}."));
                    let hint = format!("Give each its own {key}, so that patients can tell them apart.");
                    file.add(warning.also(first.clone(), "first here").hint(hint));
                } else {
                    known.insert((key, letters), place);
                }
            }
            if let Some(first) = self.types.get(&id) {
                let problem = Problem::error(checked.place, format!("Two visit types have the id {id}."));
                let hint = "Give the newer type a number that no visit type has or had.";
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
            if let (Some(id), Some(slug)) = (&id, &slug)
                && let (Ok(id), Ok(slug)) = (id.value.parse(), slug.value.parse())
            {
                self.retired.entry(id).or_insert(slug);
            }
            if let Some(id) = id {
                match id.value.parse() {
                    Ok(parsed) => insert_unique(&mut file, &mut self.retired_ids, parsed, &id),
                    Err(_) if ["…", "..."].contains(&id.value.as_str()) => {
                        let hint = "Open the deleted file in your files' history (on GitHub: History of \
                                    the folder providers), and copy its id here.";
                        file.error(&id.span, "This entry needs the id of the clinician who left.", hint);
                    }
                    Err(rule) => file.error(&id.span, "This isn't an id.", sentence(rule)),
                }
            }
            for slug in slug.into_iter().chain(file.lines(table.value.former_slugs)) {
                match slug.value.parse() {
                    Ok(parsed) => insert_unique(&mut file, &mut self.retired_slugs, parsed, &slug),
                    Err(rule) => file.error(&slug.span, "This isn't a slug.", sentence(rule)),
                }
            }
        }
    }
}

/// Warns of a plan with the name of another state. The plan's own `states` say that it is meant.
pub(super) fn warn_of_state(file: &mut File<'_>, key: &Located<String>, plan: &Located<String>) {
    let Ok(state) = key.value.parse::<StateCode>() else { return };
    let mut named = StateCode::all().filter(|state| plan.value.contains(state.name())).peekable();
    if named.peek().is_some() && !named.any(|named| named == state) {
        let what = format!("\"{}\" is listed for {state}, but its name says another state.", plan.value);
        let hint =
            format!("Correct the state, or if it's right, add states = [\"{state}\"] in insurances.toml.");
        file.warn(&plan.span, what, hint);
    }
}

/// Whether a name that resembles that of a plan has a word of its own, such as the kind of another plan.
pub(in super::super) fn is_another_plan(wanted: &str, known: &str) -> bool {
    const KINDS: [&str; 9] = ["HMO", "PPO", "EPO", "POS", "HDHP", "PFFS", "MEDICARE", "MEDICAID", "MEDIGAP"];
    // What is in parentheses is a note.
    let words = |name| -> Vec<&str> {
        let name = str::split(name, '(').next().unwrap_or_default();
        name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
    };
    let (wanted, known) = (words(wanted), words(known));
    let is_kind = |word: &str| KINDS.contains(&&*word.to_uppercase());
    let is_known = |word: &str| {
        let is_near = || !is_kind(word) && nearest(word, known.iter().copied()).is_some();
        known.iter().any(|own| own.eq_ignore_ascii_case(word)) || is_near()
    };
    let is_own = |word: &str| {
        is_kind(word) || word.starts_with(|sign: char| sign.is_uppercase() || sign.is_ascii_digit())
    };
    wanted.concat().to_lowercase() != known.concat().to_lowercase()
        && wanted.iter().any(|word| is_own(word) && !is_known(word))
}

fn insert_unique<T: Ord>(
    file: &mut File<'_>,
    seen: &mut BTreeMap<T, FileSpan>,
    name: T,
    text: &Located<String>,
) {
    let place = file.place(&text.span);
    if let Some(first) = seen.get(&name) {
        let problem = Problem::error(place, format!("\"{}\" is listed twice.", text.value));
        file.add(problem.also(first.clone(), "first here").hint("Delete one of the two."));
    } else {
        seen.insert(name, place);
    }
}

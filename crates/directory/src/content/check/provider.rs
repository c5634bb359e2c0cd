//! `providers/<slug>.toml`.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use chrono::{Datelike, NaiveDate};

use super::super::mistakes::{ACCEPTING, slug_like};
use super::super::parse::given;
use super::super::problem::{Advice, FileSpan, Problem, sentence};
use super::super::raw::{InsuranceTable, Located, PlanKey, ProviderFile, Text, Texts};
use super::catalog::{Catalog, warn_of_state};
use super::collect::Input;
use super::credentials::{
    is_same_degree, read_certification, read_education, read_interests, read_npi, warn_of_order,
    warn_of_repeated,
};
use super::fields::{File, codes};
use super::visit_type::warn_if_held_nowhere;
use super::{attested, bio, languages, leave, letters, names, portraits, sort_name, standards};
use crate::model::{
    Gender, Listing, Modality, PlanNumber, Provider, ProviderId, ProviderType, Slug, StateCode, StateSet,
    VisitType, VisitTypeId, folded,
};

/// A provider's file, as far as it could be read. Checks across files use its correct parts even if others are wrong.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) slug: Slug,
    pub(super) id: Option<Located<ProviderId>>,
    pub(super) name: Option<Located<String>>,
    pub(super) former_slugs: Vec<(Slug, FileSpan)>,
    pub(super) npi: Option<Located<String>>,
    pub(super) bio_at: Option<Range<usize>>,
    pub(super) portrait: Option<portraits::PortraitFile>,
    pub(super) licensed: StateSet,
    pub(super) accepting: StateSet,
    pub(super) visit_types: Vec<VisitTypeId>,
    /// Unsorted, with repetitions.
    pub(super) plans: Vec<PlanNumber>,
    /// Whether new patients are only turned away for a while.
    pub(super) is_paused: bool,
    pub(super) is_withdrawn: bool,
    /// Whether the whole file was read without errors. If not, an absent entry may be meant to be there.
    pub(super) is_whole: bool,
    /// `None` if a required part has an error.
    pub(super) provider: Option<Box<Provider>>,
}

impl Draft {
    pub(super) fn path(&self) -> String {
        format!("providers/{}.toml", self.slug)
    }

    /// The states whose patients may book a visit type. For a paused entry, those that may come back count, too.
    pub(super) fn states_for(&self, visit_type: &VisitType) -> StateSet {
        let is_licensed_enough = !visit_type.new_patient_eligible || self.is_paused;
        if is_licensed_enough { self.licensed } else { self.accepting }.intersection(visit_type.states)
    }

    /// Visits by message need no hours.
    pub(super) fn needs_hours(&self, catalog: &Catalog) -> bool {
        let is_video = |id: &VisitTypeId| {
            let known = catalog.types.get(id);
            known.is_none_or(|known| known.visit_type.modality == Modality::Video)
        };
        let types = &self.visit_types;
        !self.accepting.is_empty() && (types.is_empty() || types.iter().any(is_video))
    }

    pub(super) fn place(&self, span: &Range<usize>) -> FileSpan {
        FileSpan::new(&self.path(), span)
    }

    pub(super) fn bio_place(&self) -> FileSpan {
        self.bio_at.as_ref().map_or_else(|| FileSpan::file(&self.path()), |span| self.place(span))
    }
}

pub(super) fn read(input: Input<'_>, catalog: &Catalog, today: NaiveDate) -> Draft {
    let Input { path, text, slug, problems } = input;
    let (mut file, raw) = File::read::<ProviderFile>(path, text, problems);
    let id = file.required_line(raw.id, None, "id", "\"prov-1234\"");
    let errors_before = file.problems.total.errors;
    let mut line = |text: Text, key: &str, example: &str| file.required_line(text, None, key, example);
    let display_name = line(raw.display_name, "display-name", "\"Jane Doe\"");
    let credentials = line(raw.credentials, "credentials", "\"MD\"");
    let provider_type = line(raw.provider_type, "provider-type", &one_of(ProviderType::WORDS));
    let gender = line(raw.gender, "gender", &one_of(Gender::WORDS));
    letters::report_title_in_credentials(&mut file, credentials.as_ref());
    let display_name = display_name
        .and_then(|name| names::read(&mut file, name, credentials.as_ref().map(|text| text.value.as_str())));
    let provider_type = provider_type
        .and_then(|text| Some((names::read_profession(&mut file, &text, credentials.as_ref())?, text.span)));
    names::warn_of_other_kind(&mut file, credentials.as_ref(), provider_type.as_ref(), &raw.education);
    let provider_type = provider_type.map(|(kind, _)| kind);
    letters::warn_of_unlikely(&mut file, credentials.as_ref(), display_name.as_ref(), today.year());
    let gender = gender.and_then(|text| file.word::<Gender>(&text, "gender"));
    let id = id.and_then(|id| names::read_id(&mut file, id));
    let bio_at = raw.bio.as_ref().map(|bio| bio.span.clone());
    let bio = bio::read(&mut file, raw.bio, (display_name.as_ref(), &raw.former_slugs), gender, today.year());
    let sort_name = given(raw.sort_name).and_then(|text| file.line(text));
    if let Some(name) = &sort_name {
        sort_name::check(&mut file, name, display_name.as_ref().map_or("", |shown| &shown.value));
    }
    let former_slugs = read_former_slugs(&mut file, raw.former_slugs, &slug);
    let (headshot, portrait) = portraits::read(&mut file, given(raw.headshot));
    let listed = raw.license.into_iter().chain(raw.licence).collect();
    let listing = attested::read_listing(&mut file, raw.status);
    let licenses = read_states(&mut file, raw.licensed, raw.accepting, listing);
    let Licenses { licensed, accepting, all_licenses_read } = licenses;
    let states = all_licenses_read.then_some(licensed);
    let record = attested::read(&mut file, (listing, states, raw.npi.as_ref()), listed, raw.confirmed, today);
    let leave = leave::read(&mut file, raw.leave, today);
    let visit_types = read_visit_types(&mut file, raw.appointment_types, &licenses, catalog);
    let insurance = read_insurance(&mut file, raw.insurance, &licenses, catalog);
    let npi = read_own_npi(&mut file, raw.npi, provider_type);
    let specialties = standards::read_specialties(&mut file, raw.specialty);
    let degrees = with_places(raw.education, |table| read_education(&mut file, table, today.year()));
    warn_of_order(&mut file, &degrees, today.year());
    let education = warn_of_repeated(&mut file, degrees, "degree", is_same_degree);
    let certificates = with_places(raw.certifications, |table| read_certification(&mut file, table, today));
    let certifications = warn_of_repeated(&mut file, certificates, "certificate", PartialEq::eq);
    let clinical_interests =
        compact(file.lines(raw.clinical_interests), |text| Some((text.value, text.span)));
    let clinical_interests = read_interests(&mut file, clinical_interests);
    let languages = languages::read(&mut file, raw.languages).into_iter();
    let plans = insurance.iter().flat_map(|(_, plans)| plans).copied().collect();
    let is_whole = file.is_whole() && all_licenses_read && file.problems.total.errors == errors_before;
    let whole = (&id, display_name.clone(), credentials, provider_type, gender, bio);
    let (is_paused, is_withdrawn) = (record.listing == Listing::Paused, record.listing == Listing::Withdrawn);
    let provider = match whole {
        _ if is_withdrawn => None,
        (Some(id), Some(name), Some(credentials), Some(provider_type), Some(gender), Some(bio)) => {
            Some(Box::new(Provider {
                id: id.value.clone(),
                slug: slug.clone(),
                former_slugs: former_slugs.iter().map(|(slug, _)| slug.clone()).collect(),
                written_sort_name: sort_name.as_ref().map(|text| text.value.as_str().into()),
                sort_name: sort_name_of(sort_name.map(|text| text.value), &name.value),
                display_name: name.value,
                credentials: credentials.value,
                provider_type,
                gender,
                bio,
                headshot,
                menopause_society_certified: raw.menopause_society_certified.is_some_and(|flag| flag.value),
                clinical_interests,
                languages: languages.map(|language| language.value).collect(),
                education,
                certifications,
                insurance,
                visit_types: visit_types.clone(),
                licensed,
                accepting,
                leave,
                npi: npi.as_ref().map(|npi| npi.value.clone()),
                specialties,
                record,
            }))
        }
        _ => None,
    };
    Draft {
        slug,
        id,
        name: display_name.filter(|_| !is_withdrawn),
        former_slugs,
        npi: npi.filter(|_| !is_withdrawn),
        bio_at,
        portrait,
        licensed,
        accepting,
        visit_types: if is_withdrawn { Vec::new() } else { visit_types },
        plans: if is_withdrawn { Vec::new() } else { plans },
        is_paused,
        is_withdrawn,
        is_whole,
        provider,
    }
}

fn read_own_npi(
    file: &mut File<'_>,
    written: Text,
    provider_type: Option<ProviderType>,
) -> Option<Located<String>> {
    let text = given(written)?;
    let may_have_none = provider_type.is_some_and(|profession| !profession.has_npi());
    let or = if may_have_none { ", or delete this line: an NPI is optional for this profession" } else { "" };
    Some(Located { value: read_npi(file, &text, "the clinician", or)?, span: text.span })
}

fn with_places<Raw, T>(
    tables: Vec<Located<Raw>>,
    mut read: impl FnMut(Located<Raw>) -> Option<T>,
) -> Vec<(T, Range<usize>)> {
    compact(tables, |table| {
        let span = table.span.clone();
        Some((read(table)?, span))
    })
}

/// Collects into a new allocation: `collect` would keep the larger allocation of the raw list in the directory.
fn compact<Raw, T>(list: Vec<Raw>, read: impl FnMut(Raw) -> Option<T>) -> Vec<T> {
    let mut values = Vec::with_capacity(list.len());
    values.extend(list.into_iter().filter_map(read));
    values
}

fn one_of(words: &[&str]) -> String {
    format!("one of \"{}\"", words.join("\", \""))
}

/// The sort key, without case and accents: `sort-name`, or the last word of the display name and then all of it.
fn sort_name_of(given: Option<String>, display_name: &str) -> String {
    let last = display_name.split_whitespace().next_back().unwrap_or_default();
    folded(&given.unwrap_or_else(|| format!("{last}\u{0}{display_name}")))
}

fn read_former_slugs(file: &mut File<'_>, texts: Texts, slug: &Slug) -> Vec<(Slug, FileSpan)> {
    let mut slugs = Vec::new();
    let mut seen = HashSet::new();
    for text in file.lines(texts) {
        match text.value.parse::<Slug>() {
            Err(rule) => {
                let hint = match slug_like(&text.value) {
                    Some(meant) => Advice::meant(format!("\"{meant}\"")),
                    None => sentence(rule).into(),
                };
                file.error(&text.span, format!("\"{}\" isn't a slug.", text.value), hint);
            }
            Ok(former) if former == *slug => {
                let what = format!("\"{former}\" is the clinician's current slug.");
                file.error(&text.span, what, "Delete it here.");
            }
            Ok(former) if !seen.insert(former.clone()) => {
                file.error(&text.span, format!("\"{former}\" is already listed."), "Delete it here.");
            }
            Ok(former) => slugs.push((former, file.place(&text.span))),
        }
    }
    slugs
}

struct Licenses {
    licensed: StateSet,
    accepting: StateSet,
    /// Whether every license was read. Only then is a state without a license an error.
    all_licenses_read: bool,
}

fn read_states(file: &mut File<'_>, licensed: Texts, accepting: Texts, listing: Listing) -> Licenses {
    let mut list = |texts: Texts, key: &str, example: &str| {
        if texts.is_none() {
            file.missing(None, key, example);
        }
        texts
    };
    let licensed = list(licensed, "licensed", "[\"CA\", \"NY\"]");
    let accepting = list(accepting, "accepting", ACCEPTING).unwrap_or_default();
    let is_state = |text: &Located<String>| text.value.parse::<StateCode>().is_ok();
    let all_licenses_read = file.is_missing(None, "licensed")
        && licensed.as_ref().is_some_and(|texts| texts.iter().all(is_state));
    let licensed = file.states(licensed.unwrap_or_default());
    for text in accepting.iter().filter(|_| all_licenses_read) {
        let Some(state) = text.value.parse().ok().filter(|state| !licensed.contains(*state)) else {
            continue;
        };
        let what = format!("{state} is in `accepting` but not in `licensed`.");
        file.error(
            &text.span,
            what,
            format!(
                "If there is a license for {state}, add \"{state}\" to `licensed`. If not, remove it here."
            ),
        );
    }
    let mut accepting = file.states(accepting).intersection(licensed);
    if matches!(listing, Listing::Paused | Listing::Withdrawn) {
        accepting = StateSet::EMPTY;
    }
    Licenses { licensed, accepting, all_licenses_read }
}

/// The ids of the enabled types that the provider offers, in the order of the file.
fn read_visit_types(
    file: &mut File<'_>,
    ids: Option<Vec<Located<i64>>>,
    licenses: &Licenses,
    catalog: &Catalog,
) -> Vec<VisitTypeId> {
    let mut seen = BTreeSet::new();
    let mut visit_types = Vec::new();
    for id in ids.into_iter().flatten() {
        let Some(checked) = catalog.visit_type(file, &id) else { continue };
        if !seen.insert(checked.visit_type.id) {
            file.report_repeated(&id.span, id.value);
        } else if checked.is_enabled {
            visit_types.push(checked.visit_type.id);
            if licenses.all_licenses_read && checked.is_sound {
                warn_if_held_nowhere(file, &id, licenses.licensed, checked);
            }
        }
    }
    visit_types
}

fn read_insurance(
    file: &mut File<'_>,
    table: Option<Located<InsuranceTable>>,
    licenses: &Licenses,
    catalog: &Catalog,
) -> Vec<(StateCode, Vec<PlanNumber>)> {
    let mut taken: Vec<(StateCode, PlanNumber)> = Vec::new();
    let mut keys: BTreeMap<StateCode, Range<usize>> = BTreeMap::new();
    let mut table: Vec<_> = table.into_iter().flat_map(|table| table.value.0).collect();
    table.sort_by_key(|(key, _)| key.0.span.start);
    for (PlanKey(key), plans) in table {
        let states = match key.value.as_str() {
            "all" => licenses.licensed,
            _ => match file.state(&key) {
                Some(state) if keys.contains_key(&state) => {
                    let problem =
                        Problem::error(file.place(&key.span), format!("{state} is written here twice."));
                    let first = file.place(&keys[&state]);
                    file.add(problem.also(first, "first here").hint("Put all of its plans on one line."));
                    continue;
                }
                Some(state) if licenses.licensed.contains(state) => {
                    keys.insert(state, key.span.clone());
                    StateSet::from_iter([state])
                }
                Some(_) if !licenses.all_licenses_read => continue,
                Some(state) => {
                    let what = format!("There are plans for {state}, but {state} isn't in `licensed`.");
                    let hint = format!(
                        "If there is a license for {state}, add \"{state}\" to `licensed`. If not, delete this line."
                    );
                    file.error(&key.span, what, hint);
                    continue;
                }
                None => continue,
            },
        };
        let mut seen = BTreeSet::new();
        for text in plans {
            let Some(plan) = catalog.plan(file, &text) else { continue };
            if !seen.insert(plan) {
                file.report_repeated(&text.span, format_args!("\"{}\"", text.value));
            }
            report_where_not_sold(file, &key, &text, states, catalog);
            taken.extend(states.iter().map(|state| (state, plan)));
        }
    }
    taken.sort_unstable();
    taken.dedup();
    let by_state = taken.chunk_by(|(one, _), (next, _)| one == next);
    by_state.map(|taken| (taken[0].0, taken.iter().map(|&(_, plan)| plan).collect())).collect()
}

fn report_where_not_sold(
    file: &mut File<'_>,
    key: &Located<String>,
    plan: &Located<String>,
    states: StateSet,
    catalog: &Catalog,
) {
    let Some((sold, listed)) = catalog.plan_states(&plan.value) else {
        return warn_of_state(file, key, plan);
    };
    let elsewhere: StateSet = states.iter().filter(|state| !sold.contains(*state)).collect();
    if elsewhere.is_empty() {
        return;
    }
    let name = plan.value.trim();
    let where_sold = codes(sold);
    let what = format!("\"{name}\" isn't sold in {}, but `{}` lists it there.", codes(elsewhere), key.value);
    let hint = match key.value.as_str() {
        "all" if elsewhere == states => {
            format!(
                "Delete it here, or correct the plan's `states` in insurances.toml: it's sold only in {where_sold}, where this \
                 clinician has no license."
            )
        }
        "all" => {
            format!(
                "List it under each state where this clinician takes it, not under `all`. It's sold in \
                 {where_sold}."
            )
        }
        state => format!("Delete it here, or add \"{state}\" to the states of the plan ({where_sold})."),
    };
    let problem = Problem::error(file.place(&plan.span), what);
    file.add(problem.also(listed.clone(), "the states of the plan").hint(hint));
}

#[cfg(test)]
mod tests;

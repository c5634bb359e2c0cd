//! The lists that other files refer to: plans, visit types and holidays.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Datelike, Days};

use super::super::fields::{codes, year_meant};
use super::super::provider::Draft;
use super::super::visit_type::CheckedType;
use super::context::{Context, DirectoryContext};
use super::truth::warn_at;
use crate::content::problem::{Advice, FileSpan, Problem};
use crate::content::problems::Problems;
use crate::model::{StateSet, slug_words};
use crate::statements::{Place, Step};

/// How many years ahead a holiday can be without a warning.
const FARTHEST: i32 = 10;
/// How many clinicians outside the states of a visit type show that the states are wrong.
const MANY: usize = 3;
/// How many pairs of interests are compared, and how long, in bytes, these are.
const MOST_COMPARED: usize = 200_000;
const LONGEST_COMPARED: usize = 40;
/// How far ahead a list of holidays must reach, because patients see open times that far ahead.
const SHOWN_AHEAD: Days = Days::new(30);

pub(super) fn plans_are_accepted(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalog, drafts, all_providers_read: true, .. } = *context else { return };
    let mut is_used = vec![false; catalog.plans().count()];
    for plan in drafts.iter().flat_map(|draft| &draft.plans) {
        is_used[plan.index()] = true;
    }
    let letters = |name: &str| slug_words(name).replace('-', "");
    let mut names: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (plan, _) in catalog.plans() {
        names.entry(letters(plan.as_str())).or_default().insert(plan.as_str());
    }
    for ((plan, place), is_used) in catalog.plans().zip(is_used) {
        let once = plan.as_str().split_whitespace().collect::<Vec<_>>().join(" ");
        let same = &names[&letters(plan.as_str())];
        // One that is listed again, with other spaces, is reported as that.
        if !is_used && (once == plan.as_str() || !same.contains(once.as_str())) {
            let hint = match same.iter().find(|name| **name != plan.as_str()) {
                Some(other) => {
                    format!(
                        "If it is \"{other}\", delete this entry. Otherwise add it to [insurance] in a clinician's file."
                    )
                }
                None => {
                    "Add it to [insurance] in a clinician's file, or delete this plan. Until then it isn't published.".to_owned()
                }
            };
            let warning = Problem::warning(place.clone(), format!("No clinician accepts \"{plan}\"."));
            problems.push(warning.hint(hint));
        }
    }
}

/// Warns of a clinical interest that is a plan's name, and of one that is a letter off from one that others have.
pub(super) fn interests_are_spelled_alike(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalog, drafts, sources, .. } = *context;
    let providers = || drafts.iter().filter_map(|draft| draft.provider.as_deref());
    let each = || providers().flat_map(|one| one.clinical_interests.iter().map(move |text| (one, text)));
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    each().for_each(|(_, interest)| *uses.entry(interest).or_default() += 1);
    let is_rare = |interest: &str| uses[interest] == 1;
    let is_usual = |interest: &&str| !is_rare(interest) && interest.len() <= LONGEST_COMPARED;
    let usual: Vec<&str> = uses.keys().copied().filter(is_usual).collect();
    let rare = each().filter(|(_, interest)| is_rare(interest) || catalog.has_plan(interest));
    for (provider, interest) in rare.take(MOST_COMPARED / usual.len().max(1)) {
        let (what, hint) = match usual.iter().find(|usual| is_letter_off(interest, usual)) {
            _ if catalog.has_plan(interest) => (
                format!("\"{interest}\" is an insurance plan, not a clinical interest."),
                "Write a clinical interest, or move it to [insurance].".into(),
            ),
            Some(near) => (
                format!("\"{interest}\" is a letter off from \"{near}\", which other clinicians have."),
                Advice::meant(format!("\"{near}\"")),
            ),
            None => continue,
        };
        let place = Place::at(provider, [Step::Key("clinical-interests"), Step::Value(interest.clone())]);
        warn_at(&place, what, hint, sources, problems);
    }
}

/// Whether one letter is another, missing or too much, or two neighbors are exchanged. "Type 1" and "Type 2" differ.
fn is_letter_off(one: &str, other: &str) -> bool {
    let first = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let last = one.bytes().rev().zip(other.bytes().rev()).take_while(|(one, other)| one == other).count();
    let is_near = first + last + 2 >= one.len().max(other.len());
    is_near && !one.ends_with(|last: char| last.is_ascii_digit()) && strsim::osa_distance(one, other) == 1
}

pub(super) fn visit_types_are_offered(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalog, drafts, all_providers_read: true, .. } = *context else { return };
    for (id, checked) in &catalog.types {
        let visit_type = &checked.visit_type;
        let offers =
            |draft: &Draft| draft.visit_types.contains(id) && !draft.states_for(visit_type).is_empty();
        if checked.is_enabled && checked.is_sound && !drafts.iter().any(offers) {
            let what = if visit_type.new_patient_eligible {
                format!("No clinician who accepts new patients offers visit type {id}.")
            } else {
                format!("No clinician offers visit type {id} in a state where it's available.")
            };
            let warning = Problem::warning(checked.place.clone(), what);
            let hint = format!(
                "Add {id} to `appointment-types` in a clinician's file, or delete this visit type. Until then it isn't published."
            );
            problems.push(warning.hint(hint));
        }
    }
}

/// Warns of a visit type whose states leave out most of the clinicians who offer it. Each of them gets a warning of its own,
/// which a repair of the states heals.
pub(super) fn visit_types_reach_their_clinicians(context: &Context<'_>, problems: &mut Problems) {
    let Context { catalog, drafts, all_providers_read: true, .. } = *context else { return };
    for (id, CheckedType { visit_type, states_at, .. }) in &catalog.types {
        let offering =
            drafts.iter().filter(|draft| draft.visit_types.contains(id) && !draft.licensed.is_empty());
        let licensed: Vec<StateSet> = offering.map(|draft| draft.licensed).collect();
        let is_outside = |states: &&StateSet| states.intersection(visit_type.states).is_empty();
        let outside = licensed.iter().filter(is_outside).count();
        if visit_type.states.is_empty() || outside < MANY || outside * 2 <= licensed.len() {
            continue;
        }
        let all = licensed.iter().fold(visit_type.states, |all, states| all.union(*states));
        let all: Vec<String> = all.iter().map(|state| format!("\"{}\"", state.code())).collect();
        let what = format!(
            "Visit type {id} is only for {}, but {outside} of the clinicians who offer it aren't licensed there.",
            codes(visit_type.states)
        );
        let hint = Advice::meant(format!("[{}]", all.join(", ")));
        problems.push(Problem::warning(states_at.clone(), what).hint(hint));
    }
}

pub(super) fn holiday_lists_are_used_and_current(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { catalog, today, .. } = *context;
    let used = catalog.holidays.0.iter().filter(|(_, list)| list.is_used()).take(3);
    let used: Vec<&str> = used.map(|(name, _)| name.as_str()).collect();
    for (name, list) in &catalog.holidays.0 {
        if !list.is_used() {
            let place = FileSpan::file(&format!("holidays/{name}.toml"));
            let what = "No file in availability/ uses this list, so patients can book on these dates.";
            let write = format!("holidays = \"{name}\" as the first line of the hours of each clinician");
            let hint = match &used[..] {
                [] => format!("Write {write} who is closed on these dates, or delete this file."),
                used => format!(
                    "A clinician has one list. Move these dates into {}.toml, and delete this file. For clinicians \
                     whose list this is instead, write {write}.",
                    used.join(".toml or ")
                ),
            };
            problems.push(Problem::warning(place, what).hint(hint));
        } else if list.is_empty() {
            let place = FileSpan::file(&format!("holidays/{name}.toml"));
            let hint = format!(
                "Write its dates between the brackets, or delete this file and each line holidays = \
                 \"{name}\"."
            );
            problems
                .push(Problem::warning(place, "This list has no dates, so it closes no days.").hint(hint));
        }
        let (near, far): (Vec<_>, Vec<_>) =
            list.places.iter().partition(|(date, _)| date.year() <= today.year() + FARTHEST);
        // One out of order has a message already.
        let is_told =
            |place: &FileSpan, problems: &Problems| problems.iter().any(|known| known.place == *place);
        for (date, place) in far {
            if is_told(place, problems) {
                continue;
            }
            let what = format!("{date} is more than {FARTHEST} years ahead.");
            problems.push(Problem::warning(place.clone(), what).hint(year_meant(*date, today)));
        }
        if let Some((last, place)) = near.into_iter().max().filter(|_| list.is_used())
            && today.checked_add_days(SHOWN_AHEAD).is_some_and(|shown| *last < shown)
        {
            let what = format!("This list ends on {last}. After that, patients can book visits on holidays.");
            problems.push(Problem::warning(place.clone(), what).hint("Add the next year's dates."));
        }
    }
}

/// Warns of hours without a list of holidays where most others have one.
pub(super) fn hours_have_holidays(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { directory, catalog, sources, .. } = *context;
    let hours = directory.provider_numbers().filter_map(|number| Some((number, directory.schedule(number)?)));
    let weekly = hours.filter(|(_, schedule)| !schedule.parts().weekly.is_empty());
    let (without, with): (Vec<_>, Vec<_>) =
        weekly.partition(|(_, schedule)| schedule.parts().holidays.is_empty());
    let used = catalog.holidays.0.iter().filter(|(_, list)| list.is_used());
    let names: Vec<&str> = used.map(|(name, _)| name.as_str()).collect();
    if with.len() < 2 || with.len() <= without.len() {
        return;
    }
    for (number, _) in without {
        let path = format!("availability/{}.toml", directory.provider(number).slug);
        let is_intended = |text: String| text.to_lowercase().contains("# no holidays");
        if sources.whole_text(&path).is_some_and(is_intended) {
            continue;
        }
        let what = "These hours have no `holidays`, so patients can book on holidays.";
        let hint = format!(
            "Add as the first line: holidays = \"{}\", as most clinicians have. If visits \
             take place on holidays, add a note: # no holidays",
            names.join("\" or \"")
        );
        problems.push(Problem::warning(FileSpan::file(&path), what).hint(hint));
    }
}

//! Rules on one clinician's entry.

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};

use super::finding::{Finding, Place, Rule, Step, Strength, Witness};
use crate::model::{
    Certification, Directory, Modality, PlanNumber, Provider, ProviderNumber, Schedule, StateCode, StateSet,
    VisitType, credential_words,
};

/// The number of days, from today, in which an hour for new patients is looked for.
const AHEAD: u64 = 120;
/// How long before its last day a license leads to a question.
const SOON: Days = Days::new(30);

/// All findings on single entries. `has_open_feed`: open slots come from a feed, so hours are not checked.
pub fn findings(directory: &Directory, has_open_feed: bool, today: NaiveDate) -> Vec<Finding> {
    let mut found = Vec::new();
    for number in directory.provider_numbers() {
        let provider = directory.provider(number);
        found.extend(certified(provider, today));
        found.extend(licenses(provider, today));
        found.extend(certificates(provider, today));
        found.extend(education(provider));
        if !has_open_feed {
            found.extend(no_way_in(directory, number, today));
        }
    }
    found
}

/// Whether an issuer is the Menopause Society. Other countries' societies have names that contain this one.
pub fn is_menopause_society(issuer: &str) -> bool {
    let name = issuer.trim().to_lowercase();
    let name = name.strip_prefix("the ").unwrap_or(&name);
    name.strip_prefix("north american ").unwrap_or(name) == "menopause society"
}

/// The letters in credentials that only a certificate of the Menopause Society gives.
pub(crate) fn society_letters(credentials: &str) -> impl Iterator<Item = String> {
    credential_words(credentials).filter(|word| ["MSCP", "NCMP"].contains(&word.as_str()))
}

fn is_of_the_society(certification: &Certification, today: NaiveDate) -> bool {
    is_menopause_society(&certification.issuer)
        && certification.expires.is_none_or(|expires| expires >= today)
}

fn certified(provider: &Provider, today: NaiveDate) -> Option<Finding> {
    let who = &provider.display_name;
    let letters = society_letters(&provider.credentials).next();
    let certificate = provider.certifications.iter().position(|entry| is_of_the_society(entry, today));
    match (provider.menopause_society_certified, letters, certificate) {
        (false, Some(letters), _) => {
            let what = format!("{who} has the letters {letters} but isn't marked as certified");
            let place = Place::key(provider, "credentials").part(letters.clone());
            let has_ended = certificate.is_none()
                && provider.certifications.iter().any(|entry| is_menopause_society(&entry.issuer));
            let advice = if has_ended {
                "remove the letters from `credentials`: the certificate has ended"
            } else {
                "write menopause-society-certified = true, or remove the letters from `credentials`"
            };
            let rule = (Rule::Certified, Strength::Certain);
            Some(Finding::new(rule, provider, place, what, advice, &[&letters]))
        }
        (false, None, Some(at)) => {
            let name = &provider.certifications[at].name;
            let what = format!("{who} has the certificate \"{name}\" but isn't marked as certified");
            let place =
                Place::at(provider, [Step::Key("certifications"), Step::Entry(at), Step::Key("name")]);
            let advice = "write menopause-society-certified = true, or delete the certificate";
            Some(Finding::new((Rule::Certified, Strength::Certain), provider, place, what, advice, &[name]))
        }
        (true, None, None) => {
            let what = format!(
                "{who} is marked as certified by the Menopause Society; is the certificate still valid?"
            );
            let place = Place::key(provider, "menopause-society-certified");
            let advice = "add the certificate, or write false";
            Some(Finding::new((Rule::Certified, Strength::Question), provider, place, what, advice, &[]))
        }
        _ => None,
    }
}

pub(crate) fn licenses(provider: &Provider, today: NaiveDate) -> Vec<Finding> {
    let mut found = Vec::new();
    let licenses = &provider.record.licenses;
    // The end of each state's license that ends last.
    let mut latest_end: BTreeMap<StateCode, NaiveDate> = BTreeMap::new();
    for license in licenses {
        let last = latest_end.entry(license.state).or_insert(NaiveDate::MIN);
        *last = license.expires.unwrap_or(NaiveDate::MAX).max(*last);
    }
    for (at, license) in licenses.iter().enumerate() {
        let Some(expires) = license.expires.filter(|_| provider.licensed.contains(license.state)) else {
            continue;
        };
        // Another license of the state excuses one that ended if it is valid today, and one that ends soon if it ends later.
        let needed = if expires < today { today } else { expires.succ_opt().unwrap_or(expires) };
        if latest_end.get(&license.state).is_some_and(|last| *last >= needed) {
            continue;
        }
        let place = Place::at(provider, [Step::Key("license"), Step::Entry(at), Step::Key("expires")]);
        let (state, number) = (license.state, &license.number);
        let values = [state.code(), number.as_str(), &expires.to_string()];
        if expires < today {
            let what = format!(
                "the license {number} for {state} expired on {expires}, but {state} is listed in `licensed`"
            );
            let others = || provider.licensed.iter().filter(|other| *other != state);
            let own = |plan: &&PlanNumber| others().any(|other| !provider.plans_in(other).contains(plan));
            let or = if others().next().is_some() {
                let plans = provider.plans_in(state).iter().any(|plan| own(&plan));
                let [accepting, plans] = [
                    (provider.accepting.contains(state), " and `accepting`".to_owned()),
                    (plans, format!(", and delete the {state} line under [insurance]")),
                ]
                .map(|(is_there, words)| if is_there { words } else { String::new() });
                format!("remove \"{state}\" from `licensed`{accepting}{plans}")
            } else {
                "write status = \"withdrawn\", because no other state is in `licensed`".to_owned()
            };
            let advice = format!(
                "if it was renewed, write the new date. If not, {or}. Until then, patients can still book"
            );
            let finding =
                Finding::new((Rule::LicenseOver, Strength::Certain), provider, place, what, advice, &values);
            let listed = Place::at(provider, [Step::Key("licensed"), Step::Value(state.code().to_owned())]);
            found.push(finding.against(Witness::Content(listed)));
        } else if today.checked_add_days(SOON).is_some_and(|soon| expires <= soon) {
            let what = format!("the license {number} for {state} expires on {expires}; was it renewed?");
            let rule = (Rule::EndsSoon, Strength::Question);
            found.push(Finding::new(rule, provider, place, what, "write the new date", &values));
        }
    }
    found
}

/// A certificate that ended is a question, since nothing else in the content contradicts it.
fn certificates(provider: &Provider, today: NaiveDate) -> Vec<Finding> {
    let over = provider.certifications.iter().enumerate().filter_map(|(at, entry)| {
        let expires = entry.expires.filter(|expires| *expires < today)?;
        let what = format!("the certificate \"{}\" expired on {expires}; was it renewed?", entry.name);
        let place = Place::at(provider, [Step::Key("certifications"), Step::Entry(at), Step::Key("expires")]);
        let rule = (Rule::EndsSoon, Strength::Question);
        let values = [entry.name.as_str(), &expires.to_string()];
        let advice = "write the new date, or delete the certificate";
        Some(Finding::new(rule, provider, place, what, advice, &values))
    });
    over.collect()
}

fn education(provider: &Provider) -> Vec<Finding> {
    const MEDICAL: [&str; 5] = ["MD", "DO", "MBBS", "MBCHB", "MBBCH"];
    const AFTER: [&str; 3] = ["residency", "fellowship", "internship"];
    let mut found = Vec::new();
    let entries = &provider.education;
    let medical = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| credential_words(&entry.degree).any(|word| MEDICAL.contains(&word.as_str())));
    let first = medical.min_by_key(|(_, entry)| entry.year);
    for (at, entry) in entries.iter().enumerate() {
        let place = |key| Place::at(provider, [Step::Key("education"), Step::Entry(at), Step::Key(key)]);
        let year = entry.year.to_string();
        let degree = entry.degree.to_lowercase();
        if let Some((before, medical)) = first
            && AFTER.iter().any(|word| degree.contains(word))
            && entry.year < medical.year
        {
            let what = format!(
                "the {} of {} is before the {} of {}",
                entry.degree, year, medical.degree, medical.year
            );
            let rule = (Rule::EducationOrder, Strength::Likely);
            let values = [entry.degree.as_str(), &year, &medical.degree, &medical.year.to_string()];
            let finding =
                Finding::new(rule, provider, place("year"), what, "correct one of the two years", &values);
            let degree =
                Place::at(provider, [Step::Key("education"), Step::Entry(before), Step::Key("year")]);
            found.push(finding.against(Witness::Content(degree)));
        }
    }
    found
}

/// New patients are accepted, but no visit or no hour is for them.
fn no_way_in(directory: &Directory, number: ProviderNumber, today: NaiveDate) -> Option<Finding> {
    let provider = directory.provider(number);
    let types = provider.visit_types.iter().filter_map(|&id| directory.visit_type(id));
    let types: Vec<&VisitType> = types.filter(|visit_type| visit_type.new_patient_eligible).collect();
    let states_of = |kind: Modality| {
        let of_kind = types.iter().filter(|visit_type| visit_type.modality == kind);
        of_kind.fold(StateSet::EMPTY, |states, visit_type| states.union(visit_type.states))
    };
    let (by_video, by_message) = (states_of(Modality::Video), states_of(Modality::Async));
    let closed: StateSet = provider.accepting.iter().filter(|state| !by_message.contains(*state)).collect();
    if closed.is_empty() {
        return None;
    }
    let without_visit: StateSet = closed.iter().filter(|state| !by_video.contains(*state)).collect();
    let (states, why) = if without_visit.is_empty() {
        // A clinician without a schedule may have hours in a feed. `content::check` warns if there is no feed.
        let schedule = directory.schedule(number)?;
        let begins_later = schedule.parts().effective_from.is_some_and(|from| from > today);
        if has_none(schedule) || begins_later || has_hour(schedule, &types, today) {
            return None;
        }
        (closed, format!("none of the hours in the next {AHEAD} days are open to them"))
    } else {
        (without_visit, "no visit there is open to them".to_owned())
    };
    let codes: Vec<_> = states.iter().map(StateCode::code).collect();
    let codes = codes.join(", ");
    let what = format!("{} accepts new patients in {codes}, but {why}", provider.display_name);
    let advice = "add a visit or hours for new patients, or remove the state from `accepting`";
    let place = Place::key(provider, "accepting");
    let rule = (Rule::NoWayIn, Strength::Certain);
    Some(Finding::new(rule, provider, place, what, advice, &[&codes, &why]))
}

/// Whether the file has no hours at all. They may not be written yet, so this contradicts nothing.
fn has_none(schedule: &Schedule) -> bool {
    let parts = schedule.parts();
    parts.weekly.is_empty() && parts.replace.is_empty() && parts.extra.is_empty()
}

fn has_hour(schedule: &Schedule, types: &[&VisitType], today: NaiveDate) -> bool {
    let dates = (0..AHEAD).filter_map(|days| today.checked_add_days(Days::new(days)));
    let is_off = |date: NaiveDate| {
        let off = schedule.parts().off.iter();
        off.into_iter().any(|off| off.hours.is_none() && off.from <= date && date <= off.to)
    };
    dates.filter(|date| !is_off(*date)).any(|date| {
        schedule.hours_on(date).any(|hours| {
            let mut offered = hours.classes().iter().flat_map(crate::model::Class::types);
            !hours.windows().is_empty() && offered.any(|id| types.iter().any(|known| known.id == *id))
        })
    })
}

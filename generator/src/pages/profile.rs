//! Builds the contexts of a clinician's page and of the card on lists.

use std::borrow::Cow;
use std::path::Path;

use directory::calendar::Tz;
use directory::model::{
    Certification, Directory, Leave, Modality, PlanNumber, Provider, ProviderType, StateSet, Texts, VisitType,
};
use directory::statements::is_menopause_society;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use tera::{Context, Value};

use super::fragments::Fragments;
use super::link::Local;
use super::{booking, routes, wording};
use crate::portraits;

const INTERESTS_ON_A_CARD: usize = 3;
const INTERESTS_ON_A_PROFILE: usize = 4;

#[derive(Debug, Serialize)]
pub(super) struct Person<'a> {
    name: &'a str,
    credentials: &'a str,
    kind: &'static str,
    badges: Vec<String>,
    href: String,
    portrait: Option<Cow<'a, str>>,
    initials: String,
    tone: u32,
    /// In words; empty if there are no states.
    accepting: String,
    /// The first few, and whether they are translated; empty if there are none.
    interests: Vec<(bool, String)>,
    /// With both days in words, because a build doesn't know when the page is read.
    leaves: Vec<(LeaveDays, String)>,
}

/// For `leave.js`: the first day, the first day back, and the clinician's zone, if it is known.
#[derive(Debug, Serialize)]
pub(super) struct LeaveDays {
    from: String,
    until: Option<String>,
    zone: Option<&'static str>,
}

/// `None` for a drawing (SVG), which previews of links do not show.
pub(super) fn preview_picture<'a>(directory: &Directory, provider: &'a Provider) -> Option<Cow<'a, str>> {
    if let Some(sizes) = portraits::photo_paths(provider) {
        return Some(format!("{}/{}", directory.organization().site_url, sizes.large).into());
    }
    let is_drawing = |url: &str| {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        Path::new(path).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
    };
    directory.headshot_url(provider).filter(|url| !is_drawing(url))
}

/// At most twelve keys, which Tera finds without hashing. serde would make a map of a flattened [`Person`], and Tera would
/// need twice the time for a page.
#[derive(Debug, Serialize)]
struct Profile<'a> {
    name: &'a str,
    credentials: &'a str,
    /// A photograph's large size.
    portrait: Option<Cow<'a, str>>,
    small_portrait: Option<Cow<'a, str>>,
    initials: String,
    tone: u32,
    accepting: String,
    slug: &'a str,
    kind: &'static str,
    bio: &'a str,
    menopause_society_certified: bool,
}

#[derive(Debug, Serialize)]
struct Interest<'a> {
    name: &'a str,
    /// As it is in the content, percent-encoded.
    query: String,
}

#[derive(Debug, Serialize)]
struct EducationRow<'a> {
    degree: &'a str,
    field: &'a str,
    institution: &'a str,
    year: u16,
}

#[derive(Debug, Serialize)]
struct Certificate<'a> {
    issuer: &'a str,
    name: &'a str,
}

#[derive(Debug, Serialize)]
struct PlanGroup<'a> {
    states: String,
    /// Separated by spaces.
    codes: String,
    plans: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct Visit<'a> {
    /// The same for all clinicians: `id`, `name`, `by_video` and others.
    r#type: &'a Value,
    /// In words; empty if those are all states of licensure.
    states: String,
}

/// A visit that a profile's form offers.
#[derive(Debug, Serialize)]
struct VisitChoice {
    id: i32,
    /// With a note if only current patients can book it.
    label: String,
    minutes: Option<u32>,
    /// In words.
    length: Option<String>,
    new_patients: bool,
    /// By message, it has no times.
    by_video: bool,
    /// Where patients can book it, separated by spaces.
    codes: String,
    /// At most one visit is.
    is_default: bool,
}

impl<'a> Interest<'a> {
    fn new(texts: &'a Texts, name: &'a str) -> Self {
        Self { name: texts.say(name), query: utf8_percent_encode(name, NON_ALPHANUMERIC).to_string() }
    }
}

impl<'a> Person<'a> {
    pub(super) fn new(local: Local<'a>, provider: &'a Provider) -> Self {
        let interests = &provider.clinical_interests;
        Self {
            name: &provider.display_name,
            credentials: &provider.credentials,
            kind: profession(local.texts, provider),
            badges: badges(local.texts, provider).collect(),
            href: local.href(&routes::profile(&provider.slug)),
            portrait: portrait(local.directory, provider),
            initials: wording::initials(&provider.display_name),
            tone: wording::tone(provider.slug.as_str()),
            accepting: wording::states(local.texts, provider.accepting),
            interests: wording::interests(
                local.texts,
                &interests[..interests.len().min(INTERESTS_ON_A_CARD)],
            ),
            leaves: leave_notes(local, provider),
        }
    }
}

/// A path on this site (a photograph's small size), or a URL on another site.
pub(super) fn portrait<'a>(directory: &Directory, provider: &'a Provider) -> Option<Cow<'a, str>> {
    if let Some(sizes) = portraits::photo_paths(provider) {
        return Some(format!("/{}", sizes.small).into());
    }
    let site_url = &directory.organization().site_url;
    directory.headshot_url(provider).map(|url| match url {
        Cow::Borrowed(url) => routes::path_of(url, site_url).into(),
        Cow::Owned(url) => routes::path_of(&url, site_url).to_owned().into(),
    })
}

/// Values are not nested, because nested maps are slow in Tera.
pub(super) fn fill(context: &mut Context, local: Local<'_>, fragments: &Fragments, provider: &Provider) {
    let (directory, texts) = (local.directory, local.texts);
    let Person { name, credentials, portrait, initials, tone, accepting, leaves, .. } =
        Person::new(local, provider);
    let sizes = portraits::photo_paths(provider);
    let profile = Profile {
        name,
        credentials,
        portrait: sizes.as_ref().map_or(portrait, |sizes| Some(format!("/{}", sizes.large).into())),
        small_portrait: sizes.map(|sizes| format!("/{}", sizes.small).into()),
        initials,
        tone,
        accepting,
        slug: provider.slug.as_str(),
        kind: profession(texts, provider),
        bio: texts.say(&provider.bio),
        menopause_society_certified: provider.menopause_society_certified,
    };
    context.insert("provider", &profile);
    let booking = directory.organization().booking_url.as_deref();
    let page = booking.map(|url| booking::without_variables(&booking::of_provider(url, profile.slug)));
    context.insert("booking_page", &page);
    let languages: Vec<_> =
        provider.languages.iter().map(|&language| texts.language_name(language)).collect();
    context.insert_value("languages", wording::capitalized(wording::list(texts, &languages)).into());
    context.insert_value("state_options", fragments.options(provider.accepting));
    context.insert_value("accepting_codes", wording::codes(provider.accepting).into());
    context.insert_value("licensed", fragments.links(provider.licensed));
    context.insert_value("credentials", wording::credentials(texts, &provider.credentials).into());
    context.insert_value("look_up", look_up(provider.provider_type).map_or(Value::none(), Value::from));
    context.insert("leaves", &leaves);
    let first = provider.clinical_interests.len().min(INTERESTS_ON_A_PROFILE);
    let said = wording::interests(texts, &provider.clinical_interests[..first]);
    context.insert("interests_said", &said);
    let interests = provider.clinical_interests.iter().map(|name| Interest::new(texts, name));
    context.insert("interests", &interests.collect::<Vec<_>>());
    context.insert("plan_groups", &plan_groups(local, provider));
    let visit_types = provider.visit_types.iter().filter_map(|&id| directory.visit_type(id));
    let for_current = visit_types.clone().filter(|visit_type| !visit_type.new_patient_eligible);
    let has_current = for_current.clone().any(|it| !provider.bookable_in(it).is_empty());
    context.insert_value("has_current", has_current.into());
    let timed_for_current = for_current.filter(|visit_type| visit_type.modality == Modality::Video);
    let current_states = timed_for_current.flat_map(|it| provider.bookable_in(it).iter().collect::<Vec<_>>());
    let current_states: StateSet =
        current_states.filter(|state| !provider.accepting.contains(*state)).collect();
    context.insert_value("current_only", wording::all_states(texts, current_states).into());
    context.insert_value("current_states", fragments.options(current_states));
    context.insert_value("has_single_state", (provider.accepting.len() + current_states.len() == 1).into());
    let choices = visit_choices(texts, visit_types.clone(), provider);
    context.insert_value("has_times", choices.iter().any(|visit| visit.by_video).into());
    context.insert("visit_choices", &choices);
    let offered = visit_types.filter_map(|visit_type| visit(local, fragments, visit_type, provider));
    context.insert("offered_visits", &offered.collect::<Vec<_>>());
    let has_badge = |entry: &Certification| entry.badge.is_some() && is_menopause_society(&entry.issuer);
    // The society certifies in one thing, which its seal says.
    let certifications = provider.certifications.iter().filter(|entry| !has_badge(entry));
    let certifications =
        certifications.map(|entry| Certificate { issuer: &entry.issuer, name: texts.say(&entry.name) });
    context.insert("certifications", &certifications.collect::<Vec<_>>());
    let is_only_flagged =
        provider.menopause_society_certified && !provider.certifications.iter().any(has_badge);
    let flagged = is_only_flagged.then(|| wording::text(texts, "certified").to_owned());
    context.insert("seals", &badges(texts, provider).chain(flagged).collect::<Vec<_>>());
    let education = provider.education.iter().map(|entry| EducationRow {
        degree: texts.say(&entry.degree),
        field: texts.say(&entry.field),
        institution: &entry.institution,
        year: entry.year,
    });
    context.insert("education", &education.collect::<Vec<_>>());
}

pub(super) fn leave_days(directory: &Directory, provider: &Provider) -> Vec<LeaveDays> {
    let zone = directory.zone_of(provider.slug.as_str()).map(Tz::name);
    let days = provider.leave.iter().map(|Leave { from, until }| LeaveDays {
        from: from.to_string(),
        until: until.map(|day| day.to_string()),
        zone,
    });
    days.collect()
}

fn leave_notes(local: Local<'_>, provider: &Provider) -> Vec<(LeaveDays, String)> {
    let date = |day| wording::date(local.texts, "leave-date", day);
    let text = |leave: &Leave| {
        let last = leave.until.and_then(|until| until.pred_opt()).map(date);
        let key = if last.is_some() { "leave-days" } else { "leave-from" };
        let values = [("from", &*date(leave.from)), ("last", last.as_deref().unwrap_or_default())];
        wording::fill(local.texts, key, &values)
    };
    leave_days(local.directory, provider).into_iter().zip(provider.leave.iter().map(text)).collect()
}

fn profession(texts: &Texts, provider: &Provider) -> &'static str {
    provider.provider_type.name(texts.language, provider.gender)
}

/// In words.
fn badges(texts: &Texts, provider: &Provider) -> impl Iterator<Item = String> {
    provider.badges().map(|issuer| wording::fill(texts, "certified-by", &[("issuer", issuer)]))
}

/// Physicians' and nurses' boards have one site each, others have none.
fn look_up(kind: ProviderType) -> Option<&'static str> {
    match kind {
        ProviderType::Physician => Some("docinfo.org"),
        ProviderType::NursePractitioner | ProviderType::RegisteredNurse | ProviderType::NurseMidwife => {
            Some("nursys.com")
        }
        _ => None,
    }
}

/// Most clinicians accept the same plans in most states.
fn plan_groups<'a>(local: Local<'a>, provider: &Provider) -> Vec<PlanGroup<'a>> {
    let mut groups: Vec<(&[PlanNumber], StateSet)> = Vec::new();
    for state in provider.licensed.iter() {
        let plans = provider.plans_in(state);
        match groups.iter_mut().find(|(others, _)| *others == plans) {
            Some((_, states)) => _ = states.insert(state),
            None => groups.push((plans, StateSet::from_iter([state]))),
        }
    }
    let group = |(plans, states): (&[PlanNumber], StateSet)| PlanGroup {
        states: wording::all_states(local.texts, states),
        codes: wording::codes(states),
        plans: plans.iter().map(|&plan| local.directory.plan(plan).as_str()).collect(),
    };
    groups.into_iter().map(group).collect()
}

fn visit<'a>(
    local: Local<'_>,
    fragments: &'a Fragments,
    visit_type: &VisitType,
    provider: &Provider,
) -> Option<Visit<'a>> {
    let states = provider.bookable_in(visit_type);
    if states.is_empty() {
        return None;
    }
    let everywhere = states == provider.licensed;
    Some(Visit {
        r#type: fragments.visit(visit_type.id)?,
        states: if everywhere { String::new() } else { wording::states(local.texts, states) },
    })
}

/// The default is the first video visit that new patients can book.
fn visit_choices<'a>(
    texts: &Texts,
    visit_types: impl Iterator<Item = &'a VisitType>,
    provider: &Provider,
) -> Vec<VisitChoice> {
    let mut has_default = false;
    visit_types
        .filter_map(|visit_type| {
            let by_video = visit_type.modality == Modality::Video;
            let new_patients = visit_type.new_patient_eligible;
            let states = provider.bookable_in(visit_type);
            let is_default = !has_default && by_video && new_patients && !states.is_empty();
            has_default |= is_default;
            let name = texts.say(&visit_type.name);
            (!states.is_empty()).then(|| VisitChoice {
                id: visit_type.id.get(),
                label: if new_patients { name.to_owned() } else { wording::reserved(texts, name) },
                minutes: visit_type.duration_minutes,
                length: visit_type.duration_minutes.map(|minutes| wording::length(texts, minutes)),
                new_patients,
                by_video,
                codes: wording::codes(states),
                is_default,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;

//! Answers the availability question: finds the open slots in the calendar, and lists them.

mod explained;
mod period;
mod reason;
mod wording;

use chrono::{DateTime, SecondsFormat, Utc};

use self::period::Asked;
use super::answer::{Answer, Caching};
use super::catalog::Catalog;
use super::fault::Fault;
use super::operation::{OnePer, Part, SlotSearch};
use super::wire::{AfterSlots, Slot, SlotList};
use crate::calendar::{Calendar, Freshness, Instant, ProviderFilter, SlotFilter, Tz};
use crate::model::{Gender, Language, ProviderType};

pub(super) fn answer(
    catalog: &Catalog,
    calendar: &Calendar,
    search: &SlotSearch,
    now: Instant,
) -> Result<Answer, Fault> {
    let directory = &catalog.directory;
    let asked = Asked::by(search, now).map_err(Fault::wrong_parameter)?;
    let filter = filter(catalog, search, &asked, now)?;
    if calendar.is_unknown(directory, &filter) {
        return Err(Fault::availability_unavailable(calendar));
    }
    let (slots, next) = calendar.page(directory, &filter, &asked.periods, search.after);
    let as_of = match calendar.freshness() {
        Freshness::Stale { as_of } => Some(as_of),
        Freshness::Fresh | Freshness::Expired => None,
    };
    let is_extended = !search.is_specified();
    let rest = AfterSlots {
        next_available: slots.first().map(|(first, _)| *first),
        state: search.state.code(),
        appointment_type: search.appointment_type,
        provider: filter.provider.map(|number| directory.provider(number).slug.as_str()),
        insurance: filter.providers.plan.map(|plan| directory.plan(plan).as_str()),
        gender: search.gender.map(Gender::word),
        provider_type: search.provider_type.map(ProviderType::word),
        language: filter.providers.language.map(Language::name),
        from: asked.from,
        one_per: search.one_per.map(OnePer::word),
        new_patients: search.new_patients.then_some(true),
        until: asked.until,
        time_zone: search.time_zone.map(Tz::name),
        part: search.part.map(Part::word),
        truncated: (next.is_some() && is_extended).then_some(true),
        next: next.filter(|_| is_extended).map(|next| next.to_string()),
        explained: search
            .explain
            .then(|| explained::of(catalog, calendar, (search, &filter, &asked), &slots, as_of)),
    };
    let local = |start: Instant| {
        let zone = search.time_zone?;
        Some(DateTime::<Utc>::from(start).with_timezone(&zone).to_rfc3339_opts(SecondsFormat::Secs, false))
    };
    let slots = slots.into_iter().map(|(start_time, provider_slug)| Slot {
        start_time,
        provider_slug,
        local_time: local(start_time),
        new_patient_eligible: search
            .explain
            .then(|| explained::is_for_new(directory, calendar, &filter, (start_time, provider_slug))),
    });
    let slots: Vec<_> = slots.collect();
    let is_empty = slots.is_empty();
    let mut answer = Answer::new(SlotList { slots, rest }.to_json(), Caching::Availability);
    answer.next = next;
    answer.is_empty = is_empty;
    answer.as_of = as_of.map(Into::into);
    Ok(answer)
}

/// What an assistant reads beside a list that does not say it itself: that its feed is late, that it is cut, why it is
/// empty, and that it ends before the time asked for.
pub(super) fn note(
    catalog: &Catalog,
    calendar: &Calendar,
    search: &SlotSearch,
    now: Instant,
    answer: &Answer,
) -> Option<String> {
    let asked = Asked::by(search, now).ok()?;
    let directory = &catalog.directory;
    let late = |as_of| wording::late_note(directory, as_of, search.time_zone);
    let mut note: Vec<String> = answer.as_of.map(late).into_iter().collect();
    if let Some(next) = answer.next.filter(|_| search.is_specified()) {
        note.push(format!(
            "This list is cut. For the next part, call again with \"after\": \"{next}\" and the other arguments unchanged."
        ));
    }
    if answer.is_empty && !search.explain {
        let filter = filter(catalog, search, &asked, now).ok()?;
        note.push(reason::find(catalog, calendar, (search, &filter, &asked)).message);
    } else if asked.until > Some(period::last_known(now)) {
        note.push(wording::known_until(now, search.time_zone));
    }
    (!note.is_empty()).then(|| note.join(" "))
}

fn filter(catalog: &Catalog, search: &SlotSearch, asked: &Asked, now: Instant) -> Result<SlotFilter, Fault> {
    let plan = |name| catalog.search.plan(&catalog.directory, name, Some(search.state));
    // A former slug causes no redirect here.
    let provider = search.provider.as_deref().map(|slug| catalog.identify(slug)).transpose()?;
    Ok(SlotFilter {
        state: search.state,
        provider,
        visit_type: search.appointment_type,
        now,
        horizon_seconds: asked.end.unix() - now.unix(),
        limit: usize::try_from(search.limit).unwrap_or_default(),
        from: asked.from,
        one_per_provider: search.one_per.is_some(),
        new_patients: search.new_patients,
        providers: ProviderFilter {
            plan: search.insurance.as_deref().map(plan).transpose()?,
            gender: search.gender,
            provider_type: search.provider_type,
            language: search.language.as_deref().map(|name| catalog.search.language(name)).transpose()?,
        },
    })
}

//! Answers the availability question: finds the open slots in the calendar, and lists them.

mod reason;

use super::answer::{Answer, Caching};
use super::catalogue::Catalogue;
use super::fault::Fault;
use super::operation::{OnePer, SlotSearch};
use super::wire::{AfterSlots, Slot, SlotList};
use crate::calendar::{Calendar, Freshness, Instant, ProviderFilter, SlotFilter};
use crate::model::{Gender, Language, ProviderType, SlugMatch};

/// The answer, or the fault that a filter's value is unknown, or that availability is unknown because the feed is too old.
pub(super) fn answer(
    catalogue: &Catalogue,
    calendar: &Calendar,
    search: &SlotSearch,
    now: Instant,
) -> Result<Answer, Fault> {
    let directory = &catalogue.directory;
    let filter = filter(catalogue, search, now)?;
    if calendar.is_unknown(directory, &filter) {
        return Err(Fault::availability_unavailable(calendar));
    }
    let mut slots = calendar.open_slots(directory, &filter);
    let is_cut = slots.len() == filter.limit;
    slots.truncate(filter.limit - 1);
    let span = slots.first().zip(slots.last()).map(|(&(first, _), &(last, _))| (first, last));
    let reason =
        (search.explain && slots.is_empty()).then(|| reason::find(catalogue, calendar, search, &filter));
    let rest = AfterSlots {
        next_available: span.map(|(first, _)| first),
        state: search.state.code(),
        appointment_type: search.appointment_type,
        provider: filter.provider.map(|number| directory.provider(number).slug.as_str()),
        insurance: filter.providers.plan.map(|plan| directory.plan(plan).as_str()),
        gender: search.gender.map(Gender::word),
        provider_type: search.provider_type.map(ProviderType::word),
        language: filter.providers.language.map(Language::name),
        from: search.from,
        one_per: search.one_per.map(OnePer::word),
        new_patients: search.new_patients.then_some(true),
        truncated: (is_cut && !search.is_specified()).then_some(true),
        reason: search.explain.then_some(reason),
    };
    let slots =
        slots.into_iter().map(|(start_time, provider_slug)| Slot { start_time, provider_slug }).collect();
    let mut answer = Answer::new(SlotList { slots, rest }.to_json(), Caching::Availability);
    answer.next_from = span.filter(|_| is_cut).map(|(first, last)| next_from(first, last));
    if let Freshness::Stale { as_of } = calendar.freshness() {
        answer.as_of = Some(as_of.into());
    }
    Ok(answer)
}

/// What to look for. The limit is one more than is listed, which shows whether the list is cut.
fn filter(catalogue: &Catalogue, search: &SlotSearch, now: Instant) -> Result<SlotFilter, Fault> {
    // A former slug causes no redirect here.
    let provider = search.provider.as_deref().map(|slug| catalogue.find(slug)).transpose()?;
    Ok(SlotFilter {
        state: search.state,
        provider: provider.map(SlugMatch::provider),
        visit_type: search.appointment_type,
        now,
        horizon_seconds: search.horizon_days * 86_400,
        limit: usize::try_from(search.limit).unwrap_or_default() + 1,
        from: search.from,
        one_per_provider: search.one_per.is_some(),
        new_patients: search.new_patients,
        providers: ProviderFilter {
            plan: search.insurance.as_deref().map(|name| catalogue.plan(name)).transpose()?,
            gender: search.gender,
            provider_type: search.provider_type,
            language: search.language.as_deref().map(|name| catalogue.language(name)).transpose()?,
        },
    })
}

/// The `from` of the next page, given the first and the last start of a truncated page. It is the last start, because
/// more providers can have it. If the page has a single start, it is one second later, because the same page would
/// repeat; further providers at that start are skipped.
fn next_from(first: Instant, last: Instant) -> Instant {
    if first == last { last.plus_seconds(1) } else { last }
}

//! Answers the availability question: finds the open slots in the calendar, and writes their list.

mod body;
mod reason;

use super::answer::{Answer, Caching};
use super::catalogue::Catalogue;
use super::fault::Fault;
use super::question::SlotSearch;
use crate::calendar::{Calendar, Freshness, Instant, ProviderFilter, SlotFilter};
use crate::model::{Directory, ProviderNumber, SlugMatch};
use body::Body;

/// The answer, or the fault that a filter's value is unknown, or that availability is unknown because the feed is too old.
pub(super) fn answer(
    catalogue: &Catalogue,
    calendar: &Calendar,
    search: &SlotSearch,
    now: Instant,
) -> Result<Answer, Fault> {
    let (directory, extra) = (catalogue.directory(), &search.extra);
    let provider = search.provider.as_deref().map(|slug| find(directory, slug)).transpose()?;
    let plan = extra.insurance.as_deref().map(|name| catalogue.plan(name)).transpose()?;
    let language = extra.language.as_deref().map(|name| catalogue.language(name)).transpose()?;
    let limit = usize::try_from(search.limit).unwrap_or_default();
    let filter = SlotFilter {
        state: search.state,
        provider,
        visit_type: search.appointment_type,
        now,
        horizon_seconds: search.horizon_days * 86_400,
        // One more than is listed shows whether the list is cut.
        limit: limit + 1,
        from: extra.from,
        one_per_provider: extra.one_per_provider,
        new_patients: extra.new_patients,
        providers: ProviderFilter {
            plan,
            gender: extra.gender,
            provider_type: extra.provider_type,
            language,
        },
    };
    if calendar.is_unknown(directory, &filter) {
        return Err(Fault::availability_unavailable(calendar));
    }
    let found = calendar.open_slots(directory, &filter);
    let slots = &found[..found.len().min(limit)];
    let is_cut = found.len() > limit;
    let reason = (extra.explain && slots.is_empty()).then(|| reason::of(catalogue, calendar, &filter));
    let body = Body {
        slots,
        search,
        provider: provider.map(|number| directory.provider(number).slug().as_str()),
        plan: plan.map(|plan| directory.plan(plan).as_str()),
        language,
        is_cut,
        reason,
    };
    let mut answer = Answer::new(body.write(), Caching::Availability);
    if is_cut && let (Some(first), Some(last)) = (slots.first(), slots.last()) {
        answer = answer.continued_from(next_from(first.0, last.0));
    }
    Ok(match calendar.freshness() {
        Freshness::Stale { as_of } => answer.stale_since(as_of),
        Freshness::Fresh | Freshness::Expired => answer,
    })
}

/// The provider of a current or former slug. A former slug causes no redirect here.
fn find(directory: &Directory, slug: &str) -> Result<ProviderNumber, Fault> {
    directory
        .find(slug)
        .map(SlugMatch::provider)
        .ok_or_else(|| Fault::provider_not_found(slug, &directory.nearest(slug)))
}

/// The `from` of the next page, given the first and the last start of a truncated page. It is the last start, because
/// more providers can have it. If the page has a single start, it is one second later, because the same page would
/// repeat; further providers at that start are skipped.
fn next_from(first: i64, last: i64) -> Instant {
    Instant::from_unix(if first == last { last + 1 } else { last })
}

//! Open slots: whose starts may be shown to a patient in a state, and in which order.

use chrono::{DateTime, Utc};

use super::answer::{Answer, Caching};
use super::fault::Fault;
use super::request::SlotSearch;
use super::wire::{Slot, SlotList, to_json};
use crate::calendar::{Calendar, Instant, SlotFilter};
use crate::model::{Directory, ProviderNumber, SlugMatch};

/// Answers the availability question.
pub(super) fn answer(
    directory: &Directory,
    calendar: &Calendar,
    search: &SlotSearch,
    now: DateTime<Utc>,
) -> Result<Answer, Fault> {
    let provider = search.provider.as_deref().map(|slug| find(directory, slug)).transpose()?;
    let filter = SlotFilter {
        state: search.state,
        provider,
        visit_type: search.appointment_type,
        now: Instant::ceil(now),
        horizon_seconds: search.horizon_days * 86_400,
        limit: usize::try_from(search.limit).unwrap_or_default(),
    };
    let slots: Vec<_> = calendar
        .open(directory, &filter)
        .into_iter()
        .map(|(start_time, number)| Slot {
            start_time,
            provider_slug: directory.provider(number).slug().as_str(),
        })
        .collect();
    let list = SlotList {
        next_available: slots.first().map(|slot| slot.start_time),
        slots,
        state: search.state.code(),
        appointment_type: search.appointment_type,
        provider: provider.map(|number| directory.provider(number).slug().as_str()),
    };
    Ok(Answer::new(to_json(&list), Caching::Availability))
}

/// A former slug means the provider of today, silently.
fn find(directory: &Directory, slug: &str) -> Result<ProviderNumber, Fault> {
    directory.find(slug).map(SlugMatch::provider).ok_or_else(|| Fault::provider_not_found(slug))
}

//! Answers the availability question: finds the open slots in the calendar, and writes their list.

use super::answer::{Answer, Caching};
use super::fault::Fault;
use super::request::SlotSearch;
use crate::calendar::{Calendar, Freshness, Instant, SlotFilter};
use crate::model::{Directory, ProviderNumber, SlugMatch};

/// The bytes of one slot, and of the rest of the body, about: the capacity that is allocated first.
const SLOT: usize = 96;
const REST: usize = 256;

/// The answer, or the fault that availability is unknown because the feed is too old.
pub(super) fn answer(
    directory: &Directory,
    calendar: &Calendar,
    search: &SlotSearch,
    now: Instant,
) -> Result<Answer, Fault> {
    let provider = search.provider.as_deref().map(|slug| find(directory, slug)).transpose()?;
    let filter = SlotFilter {
        state: search.state,
        provider,
        visit_type: search.appointment_type,
        now,
        horizon_seconds: search.horizon_days * 86_400,
        limit: usize::try_from(search.limit).unwrap_or_default(),
    };
    if calendar.is_unknown(directory, &filter) {
        return Err(Fault::availability_unavailable(calendar));
    }
    let slots = calendar.open_slots(directory, &filter);
    let slug = provider.map(|number| directory.provider(number).slug().as_str());
    let answer = Answer::new(write(&slots, search, slug), Caching::Availability);
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

/// The JSON of a [`SlotList`](super::wire::SlotList). It is written without a serializer for speed, because most requests
/// need a new body. No text in it needs escaping: it holds times, slugs, state codes and numbers.
fn write(slots: &[(i64, &str)], search: &SlotSearch, provider: Option<&str>) -> Vec<u8> {
    let mut body = Vec::with_capacity(slots.len() * SLOT + REST);
    body.extend_from_slice(br#"{"slots":["#);
    // Many slots have the same start: its text is written once.
    let mut last = None;
    let mut time = [0; 20];
    for (nth, &(at, slug)) in slots.iter().enumerate() {
        if last.replace(at) != Some(at) {
            time = Instant::from_unix(at).ascii();
        }
        body.extend_from_slice(if nth == 0 { br#"{"startTime":""# } else { br#",{"startTime":""# });
        body.extend_from_slice(&time);
        body.extend_from_slice(br#"","providerSlug":""#);
        body.extend_from_slice(slug.as_bytes());
        body.extend_from_slice(br#""}"#);
    }
    body.extend_from_slice(br#"],"nextAvailable":"#);
    let next_available = slots.first().map(|&(at, _)| Instant::from_unix(at).ascii());
    text_or_null(&mut body, next_available.as_ref().map(<[u8; 20]>::as_slice));
    body.extend_from_slice(br#","state":"#);
    text_or_null(&mut body, Some(search.state.code().as_bytes()));
    body.extend_from_slice(br#","appointmentType":"#);
    match search.appointment_type {
        Some(number) => body.extend_from_slice(number.to_string().as_bytes()),
        None => body.extend_from_slice(b"null"),
    }
    body.extend_from_slice(br#","provider":"#);
    text_or_null(&mut body, provider.map(str::as_bytes));
    body.push(b'}');
    body
}

fn text_or_null(body: &mut Vec<u8>, text: Option<&[u8]>) {
    match text {
        Some(text) => {
            body.push(b'"');
            body.extend_from_slice(text);
            body.push(b'"');
        }
        None => body.extend_from_slice(b"null"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::wire::{Slot, SlotList, to_json};
    use super::*;

    #[test]
    fn the_body_equals_the_serialized_list() {
        let state = "CA".parse().unwrap();
        let at = 1_780_581_600;
        for slots in [
            &[][..],
            &[(at, "jane-doe")],
            &[(at, "jane-doe"), (at, "b"), (at + 1, "jane-doe"), (at + 86_400, "x-1")],
        ] {
            for (appointment_type, provider) in
                [(None, None), (Some(101), None), (Some(i64::MIN), Some("jane-doe")), (None, Some("b"))]
            {
                let search = SlotSearch { appointment_type, ..SlotSearch::of(state) };
                let slot = |&(at, provider_slug): &(i64, &'static str)| Slot {
                    start_time: Instant::from_unix(at),
                    provider_slug,
                };
                let list = SlotList {
                    slots: slots.iter().map(slot).collect(),
                    next_available: slots.first().map(|&(at, _)| Instant::from_unix(at)),
                    state: state.code(),
                    appointment_type,
                    provider,
                };
                let written = write(slots, &search, provider);
                assert_eq!(String::from_utf8(written).unwrap(), to_json(&list));
            }
        }
    }
}

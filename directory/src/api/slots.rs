//! Open slots: whose starts may be shown to a patient in a state, and how their list is written.

use super::answer::{Answer, Caching};
use super::fault::Fault;
use super::request::SlotSearch;
use crate::calendar::{Calendar, Freshness, Instant, SlotFilter, SlugText};
use crate::model::{Directory, ProviderNumber, SlugMatch};

/// What stands between two slugs: the end of one slot, and the next one's start. The first lacks the end, the last
/// the start.
const BETWEEN: [u8; 55] = *br#""},{"startTime":"0000-00-00T00:00:00Z","providerSlug":""#;
const END: &[u8] = br#""}"#;
/// Where a slot begins in it, and where its time does.
const BEGIN: usize = br#""},"#.len();
const TIME: usize = br#""},{"startTime":""#.len();
/// Room for a slot whose slug has an ordinary length; and for what is round the slots.
const SLOT: usize = BETWEEN.len() + 32;
const REST: usize = 256;

/// Answers the availability question, unless the feed is too old to answer it.
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
    let answer = Answer::new(write(slots.iter(), search, slug), Caching::Availability);
    Ok(match calendar.freshness() {
        Freshness::Stale { as_of } => answer.stale_since(as_of),
        Freshness::Fresh | Freshness::Expired => answer,
    })
}

/// A former slug means the provider of today, silently.
fn find(directory: &Directory, slug: &str) -> Result<ProviderNumber, Fault> {
    directory
        .find(slug)
        .map(SlugMatch::provider)
        .ok_or_else(|| Fault::provider_not_found(slug, &directory.nearest(slug)))
}

/// The bytes of a [`SlotList`](super::wire::SlotList), without a serializer: this is the body that is made anew
/// for most requests. Nothing in it needs escaping: it is times, slugs, state codes and numbers.
fn write<'a>(
    slots: impl ExactSizeIterator<Item = (i64, SlugText<'a>)>,
    search: &SlotSearch,
    provider: Option<&str>,
) -> Vec<u8> {
    let mut body = Vec::with_capacity(slots.len() * SLOT + REST);
    body.extend_from_slice(br#"{"slots":["#);
    let mut next_available: Option<[u8; 20]> = None;
    // What stands before the slug is the same for all slots of one start, of which there are mostly several.
    let mut between = BETWEEN;
    let mut last = None;
    for (at, slug) in slots {
        if last != Some(at) {
            let text = tell(&mut between, at);
            next_available.get_or_insert(text);
        }
        match last.replace(at) {
            Some(_) => body.extend_from_slice(&between),
            None => body.extend_from_slice(&between[BEGIN..]),
        }
        slug.write(&mut body);
    }
    if last.is_some() {
        body.extend_from_slice(END);
    }
    body.extend_from_slice(br#"],"nextAvailable":"#);
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

/// Puts a start's time between two slugs.
///
/// It stands by itself, so that what is between stays what it is, bytes in a row: a compiler that sees where they
/// come from takes them apart, and writes each for itself in each slot.
#[inline(never)]
fn tell(between: &mut [u8; BETWEEN.len()], at: i64) -> [u8; 20] {
    let text = Instant::from_unix(at).ascii();
    between[TIME..TIME + text.len()].copy_from_slice(&text);
    text
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
    fn the_bytes_are_those_of_the_serialized_list() {
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
                let bytes = slots.iter().map(|&(at, slug)| (at, SlugText::of(slug)));
                let written = write(bytes, &search, provider);
                assert_eq!(String::from_utf8(written).unwrap(), to_json(&list));
            }
        }
    }
}

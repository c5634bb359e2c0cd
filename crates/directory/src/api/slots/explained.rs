//! What stands beside the slots for a person: who they are, what can be booked, and how.

use std::borrow::Cow;

use super::super::catalog::Catalog;
use super::super::operation::SlotSearch;
use super::super::wire::{BookableType, Booking, Explained};
use super::period::Asked;
use super::reason;
use crate::calendar::{Calendar, Instant, SlotFilter};
use crate::model::{Directory, Phone, SlugMatch, VisitType};

const MOST_UNKNOWN: usize = 200;

pub(super) fn of<'a>(
    catalog: &'a Catalog,
    calendar: &Calendar,
    (search, filter, asked): (&SlotSearch, &SlotFilter, &Asked),
    slots: &[(Instant, &'a str)],
    as_of: Option<Instant>,
) -> Explained<'a> {
    let directory = &catalog.directory;
    // To the minute, so that the body's tag changes once a minute.
    let now = Instant::from_unix(filter.now.unix().div_euclid(60) * 60);
    let name = |slug: &str| {
        let provider = directory.provider(directory.find(slug)?.provider());
        Some(match &*provider.credentials {
            "" => Cow::Owned(provider.display_name.clone()),
            credentials => format!("{}, {credentials}", provider.display_name).into(),
        })
    };
    let bookable = |it: &'a VisitType| {
        let id = i64::from(it.id.get());
        let is_asked_for = filter.visit_type.is_none_or(|only| only == id);
        let of_type = SlotFilter { visit_type: Some(id), ..*filter };
        let minutes = it.duration_minutes.filter(|_| is_asked_for && calendar.has_match(&of_type))?;
        Some(BookableType {
            id: it.id.get(),
            name: &it.name,
            minutes,
            new_patient_eligible: it.new_patient_eligible,
        })
    };
    let organization = directory.organization();
    Explained {
        now,
        as_of: as_of.unwrap_or(now),
        stale: as_of.is_some(),
        clinicians: slots.iter().filter_map(|&(_, slug)| Some((slug, name(slug)?))).collect(),
        visit_types: directory.visit_types().iter().filter_map(bookable).collect(),
        booking: Booking {
            phone: organization.phone().map(Phone::as_str),
            url_template: organization.booking_url.as_deref(),
        },
        unknown: calendar
            .unknown(filter)
            .into_iter()
            .take(MOST_UNKNOWN)
            .map(|number| directory.provider(number).slug.as_str())
            .collect(),
        reason: slots.is_empty().then(|| reason::find(catalog, calendar, (search, filter, asked))),
    }
}

/// Whether a new patient may book a slot: it may be long enough for visits of current patients alone.
pub(super) fn is_for_new(
    directory: &Directory,
    calendar: &Calendar,
    filter: &SlotFilter,
    (start, slug): (Instant, &str),
) -> bool {
    let alone = SlotFilter {
        provider: directory.find(slug).map(SlugMatch::provider),
        from: Some(start),
        horizon_seconds: start.unix() + 1 - filter.now.unix(),
        limit: 1,
        new_patients: true,
        ..*filter
    };
    !calendar.open(directory, &alone).is_empty()
}

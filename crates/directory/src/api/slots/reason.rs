//! Why a list of slots is empty.

use chrono::NaiveDate;

use super::super::catalogue::Catalogue;
use super::super::no_match;
use super::super::operation::SlotSearch;
use super::super::wire::Reason;
use crate::calendar::{Calendar, Instant, MAX_HORIZON_DAYS, SlotFilter, leave_period};
use crate::model::{Directory, VisitTypeId};

/// The message leaves out the year of a leave that ends within this many days.
const SAME_YEAR: i64 = 330;

/// The first reason that holds, in this order: the visit type, the state, the provider, the plan, the filters
/// together, the provider's leave, the time.
pub(super) fn find(
    catalogue: &Catalogue,
    calendar: &Calendar,
    search: &SlotSearch,
    filter: &SlotFilter,
) -> Reason {
    let directory = &catalogue.directory;
    let reason = |code: &'static str, message: String| Reason { code, message };
    let state = filter.state;
    let mut is_for_current = false;
    if let Some(number) = filter.visit_type {
        let visit_type = VisitTypeId::try_from(number).ok().and_then(|id| directory.visit_type(id));
        let Some(visit_type) = visit_type else {
            return reason("TYPE_UNKNOWN", format!("There is no visit type {number}."));
        };
        let name = &visit_type.name;
        if visit_type.duration_minutes.is_none() {
            return reason(
                "TYPE_WITHOUT_TIMES",
                format!("{name} happens by message, without an appointment."),
            );
        }
        if !visit_type.states.contains(state) {
            return reason("TYPE_NOT_OFFERED", format!("{name} is not offered in {}.", state.name()));
        }
        if filter.new_patients && !visit_type.new_patient_eligible {
            return reason("TYPE_NOT_OFFERED", format!("{name} is for current patients only."));
        }
        is_for_current = !visit_type.new_patient_eligible;
    }
    let of_type = || SlotFilter { visit_type: filter.visit_type, ..SlotFilter::new(state, filter.now, 0, 1) };
    let is_served = calendar.serves(state) || is_for_current && calendar.has_match(&of_type());
    if !is_served {
        return reason(
            "STATE_NOT_SERVED",
            format!("No clinician here has appointments for patients in {}.", state.name()),
        );
    }
    if let Some(provider) = filter.provider.map(|number| directory.provider(number)) {
        let name = &provider.display_name;
        if !provider.licensed.contains(state) {
            return reason("PROVIDER_NOT_LICENSED", format!("{name} is not licensed in {}.", state.name()));
        }
        if !is_for_current && !provider.accepting.contains(state) {
            let message =
                format!("{name} is licensed in {}, but takes no new patients there now.", state.name());
            return reason("PROVIDER_NOT_ACCEPTING", message);
        }
    }
    if let Some(plan) = filter.providers.plan {
        let name = directory.plan(plan).as_str();
        let message = match filter.provider.map(|number| directory.provider(number)) {
            Some(provider) if !provider.plans_in(state).contains(&plan) => {
                Some(format!("{} does not take {name} in {}.", provider.display_name, state.name()))
            }
            None if !catalogue.is_plan_accepted(plan, state) => {
                Some(format!("No clinician here takes {name} in {}.", state.name()))
            }
            _ => None,
        };
        if let Some(message) = message {
            return reason("PLAN_NOT_ACCEPTED", message);
        }
    }
    if !calendar.has_match(filter) {
        let without = search.without().into_iter();
        let is_enough = |other: &SlotSearch| {
            super::filter(catalogue, other, filter.now).is_ok_and(|other| calendar.has_match(&other))
        };
        let enough = without.filter(|(_, other)| is_enough(other)).map(|(name, _)| name);
        return reason("NO_MATCH", no_match::message(&enough.collect::<Vec<_>>()));
    }
    if let Some(message) = about_leave(directory, calendar, filter) {
        return reason("PROVIDER_ON_LEAVE", message);
    }
    if let Some(from) = filter.from
        && from >= filter.now.plus_seconds(MAX_HORIZON_DAYS * 86_400)
    {
        let message =
            format!("Times are known for {MAX_HORIZON_DAYS} days ahead, and {from} is later than that.");
        return reason("NOTHING_OPEN", message);
    }
    let farthest = SlotFilter { horizon_seconds: MAX_HORIZON_DAYS * 86_400, limit: 1, ..*filter };
    let message = match calendar.open(directory, &farthest).first() {
        Some((start, _)) => format!(
            "Nothing is open in the time asked for. The next open time is {start}: ask for it with a larger horizonDays."
        ),
        None if filter.from.is_some() => {
            format!("Nothing is open between then and {MAX_HORIZON_DAYS} days from now.")
        }
        None => format!("Nothing is open within {MAX_HORIZON_DAYS} days."),
    };
    reason("NOTHING_OPEN", message)
}

/// About the leave of the provider who was asked for, if it overlaps the time asked for.
fn about_leave(directory: &Directory, calendar: &Calendar, filter: &SlotFilter) -> Option<String> {
    let number = filter.provider?;
    let provider = directory.provider(number);
    let schedule = directory.schedule(number);
    let (from, to) = (filter.from.max(Some(filter.now))?, filter.now.plus_seconds(filter.horizon_seconds));
    let leaves = provider.leave.iter().map(|leave| (leave, leave_period(*leave, schedule)));
    let (leave, (begin, end)) = leaves.into_iter().find(|(_, (begin, end))| *begin < to && from < *end)?;
    let day = |preposition: &str, date: NaiveDate, at: Instant| {
        let is_near = at <= filter.now.plus_seconds(SAME_YEAR * 86_400);
        format!(" {preposition} {}", date.format(if is_near { "%B %-d" } else { "%B %-d, %Y" }))
    };
    let since = if filter.now < begin { day("from", leave.from, begin) } else { String::new() };
    let until =
        leave.until.map_or_else(|| " until further notice".to_owned(), |date| day("until", date, end));
    let horizon_seconds = MAX_HORIZON_DAYS * 86_400;
    let after = SlotFilter { from: Some(end), horizon_seconds, limit: 1, ..*filter };
    let next = calendar
        .open(directory, &after)
        .first()
        .map_or_else(String::new, |(start, _)| format!(" The next opening after that is {start}."));
    Some(format!("{} is on leave{since}{until}.{next} I can look for someone else.", provider.display_name))
}

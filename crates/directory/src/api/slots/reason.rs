//! Why a list of slots is empty.

use chrono::NaiveDate;

use super::super::catalog::Catalog;
use super::super::no_match;
use super::super::operation::{OperationId, SlotSearch, When};
use super::super::wire::Reason;
use super::period::{Asked, last_known};
use super::wording::{in_words, known_until};
use crate::calendar::{Calendar, Instant, MAX_HORIZON_DAYS, SlotFilter, leave_period};
use crate::model::{Directory, VisitType, VisitTypeId};

/// The message leaves out the year of a leave that ends within this many days.
const SAME_YEAR: i64 = 330;

/// The first reason that holds, in this order: the visit type, the state, the provider, the plan, the filters
/// together, the provider's leave, the time.
pub(super) fn find(
    catalog: &Catalog,
    calendar: &Calendar,
    (search, filter, asked): (&SlotSearch, &SlotFilter, &Asked),
) -> Reason {
    let directory = &catalog.directory;
    let reason = |code: &'static str, message: String| Reason { code, message };
    let (state, there) = (filter.state, filter.state.name());
    let provider = filter.provider.map(|number| directory.provider(number));
    let mut is_for_current = false;
    if let Some(number) = filter.visit_type {
        let visit_type = VisitTypeId::try_from(number).ok().and_then(|id| directory.visit_type(id));
        let Some(visit_type) = visit_type else {
            return reason("TYPE_UNKNOWN", format!("There is no visit type {number}."));
        };
        let name = &visit_type.name;
        if visit_type.duration_minutes.is_none() {
            let message = format!("{name} happens by message, without an appointment.");
            return reason("TYPE_WITHOUT_TIMES", message);
        }
        if !visit_type.states.contains(state) {
            return reason("TYPE_NOT_OFFERED", format!("{name} isn't offered in {there}."));
        }
        if filter.new_patients && !visit_type.new_patient_eligible {
            return reason("TYPE_NOT_OFFERED", format!("{name} is for current patients only."));
        }
        is_for_current = !visit_type.new_patient_eligible;
    }
    let of_type = || SlotFilter { visit_type: filter.visit_type, ..SlotFilter::new(state, filter.now, 0, 1) };
    let is_served = calendar.serves(state) || is_for_current && calendar.has_match(&of_type());
    if !is_served {
        let current = for_current(directory, calendar, filter);
        let whom = if current.is_empty() { "patients" } else { "new patients" };
        let message = format!("No clinician here has appointments for {whom} in {there}.{current}");
        return reason("STATE_NOT_SERVED", message);
    }
    if let Some(provider) = provider {
        let name = &provider.display_name;
        if !provider.licensed.contains(state) {
            return reason("PROVIDER_NOT_LICENSED", format!("{name} isn't licensed in {there}."));
        }
        if !is_for_current && !provider.accepting.contains(state) {
            let current = for_current(directory, calendar, filter);
            let message =
                format!("{name} is licensed in {there} but isn't accepting new patients there.{current}");
            return reason("PROVIDER_NOT_ACCEPTING", message);
        }
    }
    if let Some(plan) = filter.providers.plan {
        let name = directory.plan(plan).as_str();
        let (is_accepted, who) = match provider {
            Some(provider) => {
                let who = format!("{} doesn't accept", provider.display_name);
                (provider.plans_in(state).contains(&plan), who)
            }
            None => (catalog.search.is_plan_accepted(plan, state), "No clinician here accepts".to_owned()),
        };
        if !is_accepted {
            return reason("PLAN_NOT_ACCEPTED", format!("{who} {name} in {there}."));
        }
    }
    if !calendar.has_match(filter) {
        let without = search.without().into_iter();
        let is_enough = |other: &SlotSearch| {
            super::filter(catalog, other, asked, filter.now).is_ok_and(|other| calendar.has_match(&other))
        };
        let enough = without.filter(|(_, other)| is_enough(other)).map(|(name, _)| name);
        return reason("NO_MATCH", no_match::message(OperationId::Availability, &enough.collect::<Vec<_>>()));
    }
    if let Some(message) = about_leave(directory, calendar, (search, filter)) {
        return reason("PROVIDER_ON_LEAVE", message);
    }
    if filter.from.is_some_and(|from| from >= last_known(filter.now)) {
        let message = format!("{} Please choose an earlier date.", known_until(filter.now, search.time_zone));
        return reason("NOTHING_OPEN", message);
    }
    let more = if search.after.is_some() { "more " } else { "" };
    let part = search.part.map(|part| format!("{} ", part.word())).unwrap_or_default();
    let none = format!("No {more}{part}openings");
    let next = next(directory, calendar, (search, filter), search.from);
    let message = match next {
        Some(next) => {
            format!("{none} in that time. The next one is {}.", in_words(next, search.time_zone))
        }
        None if filter.from.is_some() => format!("{none} from then until {MAX_HORIZON_DAYS} days from now."),
        None => format!("{none} in the next {MAX_HORIZON_DAYS} days."),
    };
    reason("NOTHING_OPEN", message + &unread(directory, calendar, filter))
}

/// Whose openings aren't known: they may have some.
fn unread(directory: &Directory, calendar: &Calendar, filter: &SlotFilter) -> String {
    match &calendar.unknown(filter)[..] {
        [] => String::new(),
        [number] => {
            let name = &directory.provider(*number).display_name;
            format!(" {name} may have some: those openings can't be read right now.")
        }
        several => {
            format!(" {} others may have some: those openings can't be read right now.", several.len())
        }
    }
}

/// The first opening of a search that begins then and has no other end than that of what is known.
fn next(
    directory: &Directory,
    calendar: &Calendar,
    (search, filter): (&SlotSearch, &SlotFilter),
    from: Option<When>,
) -> Option<Instant> {
    let whole = SlotSearch { from, until: None, horizon_days: Some(MAX_HORIZON_DAYS), ..search.clone() };
    let periods = Asked::by(&whole, filter.now).ok()?.periods;
    let (found, _) = calendar.page(directory, &SlotFilter { limit: 1, ..*filter }, &periods, search.after);
    found.first().map(|(start, _)| *start)
}

/// What current patients can book where new patients are not accepted, unless the question is that of new patients.
fn for_current(directory: &Directory, calendar: &Calendar, filter: &SlotFilter) -> String {
    if filter.visit_type.is_some() || filter.new_patients {
        return String::new();
    }
    let types = directory.visit_types().iter().filter(|it| !it.new_patient_eligible);
    let is_booked =
        |it: &&VisitType| calendar.has_match(&SlotFilter { visit_type: Some(it.id.get().into()), ..*filter });
    let names: Vec<_> = types.filter(is_booked).map(|it| it.name.as_str()).collect();
    if names.is_empty() {
        return String::new();
    }
    format!(" Are you a current patient? Then I can look for {}.", names.join(" or "))
}

/// About the leave of the provider who was asked for, if it overlaps the time asked for. Without a provider: about those
/// of all who match.
fn about_leave(
    directory: &Directory,
    calendar: &Calendar,
    (search, filter): (&SlotSearch, &SlotFilter),
) -> Option<String> {
    let (from, to) = (filter.from.max(Some(filter.now))?, filter.now.plus_seconds(filter.horizon_seconds));
    let away = |number| {
        let (provider, schedule) = (directory.provider(number), directory.schedule(number));
        let leaves = provider.leave.iter().map(|leave| (leave, leave_period(*leave, schedule)));
        let (leave, period) = leaves.into_iter().find(|(_, (begin, end))| *begin < to && from < *end)?;
        Some((provider, leave, period))
    };
    let all: Vec<_> = calendar.matching(filter).map(away).collect::<Option<_>>()?;
    let (provider, leave, (begin, end)) = *all.iter().min_by_key(|(.., (_, end))| *end)?;
    let day = |preposition: &str, date: NaiveDate, at: Instant| {
        let is_near = at <= filter.now.plus_seconds(SAME_YEAR * 86_400);
        format!(" {preposition} {}", date.format(if is_near { "%B %-d" } else { "%B %-d, %Y" }))
    };
    let since = if filter.now < begin { day("from", leave.from, begin) } else { String::new() };
    let until =
        leave.until.map_or_else(|| " until further notice".to_owned(), |date| day("until", date, end));
    let others = match all.len() {
        1 if filter.provider.is_some() => "I can look for someone else.".to_owned(),
        1 => format!("No one else matches in {}.", filter.state.name()),
        _ => format!("Everyone else who matches in {} is on leave, too.", filter.state.name()),
    };
    let next = next(directory, calendar, (search, filter), Some(When::Utc(end)));
    let next = next.map_or_else(String::new, |start| {
        format!(" The next opening after that is {}.", in_words(start, search.time_zone))
    });
    Some(format!("{} is on leave{since}{until}.{next} {others}", provider.display_name))
}

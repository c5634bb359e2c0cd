//! What keeps patients from booking, plans that they cannot use, and plan pages whose address may change.

use super::super::fields::codes;
use super::context::DirectoryContext;
use super::repeated::repeated;
use crate::content::problem::{FileSpan, Problem};
use crate::content::problems::Problems;
use crate::content::sources::ORGANIZATION_PATH;
use crate::model::{Listing, PlanName, StateCode, StateSet, address_words};

/// Warns of a directory without clinicians, and of pages that show openings and no way to book one.
pub(super) fn patients_can_book(context: &DirectoryContext<'_>, problems: &mut Problems) {
    if context.directory.providers().is_empty() {
        let warning = Problem::warning(FileSpan::file(ORGANIZATION_PATH), "There are no clinicians.");
        problems.push(warning.hint("Add a file for each to providers/."));
    }
    let organization = context.directory.organization();
    let phone = organization.address.as_ref().and_then(|address| address.phone.as_ref());
    if organization.booking_url.is_none() && phone.is_none() {
        let what = "Patients can't book: this file has neither a phone number nor a booking link.";
        let hint = "Add `phone` under [address], such as phone = \"510-555-0100\", or add `booking-url`.";
        problems.push(Problem::warning(FileSpan::file(ORGANIZATION_PATH), what).hint(hint));
    }
}

/// Warns of a plan that in some state only providers without openings take, while others there accept new patients.
/// `/v1/insurances` lists such a plan for that state.
pub(super) fn plans_are_taken_by_accepting_providers(
    context: &DirectoryContext<'_>,
    problems: &mut Problems,
) {
    let plans: Vec<_> = context.catalog.plans().collect();
    let (mut listed, mut open) = (vec![StateSet::EMPTY; plans.len()], vec![StateSet::EMPTY; plans.len()]);
    let mut served = StateSet::EMPTY;
    for provider in context.directory.providers() {
        served = served.union(provider.accepting);
        for state in provider.licensed.iter() {
            for plan in provider.plans_in(state) {
                listed[plan.index()].insert(state);
                // A paused clinician comes back.
                if provider.accepting.contains(state) || provider.record.listing == Listing::Paused {
                    open[plan.index()].insert(state);
                }
            }
        }
    }
    for (((plan, place), listed), open) in plans.into_iter().zip(listed).zip(open) {
        let closed: StateSet =
            listed.intersection(served).iter().filter(|state: &StateCode| !open.contains(*state)).collect();
        if !closed.is_empty() {
            let what =
                format!("No clinician in {} who takes \"{plan}\" accepts new patients.", codes(closed));
            let hint = "Add it to a clinician who accepts new patients there, or remove it from [insurance] of \
                        those who no longer take it. If current patients use it, leave it.";
            problems.push(Problem::warning(place.clone(), what).hint(hint));
        }
    }
}

/// Warns of two plans whose pages would have the same address, which is made of the letters and digits of the name. The
/// second page gets a number, and loses it when the first plan is deleted.
pub(super) fn plan_page_addresses_are_unique(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let words =
        |(plan, _): (&PlanName, _)| Some(address_words(plan.as_str())).filter(|words| !words.is_empty());
    for ((first_plan, first), (plan, place)) in repeated(context.catalog.plans(), words) {
        let words = address_words(plan.as_str());
        let is_same = |plan: &PlanName| plan.as_str().split_whitespace().collect::<String>().to_lowercase();
        if is_same(first_plan) == is_same(plan) {
            let what = format!("\"{plan}\" is listed twice, once with other spaces.");
            let hint = "Delete one of the two entries, and write the other name in the clinicians' files.";
            let (place, first) = if plan.as_str().contains("  ") { (place, first) } else { (first, place) };
            problems.push(Problem::warning(place.clone(), what).also(first.clone(), "the other").hint(hint));
            continue;
        }
        let what = format!("\"{plan}\" would share another plan's page address, /plans/{words}.");
        let hint = "Rename one of the two, or delete one if they are the same plan. Otherwise this one's \
                    address gets a number at the end.";
        problems.push(Problem::warning(place.clone(), what).also(first.clone(), "the other").hint(hint));
    }
}

//! The checks that need more than one file. To add one, write `fn(&Context<'_>, &mut Problems)` in a file of this folder and
//! list it in [`CHECKS`], or in [`DIRECTORY_CHECKS`] if it needs content without errors.

mod allow;
mod context;
mod hours;
mod identity;
mod lists;
mod paths;
mod portraits;
mod reach;
mod repeated;
mod slugs;
mod translated;
pub(super) mod truth;
mod unread;

use super::super::problems::Problems;
pub(super) use context::{Context, DirectoryContext};

pub use slugs::PATH_OF_SUMMARIES;

/// For how many wrong names a check searches a similar one, because each search goes through all right ones.
const MAX_GUESSES: usize = 100;

/// The checks that run even if there are errors.
const CHECKS: [fn(&Context<'_>, &mut Problems); 19] = [
    allow::texts_may_be_published,
    hours::providers_have_their_hours,
    identity::ids_are_unique,
    identity::names_are_unique,
    identity::npis_are_unique,
    identity::licenses_are_unique,
    identity::biographies_are_unique,
    identity::biographies_begin_with_their_clinician,
    identity::portraits_show_one_clinician,
    |context, problems| context.catalog.missing_lists(problems),
    lists::interests_are_spelled_alike,
    lists::plans_are_accepted,
    lists::visit_types_are_offered,
    lists::visit_types_reach_their_clinicians,
    portraits::portraits_exist_and_are_used,
    slugs::former_slugs_are_unique,
    slugs::profiles_have_paths_of_their_own,
    slugs::retired_ids_and_slugs_are_not_reused,
    unread::every_file_is_read,
];

/// The checks that run only if nothing before found an error.
const DIRECTORY_CHECKS: [fn(&DirectoryContext<'_>, &mut Problems); 10] = [
    hours::visits_have_hours,
    lists::holiday_lists_are_used_and_current,
    lists::hours_have_holidays,
    reach::patients_can_book,
    reach::plan_page_addresses_are_unique,
    reach::plans_are_taken_by_accepting_providers,
    translated::translations_are_of_the_content,
    truth::npis_are_of_clinicians,
    truth::entries_do_not_contradict_themselves,
    truth::unconfirmed_entries_are_marked,
];

pub(super) fn check(context: &Context<'_>) -> Problems {
    let mut problems = context.known.further();
    for check in CHECKS {
        check(context, &mut problems);
    }
    problems
}

pub(super) fn check_directory(context: &DirectoryContext<'_>, problems: &mut Problems) {
    for check in DIRECTORY_CHECKS {
        check(context, problems);
    }
}

//! The length of the pages of providers that assistants read first.

use std::collections::BTreeMap;

use super::context::DirectoryContext;
use crate::api::{DefaultPage, default_pages, parts};
use crate::content::problem::{Place, Problem};
use crate::content::problems::Problems;
use crate::model::Directory;

/// The longest page without a warning, in bytes: about 25,000 tokens, at which assistants cut a result.
const LONGEST: usize = 64_000;
/// A message names this many of a page's largest lists, of those that are at least 1/10 of the page.
const NAMED: usize = 3;
const PART: usize = 10;

/// The key in content files for each part of a profile.
const LISTS: [(&str, &str); 9] = [
    ("bio", "bio"),
    ("clinicalInterests", "clinical-interests"),
    ("education", "education"),
    ("certifications", "certifications"),
    ("acceptedInsurance", "insurance"),
    ("acceptedInsuranceByState", "insurance"),
    ("appointmentTypes", "appointment-types"),
    ("statesLicensed", "licensed"),
    ("statesAcceptingPatients", "accepting"),
];

/// Warns once if pages are too long: of the longest page, at its longest profile.
pub(super) fn first_pages_are_short_enough(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let directory = context.directory;
    let pages = default_pages(directory);
    let too_long = pages.iter().filter(|page| page.bytes > LONGEST).count();
    // `rev` selects the first of equally long pages, so that the warning is always the same.
    let Some(page) = pages.iter().rev().max_by_key(|page| page.bytes).filter(|_| too_long > 0) else {
        return;
    };
    let longest = page.profiles.iter().rev().max_by_key(|(_, bytes)| *bytes);
    let Some((number, bytes)) = longest else { return };
    let who = match page.state {
        None => "providers".to_owned(),
        Some(state) => format!("providers in {state}"),
    };
    let others = match too_long - 1 {
        0 => String::new(),
        1 => ", and one other such page is too long as well".to_owned(),
        others => format!(", and {others} other such pages are too long as well"),
    };
    let what = format!(
        "the page of the first {} {who} has {}, and assistants may cut off what is longer than {}{others}",
        page.profiles.len(),
        kilobytes(page.bytes),
        kilobytes(LONGEST),
    );
    let hint = format!(
        "most of it is {}; shorten these, beginning with this profile, which has {} of it",
        largest_lists(directory, page),
        kilobytes(*bytes)
    );
    let place = Place::file(&format!("providers/{}.toml", directory.provider(*number).slug()));
    problems.push(Problem::warning(place, what).hint(hint));
}

/// The largest lists of a page with their sizes, the largest first.
fn largest_lists(directory: &Directory, page: &DefaultPage) -> String {
    let mut lists: BTreeMap<&str, usize> = BTreeMap::new();
    let profiles = page.profiles.iter().map(|(number, _)| directory.provider(*number));
    for (part, bytes) in profiles.flat_map(|provider| parts(directory, provider)) {
        if let Some((_, list)) = LISTS.iter().find(|(name, _)| *name == part) {
            *lists.entry(list).or_default() += bytes;
        }
    }
    let mut lists: Vec<_> = lists.into_iter().collect();
    lists.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    lists.retain(|(_, bytes)| bytes * PART >= page.bytes);
    let named: Vec<_> =
        lists.iter().take(NAMED).map(|(list, bytes)| format!("`{list}` ({})", kilobytes(*bytes))).collect();
    named.join(", ")
}

fn kilobytes(bytes: usize) -> String {
    format!("{} KB", bytes / 1000)
}

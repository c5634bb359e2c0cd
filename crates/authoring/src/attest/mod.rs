//! Writes into clinicians' files who confirmed them and when.
//!
//! In each file only `[confirmed]` changes, and `status` if it was "unconfirmed". All files are written, or none.

mod code;
mod edit;
mod export;

use std::collections::HashSet;
use std::path::Path;

use chrono::{Datelike, NaiveDate};
use directory::Directory;
use directory::accuracy::{fact_hashes, newest_date, standing};
use directory::model::{Accuracy, Attester, Listing, Provider};

use crate::edit::Edits;
use crate::near::hint;
pub use code::{KEY, Key};
use directory::told::Refusal;
pub use edit::NewConfirmation;
use edit::{confirm, status};
pub use export::{Answers, from_answers, from_system};

/// A clock before this year is wrong.
const FIRST_YEAR: i32 = 2026;

/// A clinician, and what is written into the file.
pub struct Attestation<'a> {
    pub provider: &'a Provider,
    pub new: NewConfirmation,
    /// Whether `status` goes from "unconfirmed" back to "listed", because the new date is recent.
    pub is_listed_again: bool,
}

impl<'a> Attestation<'a> {
    fn new(directory: &Directory, provider: &'a Provider, new: NewConfirmation, today: NaiveDate) -> Self {
        let is_in_time = |policy: &Accuracy| {
            let days = today.signed_duration_since(new.on).num_days();
            days <= i64::from(policy.confirm_within_days)
        };
        let is_unconfirmed = provider.record.listing == Listing::Unconfirmed;
        let is_listed_again = is_unconfirmed && directory.accuracy().is_some_and(is_in_time);
        Self { provider, new, is_listed_again }
    }
}

/// Refuses a clock that is behind the newest date in the content.
pub fn refuse_wrong_clock(directory: &Directory, today: NaiveDate) -> Result<(), Refusal> {
    let newest = newest_date(directory).filter(|newest| *newest > today);
    if today.year() < FIRST_YEAR || newest.is_some() {
        return Err(Refusal::new(format!(
            "this machine's clock says {today}, which is in the past: correct it, because a confirmation is dated by it"
        )));
    }
    Ok(())
}

/// Attestations of the clinicians who are named, or are due.
pub fn named<'a>(
    directory: &'a Directory,
    (slugs, is_due): (&[String], bool),
    by: Option<Attester>,
    how: Option<&str>,
    today: NaiveDate,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let by = by.ok_or_else(|| {
        Refusal::new(
            "--by is missing: write --by clinician, or --by clinic if the clinic confirms for its clinicians",
        )
    })?;
    let providers: Vec<&Provider> = if is_due {
        let policy = directory.accuracy().ok_or_else(|| {
            Refusal::new(
                "directory.toml has no [accuracy] table, so no clinician is due: add one with profile = \"nsa\"",
            )
        })?;
        // An entry that was marked "unconfirmed" by mistake, such as by a wrong clock, is due even with a date in time.
        let wants_one = |provider: &&Provider| {
            provider.record.listing == Listing::Unconfirmed
                || standing(directory, provider, policy, today).wants_an_answer()
        };
        directory.providers().iter().filter(wants_one).collect()
    } else {
        if slugs.is_empty() {
            return Err(Refusal::new(
                "name the clinicians, such as `nameplate attest jane-doe --by clinician`, or add --due",
            ));
        }
        let mut providers: Vec<&Provider> =
            slugs.iter().map(|slug| by_slug(directory, slug)).collect::<Result<_, _>>()?;
        // A name that is given twice confirms once.
        let mut seen = HashSet::new();
        providers.retain(|provider| seen.insert(provider.slug.as_str()));
        providers
    };
    let attestation = |provider: &'a Provider| {
        let facts = Some(fact_hashes(directory, provider));
        let new = NewConfirmation { on: today, by, facts, how: how.map(str::to_owned) };
        Attestation::new(directory, provider, new, today)
    };
    Ok(providers.into_iter().map(attestation).collect())
}

fn by_slug<'a>(directory: &'a Directory, slug: &str) -> Result<&'a Provider, Refusal> {
    let name = Path::new(slug).file_stem().and_then(|stem| stem.to_str()).unwrap_or(slug);
    directory.providers().iter().find(|provider| provider.slug.as_str() == name).ok_or_else(|| {
        let known = directory.providers().iter().map(|provider| provider.slug.as_str());
        let hint = hint(name, known, "the name is that of the file in providers/");
        Refusal::new(format!("there is no clinician {name}: {hint}"))
    })
}

pub fn set_status(
    folder: &Path,
    providers: &[&Provider],
    listing: Listing,
    today: NaiveDate,
) -> Result<usize, Refusal> {
    let edit = |text: &str| status(text, listing);
    edit_files(folder, providers.iter().map(|provider| (*provider, edit)), today)
}

/// Writes what was confirmed into the files. Returns the number of those that change.
pub fn write(folder: &Path, attestations: &[Attestation<'_>], today: NaiveDate) -> Result<usize, Refusal> {
    let edit = |attestation: &Attestation<'_>| {
        let (new, is_listed_again) = (attestation.new.clone(), attestation.is_listed_again);
        move |text: &str| {
            let confirmed = confirm(text, &new)?;
            if is_listed_again { status(&confirmed, Listing::Listed) } else { Ok(confirmed) }
        }
    };
    let edits = attestations.iter().map(|attestation| (attestation.provider, edit(attestation)));
    edit_files(folder, edits, today)
}

/// Edits every file, checks the content as it will be, then writes the files that change. Returns their number.
fn edit_files<'a, Edit>(
    folder: &Path,
    edits: impl Iterator<Item = (&'a Provider, Edit)>,
    today: NaiveDate,
) -> Result<usize, Refusal>
where
    Edit: Fn(&str) -> Result<String, String>,
{
    let mut edited = Edits::begin(folder)?;
    for (provider, edit) in edits {
        let path = format!("providers/{}.toml", provider.slug);
        let refused = |why: &dyn std::fmt::Display| {
            Refusal::new(format!("{} was not edited, and no other file: {why}", folder.join(&path).display()))
        };
        let text = edited.read(&path)?.ok_or_else(|| refused(&"it is not there any more"))?;
        let new = edit(&text).map_err(|why| refused(&why))?;
        edited.change(path, Some(text), Some(new));
    }
    edited.check(today).map_err(|error| {
        Refusal::new(format!(
            "nothing was written, since the content would have errors then:\n{}",
            error.drawn()
        ))
    })?;
    edited.apply()
}

/// Who confirmed, as a flag or another system's file names it.
pub fn attester(word: &str) -> Result<Attester, String> {
    word.parse().map_err(|words: &[&str]| format!("write {}, not \"{word}\"", words.join(" or ")))
}

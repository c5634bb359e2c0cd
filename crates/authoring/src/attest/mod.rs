//! Records in clinicians' files who confirmed them and when. In each file only `[confirmed]` changes, and `status` if it was
//! "unconfirmed". All files are written, or none.

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
pub use code::{CodeKey, KEY_VARIABLE};
use directory::told::Refusal;
pub use edit::NewConfirmation;
use edit::{set_confirmation, set_status};
pub use export::{UnusedAnswers, read_answers, read_system_export};

const FIRST_YEAR: i32 = 2026;

pub struct Attestation<'a> {
    pub provider: &'a Provider,
    pub new: NewConfirmation,
    /// Whether `status` changes from "unconfirmed" to "listed", because the confirmation is recent enough.
    pub is_listed_again: bool,
}

impl<'a> Attestation<'a> {
    fn new(directory: &Directory, provider: &'a Provider, new: NewConfirmation, today: NaiveDate) -> Self {
        let is_recent = |policy: &Accuracy| {
            let days = today.signed_duration_since(new.on).num_days();
            days <= i64::from(policy.confirm_within_days)
        };
        let is_unconfirmed = provider.record.listing == Listing::Unconfirmed;
        let is_listed_again = is_unconfirmed && directory.accuracy().is_some_and(is_recent);
        Self { provider, new, is_listed_again }
    }
}

pub fn refuse_wrong_clock(directory: &Directory, today: NaiveDate) -> Result<(), Refusal> {
    let is_past = newest_date(directory).is_some_and(|newest| newest > today);
    if today.year() < FIRST_YEAR || is_past {
        return Err(Refusal::new(format!(
            "this machine's clock says {today}, which is in the past: correct it, because it dates the confirmation"
        )));
    }
    Ok(())
}

pub enum Selection<'a> {
    Slugs(&'a [String]),
    AllDue,
}

pub fn attest<'a>(
    directory: &'a Directory,
    selection: &Selection<'_>,
    by: Option<Attester>,
    how: Option<&str>,
    today: NaiveDate,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let by = by.ok_or_else(|| {
        Refusal::new(
            "--by is missing: write --by clinician, or --by clinic if the clinic confirms for its clinicians",
        )
    })?;
    let providers = match selection {
        Selection::Slugs(slugs) => find_providers(directory, slugs)?,
        Selection::AllDue => due_providers(directory, today)?,
    };
    let attestation = |provider: &'a Provider| {
        let facts = Some(fact_hashes(directory, provider));
        let new = NewConfirmation { on: today, by, facts, how: how.map(str::to_owned) };
        Attestation::new(directory, provider, new, today)
    };
    Ok(providers.into_iter().map(attestation).collect())
}

fn due_providers(directory: &Directory, today: NaiveDate) -> Result<Vec<&Provider>, Refusal> {
    let policy = directory.accuracy().ok_or_else(|| {
        Refusal::new(
            "directory.toml has no [accuracy] table, so no clinician is due: add one with profile = \"nsa\"",
        )
    })?;
    // An entry that was marked "unconfirmed" by mistake is due, even if its last confirmation is recent.
    let is_due = |provider: &&Provider| {
        provider.record.listing == Listing::Unconfirmed
            || standing(directory, provider, policy, today).wants_an_answer()
    };
    Ok(directory.providers().iter().filter(is_due).collect())
}

fn find_providers<'a>(directory: &'a Directory, slugs: &[String]) -> Result<Vec<&'a Provider>, Refusal> {
    if slugs.is_empty() {
        return Err(Refusal::new(
            "name the clinicians, such as `nameplate attest jane-doe --by clinician`, or add --due",
        ));
    }
    let mut providers =
        slugs.iter().map(|slug| find_provider(directory, slug)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = HashSet::new();
    providers.retain(|provider| seen.insert(provider.slug.as_str()));
    Ok(providers)
}

/// Finds a clinician by slug or by file name.
fn find_provider<'a>(directory: &'a Directory, name: &str) -> Result<&'a Provider, Refusal> {
    let slug = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    directory.providers().iter().find(|provider| provider.slug.as_str() == slug).ok_or_else(|| {
        let known = directory.providers().iter().map(|provider| provider.slug.as_str());
        let hint = hint(slug, known, "use the name of the file in providers/");
        Refusal::new(format!("there is no clinician \"{slug}\": {hint}"))
    })
}

pub fn write_status(
    folder: &Path,
    providers: &[&Provider],
    listing: Listing,
    today: NaiveDate,
) -> Result<usize, Refusal> {
    let edit = |text: &str| set_status(text, listing);
    edit_files(folder, providers.iter().map(|provider| (*provider, edit)), today)
}

pub fn write_attestations(
    folder: &Path,
    attestations: &[Attestation<'_>],
    today: NaiveDate,
) -> Result<usize, Refusal> {
    let edits = attestations.iter().map(|attestation| {
        let edit = |text: &str| {
            let confirmed = set_confirmation(text, &attestation.new)?;
            if attestation.is_listed_again { set_status(&confirmed, Listing::Listed) } else { Ok(confirmed) }
        };
        (attestation.provider, edit)
    });
    edit_files(folder, edits, today)
}

fn edit_files<'a>(
    folder: &Path,
    edits_by_provider: impl Iterator<Item = (&'a Provider, impl Fn(&str) -> Result<String, String>)>,
    today: NaiveDate,
) -> Result<usize, Refusal> {
    let mut edits = Edits::lock(folder)?;
    for (provider, edit) in edits_by_provider {
        let path = format!("providers/{}.toml", provider.slug);
        let refused = |why: &dyn std::fmt::Display| {
            let path = folder.join(&path);
            Refusal::new(format!("{} can't be edited, so nothing was changed: {why}", path.display()))
        };
        let text = edits.read(&path)?.ok_or_else(|| refused(&"it no longer exists"))?;
        let edited = edit(&text).map_err(|why| refused(&why))?;
        edits.add_change(path, Some(text), Some(edited));
    }
    edits.check(today).map_err(|error| {
        Refusal::new(format!(
            "nothing was written, because the content would have errors:\n{}",
            error.drawn()
        ))
    })?;
    edits.apply()
}

pub fn parse_attester(word: &str) -> Result<Attester, String> {
    word.parse().map_err(|words: &[&str]| format!("write {}", words.join(" or ")))
}

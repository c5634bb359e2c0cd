//! `nameplate attest`: writes into clinicians' files who confirmed them and when.
//!
//! In each file only `[confirmed]` changes, and `status` if it was "unconfirmed". All files are written, or none.

mod code;
mod edit;
mod export;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::{Datelike, NaiveDate};
use clap::Args;
use directory::Directory;
use directory::accuracy::{fact_hashes, newest_date, standing};
use directory::model::{Accuracy, Attester, Listing, Provider};
use directory::visible;

use crate::content::{Content, Now, clock, count, drawn, load};
use crate::edit::{Edits, finish_begun};
use crate::near::hint;
use crate::outcome::{Outcome, Refusal};
pub(crate) use code::{KEY, Key};
use edit::{NewConfirmation, confirm, status};
use export::Answers;

/// A clock before this year is wrong.
const FIRST_YEAR: i32 = 2026;

/// A clinician, and what is written into the file.
struct Attestation<'a> {
    provider: &'a Provider,
    new: NewConfirmation,
    /// Whether `status` goes from "unconfirmed" back to "listed", because the new date is in time.
    is_listed_again: bool,
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

#[derive(Debug, Args)]
pub(crate) struct AttestArguments {
    /// The clinicians, by the names of their files
    #[arg(value_name = "SLUG", conflicts_with_all = ["due", "from", "answers"])]
    slugs: Vec<String>,
    #[command(flatten)]
    content: Content,
    /// Who confirms: the clinician, or the clinic for its clinicians
    #[arg(long, value_name = "WHO", value_parser = attester)]
    by: Option<Attester>,
    /// Everybody who is due, has lapsed, was edited since or was never confirmed
    #[arg(long, conflicts_with_all = ["from", "answers"])]
    due: bool,
    /// Another system's export, with the columns slug or npi, date, and by
    #[arg(long, value_name = "FILE.csv", conflicts_with = "answers")]
    from: Option<PathBuf>,
    /// Answers with the codes of `audit --ask`, in any column
    #[arg(long, value_name = "FILE.csv")]
    answers: Option<PathBuf>,
    /// How the answer came, such as "by telephone"
    #[arg(long, value_name = "TEXT")]
    how: Option<String>,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(arguments: &AttestArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let today = clock.now().date_naive();
    finish_begun(&arguments.content.folder)?;
    let Some(checked) = load(&arguments.content.folder, clock)? else {
        return Ok(Outcome::Problems);
    };
    let directory = &checked.directory;
    refuse_wrong_clock(directory, today)?;
    let mut answers = Answers::default();
    let attestations = match (&arguments.from, &arguments.answers) {
        (Some(path), _) => export::from_system(directory, path, arguments.by, today, &mut answers)?,
        (_, Some(path)) => export::from_answers(directory, path, today, &mut answers)?,
        _ => named(directory, arguments, today)?,
    };
    let written = write(&arguments.content.folder, &attestations, today)?;
    let mut out = io::stdout().lock();
    for Attestation { provider, new, is_listed_again } in &attestations {
        writeln!(out, "{}: confirmed by the {} on {}", provider.slug, new.by, new.on)?;
        if *is_listed_again {
            writeln!(out, "{}: listed again; `status` said \"unconfirmed\"", provider.slug)?;
        } else if provider.record.listing != Listing::Listed {
            writeln!(out, "{}: `status` still says \"{}\"", provider.slug, provider.record.listing)?;
        }
    }
    for reason in &answers.passed_over {
        writeln!(out, "passed over: {}", visible::lines(reason))?;
    }
    for reason in &answers.refused {
        writeln!(out, "refused: {}", visible::lines(reason))?;
    }
    let unchanged = attestations.len() - written;
    let unchanged = if unchanged == 0 { String::new() } else { format!(", {unchanged} unchanged") };
    writeln!(out, "{} written{unchanged}", count(written, "file"))?;
    Ok(if answers.refused.is_empty() { Outcome::Done } else { Outcome::Problems })
}

/// Refuses a clock that is behind the newest date in the content.
fn refuse_wrong_clock(directory: &Directory, today: NaiveDate) -> Result<(), Refusal> {
    let newest = newest_date(directory).filter(|newest| *newest > today);
    if today.year() < FIRST_YEAR || newest.is_some() {
        return Err(Refusal::new(format!(
            "this machine's clock says {today}, which is in the past: correct it, because a confirmation is dated by it"
        )));
    }
    Ok(())
}

/// The clinicians that the command names, or those who are due.
fn named<'a>(
    directory: &'a Directory,
    arguments: &AttestArguments,
    today: NaiveDate,
) -> Result<Vec<Attestation<'a>>, Refusal> {
    let by = arguments.by.ok_or_else(|| {
        Refusal::new(
            "--by is missing: write --by clinician, or --by clinic if the clinic confirms for its clinicians",
        )
    })?;
    let providers: Vec<&Provider> = if arguments.due {
        let policy = directory.accuracy().ok_or_else(|| {
            Refusal::new(
                "directory.toml has no [accuracy] table, so no clinician is due: add one with profile = \"nsa\"",
            )
        })?;
        // An entry that was marked "unconfirmed" by mistake, such as by a wrong clock, is due even with a date in time.
        let is_due = |provider: &&Provider| {
            provider.record.listing == Listing::Unconfirmed
                || standing(directory, provider, policy, today).wants_an_answer()
        };
        directory.providers().iter().filter(is_due).collect()
    } else {
        if arguments.slugs.is_empty() {
            return Err(Refusal::new(
                "name the clinicians, such as `nameplate attest jane-doe --by clinician`, or add --due",
            ));
        }
        let mut providers: Vec<&Provider> =
            arguments.slugs.iter().map(|slug| by_slug(directory, slug)).collect::<Result<_, _>>()?;
        // A name that is given twice confirms once.
        let mut seen = HashSet::new();
        providers.retain(|provider| seen.insert(provider.slug.as_str()));
        providers
    };
    let attestation = |provider: &'a Provider| {
        let facts = Some(fact_hashes(directory, provider));
        let new = NewConfirmation { on: today, by, facts, how: arguments.how.clone() };
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

pub(crate) fn set_status(
    folder: &Path,
    providers: &[&Provider],
    listing: Listing,
    today: NaiveDate,
) -> Result<usize, Refusal> {
    let edit = |text: &str| status(text, listing);
    edit_files(folder, providers.iter().map(|provider| (*provider, edit)), today)
}

fn write(folder: &Path, attestations: &[Attestation<'_>], today: NaiveDate) -> Result<usize, Refusal> {
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
            drawn(&error)
        ))
    })?;
    edited.apply()
}

/// Who confirmed, as a flag or another system's file names it.
fn attester(word: &str) -> Result<Attester, String> {
    word.parse().map_err(|words: &[&str]| format!("write {}, not \"{word}\"", words.join(" or ")))
}

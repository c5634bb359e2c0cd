//! `nameplate attest`: writes into clinicians' files who confirmed them and when. `authoring::attest` does it.

use std::io::{self, Write};
use std::path::PathBuf;

use authoring::attest::{
    Attestation, Selection, UnusedAnswers, attest, parse_attester, read_answers, read_system_export,
    refuse_wrong_clock, write_attestations,
};
use authoring::edit::finish_interrupted_edit;
use clap::Args;
use directory::model::{Attester, Listing};
use directory::told::count;
use directory::visible;

use crate::content::{Content, Now, clock, load};
use crate::outcome::{Outcome, Refusal};
use crate::terminal::notes;

#[derive(Debug, Args)]
pub(crate) struct AttestArguments {
    /// The clinicians, by file name without .toml
    #[arg(value_name = "SLUG", conflicts_with_all = ["due", "from", "answers"])]
    slugs: Vec<String>,
    /// Who confirms: the clinician, or the clinic on the clinician's behalf
    #[arg(long, value_name = "WHO", value_parser = parse_attester)]
    by: Option<Attester>,
    /// All clinicians who are due, have lapsed, were edited since, or were never confirmed
    #[arg(long, conflicts_with_all = ["from", "answers"])]
    due: bool,
    /// Another system's export, with the columns slug or npi, date, and by
    #[arg(long, value_name = "FILE.csv", conflicts_with = "answers")]
    from: Option<PathBuf>,
    /// Replies that contain the codes of `audit --ask`, in any column
    #[arg(long, value_name = "FILE.csv")]
    answers: Option<PathBuf>,
    /// How the answer came, such as "by phone"
    #[arg(long, value_name = "TEXT")]
    how: Option<String>,
    #[command(flatten)]
    content: Content,
    #[command(flatten)]
    now: Now,
}

pub(crate) fn run(arguments: &AttestArguments) -> Result<Outcome, Refusal> {
    let clock = clock(arguments.now.now);
    let today = clock.now().date_naive();
    finish_interrupted_edit(&arguments.content.folder)?;
    let Some(checked) = load(&arguments.content.folder, clock)? else { return Ok(Outcome::Problems) };
    let directory = &checked.directory;
    refuse_wrong_clock(directory, today)?;
    let mut unused = UnusedAnswers::default();
    let attestations = match (&arguments.from, &arguments.answers) {
        (Some(path), _) => read_system_export(directory, path, arguments.by, today, &mut unused)?,
        (_, Some(path)) => read_answers(directory, path, today, &mut unused)?,
        _ => {
            let selection =
                if arguments.due { Selection::AllDue } else { Selection::Slugs(&arguments.slugs) };
            attest(directory, &selection, arguments.by, arguments.how.as_deref(), today)?
        }
    };
    let written = write_attestations(&arguments.content.folder, &attestations, today)?;
    let mut out = notes();
    for Attestation { provider, new, is_listed_again } in &attestations {
        writeln!(out, "{}: confirmed by the {} on {}", provider.slug, new.by, new.on)?;
        if *is_listed_again {
            writeln!(out, "{}: listed again; `status` said \"unconfirmed\"", provider.slug)?;
        } else if provider.record.listing != Listing::Listed {
            writeln!(out, "{}: `status` still says \"{}\"", provider.slug, provider.record.listing)?;
        }
    }
    for reason in &unused.outdated {
        writeln!(out, "skipped: {}", visible::lines(reason))?;
    }
    for reason in &unused.refused {
        writeln!(io::stdout(), "refused: {}", visible::lines(reason))?;
    }
    let unchanged = attestations.len() - written;
    let unchanged = if unchanged == 0 { String::new() } else { format!(", {unchanged} unchanged") };
    writeln!(out, "{} written{unchanged}", count(written, "file"))?;
    Ok(if unused.refused.is_empty() { Outcome::Done } else { Outcome::Problems })
}

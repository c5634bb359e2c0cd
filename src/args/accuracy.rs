//! Arguments of `attest` and `audit`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use directory::model::Attester;

use super::{Content, Now};

#[derive(Debug, Args)]
pub(crate) struct AttestArguments {
    /// The clinicians, by the names of their files
    #[arg(value_name = "SLUG", conflicts_with_all = ["due", "from", "answers"])]
    pub(crate) slugs: Vec<String>,
    #[command(flatten)]
    pub(crate) content: Content,
    /// Who confirms: the clinician, or the clinic for its clinicians
    #[arg(long, value_name = "WHO", value_parser = attester)]
    pub(crate) by: Option<Attester>,
    /// Everybody who is due, has lapsed, was edited since or was never confirmed
    #[arg(long, conflicts_with_all = ["from", "answers"])]
    pub(crate) due: bool,
    /// Another system's export, with the columns slug or npi, date, and by
    #[arg(long, value_name = "FILE.csv", conflicts_with = "answers")]
    pub(crate) from: Option<PathBuf>,
    /// Answers with the codes of `audit --ask`, in any column
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) answers: Option<PathBuf>,
    /// How the answer came, such as "by telephone"
    #[arg(long, value_name = "TEXT")]
    pub(crate) how: Option<String>,
    #[command(flatten)]
    pub(crate) now: Now,
}

fn attester(word: &str) -> Result<Attester, String> {
    word.parse().map_err(|words: &[&str]| format!("write {}", words.join(" or ")))
}

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    #[command(flatten)]
    pub(crate) content: Content,
    /// Also compare with the sources that this file names and maps
    #[arg(long, value_name = "FILE")]
    pub(crate) sources: Option<PathBuf>,
    /// The weakest finding that makes the exit code 1
    #[arg(long, value_enum, value_name = "STRENGTH", default_value_t = FailOn::Certain)]
    pub(crate) fail_on: FailOn,
    /// The form of the output
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub(crate) format: AuditFormat,
    /// Append a line with the counts to this file, and compare the sources with its last line
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    /// Write a request for each clinician who is to be asked into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) ask: Option<PathBuf>,
    /// Write the status that `when-lapsed` proposes into the files of entries that have lapsed
    #[arg(long)]
    pub(crate) fix: bool,
    #[command(flatten)]
    pub(crate) now: Now,
}

/// What makes the audit fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// A certain finding
    Certain,
    /// A likely one, too
    Likely,
    /// None
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// For people
    Text,
    /// For programs
    Json,
    /// Annotations of a pull request on GitHub
    Github,
}

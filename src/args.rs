//! The command line.

use std::fmt::Write as _;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use directory::nearest;

use crate::attest::AttestArguments;
use crate::audit::AuditArguments;
use crate::build::BuildArguments;
use crate::check::CheckArguments;
use crate::completions::CompletionsArguments;
#[cfg(feature = "demo")]
use crate::demo::DemoArguments;
use crate::dev::DevArguments;
use crate::editor::EditorArguments;
use crate::export::ExportArguments;
use crate::feed_push::FeedCommand;
use crate::init::InitArguments;
use crate::publish::PublishArguments;
use crate::query::QueryArguments;
use crate::rename::RenameCommand;
use crate::settings::is_there;
use crate::sheet::ImportArguments;
use crate::start::ServeArguments;
use crate::verify::VerifyArguments;
use crate::view::ViewArguments;

/// Turns a folder of text files into a clinic's directory: a website, an API, and an MCP server
#[derive(Debug, Parser)]
#[command(name = "nameplate", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Print only results and errors, without warnings, notes, and progress
    #[arg(long, short, global = true, display_order = 990)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the built-in demo clinic
    #[cfg(feature = "demo")]
    Demo(DemoArguments),
    /// Start a content folder, or copy the site's templates
    Init(InitArguments),
    /// Report every mistake in the content folder, and fix some of them
    Check(CheckArguments),
    /// Record who confirmed a clinician's entry, and when
    Attest(AttestArguments),
    /// Find entries that contradict each other, or a registry, license board, or roster
    Audit(AuditArguments),
    /// Write an edited spreadsheet back to the clinicians' files
    Import(ImportArguments),
    /// Rename a clinician or a plan everywhere
    #[command(subcommand)]
    Rename(RenameCommand),
    /// Write a form for editing the content in a browser
    Editor(EditorArguments),
    /// Build the files to publish: JSON, pages, and host rules
    Build(BuildArguments),
    /// Serve the API and MCP from the content folder, and with --static the website
    Serve(ServeArguments),
    /// Show the website, API, and MCP on this computer, and reload on every change
    Dev(DevArguments),
    /// Publish content to an object store, which replicas follow
    Publish(PublishArguments),
    /// Write the clinicians to a spreadsheet, or the content as FHIR
    Export(ExportArguments),
    /// Print the API's response to a path and query
    Query(QueryArguments),
    /// Print the page that shows results inside an assistant's chat
    View(ViewArguments),
    /// Compare a deployed host with the content that it should serve
    Verify(VerifyArguments),
    /// Send a feed to the bucket that replicas follow
    #[command(subcommand)]
    Feed(FeedCommand),
    /// Print a shell's completion script
    Completions(CompletionsArguments),
}

/// The groups, and the commands in them, in the order in which a newcomer needs them.
const GROUPS: &str = "\
Start
  nameplate demo
  nameplate init --name 'Larkspur Health' --state CA,NY --plan 'Aetna PPO'
  nameplate dev
  nameplate check --fix
Edit
  nameplate export clinicians.xlsx
  nameplate import clinicians.xlsx --dry-run
  nameplate rename provider jane-doe jane-roe
  nameplate editor --out form
Keep accurate
  nameplate audit --sources audit.toml
  nameplate attest jane-doe --by clinician
Publish
  nameplate build --target netlify
  nameplate serve --listen 0.0.0.0:8080 --static dist
  nameplate verify https://api.example.org --wait 300
Replicas
  nameplate publish content s3://bucket/clinic
  nameplate feed push busy.ndjson --to tls://nats.example.org --site oakland
Advanced
  nameplate query '/v1/availability?state=CA'
  nameplate view '/v1/providers?state=CA'
  nameplate completions bash";

fn name_of(example: &'static str) -> &'static str {
    example.split(' ').nth(1).unwrap_or_default()
}

pub(crate) fn command() -> clap::Command {
    const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\nOptions:\n{options}\n\nExit codes: 0 done, 1 found mistakes, 2 couldn't run, 75 try again later\n\nRun `nameplate COMMAND --help` for a command's options and an example.\n";
    let mut command = Arguments::command();
    let heading = *command.get_styles().get_header();
    let mut groups = String::new();
    for line in GROUPS.lines() {
        let Some(example) = line.strip_prefix("  ") else {
            _ = writeln!(groups, "\n{heading}{line}:{heading:#}");
            continue;
        };
        let name = name_of(example);
        // A program can lack a command, such as the demo.
        if let Some(about) = command.find_subcommand(name).and_then(clap::Command::get_about) {
            _ = writeln!(groups, "  {name:13}{about}");
            command =
                command.mut_subcommand(name, |known| known.after_help(format!("Example:\n  {example}")));
        }
    }
    command.help_template(TEMPLATE).after_help(groups.trim().to_owned())
}

/// What to run or read for a word that isn't a command.
fn meant_by(word: &str) -> Option<&'static str> {
    Some(match word {
        "lint" | "validate" | "test" | "doctor" => "run `nameplate check`",
        "fix" | "repair" => "run `nameplate check --fix`",
        "new" | "create" => "run `nameplate init`",
        "deploy" | "generate" | "compile" => "run `nameplate build`",
        "preview" | "watch" => "run `nameplate dev`",
        "list" | "search" => "run `nameplate query /v1/providers`",
        "add" => "copy a clinician's two files, and edit them: see docs/CONTENT.md",
        "remove" | "delete" => "write status = \"withdrawn\" in the clinician's file: see docs/CONTENT.md",
        "backup" | "restore" => "see \"Back up and restore\" in docs/OPERATIONS.md",
        "rollback" => "see \"Roll back\" in docs/OPERATIONS.md",
        "install" => "see docs/INSTALL.md",
        "monitor" | "status" => "see \"Monitor\" in docs/OPERATIONS.md",
        "embed" => "see docs/SITE.md",
        "translate" => "see \"Translate your own texts\" in docs/CONTENT.md",
        "leave" => "add [[leave]] to the clinician's file: see docs/CONTENT.md",
        "update" | "upgrade" => "see \"Upgrade\" in docs/OPERATIONS.md",
        "version" => "run `nameplate --version`",
        "start" | "run" => "run `nameplate serve`, or on your own computer `nameplate dev`",
        _ => return None,
    })
}

/// Suggests our own name of an argument, if clap's suggestion would mislead or there is none.
pub(crate) fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() == ErrorKind::UnknownArgument {
        // It advises to write `-- --flag`, and no command takes such a value.
        error.remove(ContextKind::Suggested);
    }
    let advise = |error: &mut clap::Error, advice: &'static str| {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice.into()]));
    };
    match (error.kind(), error.get(ContextKind::InvalidSubcommand), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(given)), _) => {
            let tip = match meant_by(given) {
                _ if std::env::args_os().any(|word| word == "rename") => {
                    "say what it names: `nameplate rename provider OLD NEW`, or `nameplate rename plan OLD NEW`"
                }
                Some(tip) => tip,
                None => {
                    // clap lists each name that has some letters of it, and none after `help`.
                    let known = command();
                    let names = known.get_subcommands().map(clap::Command::get_name);
                    if let Some(near) = nearest(given, names) {
                        let near = ContextValue::Strings(vec![near.to_owned()]);
                        error.insert(ContextKind::SuggestedSubcommand, near);
                    }
                    return error;
                }
            };
            error.remove(ContextKind::SuggestedSubcommand);
            advise(&mut error, tip);
        }
        // A folder alone would be read as the store, and clap would then ask for the content.
        (ErrorKind::MissingRequiredArgument, _, Some(ContextValue::Strings(missing)))
            if missing == &["<CONTENT>"]
                && !std::env::args_os().any(|word| word.to_string_lossy().contains("://")) =>
        {
            error.insert(ContextKind::InvalidArg, ContextValue::Strings(vec!["<STORE>".to_owned()]));
            advise(&mut error, "name the store, as in `nameplate publish content s3://bucket/prefix`");
        }
        _ => {}
    }
    if let (Some(ContextValue::String(given)), Some(ContextValue::String(near))) =
        (error.get(ContextKind::InvalidValue), error.get(ContextKind::SuggestedValue))
        && nearest(given, [near.as_str()].into_iter()).is_none()
    {
        error.remove(ContextKind::SuggestedValue);
    }
    let first = std::env::args_os().nth(1).unwrap_or_default();
    if error.kind() == ErrorKind::UnknownArgument && first.to_string_lossy().starts_with("--content") {
        advise(&mut error, "write --content after the command, as in `nameplate check --content DIR`");
        return error;
    }
    let (given, near) = (error.get(ContextKind::InvalidArg), error.get(ContextKind::SuggestedArg));
    let (ErrorKind::UnknownArgument, Some(ContextValue::String(given))) = (error.kind(), given) else {
        return error;
    };
    let has_tip = near.is_some();
    let tip = match (given.as_str(), near) {
        ("--port" | "-p", _) => "--listen PORT".to_owned(),
        ("-o", _) => "--out".to_owned(),
        (given, None) if nearest(given, ["--output"].into_iter()).is_some() => "--out".to_owned(),
        ("--host", _) => "--listen 0.0.0.0:8080".to_owned(),
        ("--addr" | "--address" | "--bind", _) => "--listen ADDR:PORT".to_owned(),
        ("-v", _) => "-V".to_owned(),
        (given, None) if nearest(given, ["--fix"].into_iter()).is_some() => "--fix".to_owned(),
        (given, _) if nearest(given, ["--json"].into_iter()).is_some() => "--format json".to_owned(),
        // The bolder flag is only for those who ask for it.
        (given, Some(ContextValue::String(near))) if near == "--fix-likely" && !given.contains("lik") => {
            "--fix".to_owned()
        }
        // A hidden name of it, which clap knows, too.
        (_, Some(ContextValue::String(near))) if near == "--state" => "--state-dir".to_owned(),
        (port, _) if port.parse::<u16>().is_ok() => format!("--listen {port}"),
        (folder, _) if !folder.starts_with('-') => {
            let is_output = !is_there(&format!("{folder}/directory.toml"))
                && std::env::args_os().any(|word| word == "build");
            format!("{} {folder}", if is_output { "--out" } else { "--content" })
        }
        _ => {
            if has_tip {
                // Its usage line shows the suggested argument alone, as if it were required.
                error.remove(ContextKind::Usage);
            }
            return error;
        }
    };
    let flag = tip.split(' ').next().and_then(|flag| flag.strip_prefix("--"));
    let known = command();
    let asked = std::env::args_os().skip(1).find_map(|word| known.find_subcommand(word));
    if asked.is_some_and(|asked| asked.get_arguments().any(|argument| argument.get_long() == flag)) {
        error.insert(ContextKind::SuggestedArg, ContextValue::String(tip));
        error.remove(ContextKind::Usage);
    }
    error
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn examples() -> impl Iterator<Item = &'static str> {
        GROUPS.lines().filter_map(|line| line.strip_prefix("  "))
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = examples().map(name_of).collect();
        if cfg!(not(feature = "demo")) {
            grouped.retain(|name| *name != "demo");
        }
        let named: BTreeSet<&str> = grouped.iter().copied().collect();
        assert_eq!(named.len(), grouped.len(), "a command stands in two groups");
        let command = Arguments::command();
        assert_eq!(named, command.get_subcommands().map(clap::Command::get_name).collect());
    }

    #[test]
    fn every_example_is_understood() {
        for example in examples().filter(|example| cfg!(feature = "demo") || name_of(example) != "demo") {
            // A part in quotation marks is one word.
            let parts = example.split('\'').enumerate();
            let words: Vec<&str> = parts
                .flat_map(
                    |(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() },
                )
                .collect();
            let read = command().try_get_matches_from(words);
            assert!(read.is_ok(), "{example}: {read:?}");
        }
    }

    #[test]
    fn help_has_a_line_for_each_command_and_no_line_is_long() {
        let mut command = command().term_width(80);
        let help = command.render_help().to_string();
        assert!(help.contains("\n\nEdit:\n  export       Write the clinicians to a spreadsheet"), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        for known in command.get_subcommands().filter(|known| known.get_name() != "help") {
            assert!(known.get_after_help().is_some(), "{}", known.get_name());
        }
        for (parent, leaf) in [("rename", "provider"), ("rename", "plan"), ("feed", "push")] {
            let leaf = command.find_subcommand(parent).unwrap().find_subcommand(leaf).unwrap();
            assert!(leaf.get_after_help().is_some(), "{parent} {}", leaf.get_name());
        }
    }
}

//! `nameplate check`: reports every mistake of the content folder in one run.

mod arguments;
mod calendars;
mod feed;
mod fix;
mod openings;
mod page;

use std::io::{self, Write};
use std::iter;
use std::path::Path;

use ::feed::Clock;
use directory::Directory;
use directory::content::{
    ContentError, Edit, Position, Problem, Repair, Report, Severity, choose, load_and_check,
};
use directory::model::{Language, on_one_line};
use directory::visible;
use serde_json::json;

use crate::content::{content_flag, no_folder, print_report, refuse_inner, warnings_in_words};
use crate::editor;
use crate::outcome::{Outcome, Refusal};
use crate::progress::while_slow;
use crate::terminal::is_quiet;
pub(crate) use arguments::CheckArguments;
use arguments::Format;
use authoring::edit::read_between_edits;
use authoring::edit::text::quoted;
use directory::told::count;

/// How many texts without a translation are shown.
const MOST_UNTRANSLATED: usize = 25;

pub(crate) fn run(arguments: &CheckArguments) -> Result<Outcome, Refusal> {
    if let Some(feed) = &arguments.feed {
        return feed::run(feed, arguments);
    }
    if arguments.diff && !arguments.fix && !arguments.fix_likely {
        return Err(Refusal::new("--diff needs --fix or --fix-likely"));
    }
    if arguments.out.is_some() && arguments.format != Format::Html {
        return Err(Refusal::new("--out needs --format html"));
    }
    if arguments.fix || arguments.fix_likely {
        return fix::run(arguments);
    }
    let folder = &arguments.content.folder;
    refuse_inner(folder)?;
    let now = Clock::system().now();
    let load = || load_and_check(folder, now.date_naive());
    let (report, known) = match while_slow("Reading the content", || read_between_edits(folder, load))? {
        Err(ContentError::Load(error)) => return Err(no_folder(&error)),
        Err(ContentError::Invalid(report)) => (*report, None),
        Ok(checked) => (checked.warnings, Some((checked.directory, checked.feed))),
    };
    let outcome = if known.is_some() { Outcome::Done } else { Outcome::Problems };
    // Read for every format, because reading reports a mistake in editor.toml.
    let form = form_address(arguments);
    let shown = visible::line(&folder.display().to_string()).into_owned();
    let mut out = io::stdout().lock();
    match arguments.format {
        Format::Json => writeln!(
            out,
            "{}",
            as_json(&report, form.as_deref(), known.as_ref().map(|(directory, _)| directory))
        )?,
        Format::Html => page::write(&mut out, arguments, &report, form.as_deref())?,
        Format::Github => as_annotations(&mut out, &report)?,
        Format::Text => {
            if !is_quiet() || known.is_none() {
                print_report(&mut out, &report)?;
            }
            if let Some((directory, feed)) = known.filter(|_| !is_quiet()) {
                openings::print(&mut out, &directory, feed.as_ref(), now)?;
                print_summary(&mut out, &directory, &shown, &report)?;
            }
            if !is_quiet() || outcome == Outcome::Problems {
                print_repairable(&mut out, &report, folder, false)?;
            }
            if report.errors() > 0 && !is_quiet() {
                let these = if report.errors() == 1 { "the error" } else { "the errors" };
                writeln!(
                    out,
                    "Fix {these}, and run `nameplate check` again: some warnings appear only then."
                )?;
            }
        }
    }
    Ok(outcome)
}

/// Where the form is, if `editor.toml` says so. A mistake in that file does not keep the content from being checked.
fn form_address(arguments: &CheckArguments) -> Option<String> {
    match editor::read_file(&arguments.content.folder) {
        Ok(file) => file.address,
        Err(refusal) => {
            _ = writeln!(io::stderr(), "{}", visible::lines(&refusal.to_string()));
            None
        }
    }
}

fn as_json(report: &Report, form: Option<&str>, directory: Option<&Directory>) -> serde_json::Value {
    let problems: Vec<_> = report
        .problems()
        .iter()
        .zip(report.keys())
        .map(|(problem, key)| {
            let position = report.position(problem);
            let also = report.other_position(problem);
            let place = editor::place(problem.path(), &key);
            let (label, link) = place.map(|place| (place.label, place.link)).unzip();
            let places: Vec<_> = report.follower_positions(problem).iter().map(place_as_json).collect();
            json!({
                "severity": problem.severity().word(),
                "kind": problem.kind().word(),
                "path": position.path,
                "line": position.line,
                "column": position.column,
                "what": problem.what(),
                "help": problem.help(),
                "also": also.as_ref().map(place_as_json),
                "followers": problem.follower_count(),
                "places": places,
                "repairs": problem.repairs().iter().map(|repair| repair_as_json(&report.edits_on_disk(repair), repair)).collect::<Vec<_>>(),
                "replacement": report.replacement(problem).map(|replacement| json!({
                    "endLine": replacement.to.line,
                    "endColumn": replacement.to.column,
                    "text": replacement.text,
                })),
                "key": editor::key_as_json(&key),
                "label": label,
                "inWords": editor::in_words(problem.path(), problem.what(), problem.help_in_form().as_deref()),
                "form": form.zip(link).map(|(form, link)| format!("{form}{link}")),
            })
        })
        .collect();
    let untranslated = directory.map(untranslated).unwrap_or_default().into_iter();
    let untranslated: serde_json::Map<_, _> =
        untranslated.map(|(language, texts)| (language.code().to_owned(), texts.into())).collect();
    json!({
        "errors": report.errors(),
        "warnings": report.warnings(),
        "problems": problems,
        "unlisted": report.unlisted(),
        "untranslated": untranslated,
    })
}

/// The texts that pages in another language show as they are, for lack of a translation.
fn untranslated(directory: &Directory) -> Vec<(Language, Vec<String>)> {
    let visits = directory.visit_types().iter().map(|visit_type| &visit_type.description);
    let biographies = directory.providers().iter().map(|provider| &provider.bio);
    let written = iter::once(&directory.organization().description).chain(visits).chain(biographies);
    let written: Vec<&String> = written.filter(|text| !text.is_empty()).collect();
    let others = directory.texts().iter().filter(|texts| texts.language != texts.content);
    let missing = others.map(|texts| {
        let missing = written.iter().filter(|text| texts.translated(text).is_none());
        (texts.language, missing.map(|text| on_one_line(text)).collect())
    });
    missing.filter(|(_, texts): &(_, Vec<String>)| !texts.is_empty()).collect()
}

fn place_as_json(place: &Position) -> serde_json::Value {
    json!({"path": place.path, "line": place.line, "column": place.column})
}

/// `edits` are those of the repair, in bytes of the files on disk.
fn repair_as_json(edits: &[Edit], repair: &Repair) -> serde_json::Value {
    let edits = edits.iter().map(
        |edit| json!({"path": edit.path, "start": edit.span.start, "end": edit.span.end, "text": edit.text}),
    );
    let renames = repair.moves.iter().map(|moved| json!({"from": moved.from, "to": moved.to}));
    json!({
        "repair": repair.name,
        "class": repair.class.word(),
        "title": repair.title,
        "heals": repair.heals,
        "causes": repair.causes,
        "edits": edits.collect::<Vec<_>>(),
        "renames": renames.collect::<Vec<_>>(),
    })
}

/// The first problems as annotations of a pull request on GitHub, which shows ten of each step. Their number follows.
fn as_annotations(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for problem in report.shown() {
        let position = report.position(problem);
        let other = report.other_position(problem).map(|other| format!(" (the other place: {other})"));
        let help = problem.help().map(|help| format!("\n{help}"));
        let text = format!("{}{}{}", problem.what(), other.unwrap_or_default(), help.unwrap_or_default());
        writeln!(
            out,
            "::{} file={},line={},col={}::{}",
            problem.severity().word(),
            escaped(&position.path).replace(':', "%3A").replace(',', "%2C"),
            position.line,
            position.column,
            escaped(&text)
        )?;
    }
    let (level, level_of_unlisted) = match report.errors() {
        0 => ("notice", Severity::Warning),
        _ => (Severity::Error.word(), Severity::Error),
    };
    for sentence in report.unlisted() {
        writeln!(out, "::{} title=nameplate check::{}", level_of_unlisted.word(), escaped(&sentence))?;
    }
    let found = format!("{}, {}", count(report.errors(), "error"), count(report.warnings(), "warning"));
    let more = match report.problems().len() - report.shown().len() {
        0 => String::new(),
        more => format!("; {more} of them have no annotation: `nameplate check --format json` lists all"),
    };
    writeln!(out, "::{level} title=nameplate check::{found}{more}")
}

pub(crate) fn escaped(text: &str) -> String {
    visible::lines(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// How many problems repairs heal. One heals those with the same cause, too.
fn repairable(report: &Report, with_likely: bool) -> usize {
    let chosen = |one: &&Problem| choose(one.repairs(), with_likely).is_some();
    report.problems().iter().filter(chosen).map(|one| 1 + one.follower_count()).sum()
}

/// How to apply repairs; with `beyond_certain` only if --fix leaves some.
fn print_repairable(
    out: &mut impl Write,
    report: &Report,
    folder: &Path,
    beyond_certain: bool,
) -> io::Result<()> {
    let (certain, likely) = (repairable(report, false), repairable(report, true));
    if likely == 0 || beyond_certain && certain == likely {
        return Ok(());
    }
    // What a certain repair uncovers may need the other flag.
    let uncovers = |one: &Problem| choose(one.repairs(), false).is_some_and(|it| !it.causes.is_empty());
    let is_done = certain == likely && !report.problems().iter().any(uncovers);
    let fix = if is_done { "--fix" } else { "--fix-likely" };
    let which = match report.errors() + report.warnings() {
        // One message can stand for several problems.
        _ if report.problems().len() == 1 => "This".to_owned(),
        2 if likely == 2 => "Both".to_owned(),
        all if all == likely => format!("All {all}"),
        _ => format!("{likely} of these"),
    };
    let safe = match certain {
        1 if likely > 1 => "; --fix makes only the one that is certain".to_owned(),
        _ if (1..likely).contains(&certain) => format!("; --fix makes only the {certain} that are certain"),
        _ => String::new(),
    };
    let flag = content_flag(folder);
    writeln!(
        out,
        "{which} can be repaired: run `nameplate check {fix}{}` (add --diff to see the changes first{safe})",
        visible::line(&flag)
    )
}

fn print_summary(
    out: &mut impl Write,
    directory: &Directory,
    folder: &str,
    report: &Report,
) -> io::Result<()> {
    let folder = if folder == "." { "The content" } else { folder };
    let verdict = if report.warnings() == 0 { "is fine" } else { "has no errors" };
    writeln!(
        out,
        "{folder} {verdict}: {}, {}, {}\nVersion of this content: generation {}",
        count(directory.providers().len(), "clinician"),
        count(directory.visit_types().len(), "visit type"),
        count(directory.plans().len(), "plan"),
        directory.generation()
    )?;
    let missing = directory.providers().iter().filter(|provider| provider.headshot.is_none()).count();
    if missing > 0 {
        writeln!(
            out,
            "{} without a portrait: add pictures to headshots/, and name each in its clinician's file, as in headshot = \"jane-doe.jpg\"",
            count(missing, "clinician")
        )?;
    }
    for (language, missing) in untranslated(directory) {
        let (name, code) = (language.name(), language.code());
        let are = if missing.len() == 1 { "isn't" } else { "aren't" };
        writeln!(
            out,
            "{} {are} in {name} yet. Add these lines to translations/{code}.toml, with the {name} text in the empty quotes:",
            count(missing.len(), "text")
        )?;
        for text in missing.iter().take(MOST_UNTRANSLATED) {
            writeln!(out, "  {} = \"\"", visible::line(&quoted(text)))?;
        }
        if let more @ 1.. = missing.len().saturating_sub(MOST_UNTRANSLATED) {
            writeln!(out, "  … and {more} more: `nameplate check --format json` lists all")?;
        }
    }
    let without_interests =
        directory.providers().iter().filter(|provider| provider.clinical_interests.is_empty()).count();
    if without_interests > 0 {
        let who = count(without_interests, "clinician");
        writeln!(out, "{who} without `clinical-interests`: searches for a concern won't find them")?;
    }
    // Openings and totals may push the warnings out of the window.
    if report.warnings() > 0 { writeln!(out, "Listed above: {}", warnings_in_words(report)) } else { Ok(()) }
}

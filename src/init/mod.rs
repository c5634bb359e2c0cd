//! `nameplate init DIR` asks about the clinic and writes a commented content folder that passes `check`, with JSON schemas for
//! editors. `nameplate init --site DIR` writes the built-in templates and assets.

mod ask;
mod clinic;

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use authoring::near::nearest;
use chrono::NaiveDate;
use clap::Args;
use directory::content::schemas;
use directory::model::StateCode;
use directory::told::count;
use directory::visible;

use crate::content::{clock, content_flag};
use crate::new_folder::{require_free, write, write_or_missing};
use crate::outcome::{Outcome, Refusal};
use crate::settings::is_there;
use crate::terminal::notes;
use ask::{Console, items};
use clinic::Clinic;

const STARTER: [(&str, &str); 10] = [
    (IGNORED, include_str!("starter/gitignore")),
    ("README.md", include_str!("starter/README.md")),
    ("directory.toml", include_str!("starter/directory.toml")),
    ("insurances.toml", include_str!("starter/insurances.toml")),
    ("appointment-types.toml", include_str!("starter/appointment-types.toml")),
    ("retired.toml", include_str!("starter/retired.toml")),
    ("providers/jane-doe.toml", include_str!("starter/providers/jane-doe.toml")),
    ("availability/jane-doe.toml", include_str!("starter/availability/jane-doe.toml")),
    ("holidays/us-federal.toml", include_str!("starter/holidays/us-federal.toml")),
    (SPANISH_TEXTS, include_str!("starter/translations/es.toml")),
];

/// For git: in the content folder, and next to it, where builds write.
const IGNORED: &str = ".gitignore";
/// Only for a clinic with Spanish pages.
const SPANISH_TEXTS: &str = "translations/es.toml";
/// Where every command looks for content.
const DEFAULT_FOLDER: &str = "content";

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The content folder, which must be new or empty [default: content]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The clinic's name
    #[arg(long, value_name = "TEXT")]
    name: Option<String>,
    /// The states where its clinicians are licensed, such as CA,NY
    #[arg(long, value_name = "STATES")]
    state: Vec<String>,
    /// The insurance plans that it accepts, separated by commas, or by semicolons if a name has a
    /// comma; none for no plan
    #[arg(long, value_name = "PLANS")]
    plan: Vec<String>,
    /// The phone number that patients call to book
    #[arg(long, value_name = "NUMBER")]
    phone: Option<String>,
    /// A spreadsheet of its clinicians, .xlsx or .csv, with the columns of `import`
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// The site's languages: English, Spanish, both, or English,Spanish with the main one first
    #[arg(long, value_name = "LANGUAGE")]
    language: Vec<String>,
    /// Ask no questions: what isn't set by a flag stays as in the example
    #[arg(long)]
    yes: bool,
    /// Copy the built-in templates and assets into this folder, for `build --site` and `dev --site`
    #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "state", "plan", "phone", "from", "language"])]
    site: Option<PathBuf>,
}

pub(crate) fn run(arguments: &InitArguments) -> Result<Outcome, Refusal> {
    let is_terminal = !arguments.yes && io::stdin().is_terminal() && io::stderr().is_terminal();
    let (mut input, mut output) = (io::stdin().lock(), io::stderr());
    let mut console = Console { input: &mut input, output: &mut output, is_terminal };
    // Both folders are checked before either is written.
    arguments.site.as_deref().map_or(Ok(()), require_free)?;
    if arguments.site.is_none() || arguments.folder.is_some() {
        let today = clock(None).now().date_naive();
        let (folder, clinic) = write_content(arguments, today, &mut console)?;
        greet(&folder, &clinic)?;
        // "--name Juniper Clinic": the second word is read as the folder.
        if let (Some(name), Some(second)) = (&arguments.name, &arguments.folder)
            && !name.contains(' ')
            && second.to_string_lossy().starts_with(char::is_uppercase)
        {
            let (name, whole) = (visible::line(name), format!("{name} {}", second.display()));
            let whole = visible::line(&whole);
            writeln!(
                notes(),
                "\nThe clinic's name is \"{name}\". A name with spaces needs quotes: --name '{whole}'"
            )?;
        }
        if !arguments.yes && !is_terminal {
            let hint = "This isn't a terminal, so no questions were asked. Answer them with --name, --from, --state, --plan, --phone, and --language.";
            writeln!(notes(), "\n{hint}")?;
        }
    }
    if let Some(folder) = &arguments.site {
        write_site(folder)?;
    }
    Ok(Outcome::Done)
}

fn write_content(
    arguments: &InitArguments,
    today: NaiveDate,
    console: &mut Console<'_>,
) -> Result<(PathBuf, Clinic), Refusal> {
    let mut folder = arguments.folder.clone().unwrap_or_else(|| DEFAULT_FOLDER.into());
    // A list with a space: its second state would become a folder.
    if !arguments.state.is_empty() && folder.to_str().is_some_and(|name| name.parse::<StateCode>().is_ok()) {
        let told = format!(
            "{0} is read as the folder's name: write states with a comma, such as --state CA,{0}",
            folder.display()
        );
        return Err(Refusal::new(told));
    }
    while let Err(refusal) = require_new(&folder) {
        console.again(refusal)?;
        folder = console.folder()?;
    }
    let clinic = ask(arguments, today, console)?;
    let mut files = clinic.files();
    for (name, schema) in schemas() {
        let text = serde_json::to_string_pretty(&schema).map_err(Refusal::new)?;
        files.push((format!("schemas/{name}.schema.json"), text + "\n"));
    }
    while let Err(refusal) = require_free(&folder)
        .and_then(|()| files.iter().try_for_each(|(path, text)| write(&folder.join(path), text.as_bytes())))
    {
        console.again(refusal)?;
        folder = console.folder()?;
    }
    if folder.file_name().is_some() {
        let ignored = folder.with_file_name(IGNORED);
        let missing = write_or_missing(&ignored, STARTER[0].1)?;
        if !missing.is_empty() {
            let (ignored, lines) = (ignored.display(), missing.join("\n  "));
            writeln!(
                notes(),
                "{ignored} already exists. Add these lines to it, so that Git ignores these files:\n  {lines}\n"
            )?;
        }
    }
    Ok((folder, clinic))
}

/// Refuses a folder that has files, or that is inside a content folder.
fn require_new(folder: &Path) -> Result<(), Refusal> {
    let has_clinic = |folder: &&Path| is_there(&folder.join("directory.toml").to_string_lossy());
    // A relative path's parent may be empty: the folder that the command runs in.
    let outer = folder.parent().filter(has_clinic);
    let outer = outer.map(|outer| if outer.as_os_str().is_empty() { Path::new(".") } else { outer });
    let Some(with_clinic) = outer.or(Some(folder).filter(has_clinic)) else { return require_free(folder) };
    let (shown, flag) = (with_clinic.display(), content_flag(with_clinic));
    let (this, new) = if with_clinic == Path::new(".") {
        ("this folder".to_owned(), "../new-clinic")
    } else {
        (shown.to_string(), "new-clinic")
    };
    Err(Refusal::new(format!(
        "{this} already has a clinic, so nothing was written: run `nameplate check{flag}` to see what is left to do there, or \
         start another clinic with `nameplate init {new}`"
    )))
}

const ALL_STATES: [&str; 7] = ["all", "any", "every", "all states", "every state", "us", "usa"];

type List = fn(&mut Clinic) -> &mut Vec<String>;

fn ask(arguments: &InitArguments, today: NaiveDate, console: &mut Console<'_>) -> Result<Clinic, Refusal> {
    if console.is_terminal && arguments.name.is_none() {
        writeln!(console.output, "Press Enter to skip a question: you can write it into the files later.")?;
    }
    let mut clinic = Clinic::default();
    let named = |name: &str| clinic.with(today, |clinic| clinic.name = Some(name.to_owned()));
    let name = arguments.name.as_deref();
    clinic = console.ask(("--name", "The clinic's name [Your Clinic]"), name, named)?.unwrap_or(clinic);
    // A terminal pastes the path of a file that is dropped on it in quotation marks.
    let unquoted = |path: &str| {
        let mut quotes = ['"', '\''].into_iter();
        quotes.find_map(|quote| Some(path.strip_prefix(quote)?.strip_suffix(quote)?.to_owned()))
    };
    let with_sheet =
        |path: &str| clinic.with_sheet(today, Path::new(&unquoted(path).unwrap_or_else(|| path.to_owned())));
    let asks = ("--from", "A spreadsheet of its clinicians (.xlsx or .csv), or Enter to skip");
    clinic = console.ask(asks, arguments.from.as_deref(), with_sheet)?.unwrap_or(clinic);
    let states = ("--state", "States where its clinicians are licensed, such as CA, NY");
    let plans = ("--plan", "Insurance plans that it accepts, separated by commas, or none");
    let languages = ("--language", "The site's languages: English, Spanish, or both [English]");
    for (question, given, list) in [
        (states, &arguments.state, (|clinic| &mut clinic.states) as List),
        (plans, &arguments.plan, |clinic| &mut clinic.plans),
        (languages, &arguments.language, |clinic| &mut clinic.languages),
    ] {
        let separator = if given.iter().any(|given| given.contains(';')) { ";" } else { "," };
        let given = (!given.is_empty()).then(|| given.join(separator));
        let with_list = |answer: &str| {
            let word = answer.to_lowercase();
            if question.0 == plans.0 && word == "none" {
                return clinic.with(today, |clinic| clinic.has_no_plans = true);
            }
            if question.0 == states.0 && ALL_STATES.contains(&&*word) {
                return Err(Refusal::new("list each state where its clinicians are licensed, such as CA,NY"));
            }
            let items = match question.0 {
                flag if flag == languages.0 => site_languages(answer)?,
                flag if flag == states.0 => known_states(answer)?,
                _ => items(answer),
            };
            if question.0 == plans.0 && items.iter().any(|item| item.eq_ignore_ascii_case("none")) {
                return Err(Refusal::new("\"none\" means no plan at all: write it alone, or leave it out"));
            }
            let is_state = |item: &&String| item.len() == 2 && item.parse::<StateCode>().is_ok();
            if let Some(state) = items.iter().find(is_state).filter(|_| question.0 == plans.0) {
                let told = format!("\"{state}\" is a state: write the names of plans, such as Aetna PPO");
                return Err(Refusal::new(told));
            }
            // A spreadsheet has brought plans.
            clinic.with(today, |clinic| {
                let others = std::mem::replace(list(clinic), items);
                let list = list(clinic);
                list.extend(others.into_iter().filter(|other| !list.contains(other)).collect::<Vec<_>>());
            })
        };
        clinic = console.ask(question, given.as_deref(), with_list)?.unwrap_or(clinic);
    }
    let with_phone = |phone: &str| clinic.with(today, |clinic| clinic.phone = Some(phone.to_owned()));
    let asks = ("--phone", "Phone number for booking, or Enter to skip");
    Ok(console.ask(asks, arguments.phone.as_deref(), with_phone)?.unwrap_or(clinic))
}

/// The codes of the states in an answer. Codes may have only spaces between them.
fn known_states(answer: &str) -> Result<Vec<String>, Refusal> {
    let mut states: Vec<String> = Vec::new();
    for item in items(&answer.replace(" and ", ",").replace(';', ",")) {
        let words: Vec<&str> = item.split_whitespace().collect();
        let are_codes = words.iter().all(|word| word.len() == 2 && word.parse::<StateCode>().is_ok());
        for name in if are_codes { words } else { vec![item.as_str()] } {
            let Ok(state) = name.parse::<StateCode>() else { return Err(unknown_state(name)) };
            if !states.iter().any(|known| known == state.code()) {
                states.push(state.code().to_owned());
            }
        }
    }
    Ok(states)
}

fn unknown_state(name: &str) -> Refusal {
    let advice = nearest(name, StateCode::all().map(StateCode::name)).map_or_else(
        || "write codes or names of states, separated by commas, such as CA, New York".to_owned(),
        |near| format!("did you mean {near}?"),
    );
    Refusal::new(format!("\"{name}\" isn't a US state: {advice}"))
}

/// The languages of an answer, the main one first.
fn site_languages(answer: &str) -> Result<Vec<String>, Refusal> {
    if ["both", "all"].contains(&&*answer.to_lowercase()) {
        return Ok(vec!["English".to_owned(), "Spanish".to_owned()]);
    }
    let named = items(&answer.replace(" and ", ",").replace([' ', ';'], ","));
    let named = named.into_iter().map(|item| match &*item.to_lowercase() {
        "en" | "english" => Ok("English".to_owned()),
        "es" | "spanish" | "español" | "espanol" => Ok("Spanish".to_owned()),
        _ => Err(Refusal::new(format!(
            "\"{item}\" isn't a language for the site: write English, Spanish, or both"
        ))),
    });
    let mut languages = named.collect::<Result<Vec<_>, _>>()?;
    languages.dedup();
    Ok(languages)
}

fn greet(folder: &Path, clinic: &Clinic) -> Result<(), Refusal> {
    if let Some(note) = &clinic.note {
        writeln!(notes(), "{}", visible::line(note))?;
    }
    let shown = folder.display();
    let flag = content_flag(folder);
    let holds = match clinic.clinicians.len() {
        0 => "one example clinician, Jane Doe".to_owned(),
        clinicians => count(clinicians, "clinician"),
    };
    writeln!(
        notes(),
        "Created {shown}/ with {holds}.\n\n  \
         nameplate check{flag}   lists what's left to fill in: start with {shown}/directory.toml\n  \
         nameplate dev{flag}     shows the site, and follows your changes"
    )?;
    Ok(())
}

fn write_site(folder: &Path) -> Result<(), Refusal> {
    for (path, bytes) in generator::embedded_site() {
        write(&folder.join(path), bytes)?;
    }
    let shown = folder.display();
    writeln!(
        notes(),
        "Copied the site's templates and assets to {shown}. Colors and fonts are in {shown}/assets/theme.css.\n\
         Delete what you don't change: the built-in file is used instead, in later versions too.\n\n  \
         nameplate dev --site {shown}     shows the site with your changes"
    )?;
    Ok(())
}

//! The settings of `serve` and `dev`. A flag overrides the `NAMEPLATE_*` variable, the variable the file, and the file the
//! default. All mistakes are reported at once, each at its position. A file is read only if it is named: a service must not
//! depend on the folder in which it is started.

mod flags;
mod inline;
mod keys;
mod layers;
mod print;
mod secrets;
#[cfg(test)]
mod tests;
mod typed;

use std::io::{self, Write};
use std::path::Path;

use directory::calendar::FeedMode;
use directory::content::{OpenError, read_linked, toml_text};
#[cfg(feature = "replicas")]
use feed::NatsOptions;
use feed::{CALENDARS_VARIABLE, FeedOptions, SharedOptions};
#[cfg(feature = "replicas")]
use serde::Serialize;
use toml::de::DeTable;

use self::keys::KEYS;
use self::layers::{FILE_VARIABLE, Layers, Problem};
use crate::log;
use crate::outcome::Refusal;
use crate::terminal::has_colors;

#[cfg(feature = "demo")]
pub(crate) use self::flags::address;
pub(crate) use self::flags::{Configuration, ServeFlags, feed_mode};
pub(crate) use self::typed::{FeedChoice, Settings};

pub(crate) enum Loaded {
    Settings(Box<Settings>, Vec<String>),
    /// The text for `--print-config`.
    Printed(String),
}

/// Reads the settings of a command. `own` are the flags of `serve` only. Without them, the log has only warnings and errors:
/// `dev` prints the rest in its own words.
pub(crate) fn read(flags: &Configuration, own: Option<&ServeFlags>) -> Result<Loaded, Refusal> {
    let mut problems = Vec::new();
    let (mut layers, mut warnings) = gather(flags.config.as_deref(), &mut problems);
    let names_file = flags.config.is_some() || named_by_variable().is_some();
    if !flags.is_demo && !names_file && is_there(USUAL) {
        let to_dev = own.is_none() && has_unread_feed(None);
        let how = if to_dev {
            format!("to include the calendars, run `nameplate dev --feed --config {USUAL}`")
        } else {
            format!("start with --config {USUAL}")
        };
        warnings.push(format!("{USUAL} in this folder isn't read: {how}"));
    }
    // RUST_LOG is common to many programs, so NAMEPLATE_LOG_LEVEL overrides it.
    let rust_log = std::env::var("RUST_LOG").ok().filter(|level| !level.is_empty());
    if let Some(level) = rust_log.filter(|_| !layers.overrides_file("log.level")) {
        layers.set("log.level", &toml_text(&level), "RUST_LOG".to_owned());
    }
    if own.is_none() {
        layers.set_default("log.level", &toml_text("warn"));
    }
    layers
        .add_flags(flags)
        .and_then(|()| own.map_or(Ok(()), |own| layers.add_flags(own)))
        .map_err(Refusal::new)?;
    match Settings::read(&layers, &mut problems) {
        Some(_) if flags.print_config => Ok(Loaded::Printed(print::print(&layers))),
        Some(settings)
            if own.is_some() && !settings.feed.is_named() && has_unread_feed(flags.config.as_deref()) =>
        {
            Err(Refusal::new(format!(
                "{USUAL} in this folder has a [feed] and isn't read, so booked times would be offered: start with --config \
                 {USUAL}, or rename that file if it isn't for this service"
            )))
        }
        Some(mut settings) => {
            settings.usual_listen = layers.is_default("listen").then_some(settings.listen);
            Ok(Loaded::Settings(Box::new(settings), warnings))
        }
        None => {
            if layers.get("log.format").is_some_and(|format| format.get_ref().as_str() == Some("json")) {
                log::start_as_json();
            }
            Err(refused(&layers, problems)?)
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum FeedName<'a> {
    /// A path or an address. A list of calendars is known by its first line.
    Any(&'a str),
    #[cfg(feature = "replicas")]
    Calendars(&'a str),
}

/// The options of a named feed, with the other settings of feeds. `flags` are the arguments of the feed and its mode.
pub(crate) fn feed(
    config: Option<&Path>,
    name: FeedName<'_>,
    mode: Option<FeedMode>,
    flags: (&str, &str),
) -> Result<FeedOptions, Refusal> {
    let (named, is_address, are_calendars) = match name {
        #[cfg(feature = "replicas")]
        FeedName::Calendars(list) => (list, false, true),
        FeedName::Any(name) if name.contains("://") => (name, true, false),
        FeedName::Any(name) => {
            (name, false, name == CALENDARS_VARIABLE || feed::is_list_of_calendars(Path::new(name)))
        }
    };
    let has_others = || std::env::var_os(CALENDARS_VARIABLE).is_some_and(|text| !text.is_empty());
    if are_calendars && named != CALENDARS_VARIABLE && has_others() {
        return Err(Refusal::new(format!(
            "{} names the calendars {named}, and the environment variable {CALENDARS_VARIABLE} has calendars, too: unset the \
             variable, or name {CALENDARS_VARIABLE} in the place of the file",
            flags.0
        )));
    }
    let mut problems = Vec::new();
    let (mut layers, _) = gather(config, &mut problems);
    let kind = layers.get("feed.kind").map(|kind| kind.get_ref().as_str().unwrap_or_default());
    if kind.is_some_and(|kind| !typed::KINDS.contains(&kind)) {
        problems.push(typed::refused(&layers, "feed.kind", typed::KINDS_ADVICE));
    }
    // The configured feed may be another one, and of another kind. A bucket may need its secrets.
    let is_kept = |name| match name {
        "kind" | "path" | "url" | "calendars" => false,
        "poll" => !feed::is_bucket(named),
        "unlisted" => are_calendars || feed::is_bucket(named),
        name => feed::is_bucket(named) || SharedOptions::KEYS.contains(&name),
    };
    let others = KEYS.iter().filter(|key| key.table == "feed" && !is_kept(key.name));
    others.for_each(|key| layers.remove_of_feed(key.name));
    let kind = match (is_address, are_calendars) {
        (true, _) => "feed.url",
        (_, true) => "feed.calendars",
        _ => "feed.path",
    };
    layers.set(kind, &toml_text(named), flags.0.to_owned());
    let stem = Path::new(named).file_stem().and_then(|stem| stem.to_str()?.parse::<FeedMode>().ok());
    let is_known = is_address || are_calendars || layers.get("feed.mode").is_some();
    if let Some(mode) = mode.or(stem.filter(|_| !is_known)) {
        layers.set("feed.mode", &toml_text(mode.word()), flags.1.to_owned());
    } else if !is_known {
        let why = match read_linked(Path::new(named), 4096) {
            Err(OpenError::Io(error)) if error.kind() == io::ErrorKind::PermissionDenied => {
                format!("can't be read: {}", directory::told::reason(&error))
            }
            Ok(text) if text.trim_ascii().is_empty() && !named.ends_with("json") => {
                "is empty: write a line such as jane-doe https://calendar.example/…/basic.ics".to_owned()
            }
            _ => format!("may list taken time or free slots: say which with {} busy or open", flags.1),
        };
        return Err(Refusal::new(format!("{named} {why}")));
    }
    match typed::feed(&layers, None, &mut problems) {
        Some(FeedChoice::Named(options)) if problems.is_empty() => Ok(*options),
        _ => Err(refused(&layers, problems)?),
    }
}

/// The bucket on the servers that `--to` names, by flags that are named like a bucket's settings.
#[cfg(feature = "replicas")]
pub(crate) fn bucket(to: &str, flags: &impl Serialize) -> Result<NatsOptions, Refusal> {
    let (mut layers, mut problems) = (Layers::default(), Vec::new());
    layers.set("url", &toml_text(to), "--to".to_owned());
    layers.add_flags(flags).map_err(Refusal::new)?;
    let read: Option<NatsOptions> = layers.read("", layers.table.clone(), &mut problems);
    let checked = read.as_ref().map_or(Ok(()), NatsOptions::check);
    problems.extend(checked.err().map(|error| typed::refused(&layers, error.key, &error.what)));
    match read {
        Some(options) if problems.is_empty() => Ok(options),
        _ => Err(refused(&layers, problems)?),
    }
}

/// The usual name of the file, which is read only if it is named.
pub(crate) const USUAL: &str = "nameplate.toml";

/// Merges defaults, file and environment. Also returns warnings about variables that set nothing.
fn gather(config: Option<&Path>, problems: &mut Vec<Problem>) -> (Layers, Vec<String>) {
    let variables = std::env::vars_os()
        .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
    let variable = named_by_variable();
    let mut layers = Layers::new();
    if let Some(path) = config.map(Path::to_owned).or(variable.as_deref().map(Into::into)) {
        match read_file(&path) {
            Ok(text) => layers.add_file(&path, text, problems),
            Err(what) => problems.push(Problem::general(what)),
        }
    }
    let unknown = layers.add_environment(variables, problems);
    (layers, unknown)
}

fn named_by_variable() -> Option<String> {
    std::env::var(FILE_VARIABLE).ok().filter(|path| !path.is_empty())
}

/// Whether the usual file has a feed, and isn't read.
pub(crate) fn has_unread_feed(config: Option<&Path>) -> bool {
    config.is_none() && named_by_variable().is_none() && has_feed(USUAL)
}

/// The settings of a service that would start here, if they have a feed.
pub(crate) fn file_with_feed() -> Option<String> {
    Some(named_by_variable().unwrap_or_else(|| USUAL.to_owned())).filter(|file| has_feed(file))
}

fn has_feed(file: &str) -> bool {
    let has_feed = |text: String| DeTable::parse_recoverable(&text).0.get_ref().contains_key("feed");
    read_file(Path::new(file)).is_ok_and(has_feed)
}

#[expect(clippy::disallowed_methods, reason = "looks whether a file is there, not into it")]
pub(crate) fn is_there(path: &str) -> bool {
    Path::new(path).symlink_metadata().is_ok()
}

fn refused(layers: &Layers, mut problems: Vec<Problem>) -> io::Result<Refusal> {
    if let [only] = &problems[..]
        && let Some(what) = only.of_no_setting()
    {
        return Ok(Refusal::new(what));
    }
    problems.sort_by_key(|problem| problem.span.start);
    let mut out = io::stderr().lock();
    for problem in &problems {
        if !log::json_error(|| layers.drawn(problem, false)) {
            let drawn = layers.drawn(problem, has_colors(&out));
            writeln!(out, "{drawn}\n")?;
        }
    }
    let count = directory::told::count(problems.len(), "error");
    Ok(Refusal::new(format!("the configuration has {count}: fix what is shown above")))
}

#[expect(clippy::disallowed_methods, reason = "the configuration is not content: it is read here")]
fn read_file(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::InvalidData => "it isn't UTF-8 text".to_owned(),
            _ => directory::told::reason(&error),
        };
        format!("can't read the configuration {}: {reason}", path.display())
    })
}

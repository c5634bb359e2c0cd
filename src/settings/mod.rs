//! The settings of `serve` and `dev`.
//!
//! For each key, a flag overrides the `NAMEPLATE_*` variable, the variable overrides the file, and the file overrides the
//! default. All mistakes are reported at once, each at its position. A file is read only if it is named: a service must not
//! depend on the folder in which it is started.

mod keys;
mod layers;
mod print;
mod secrets;
#[cfg(test)]
mod tests;
mod typed;

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;

use live::feed::FeedOptions;

use self::layers::{FILE_VARIABLE, Layers, Origin, Problem};
use self::typed::Reader;
use crate::args::{Configuration, LogFormat, ServeFlags};
use crate::log;
use crate::outcome::Refusal;

#[cfg(feature = "replicas")]
pub(crate) use self::typed::ContentStore;
pub(crate) use self::typed::{FeedChoice, Settings};

pub(crate) enum Loaded {
    Settings(Box<Settings>, Vec<String>),
    /// The text for `--print-config`.
    Printed(String),
}

/// Reads the settings of a command; `own` are the flags of `serve` alone.
pub(crate) fn read(flags: &Configuration, own: &ServeFlags) -> Result<Loaded, Refusal> {
    let mut problems = Vec::new();
    let (mut layers, unknown) = gather(flags.config.as_deref(), &mut problems);
    // RUST_LOG is common to many programs, so NAMEPLATE_LOG_LEVEL overrides it.
    let rust_log = std::env::var("RUST_LOG").ok().filter(|level| !level.is_empty());
    if matches!(layers.origin("log.level"), Origin::Default | Origin::File(_)) {
        layers.add_flag("log.level", "RUST_LOG", rust_log.map(Into::into));
    }
    let text = |path: Option<&Path>| path.map(|path| path.to_string_lossy().into_owned().into());
    let address = |address: Option<SocketAddr>| address.map(|address| address.to_string().into());
    let share = flags.content_max_shrink.map(|max_shrink| max_shrink.share().into());
    let keys = (!own.content_key.is_empty()).then(|| own.content_key.clone().into());
    for (name, flag, value) in [
        ("content", "--content", text(flags.content.as_deref())),
        ("content-max-shrink", "--content-max-shrink", share),
        ("content-cache", "--content-cache", text(own.content_cache.as_deref())),
        ("content-poll", "--content-poll", own.content_poll.clone().map(Into::into)),
        ("content-key", "--content-key", keys),
        ("listen", "--listen", address(flags.listen)),
        ("admin", "--admin", address(flags.admin)),
        ("static", "--static", text(own.site.as_deref())),
        ("state", "--state", text(own.state.as_deref())),
        ("strict", "--strict", own.strict.then(|| true.into())),
        ("log.format", "--log-format", flags.log_format.map(|format| format.word().into())),
        ("log.level", "--log-level", flags.log_level.clone().map(Into::into)),
        ("log.access", "--access-log", flags.access_log.then(|| true.into())),
    ] {
        layers.add_flag(name, flag, value);
    }
    match Settings::of(&layers, &mut problems) {
        Some(_) if problems.is_empty() && flags.print_config => Ok(Loaded::Printed(print::print(&layers))),
        Some(settings) if problems.is_empty() => Ok(Loaded::Settings(Box::new(settings), unknown)),
        _ => {
            if layers.text("log.format") == Some(LogFormat::Json.word()) {
                log::start_as_json();
            }
            Err(refused(&layers, &problems)?)
        }
    }
}

/// The options of a feed at a path or URL, with the other settings of feeds. `flags` are the names of the arguments for the
/// feed and its mode.
pub(crate) fn feed(
    config: Option<&Path>,
    named: &str,
    mode: Option<&'static str>,
    flags: (&str, &str),
) -> Result<FeedOptions, Refusal> {
    let mut problems = Vec::new();
    let (mut layers, _) = gather(config, &mut problems);
    let is_address = named.contains("://");
    let is_bucket = named.starts_with("nats://") || named.starts_with("tls://");
    // The configured feed may be another one, and of another kind.
    layers.values.retain(|name, _| match *name {
        "feed.kind" | "feed.path" | "feed.url" => false,
        "feed.poll" => !is_bucket,
        "feed.bucket" | "feed.sites" | "feed.creds" | "feed.nkey" | "feed.tls-ca" | "feed.tls-cert"
        | "feed.tls-key" | "feed.unlisted" => is_bucket,
        _ => true,
    });
    layers.add_flag(if is_address { "feed.url" } else { "feed.path" }, flags.0, Some(named.into()));
    let mut mode = mode;
    if mode.is_none() && !is_address && layers.get("feed.mode").is_none() {
        let stem = Path::new(named).file_stem();
        mode = ["busy", "open"].into_iter().find(|word| stem.is_some_and(|stem| stem == *word));
        if mode.is_none() {
            let flag = flags.1;
            let what =
                format!("{named} may list taken time or free slots: say which with {flag} busy or open");
            return Err(Refusal::new(what));
        }
    }
    layers.add_flag("feed.mode", flags.1, mode.map(Into::into));
    match (Reader { layers: &layers, problems: &mut problems }).feed(None) {
        Some(FeedChoice::Named(options)) if problems.is_empty() => Ok(*options),
        _ => Err(refused(&layers, &problems)?),
    }
}

/// Merges defaults, file and environment. Also returns warnings about unknown variables.
fn gather(config: Option<&Path>, problems: &mut Vec<Problem>) -> (Layers, Vec<String>) {
    let variables = std::env::vars_os()
        .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)));
    let variable = std::env::var(FILE_VARIABLE).ok().filter(|path| !path.is_empty());
    let mut layers = Layers::new();
    if let Some(path) = config.map(Path::to_owned).or(variable.map(Into::into)) {
        match read_file(&path) {
            Ok(text) => layers.add_file(&path, text, problems),
            Err(what) => problems.push(Problem::new(Origin::Default, what)),
        }
    }
    let unknown = layers.add_environment(variables, problems);
    (layers, unknown)
}

fn refused(layers: &Layers, problems: &[Problem]) -> io::Result<Refusal> {
    let mut out = io::stderr().lock();
    for problem in problems {
        if !log::json_error(|| layers.drawn(problem, false)) {
            let drawn = layers.drawn(problem, out.is_terminal());
            writeln!(out, "{drawn}\n")?;
        }
    }
    let count = crate::content::count(problems.len(), "error");
    Ok(Refusal::new(format!("the configuration has {count}: correct what is shown above")))
}

#[expect(clippy::disallowed_methods, reason = "the configuration is not content: it is read here")]
fn read_file(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it is not there".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
            _ => error.to_string(),
        };
        format!("cannot read the configuration {}: {reason}", path.display())
    })
}

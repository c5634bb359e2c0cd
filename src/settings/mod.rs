//! The settings of `serve` and `dev`.
//!
//! Flags override `NAMEPLATE_*` variables, these override the file, and the file overrides the defaults, key by key. All
//! mistakes are reported at once, each at its position. A file is read only if it is named: a service must not depend
//! on the folder in which it is started.

mod keys;
mod layers;
mod print;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use directory::calendar::FeedMode;
use directory::content::feed_path;
use directory::model::MaxShrink;
use live::feed::{FeedOptions, FeedTable};
use live::{Access, Limits, Origins};

use self::layers::{FILE_VARIABLE, Layers, Origin, Problem};
use crate::args::{Configuration, LogFormat};
use crate::log::{self, Log};
use crate::outcome::Refusal;

#[derive(Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) content: PathBuf,
    /// The share of clinicians that may vanish from one generation to the next.
    pub(crate) content_max_shrink: MaxShrink,
    pub(crate) listen: SocketAddr,
    pub(crate) admin: Option<SocketAddr>,
    pub(crate) site: Option<PathBuf>,
    pub(crate) reload: bool,
    pub(crate) log: Log,
    pub(crate) limits: Limits,
    pub(crate) access: Access,
    pub(crate) feed: FeedChoice,
}

#[derive(Debug, PartialEq)]
pub(crate) enum FeedChoice {
    Named(Box<FeedOptions>),
    /// A feed file in the content folder, busy or open, if there is one or once there is one.
    Found(Box<[FeedOptions; 2]>),
}

pub(crate) enum Loaded {
    Settings(Box<Settings>, Vec<String>),
    /// The text for `--print-config`.
    Printed(String),
}

/// Reads the settings of a command; `site` is the `--static` flag.
pub(crate) fn read(flags: &Configuration, site: Option<&Path>) -> Result<Loaded, Refusal> {
    let mut problems = Vec::new();
    let Gathered { mut layers, unknown, unread } = gather(flags.config.as_deref(), &mut problems);
    // RUST_LOG is common to many programs, so NAMEPLATE_LOG_LEVEL overrides it.
    let rust_log = std::env::var("RUST_LOG").ok().filter(|level| !level.is_empty());
    if matches!(layers.origin("log.level"), Origin::Default | Origin::File(_)) {
        layers.add_flag("log.level", "RUST_LOG", rust_log.map(Into::into));
    }
    let text = |path: Option<&Path>| path.map(|path| path.to_string_lossy().into_owned().into());
    let address = |address: Option<SocketAddr>| address.map(|address| address.to_string().into());
    layers.add_flag("content", "--content", text(flags.content.as_deref()));
    let share = flags.content_max_shrink.map(|max_shrink| max_shrink.share().into());
    layers.add_flag("content-max-shrink", "--content-max-shrink", share);
    layers.add_flag("listen", "--listen", address(flags.listen));
    layers.add_flag("admin", "--admin", address(flags.admin));
    layers.add_flag("static", "--static", text(site));
    layers.add_flag("log.format", "--log-format", flags.log_format.map(|format| format.word().into()));
    layers.add_flag("log.level", "--log-level", flags.log_level.clone().map(Into::into));
    layers.add_flag("log.access", "--access-log", flags.access_log.then(|| true.into()));
    let settings = Settings::of(&layers, &mut problems);
    let is_refused = unread.is_some() || settings.is_none() || !problems.is_empty();
    if is_refused && layers.get("log.format").and_then(toml::Value::as_str) == Some(LogFormat::Json.word()) {
        log::start_as_json();
    }
    if let Some(refusal) = unread {
        return Err(refusal);
    }
    match settings {
        Some(settings) if problems.is_empty() => Ok(if flags.print_config {
            Loaded::Printed(print::print(&layers))
        } else {
            Loaded::Settings(Box::new(settings), unknown)
        }),
        _ => Err(refused(&layers, &problems)?),
    }
}

/// The options of a feed at a path or URL, with the other settings of feeds.
pub(crate) fn feed(
    config: Option<&Path>,
    named: &str,
    mode: Option<&'static str>,
) -> Result<FeedOptions, Refusal> {
    let mut problems = Vec::new();
    let Gathered { mut layers, unread, .. } = gather(config, &mut problems);
    if let Some(refusal) = unread {
        return Err(refusal);
    }
    // The configured feed may be another one.
    for name in ["feed.kind", "feed.path", "feed.url"] {
        layers.values.remove(name);
    }
    let is_address = named.contains("://");
    layers.add_flag(if is_address { "feed.url" } else { "feed.path" }, "--feed", Some(named.into()));
    let stem = Path::new(named).file_stem().and_then(std::ffi::OsStr::to_str);
    let by_name = ["busy", "open"].into_iter().find(|word| stem == Some(*word));
    let configured = layers.values.contains_key("feed.mode");
    let otherwise = if configured || is_address { None } else { by_name };
    if !(is_address || configured) && mode.or(otherwise).is_none() {
        let why =
            format!("{named} may list taken time or free slots: say which with --feed-mode busy or open");
        return Err(Refusal::new(why));
    }
    layers.add_flag("feed.mode", "--feed-mode", mode.or(otherwise).map(Into::into));
    let chosen = Reader { layers: &layers, problems: &mut problems }.feed(Path::new(""));
    match chosen {
        Some(FeedChoice::Named(options)) if problems.is_empty() => Ok(*options),
        _ => Err(refused(&layers, &problems)?),
    }
}

struct Gathered {
    layers: Layers,
    unknown: Vec<String>,
    unread: Option<Refusal>,
}

fn gather(config: Option<&Path>, problems: &mut Vec<Problem>) -> Gathered {
    let variables = || {
        std::env::vars_os()
            .filter_map(|(name, text)| Some((name.into_string().ok()?, text.into_string().ok()?)))
    };
    let named = variables().find(|(name, text)| name == FILE_VARIABLE && !text.is_empty());
    let file = config.map(Path::to_owned).or_else(|| named.map(|(_, path)| path.into()));
    let mut layers = Layers::new();
    let unread = file.as_ref().and_then(|path| match read_file(path) {
        Ok(text) => {
            layers.add_file(path, text, problems);
            None
        }
        Err(refusal) => Some(refusal),
    });
    let unknown = layers.add_environment(variables(), problems);
    Gathered { layers, unknown, unread }
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
fn read_file(path: &Path) -> Result<String, Refusal> {
    std::fs::read_to_string(path).map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it is not there".to_owned(),
            io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
            io::ErrorKind::InvalidData => "it is not UTF-8 text".to_owned(),
            _ => error.to_string(),
        };
        Refusal::new(format!("cannot read the configuration {}: {reason}", path.display()))
    })
}

impl Settings {
    /// The typed settings. `None` only if a problem was added.
    fn of(layers: &Layers, problems: &mut Vec<Problem>) -> Option<Self> {
        let mut reader = Reader { layers, problems };
        let content: PathBuf = reader.text("content")?.into();
        let content_max_shrink = reader.max_shrink("content-max-shrink");
        let listen = reader.parsed("listen", address);
        let admin = reader.parsed("admin", address);
        let limits = reader.limits();
        let level = reader.parsed("log.level", level);
        let format = reader.parsed("log.format", LogFormat::of);
        let hosts = reader.list("mcp.hosts", host);
        let origins = layers.get("mcp.origins").map(|_| reader.list("mcp.origins", origin));
        let feed = reader.feed(&content);
        let listen = listen?;
        let access = if listen.ip().is_loopback() { Access::loopback() } else { Access::public() };
        let access = access.with_hosts(hosts?);
        let access = match origins {
            None => access,
            Some(named) => access.with_origins(match named? {
                named if named.iter().any(|origin| origin == "*") => Origins::Any,
                named => Origins::Listed(named),
            }),
        };
        Some(Self {
            content,
            content_max_shrink: content_max_shrink?,
            listen,
            admin,
            site: layers.get("static").and_then(toml::Value::as_str).map(PathBuf::from),
            reload: reader.switch("reload"),
            log: Log { format: format?, level: level?, access: reader.switch("log.access") },
            limits: limits?,
            access,
            feed: feed?,
        })
    }
}

/// Converts the layers' values; mistakes are added to the problems.
struct Reader<'a> {
    layers: &'a Layers,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn refuse(&mut self, name: &str, what: String) {
        let mut origin = self.layers.origin(name);
        if name == "feed.mode" && matches!(origin, Origin::Default) {
            // It is missing: what lacks it is shown.
            origin = self.layers.origin("feed.path");
        }
        let what = if matches!(origin, Origin::Flag(_)) { what } else { format!("{name}: {what}") };
        self.problems.push(Problem { origin, what, hint: None });
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.layers.get(name).and_then(toml::Value::as_str)
    }

    /// A parsed text; `None` if it is not set, or invalid, which adds a problem.
    fn parsed<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        parse(self.text(name)?).map_err(|what| self.refuse(name, what)).ok()
    }

    fn list(&mut self, name: &str, parse: impl Fn(&str) -> Result<String, String>) -> Option<Vec<String>> {
        let items = self.layers.get(name)?.as_array()?;
        let parsed: Result<_, _> = items.iter().filter_map(toml::Value::as_str).map(parse).collect();
        parsed.map_err(|what| self.refuse(name, what)).ok()
    }

    fn max_shrink(&mut self, name: &str) -> Option<MaxShrink> {
        let share = match self.layers.get(name)? {
            toml::Value::Float(share) => MaxShrink::try_from(*share),
            toml::Value::Integer(whole) => whole.to_string().parse(),
            _ => return None,
        };
        share.map_err(|rule| self.refuse(name, rule.to_string())).ok()
    }

    fn switch(&self, name: &str) -> bool {
        self.layers.get(name).and_then(toml::Value::as_bool).unwrap_or_default()
    }

    fn limits(&mut self) -> Option<Limits> {
        let mut duration = |name: &str| {
            let least = Duration::from_millis(100);
            self.parsed(name, |text| match live::duration_of(text) {
                Some(duration) if duration >= least && duration <= Duration::from_hours(24) => Ok(duration),
                Some(_) => Err(format!("\"{text}\" is not from 100ms to 24h")),
                None => Err(format!("\"{text}\" is not a valid duration: write \"10s\" or \"2m\"")),
            })
        };
        let (head, body, answer) =
            (duration("limits.head"), duration("limits.body"), duration("limits.answer"));
        let (stalled, idle, drain) =
            (duration("limits.stalled"), duration("limits.idle"), duration("limits.drain"));
        let mut count = |name: &str, range: std::ops::RangeInclusive<usize>| {
            let number = self.layers.get(name).and_then(toml::Value::as_integer);
            let number = number.and_then(|number| usize::try_from(number).ok());
            if number.is_none_or(|number| !range.contains(&number)) {
                self.refuse(name, format!("it is from {} to {}", range.start(), range.end()));
            }
            number
        };
        Some(Limits {
            connections: count("limits.connections", 1..=1_000_000)?,
            per_client: count("limits.per-client", 1..=1_000_000)?,
            held_bytes: count("limits.held-bytes", 1 << 20..=1 << 40)?,
            target_bytes: count("limits.target-bytes", 256..=64 << 10)?,
            field_bytes: count("limits.field-bytes", 1024..=64 << 10)?,
            body_bytes: count("limits.body-bytes", 1024..=16 << 20)?,
            head: head?,
            body: body?,
            answer: answer?,
            stalled: stalled?,
            idle: idle?,
            drain: drain?,
        })
    }

    /// The configured feed, or the options of the content folder's feeds.
    fn feed(&mut self, content: &Path) -> Option<FeedChoice> {
        let mut table = toml::Table::new();
        for (name, placed) in &self.layers.values {
            if let Some(name) = name.strip_prefix("feed.") {
                table.insert(name.to_owned(), placed.value.clone());
            }
        }
        let has = |name: &str| table.contains_key(name);
        if !has("kind") && (has("url") || has("path")) {
            table.insert("kind".to_owned(), if table.contains_key("url") { "smart" } else { "file" }.into());
        }
        if table.contains_key("kind") {
            return self.options(table).map(Box::new).map(FeedChoice::Named);
        }
        if table.contains_key("mode") {
            self.refuse("feed.mode", "it needs a feed: give a path or a url, too".to_owned());
            return None;
        }
        let mut found = |mode, word: &str, other| {
            let mut table = table.clone();
            let path = content.join(feed_path(mode));
            table.insert("kind".to_owned(), "file".into());
            table.insert("path".to_owned(), path.to_string_lossy().into_owned().into());
            table.insert("mode".to_owned(), word.into());
            Some(self.options(table)?.with_rival(content.join(feed_path(other))))
        };
        let (busy, open) = (FeedMode::Busy, FeedMode::Open);
        let both = [found(busy, "busy", open)?, found(open, "open", busy)?];
        Some(FeedChoice::Found(Box::new(both)))
    }

    fn options(&mut self, table: toml::Table) -> Option<FeedOptions> {
        let form: FeedTable = match table.try_into() {
            Ok(form) => form,
            Err(error) => {
                self.refuse("feed.schedules", error.message().to_owned());
                return None;
            }
        };
        let options = FeedOptions::try_from(form);
        options.map_err(|error| self.refuse(&format!("feed.{}", error.key()), error.what().to_owned())).ok()
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    crate::args::address(text).map_err(|rule| format!("\"{text}\" is not a valid address: {rule}"))
}

/// A log level. An unknown word is refused: it would be read as a module's name and silence all other modules.
fn level(text: &str) -> Result<String, String> {
    let is_level = |word: &str| word.parse::<tracing::Level>().is_ok() || word == "off";
    let is_directive = |directive: &str| match directive.rsplit_once('=') {
        Some((module, word)) => !module.is_empty() && is_level(word),
        None => is_level(directive),
    };
    if text.split(',').all(|directive| is_directive(directive.trim())) {
        return Ok(text.to_owned());
    }
    Err(format!(
        "\"{text}\" is not a valid level: write error, warn, info, debug or trace, or module=level after a comma"
    ))
}

/// A host as in a Host field, without its port.
fn host(text: &str) -> Result<String, String> {
    let is_bare = text.starts_with('[') == text.ends_with(']') && !text.contains(['/', '@', ' ']);
    let has_port = !text.starts_with('[') && text.contains(':');
    if text.is_empty() || !is_bare || has_port {
        return Err(format!(
            "\"{text}\" is not a valid host: write its name alone, like live.larkspur.example"
        ));
    }
    Ok(text.to_owned())
}

/// An origin as in an Origin field, or a star.
fn origin(text: &str) -> Result<String, String> {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    if text == "*" || host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '@', ' '])) {
        return Ok(text.to_owned());
    }
    Err(format!("\"{text}\" is not a valid origin: write https://host, or \"*\" alone for any"))
}

//! The typed settings: converts and checks the merged values.

use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use directory::calendar::FeedMode;
use directory::content::feed_path;
use directory::model::MaxShrink;
use live::feed::{FeedOptions, FeedTable};
use live::{Access, Limits, Origins, Proxy};

use super::layers::{Layers, Origin, Problem};
use crate::args::LogFormat;
use crate::log::Log;
#[cfg(feature = "replicas")]
use crate::signature::PublicKey;

#[derive(Debug, PartialEq)]
pub(crate) struct Settings {
    /// The content folder. It means nothing if there is a content store.
    pub(crate) content: PathBuf,
    /// The object store from whose releases the content comes.
    pub(crate) content_store: Option<ContentStore>,
    /// The share of clinicians that may vanish from one generation to the next.
    pub(crate) content_max_shrink: MaxShrink,
    pub(crate) listen: SocketAddr,
    pub(crate) admin: Option<SocketAddr>,
    pub(crate) site: Option<PathBuf>,
    /// The folder in which the service keeps what it must know after a restart.
    pub(crate) state: Option<PathBuf>,
    /// Whether broken content prevents a start even if there is a last good copy.
    pub(crate) strict: bool,
    /// Whether another process may listen on the same address, so that it can take over.
    pub(crate) reuse_port: bool,
    pub(crate) reload: bool,
    pub(crate) log: Log,
    pub(crate) limits: Limits,
    pub(crate) proxies: Vec<Proxy>,
    pub(crate) access: Access,
    pub(crate) feed: FeedChoice,
}

/// An object store with releases of content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentStore {
    pub(crate) address: String,
    /// The folder with the releases that were served.
    pub(crate) cache: Option<PathBuf>,
    pub(crate) poll: Duration,
    /// The largest size of a release's content.
    pub(crate) max_bytes: u64,
    /// The keys of which one must have signed a release; none: a release need not be signed.
    #[cfg(feature = "replicas")]
    pub(crate) keys: Vec<PublicKey>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum FeedChoice {
    /// The settings name none, and the content comes from a store, which has none.
    None,
    Named(Box<FeedOptions>),
    /// The two possible feed files of the content folder. One of them may exist now or later.
    Found(Box<[FeedOptions; 2]>),
}

impl FeedChoice {
    /// Lets the feed remember in this file what it knows.
    pub(crate) fn remember_in(&mut self, file: &Path) {
        let remember = |options: &mut FeedOptions| *options = options.clone().remembering(file.to_owned());
        match self {
            Self::Named(options) => remember(options),
            Self::Found(both) => both.iter_mut().for_each(remember),
            Self::None => {}
        }
    }
}

/// Reads values from the layers; mistakes are added to the problems.
pub(super) struct Reader<'a> {
    pub(super) layers: &'a Layers,
    pub(super) problems: &'a mut Vec<Problem>,
}

impl Settings {
    /// `None` only if a problem was added.
    pub(super) fn of(layers: &Layers, problems: &mut Vec<Problem>) -> Option<Self> {
        let mut reader = Reader { layers, problems };
        let content: PathBuf = layers.text("content")?.into();
        let content_max_shrink = reader.max_shrink("content-max-shrink");
        let listen = reader.parsed("listen", address);
        let admin = reader.parsed("admin", address);
        let limits = reader.limits();
        let proxies = reader.list("proxies", str::parse);
        let level = reader.parsed("log.level", level);
        let format = reader.parsed("log.format", LogFormat::of);
        let hosts = reader.list("mcp.hosts", host);
        let origins = reader.list("mcp.origins", origin);
        let content_store = reader.content_store(layers.text("content")?);
        let is_folder = !is_store(layers.text("content")?);
        let feed = reader.feed(is_folder.then_some(content.as_path()));
        let listen = listen?;
        let access = if listen.ip().is_loopback() { Access::loopback() } else { Access::public() };
        let mut access = access.with_hosts(hosts?);
        if let Some(origins) = origins {
            let is_any = origins.iter().any(|origin| origin == "*");
            access = access.with_origins(if is_any { Origins::Any } else { Origins::Listed(origins) });
        }
        Some(Self {
            content,
            content_store: content_store.ok()?,
            content_max_shrink: content_max_shrink?,
            listen,
            admin,
            site: layers.text("static").map(PathBuf::from),
            state: layers.text("state").map(PathBuf::from),
            strict: reader.switch("strict"),
            reuse_port: reader.switch("reuse-port"),
            reload: reader.switch("reload"),
            log: Log { format: format?, level: level?, access: reader.switch("log.access") },
            limits: limits?,
            proxies: proxies?,
            access,
            feed: feed?,
        })
    }
}

impl Reader<'_> {
    fn limits(&mut self) -> Option<Limits> {
        let [head, body, answer] = ["head", "body", "answer"].map(|name| self.duration(name));
        let [stalled, idle, drain] = ["stalled", "idle", "drain"].map(|name| self.duration(name));
        let connections = self.count("limits.connections", 1..=1_000_000);
        let per_client = self.count("limits.per-client", 1..=1_000_000);
        let held_bytes = self.count("limits.held-bytes", 1 << 20..=1 << 40);
        let target_bytes = self.count("limits.target-bytes", 256..=64 << 10);
        let field_bytes = self.count("limits.field-bytes", 1024..=64 << 10);
        let body_bytes = self.count("limits.body-bytes", 1024..=16 << 20);
        Some(Limits {
            connections: connections?,
            per_client: per_client?,
            held_bytes: held_bytes?,
            target_bytes: target_bytes?,
            field_bytes: field_bytes?,
            body_bytes: body_bytes?,
            head: head?,
            body: body?,
            answer: answer?,
            stalled: stalled?,
            idle: idle?,
            drain: drain?,
        })
    }

    /// The store that an address names; `None` if the content is a folder. An error adds a problem.
    fn content_store(&mut self, content: &str) -> Result<Option<ContentStore>, ()> {
        let range = Duration::from_secs(1)..=Duration::from_hours(24);
        let poll = self.parsed("content-poll", |text| duration_in(text, &range));
        let max_bytes = self.count("content-max-bytes", 1 << 20..=1 << 40);
        let cache = self.layers.text("content-cache").map(PathBuf::from);
        #[cfg(feature = "replicas")]
        let keys = self.list("content-key", str::parse::<PublicKey>);
        if !is_store(content) {
            let has_keys = self.layers.get("content-key").is_some_and(is_filled);
            for (name, is_set) in [("content-cache", cache.is_some()), ("content-key", has_keys)] {
                if is_set {
                    let what = "it is for content in an object store: name one with content, such as s3://bucket/prefix";
                    self.refuse(name, what);
                    return Err(());
                }
            }
            return Ok(None);
        }
        if cfg!(not(feature = "replicas")) {
            self.refuse("content", live::NO_REPLICAS);
            return Err(());
        }
        let max_bytes = u64::try_from(max_bytes.ok_or(())?).unwrap_or(u64::MAX);
        Ok(Some(ContentStore {
            address: content.to_owned(),
            cache,
            poll: poll.ok_or(())?,
            max_bytes,
            #[cfg(feature = "replicas")]
            keys: keys.ok_or(())?,
        }))
    }

    /// The configured feed, or the options of the content folder's feeds.
    pub(super) fn feed(&mut self, content: Option<&Path>) -> Option<FeedChoice> {
        let settings = self.layers.values.iter();
        let settings = settings.filter_map(|(name, setting)| Some((name.strip_prefix("feed.")?, setting)));
        let mut table: toml::Table =
            settings.map(|(name, setting)| (name.to_owned(), setting.value.clone())).collect();
        if !table.contains_key("kind") && (table.contains_key("url") || table.contains_key("path")) {
            let url = table.get("url").map(|url| url.as_str().unwrap_or_default());
            let kind = match url {
                Some(url) if url.starts_with("nats://") || url.starts_with("tls://") => "nats",
                Some(_) => "smart",
                None => "file",
            };
            table.insert("kind".to_owned(), kind.into());
        }
        if table.contains_key("kind") {
            return self.options(table).map(Box::new).map(FeedChoice::Named);
        }
        if table.contains_key("mode") {
            self.refuse("feed.mode", "it needs a feed: give a path or a url, too");
            return None;
        }
        let Some(content) = content else { return Some(FeedChoice::None) };
        let mut found = |mode, word: &str, other| {
            let mut table = table.clone();
            let path = content.join(feed_path(mode)).to_string_lossy().into_owned();
            let more = [("kind", "file"), ("path", &path), ("mode", word)];
            table.extend(more.map(|(name, text)| (name.to_owned(), text.into())));
            Some(self.options(table)?.with_rival(content.join(feed_path(other))))
        };
        let (busy, open) = (FeedMode::Busy, FeedMode::Open);
        let both = [found(busy, "busy", open)?, found(open, "open", busy)?];
        Some(FeedChoice::Found(Box::new(both)))
    }

    fn options(&mut self, table: toml::Table) -> Option<FeedOptions> {
        let table = table.try_into::<FeedTable>();
        let table = table.map_err(|error| self.refuse("feed.schedules", error.message())).ok()?;
        let options = FeedOptions::try_from(table);
        options.map_err(|error| self.refuse(&format!("feed.{}", error.key()), error.what())).ok()
    }

    fn refuse(&mut self, name: &str, what: &str) {
        let origin = match self.layers.origin(name) {
            // A missing mode is shown at the path or the url of the feed.
            Origin::Default if name == "feed.mode" => match self.layers.origin("feed.path") {
                Origin::Default => self.layers.origin("feed.url"),
                origin => origin,
            },
            origin => origin,
        };
        let is_flag = matches!(origin, Origin::Flag(_));
        let what = if is_flag { what.to_owned() } else { format!("{name}: {what}") };
        self.problems.push(Problem::new(origin, what));
    }

    /// `None`: it is not set, or invalid, which adds a problem.
    fn read<T, E: ToString>(
        &mut self,
        name: &str,
        convert: impl FnOnce(&toml::Value) -> Result<T, E>,
    ) -> Option<T> {
        convert(self.layers.get(name)?).map_err(|what| self.refuse(name, &what.to_string())).ok()
    }

    fn parsed<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<T> {
        self.read(name, |value| parse(value.as_str().unwrap_or_default()))
    }

    fn list<T>(&mut self, name: &str, parse: impl Fn(&str) -> Result<T, String>) -> Option<Vec<T>> {
        let texts = |value: &toml::Value| value.clone().try_into::<Vec<String>>().unwrap_or_default();
        self.read(name, |value| texts(value).iter().map(|text| parse(text)).collect::<Result<_, _>>())
    }

    fn duration(&mut self, name: &str) -> Option<Duration> {
        let range = Duration::from_millis(100)..=Duration::from_hours(24);
        self.parsed(&format!("limits.{name}"), |text| duration_in(text, &range))
    }

    fn count(&mut self, name: &str, range: RangeInclusive<usize>) -> Option<usize> {
        self.read(name, |value| {
            let number = value.as_integer().and_then(|number| usize::try_from(number).ok());
            let valid = number.filter(|number| range.contains(number));
            valid.ok_or_else(|| format!("it is from {} to {}", range.start(), range.end()))
        })
    }

    fn max_shrink(&mut self, name: &str) -> Option<MaxShrink> {
        self.read(name, |value| match value {
            toml::Value::Integer(whole) => whole.to_string().parse(),
            share => MaxShrink::try_from(share.as_float().unwrap_or_default()),
        })
    }

    fn switch(&self, name: &str) -> bool {
        self.layers.get(name) == Some(&true.into())
    }
}

/// Whether a list has an item.
fn is_filled(list: &toml::Value) -> bool {
    list.as_array().is_some_and(|list| !list.is_empty())
}

/// Whether the content is the address of an object store and no folder.
fn is_store(content: &str) -> bool {
    content.contains("://")
}

fn duration_in(text: &str, range: &RangeInclusive<Duration>) -> Result<Duration, String> {
    match live::duration_of(text) {
        Some(duration) if range.contains(&duration) => Ok(duration),
        Some(_) => {
            let least = range.start().as_millis();
            let least = if least < 1_000 { format!("{least}ms") } else { format!("{}s", least / 1_000) };
            Err(format!("\"{text}\" is not from {least} to 24h"))
        }
        None => Err(format!("\"{text}\" is not a valid duration: write \"10s\" or \"2m\"")),
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

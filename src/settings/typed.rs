//! The typed settings, as they are read from the merged layers, and what must fit together in them.

use std::fmt::Display;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use directory::calendar::FeedMode;
use directory::content::feed_path;
use directory::model::MaxShrink;
use feed::{FeedKind, FeedOptions, FileOptions, IcsOptions, OptionsError, SharedOptions};
use live::{Access, Limits, Origins, Proxy};
use serde::Deserialize;
use serde::de::Deserializer;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::flags::address;
use super::inline::inline;
use super::layers::{Layers, Problem};
use crate::log::Log;
#[cfg(feature = "replicas")]
use replicas::PublicKey;

/// Reads an address. A port need not be in quotes.
fn address_from<'de, T: From<SocketAddr>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let text = value.as_str().map_or_else(|| inline(&value), str::to_owned);
    address(&text).map(T::from).map_err(serde::de::Error::custom)
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// The content folder, or the address of an object store from whose releases the content comes.
    pub(crate) content: PathBuf,
    pub(crate) content_max_shrink: MaxShrink,
    pub(crate) content_cache: Option<PathBuf>,
    #[serde(deserialize_with = "feed::time_from::<1_000, _>")]
    pub(crate) content_poll: Duration,
    /// The keys of which one must have signed a release; none: a release need not be signed.
    #[cfg(feature = "replicas")]
    pub(crate) content_key: Vec<PublicKey>,
    #[cfg(not(feature = "replicas"))]
    content_key: Vec<String>,
    #[serde(deserialize_with = "feed::between::<{ 1 << 20 }, { 1 << 40 }, _>")]
    pub(crate) content_max_bytes: usize,
    #[serde(deserialize_with = "address_from")]
    pub(crate) listen: SocketAddr,
    /// The address to listen on, if no one chose it.
    #[serde(skip)]
    pub(crate) usual_listen: Option<SocketAddr>,
    #[serde(default, deserialize_with = "address_from")]
    pub(crate) admin: Option<SocketAddr>,
    #[serde(rename = "static")]
    pub(crate) site: Option<PathBuf>,
    pub(crate) state: Option<PathBuf>,
    /// Whether broken content prevents a start even if there is a last good copy.
    pub(crate) strict: bool,
    /// Whether another process may listen on the same address, so that it can take over.
    pub(crate) reuse_port: bool,
    pub(crate) reload: bool,
    pub(crate) log: Log,
    pub(crate) limits: Limits,
    pub(crate) proxies: Vec<Proxy>,
    mcp: Mcp,
    #[serde(skip)]
    pub(crate) feed: FeedChoice,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mcp {
    #[serde(deserialize_with = "hosts")]
    hosts: Vec<String>,
    #[serde(default, deserialize_with = "origins")]
    origins: Option<Origins>,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) enum FeedChoice {
    /// The settings name none, and the content comes from a bucket, which has none.
    #[default]
    None,
    Named(Box<FeedOptions>),
    /// The two possible feed files of the content folder. One of them may exist now or later.
    Found(Box<[FeedOptions; 2]>),
}

impl FeedChoice {
    pub(crate) fn is_named(&self) -> bool {
        matches!(self, Self::Named(_))
    }

    pub(crate) fn calendars(&self) -> Option<&IcsOptions> {
        if let Self::Named(options) = self { options.calendars() } else { None }
    }

    pub(crate) fn remember_in(&mut self, file: &Path) {
        let remember = |options: &mut FeedOptions| options.memory = Some(file.to_owned());
        match self {
            Self::Named(options) => remember(options),
            Self::Found(both) => both.iter_mut().for_each(remember),
            Self::None => {}
        }
    }
}

impl Settings {
    pub(super) fn read(layers: &Layers, problems: &mut Vec<Problem>) -> Option<Self> {
        let mut table = layers.table.clone();
        table.remove("feed");
        let mut settings: Self = layers.read("", table, problems)?;
        if settings.is_bucket() && cfg!(not(feature = "replicas")) {
            problems.push(refused(layers, "content", feed::NO_REPLICAS));
        }
        let of_bucket = [
            ("content-cache", settings.content_cache.is_some()),
            ("content-key", !settings.content_key.is_empty()),
        ];
        for (name, _) in of_bucket.into_iter().filter(|(_, is_set)| *is_set && !settings.is_bucket()) {
            let what =
                "this is only for content in an object store: set content to one, such as s3://bucket/prefix";
            problems.push(refused(layers, name, what));
        }
        settings.feed = feed(layers, (!settings.is_bucket()).then_some(&*settings.content), problems)?;
        problems.is_empty().then_some(settings)
    }

    pub(crate) fn is_bucket(&self) -> bool {
        self.content.to_str().is_some_and(|content| content.contains("://"))
    }

    pub(crate) fn access(&self) -> Access {
        let access = if self.listen.ip().is_loopback() { Access::loopback() } else { Access::public() };
        let access = access.with_hosts(self.mcp.hosts.clone());
        match &self.mcp.origins {
            Some(origins) => access.with_origins(origins.clone()),
            None => access,
        }
    }
}

pub(super) const KINDS: [&str; 4] = ["file", "smart", "ics", "nats"];
pub(super) const KINDS_ADVICE: &str =
    "write \"file\", \"smart\", \"ics\", or \"nats\"; calendars of Google, Outlook, and others are \"ics\"";

pub(super) fn feed(
    layers: &Layers,
    content: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Option<FeedChoice> {
    let Some(DeValue::Table(table)) = layers.table.get("feed").map(Spanned::get_ref) else {
        problems.push(refused(layers, "feed", "write a table"));
        return None;
    };
    let (shared, mut own): (DeTable, DeTable) =
        table.clone().into_iter().partition(|(key, _)| SharedOptions::KEYS.contains(&key.get_ref().as_ref()));
    let text = |value: &Spanned<DeValue>| value.get_ref().as_str().unwrap_or_default().to_owned();
    let named = own.remove("kind").map(|kind| text(&kind));
    let kind = named.as_deref().or(match own.get("url").map(text) {
        Some(url) if feed::is_bucket(&url) => Some("nats"),
        Some(_) => Some("smart"),
        None if own.contains_key("calendars") => Some("ics"),
        None => own.contains_key("path").then_some("file"),
    });
    let shared: Option<SharedOptions> = layers.read("feed", shared, problems);
    let kind = match kind {
        Some("file") => layers.read("feed", own, problems).map(FeedKind::File),
        Some("smart") => layers.read("feed", own, problems).map(FeedKind::Smart),
        Some("ics") => layers.read("feed", own, problems).map(FeedKind::Ics),
        Some("nats") => layers.read("feed", own, problems).map(Box::new).map(FeedKind::Nats),
        Some(_) => {
            problems.push(refused(layers, "feed.kind", KINDS_ADVICE));
            None
        }
        None => return found(layers, content, own, &shared?, problems),
    };
    checked(layers, kind?, shared?, problems).map(Box::new).map(FeedChoice::Named)
}

fn found(
    layers: &Layers,
    content: Option<&Path>,
    mut own: DeTable<'static>,
    shared: &SharedOptions,
    problems: &mut Vec<Problem>,
) -> Option<FeedChoice> {
    if shared.mode.is_some() {
        problems.push(refused(layers, "feed.mode", "this needs a feed: add a path or a url"));
        return None;
    }
    own.insert(Spanned::new(0..0, "path".into()), Spanned::new(0..0, DeValue::String("".into())));
    let file: FileOptions = layers.read("feed", own, problems)?;
    let Some(content) = content else { return Some(FeedChoice::None) };
    let mut found = |mode, other| {
        let file = FileOptions { path: content.join(feed_path(mode)), ..file.clone() };
        let shared = SharedOptions { mode: Some(mode), ..shared.clone() };
        let options = checked(layers, FeedKind::File(file), shared, problems)?;
        Some(FeedOptions { rival: Some(content.join(feed_path(other))), ..options })
    };
    let (busy, open) = (FeedMode::Busy, FeedMode::Open);
    Some(FeedChoice::Found(Box::new([found(busy, open)?, found(open, busy)?])))
}

fn checked(
    layers: &Layers,
    kind: FeedKind,
    shared: SharedOptions,
    problems: &mut Vec<Problem>,
) -> Option<FeedOptions> {
    let refuse = |OptionsError { key, what }| problems.push(refused(layers, &format!("feed.{key}"), &what));
    FeedOptions::new(kind, shared).map_err(refuse).ok()
}

/// A problem where a setting stands. A missing mode is shown at the path or the url of the feed.
pub(super) fn refused(layers: &Layers, name: &str, what: &str) -> Problem {
    let places = if name == "feed.mode" { &["feed.mode", "feed.path", "feed.url"][..] } else { &[name] };
    let span = places.iter().find_map(|place| layers.get(place)).map(toml::Spanned::span);
    layers.problem(name, span, what)
}

/// Hosts as in a Host field, without ports.
fn hosts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let hosts = Vec::<String>::deserialize(deserializer)?;
    let is_host = |text: &&String| {
        let is_bare = text.starts_with('[') == text.ends_with(']') && !text.contains(['/', '@', ' ']);
        let has_port = !text.starts_with('[') && text.contains(':');
        !text.is_empty() && is_bare && !has_port
    };
    match hosts.iter().find(|text| !is_host(text)) {
        None => Ok(hosts),
        Some(wrong) => Err(not_valid(wrong, "host: write only its name, like live.larkspur.example")),
    }
}

/// Origins as in an Origin field; a star is any.
fn origins<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Origins>, D::Error> {
    let origins = Vec::<String>::deserialize(deserializer)?;
    let is_origin = |text: &&String| {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        *text == "*" || host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '@', ' ']))
    };
    if let Some(wrong) = origins.iter().find(|text| !is_origin(text)) {
        return Err(not_valid(wrong, "origin: write https://host, or \"*\" to allow any"));
    }
    let is_any = origins.iter().any(|origin| origin == "*");
    Ok(Some(if is_any { Origins::Any } else { Origins::Listed(origins) }))
}

fn not_valid<E: serde::de::Error>(text: impl Display, rule: &str) -> E {
    E::custom(format!("\"{text}\" isn't a valid {rule}"))
}

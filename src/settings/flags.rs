//! Flags that the environment and a file can set, too.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use directory::calendar::FeedMode;
use directory::model::MaxShrink;
use serde::Serialize;

use crate::log::LogFormat;

// Headings of the help.
const NEW_CONTENT: &str = "New or broken content";
const OPERATORS: &str = "For operators";
const STORE: &str = "Content from an object store";

/// Flags of `serve` and `dev`.
#[derive(Debug, Default, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Configuration {
    /// The content folder, or the address of an object store, as for `publish` [default: content]
    #[arg(long, value_name = "DIR|STORE")]
    pub(crate) content: Option<PathBuf>,
    /// The address to listen on, or only a port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address)]
    pub(crate) listen: Option<SocketAddr>,
    /// Read settings from this TOML file; `NAMEPLATE_*` variables override it, and flags override both
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,
    /// Whether the demo is served, to which a settings file nearby doesn't belong.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) is_demo: bool,
    /// Print every setting and its origin as a settings file, and exit
    #[arg(long)]
    #[serde(skip)]
    pub(crate) print_config: bool,
    /// The address for operators: /readyz, /metrics, /feed/accept, /feed/end, and /content/accept
    #[arg(long, value_name = "ADDR:PORT", value_parser = address, help_heading = OPERATORS)]
    pub(crate) admin: Option<SocketAddr>,
    /// Hold back new content in which more than this share of the clinicians disappear; five or fewer are always allowed,
    /// unless none are left [default: 0.2]
    #[arg(long, value_name = "SHARE", help_heading = NEW_CONTENT)]
    pub(crate) content_max_shrink: Option<MaxShrink>,
    /// The format of the log [default: text]
    #[arg(long, value_enum, help_heading = OPERATORS)]
    pub(crate) log_format: Option<LogFormat>,
    /// The level of the log, such as warn or info,live=debug [default: info; dev: warn]
    #[arg(long, value_name = "LEVEL", help_heading = OPERATORS)]
    pub(crate) log_level: Option<String>,
    /// Log each request with its route, but without its path, query, or body
    #[arg(long, help_heading = OPERATORS)]
    pub(crate) access_log: bool,
}

/// Flags of `serve` only.
#[derive(Debug, Default, Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct ServeFlags {
    /// Also serve the built site in this folder
    #[arg(long = "static", value_name = "DIR", display_order = 1)]
    #[serde(rename = "static")]
    pub(crate) site: Option<PathBuf>,
    /// Keep a copy of the last good content in this folder, and start with it if the content is broken
    #[arg(long = "state-dir", alias = "state", value_name = "DIR", help_heading = NEW_CONTENT)]
    #[serde(rename = "state-dir")]
    pub(crate) state: Option<PathBuf>,
    /// Don't start with the last good content if the content is broken
    #[arg(long, help_heading = NEW_CONTENT)]
    pub(crate) strict: bool,
    /// Keep served releases in this folder, and start with them while the object store is down
    #[arg(long, value_name = "DIR", help_heading = STORE)]
    pub(crate) content_cache: Option<PathBuf>,
    /// How often to ask the object store for a newer release [default: 5s]
    #[arg(long, value_name = "TIME", help_heading = STORE)]
    pub(crate) content_poll: Option<String>,
    /// Serve only releases signed with the seed of this public key; repeat it for more keys
    #[arg(long, value_name = "PUBLICKEY", help_heading = STORE)]
    pub(crate) content_key: Vec<String>,
}

/// Reads an address and a port. A port by itself is on this computer.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.strip_prefix("localhost:").unwrap_or(text).parse();
    let local = port.map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    local.or_else(|_| text.parse()).map_err(|_| {
        let port = text.rsplit(':').next().unwrap_or(text);
        let what = if port.parse().is_ok_and(|port: u64| port > u16::MAX.into()) {
            "the highest port is 65535"
        } else {
            "this isn't a valid address"
        };
        format!("{what}: write an address and a port, like 127.0.0.1:8080 or [::1]:8080, or the port alone")
    })
}

pub(crate) fn feed_mode() -> impl TypedValueParser<Value = FeedMode> {
    PossibleValuesParser::new(["busy", "open"])
        .try_map(|word| word.parse::<FeedMode>().map_err(|_| "write busy or open"))
}

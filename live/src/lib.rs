//! The live service of Nameplate: the published files' answers over HTTP and MCP, as of now.
//!
//! A request passes four layers:
//! 1. [`Listener`]: sockets, the connection limit, deadlines, and the graceful stop.
//! 2. [`Service`], in `http`: `guard` refuses invalid requests before the routes; `finish` adds the common headers after
//!    them.
//! 3. `http::routes`: a table of warp filters. Its handlers are `http::rest`, `http::fhir`, `http::site` and `mcp`.
//! 4. `directory`: parses the request and makes the body. This crate makes no body of the API.
//!
//! Invariants:
//! - A REST body and the text of the matching tool's result are copies of one `Answer`; neither is serialized again.
//! - A request loads the snapshot once, so its body, tag and generation belong together.
//! - Routes, tools and parameters come from `directory`'s table of operations. `routes` defines the health check's path,
//!   `admin` the operators' paths.
//! - Only `clock` reads the system's clock. Only `site`, [`feed`] (its file source, its memory, and the secrets of a bucket)
//!   and `vitals` (`/proc`) read files.
//! - Every public response passes through `finish`.

mod access;
mod admin;
mod blocking;
mod body;
mod budget;
mod clock;
mod config;
mod dev;
pub mod feed;
#[cfg(test)]
mod growth;
mod hosts;
mod http;
mod judgement;
mod mcp;
mod options;
#[cfg(test)]
mod passing_time;
mod quality;
mod refusal_log;
mod reply;
mod server;
#[cfg(test)]
mod simulated_day;
mod store;
#[cfg(test)]
mod testing;
mod upkeep;
mod vitals;

pub use admin::Admin;
pub use clock::Clock;
pub use config::{Access, Limits, Origins, Proxy};
pub use feed::duration_of;
pub use http::Service;
pub use options::Options;
pub use server::{BindError, Drained, Listener};
pub use store::Store;
pub use upkeep::keep_true;
pub use vitals::Vitals;

/// What a build without the feature `replicas` says to whoever asks for what is in it.
pub const NO_REPLICAS: &str =
    "this build has no replicas support: install with `--features replicas`, or use a release";

/// Makes ring what all clients of the process encrypt with. Each client needs this before it is built.
pub fn install_tls() {
    // An error means that it is installed already.
    _ = rustls::crypto::ring::default_provider().install_default();
}

/// The status line and header fields of the response to a GET without header fields.
#[must_use]
pub fn head(store: std::sync::Arc<Store>, clock: Clock, path: &str, query: &str) -> String {
    http::Rest::new(store, clock).head(path, query)
}

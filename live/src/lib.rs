//! The live service of Nameplate: the published files' answers over HTTP and MCP, as of now.
//!
//! A *store* is what all requests share: the snapshot that is served. A request passes four layers:
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
//! - Only `site` and `vitals` (`/proc`) read files.
//! - Every public response passes through `finish`.

mod access;
mod admin;
mod body;
mod budget;
mod config;
mod dev;
mod hosts;
mod http;
mod judgement_log;
mod mcp;
mod options;
#[cfg(test)]
mod passing_time_tests;
mod quality;
mod refusal_log;
mod reply;
mod server;
#[cfg(test)]
mod simulated_day_tests;
mod store;
#[cfg(test)]
mod test_growth;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod upkeep;
mod vitals;

use feed::Clock;

pub use admin::Admin;
pub use config::{Access, Limits, Origins, Proxy};
pub use http::Service;
pub use options::Options;
pub use server::{BindError, Drained, Listener};
pub use store::{Documents, MakeDocuments, Store};
pub use upkeep::keep_true;
pub use vitals::Vitals;

/// The result of MCP's `tools/list`.
#[must_use]
pub fn tool_list(directory: &directory::Directory) -> String {
    mcp::tool_list(directory)
}

/// The status line and header fields of the response to a GET without header fields.
#[must_use]
pub fn head(store: std::sync::Arc<Store>, clock: Clock, path: &str, query: &str) -> String {
    http::Rest::new(store, clock).head(path, query)
}

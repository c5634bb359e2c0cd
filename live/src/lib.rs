//! The live service of Nameplate: the published files' answers over HTTP and MCP, as of now.
//!
//! A request passes [`Listener`] (sockets, limits, deadlines), [`Service`] (`guard`, routes, `finish`) and a handler
//! (`http::rest`, `http::fhir`, `http::site`, `mcp`). `directory` makes every body of the API. A request loads the
//! snapshot once, so its body, tag and generation belong together; only `site` and `vitals` (`/proc`) read files.

mod access;
mod admin;
mod body;
mod budget;
mod config;
mod dev;
mod hosts;
mod http;
mod judgment_log;
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
mod tree;
mod turns;
mod upkeep;
mod vitals;

use feed::Clock;

pub use admin::Admin;
pub use config::{Access, Limits, Origins, Proxy};
pub use http::{Service, waiting};
pub use mcp::tool_list;
pub use options::Options;
pub use server::{BindError, Drained, Listener};
pub use store::{Documents, MakeDocuments, Store};
pub use upkeep::keep_true;
pub use vitals::Vitals;

/// The status line and header fields of the response to a GET without header fields.
pub fn head(store: std::sync::Arc<Store>, clock: Clock, path: &str, query: &str) -> String {
    http::Rest::new(store, clock).head(path, query)
}

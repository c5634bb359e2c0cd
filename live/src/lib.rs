//! The live half of Nameplate: the same answers as the published files, over HTTP and over MCP, as of now.
//!
//! A request goes through four rooms, and each knows one thing. [`Listener`] knows sockets: who may connect,
//! how long each part of a request may take, and how to stop. The service knows HTTP's rules: what no route
//! should ever see is refused in front of the routes, and what every answer carries is put on behind them.
//! The routes are a table of warp filters and nothing else. What a question means and what its answer is,
//! `directory` knows; nothing here makes a body of the API.
//!
//! Invariants:
//! - An answer over REST and the text of the tool that mirrors it are the bytes of one `Answer`: they are
//!   copied, never serialized again.
//! - A request takes the snapshot once, so its answer, its tag and its generation belong together.
//! - No route, tool or parameter is named here; they are read from `directory`'s table of operations, beside
//!   which the MCP endpoint has its name, too. The health check is named in `routes`, what only operators ask
//!   for in `admin`, each once.
//! - The system's clock is read in `clock`, files in `site` and in [`feed`]'s file source; nowhere else.
//! - Every answer passes through one exit, which gives it the headers that all answers have.

mod admin;
mod body;
mod clock;
mod conditional;
mod config;
mod dev;
mod encoding;
pub mod feed;
mod finish;
mod guard;
mod mcp;
#[cfg(test)]
mod passing_time;
mod reply;
mod rest;
mod routes;
mod server;
mod service;
mod site;
mod store;
#[cfg(test)]
mod testing;
mod upkeep;
mod vitals;
mod watched;

pub use admin::Admin;
pub use clock::Clock;
pub use config::{Access, Limits, Options, Origins};
pub use feed::duration_of;
pub use server::{BindError, Drained, Listener};
pub use service::Service;
pub use store::Store;
pub use upkeep::keep_true;
pub use vitals::Vitals;

/// The status line and the header fields that a plain GET of a path is answered with.
#[must_use]
pub fn head(store: std::sync::Arc<Store>, clock: Clock, path: &str, query: &str) -> String {
    rest::Rest::new(store, clock).head(path, query)
}

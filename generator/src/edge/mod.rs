//! The rules of the edge: how a host of static files answers the API's routes.
//!
//! A tree of `.json` files works on a bare bucket; a host with rules also answers the routes themselves,
//! `?state=` included, and sends what needs the live service there. Rules are typed: a value that could
//! break a line cannot become one ([`token::Token`]), and routes and parameters are read from `OPERATIONS`.
//!
//! Each kind of host is one module, which turns the same facts into that host's files.

mod cloudflare;
mod headers;
mod netlify;
mod nginx;
mod token;

use std::fmt::{self, Write as _};

use bytes::Bytes;
use directory::api::{Fault, FaultKind, Operation, ParameterKind};
use directory::model::Directory;

pub use token::EdgeError;

use crate::path::TreePath;
use crate::plan::Plan;

/// The kind of host that the tree is made for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Netlify: `_redirects` and `_headers`.
    #[default]
    Netlify,
    /// Cloudflare Pages: a worker, `_routes.json`, `_headers` and `_redirects`.
    Cloudflare,
    /// nginx: two files to be included, in `_nginx`.
    Nginx,
}

/// The answer of every route that leads nowhere.
pub(crate) const NOT_FOUND_PATH: &str = "v1/not-found.json";

/// A host's files, and what a person should know about them.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) files: Vec<(TreePath, Bytes)>,
    pub(crate) notes: Vec<String>,
}

/// Writes the rules of a host.
pub(crate) fn rules(target: Target, directory: &Directory, plan: &Plan) -> Result<Edge, EdgeError> {
    match target {
        Target::Netlify => netlify::rules(directory, plan),
        Target::Cloudflare => cloudflare::rules(directory, plan),
        Target::Nginx => nginx::rules(directory, plan),
    }
}

/// What a person should know where there is no live.
fn without_live(directory: &Directory) -> Option<String> {
    let note = "directory.toml has no live-url: once published, availability, the MCP endpoint and filtered search \
                answer 404 (`serve` and `dev` answer them themselves)";
    directory.organisation().live_url().is_none().then(|| note.to_owned())
}

/// What a host says when live does not answer.
fn unreachable() -> Fault {
    Fault::of_transport(FaultKind::Overloaded, "the service cannot be reached at the moment; ask again")
}

/// Whether the route ends in a slug.
fn has_slug(operation: &Operation) -> bool {
    operation.parameters.iter().any(|parameter| parameter.kind == ParameterKind::PathSlug)
}

fn lines<T: fmt::Display>(rules: &[T]) -> String {
    rules.iter().fold(String::new(), |mut text, rule| {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{rule}");
        text
    })
}

//! The rules of the edge: how a host of static files answers the API's routes.
//!
//! A tree of `.json` files works on a bare bucket; a host with rules also answers the routes themselves,
//! `?state=` included, and sends what needs the live service there. Rules are typed: a value that could
//! break a line cannot become one ([`token::Token`]), and routes and parameters are read from `OPERATIONS`.
//!
//! Each kind of host is one module, which turns the same facts into that host's files.

mod headers;
mod netlify;
mod token;

use bytes::Bytes;
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
    }
}

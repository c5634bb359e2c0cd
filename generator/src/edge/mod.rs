//! Writes the rules by which a static host answers the API's routes.
//!
//! Without rules, a host serves only the `.json` files. With rules, it also answers the API's routes, including `?state=`,
//! and forwards other requests to the live service. Rules are typed: a value that could end a line cannot become a
//! [`token::Token`]. Routes and parameters come from `OPERATIONS`.
//!
//! Each kind of host has a module that writes its files.

mod cloudflare;
mod headers;
mod netlify;
mod nginx;
mod token;

use std::fmt;

use bytes::Bytes;
use directory::api::{Fault, FaultKind, OPERATIONS, Operation, ParameterKind};
use directory::model::Directory;

pub use token::EdgeError;

use crate::answers::AnswerFiles;
use crate::path::TreePath;

/// Defines the kinds of hosts, one row each: the name on the command line, a description of the files, and the module.
macro_rules! hosts {
    ($($(#[$about:meta])* $host:ident = $name:literal, $rules:literal, $module:ident;)+) => {
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Target { $($(#[$about])* $host),+ }

        impl Target {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$host),+];

            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$host => $name),+ }
            }

            /// Describes the files with its rules, for the help text.
            #[must_use]
            pub fn doc(self) -> &'static str {
                match self { $(Self::$host => $rules),+ }
            }
        }

        /// Writes the rules of a host.
        pub(crate) fn rules(target: Target, directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
            match target { $(Target::$host => $module::rules(directory, answers)),+ }
        }
    };
}

hosts! {
    #[default]
    Netlify = "netlify", "`_redirects` and `_headers`", netlify;
    Cloudflare = "cloudflare", "Cloudflare Pages: `_worker.js`, `_routes.json` and `_headers`", cloudflare;
    Nginx = "nginx", "Two files to include, in `_nginx`", nginx;
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

pub(crate) const NOT_FOUND_PATH: &str = "v1/not-found.json";

/// The files with a host's rules, and notes for the build's summary.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) files: Vec<(TreePath, Bytes)>,
    pub(crate) notes: Vec<String>,
}

/// Returns a note if the content has no live service.
fn note_without_live(directory: &Directory) -> Option<String> {
    let note = "directory.toml has no live-url: once published, availability, the MCP endpoint and filtered search \
                answer 404 (`serve` and `dev` answer them themselves)";
    directory.organisation().live_url.is_none().then(|| note.to_owned())
}

/// Returns the fault that a host sends while it cannot reach the live service.
fn unreachable() -> Fault {
    Fault::of_transport(FaultKind::Overloaded, "the service cannot be reached at the moment; ask again")
}

fn has_slug(operation: &Operation) -> bool {
    operation.parameters.iter().any(|parameter| parameter.kind == ParameterKind::PathSlug)
}

fn lines<T: fmt::Display>(rules: &[T]) -> String {
    rules.iter().map(ToString::to_string).map(|rule| rule + "\n").collect()
}

/// Divides the operations that have no slug by whether files answer some of their requests.
fn lists(answers: &AnswerFiles) -> (Vec<&'static Operation>, Vec<&'static Operation>) {
    OPERATIONS.iter().filter(|row| !has_slug(row)).partition(|row| answers.include(row.id))
}

#[cfg(test)]
mod tests {
    use directory::web::is_host_configuration;

    use super::*;
    use crate::{answer_files, test_fixture as fixture};

    #[test]
    fn host_rules_are_never_served() {
        let snapshot = fixture::snapshot();
        let answers = answer_files(snapshot.directory()).unwrap();
        for target in Target::ALL {
            let edge = rules(target, snapshot.directory(), &answers).unwrap();
            assert!(!edge.files.is_empty(), "{target}");
            for (path, _) in &edge.files {
                assert!(is_host_configuration(path.as_str()), "{target}: {path} would be served");
            }
        }
    }
}

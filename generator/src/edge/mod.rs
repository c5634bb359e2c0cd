//! Writes the rules by which a static host answers the API's routes, including `?state=`, and forwards other requests to the
//! live service. A value that could end a line cannot become a [`token::Token`].

mod caddy;
mod cloudflare;
mod headers;
mod netlify;
mod nginx;
mod redirects;
mod s3;
mod token;
mod vercel;

use std::fmt;

use bytes::Bytes;
use directory::api::{Fault, FaultKind, OPERATIONS, Operation, ParameterKind, Request};
use directory::model::{Directory, Slug};

pub use token::EdgeError;

use crate::answers::{AnswerFiles, answer_path};
use crate::path::TreePath;

/// One row each: the name on the command line, and the module.
macro_rules! hosts {
    ($($(#[$about:meta])* $host:ident = $name:literal, $module:ident;)+) => {
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Target { $($(#[$about])* $host),+ }

        impl Target {
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$host),+];

            pub fn name(self) -> &'static str {
                match self { $(Self::$host => $name),+ }
            }
        }

        pub(crate) fn rules(target: Target, directory: &Directory, answers: &AnswerFiles) -> Result<Edge, EdgeError> {
            match target { $(Target::$host => $module::rules(directory, answers)),+ }
        }
    };
}

hosts! {
    #[default]
    Netlify = "netlify", netlify;
    Cloudflare = "cloudflare", cloudflare;
    Nginx = "nginx", nginx;
    Caddy = "caddy", caddy;
    S3 = "s3", s3;
    Vercel = "vercel", vercel;
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

pub(crate) const NOT_FOUND_PATH: &str = "v1/not-found.json";

#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) files: Vec<(TreePath, Bytes)>,
    pub(crate) notes: Vec<String>,
}

impl Edge {
    fn new<const N: usize>(directory: &Directory, files: [(&str, Bytes); N]) -> Result<Self, EdgeError> {
        let files = files.into_iter().map(|(path, bytes)| Ok((path.parse()?, bytes)));
        let note = "directory.toml has no live-url: on a static host, there are no openings, no filtered search, and no \
                    assistants (`nameplate serve --static` answers them itself)";
        let without_live = directory.organization().live_url.is_none().then(|| note.to_owned());
        Ok(Self {
            files: files.collect::<Result<_, EdgeError>>()?,
            notes: without_live.into_iter().collect(),
        })
    }
}

/// The scheme of `live-url`, and its host and port. Refuses a path, because proxies cannot add one.
fn authority(address: &str) -> Result<(&str, &str), EdgeError> {
    let (scheme, authority) = address.split_once("://").unwrap_or(("https", address));
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':' | b'[' | b']');
    let parts = authority.bytes().all(is_host).then_some((scheme, authority));
    parts.ok_or_else(|| EdgeError::Upstream(address.to_owned()))
}

fn unreachable() -> Fault {
    Fault::of_transport(FaultKind::Overloaded, "the service is unreachable right now; ask again")
}

/// The path of the file that answers a request, if one does.
fn file(route: &str, query: Option<(&str, &str)>) -> Result<Option<String>, EdgeError> {
    let query = query.map(|(name, value)| format!("{name}={value}"));
    let request = Request::from_path_and_query(route, query.as_deref()).ok();
    let file = request.as_ref().and_then(answer_path).transpose()?;
    Ok(file.map(|path| format!("/{path}")))
}

/// Each former slug, and the slug of today.
fn moved(directory: &Directory) -> impl Iterator<Item = (&Slug, &Slug)> {
    let providers = directory.providers().iter();
    providers.flat_map(|provider| provider.former_slugs.iter().map(move |former| (former, &provider.slug)))
}

/// What the addresses of pages begin with in each language.
fn bases(directory: &Directory) -> impl DoubleEndedIterator<Item = &str> {
    directory.texts().iter().map(|texts| texts.base.as_str())
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

    /// CloudFront takes functions of 10 KB, and Vercel 2,048 routes of 4,096 characters.
    #[test]
    fn rules_of_a_large_clinic_fit_into_their_hosts() {
        for (others, has_room) in [(20, true), (600, false)] {
            let snapshot = fixture::crowd(others);
            let directory = snapshot.directory();
            let answers = answer_files(directory).unwrap();
            let edge = s3::rules(directory, &answers).unwrap();
            assert!(edge.files.iter().all(|(_, function)| function.len() <= 10_240));
            let request = String::from_utf8(edge.files[0].1.to_vec()).unwrap();
            assert_eq!(
                (request.contains("\"slugs\":\"ada-moreau"), edge.notes.is_empty()),
                (has_room, has_room)
            );
            let edge = vercel::rules(directory, &answers).unwrap();
            let config: serde_json::Value = serde_json::from_slice(&edge.files[0].1).unwrap();
            let routes = config["routes"].as_array().unwrap();
            assert!(routes.len() <= 2_048);
            assert!(routes.iter().all(|route| route["src"].as_str().is_none_or(|src| src.len() <= 4_096)));
            let edge = caddy::rules(directory, &answers).unwrap();
            let site = String::from_utf8(edge.files[0].1.to_vec()).unwrap();
            assert_eq!(site.matches('{').count(), site.matches('}').count());
        }
    }

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

//! What may be served, and what a published page may do: one policy, for the hosts that serve the tree and for the
//! service that does.

use std::collections::BTreeSet;

use crate::model::{Directory, Headshot};

/// What the name of a host's own file or folder in the tree begins with: `_headers`, `_nginx/`.
const OF_THE_HOST: char = '_';

/// Whether a path in the tree is a host's own: its rules are read by the host, and never served.
#[must_use]
pub fn is_of_the_host(path: &str) -> bool {
    path.starts_with(OF_THE_HOST)
}

/// What a portrait may do: an SVG is a document that can hold scripts, so opened by itself it may only be looked at.
pub const PORTRAIT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// The `Content-Security-Policy` of pages: a page may use what lies on its own host, and show the portraits that
/// content places elsewhere.
#[must_use]
pub fn page_policy(directory: &Directory) -> String {
    let headshots = directory.providers().iter().filter_map(|provider| provider.headshot());
    let elsewhere: BTreeSet<&str> = headshots
        .filter_map(|headshot| match headshot {
            Headshot::Address(address) => origin(address),
            Headshot::File { .. } => None,
        })
        .collect();
    let images: String = elsewhere.iter().flat_map(|origin| [" ", origin]).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'{images}; font-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The origin of an https address; `None` for anything that would mean more than one place in a policy.
fn origin(address: &str) -> Option<&str> {
    let host = address.strip_prefix("https://")?;
    let length = host.find(['/', '?', '#']).unwrap_or(host.len());
    let host = &host[..length];
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b':');
    (!host.is_empty() && host.bytes().all(is_host)).then(|| &address[.."https://".len() + length])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_one_place_and_nothing_more() {
        assert_eq!(origin("https://img.example/a/b.png"), Some("https://img.example"));
        assert_eq!(origin("https://img.example:8443?x"), Some("https://img.example:8443"));
        for address in
            ["http://img.example/a", "https://", "https://*/a", "https://a b/", "https://a;script-src/"]
        {
            assert_eq!(origin(address), None, "{address}");
        }
    }
}

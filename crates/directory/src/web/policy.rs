//! Which files are served, and the content security policies, for static hosts and for the live service.

use std::collections::BTreeSet;

use crate::model::{Directory, Headshot};

/// Whether a path in the tree contains the host's rules, such as `_headers` or `_nginx/`. These are never served.
pub fn is_host_configuration(path: &str) -> bool {
    path.starts_with('_')
}

pub const PORTRAIT_ROOT: &str = "/headshots/";
/// The `Cross-Origin-Resource-Policy` of portraits: pages of other sites show them, also with
/// `Cross-Origin-Embedder-Policy: require-corp`.
pub const PORTRAIT_SHARING: &str = "cross-origin";
/// The `Content-Security-Policy` of portraits: an SVG that is opened by itself must not run scripts.
pub const PORTRAIT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// What pages ask of browsers besides.
pub const PAGE_HEADERS: [(&str, &str); 2] = [
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
];

/// Allows resources of the same host, and portraits from the hosts that content names.
pub fn page_policy(directory: &Directory) -> String {
    let images: String =
        other_portrait_origins(directory).into_iter().flat_map(|origin| [" ", origin]).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'{images}; font-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

fn other_portrait_origins(directory: &Directory) -> BTreeSet<&str> {
    let headshots = directory.providers().iter().filter_map(|provider| provider.headshot.as_ref());
    let origins = headshots.filter_map(|headshot| match headshot {
        Headshot::Address(address) => origin(address),
        Headshot::File { .. } => None,
    });
    origins.collect()
}

pub(super) fn portrait_origins(directory: &Directory) -> BTreeSet<&str> {
    let site = &directory.organization().site_url;
    let host = site.find("://").map_or(0, |at| at + "://".len());
    let length = site[host..].find('/').unwrap_or(site.len() - host);
    let mut origins = other_portrait_origins(directory);
    origins.insert(&site[..host + length]);
    origins
}

/// The origin of an https address; `None` if it could mean more than one source in a policy.
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
    fn an_origin_is_a_single_https_host() {
        assert_eq!(origin("https://img.example/a/b.png"), Some("https://img.example"));
        assert_eq!(origin("https://img.example:8443?x"), Some("https://img.example:8443"));
        for address in
            ["http://img.example/a", "https://", "https://*/a", "https://a b/", "https://a;script-src/"]
        {
            assert_eq!(origin(address), None, "{address}");
        }
    }
}

use std::net::IpAddr;

use directory::model::Organization;
use warp::http::uri::{Authority, Uri};

/// The hosts of the content's addresses.
pub(crate) fn published_hosts(organization: &Organization) -> Vec<String> {
    let published = [&*organization.api_url, &organization.mcp_url, &organization.site_url];
    let published = published.into_iter().chain(organization.live_url.as_deref());
    published.filter_map(host_of_url).map(str::to_owned).collect()
}

pub(crate) fn host_of_field(field: &str) -> Option<&str> {
    if is_plain(field.as_bytes()) {
        let end = field.bytes().position(|byte| byte == b':').unwrap_or(field.len());
        return field.get(..end);
    }
    // In `name@host`, the real host stands behind the @.
    if field.contains('@') {
        return None;
    }
    let authority: Authority = field.parse().ok()?;
    let length = authority.host().len();
    field.get(..length)
}

/// Letters, digits, dots and hyphens, and an optional port: valid without parsing, and the common case.
pub(crate) fn is_plain(host: &[u8]) -> bool {
    let end = host.iter().position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')));
    let (name, rest) = host.split_at(end.unwrap_or(host.len()));
    let is_port = |port: &[u8]| (1..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    !name.is_empty() && (rest.is_empty() || rest.strip_prefix(b":").is_some_and(is_port))
}

pub(crate) fn host_of_url(url: &str) -> Option<&str> {
    let uri: Uri = url.parse().ok()?;
    let authority = uri.authority()?.as_str();
    let start = url.find(authority)?;
    host_of_field(&url[start..start + authority.len()])
}

pub(crate) fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || address_of(host).is_some_and(|address| address.is_loopback())
}

pub(crate) fn is_address(host: &str) -> bool {
    address_of(host).is_some()
}

fn address_of(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

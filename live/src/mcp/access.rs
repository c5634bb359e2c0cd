//! Under which names the endpoint answers, and to whose pages: the defence against DNS rebinding.

use directory::model::Organisation;
use warp::http::HeaderValue;
use warp::http::uri::{Authority, Uri};

use super::fields::Fields;
use crate::config::{Access, Origins};
use crate::guard;

/// The hosts of the addresses in the content.
#[derive(Debug)]
pub(crate) struct Hosts(Vec<String>);

impl Hosts {
    pub(crate) fn of(organisation: &Organisation) -> Self {
        let published = [organisation.api_url(), organisation.mcp_url(), organisation.site_url()];
        let published = published.into_iter().chain(organisation.live_url());
        Self(published.filter_map(host_in).map(str::to_owned).collect())
    }
}

impl Access {
    /// Whether a request with these header fields may be answered.
    pub(super) fn admits(&self, fields: &Fields<'_>, published: &Hosts) -> bool {
        let host = fields.host.map(HeaderValue::to_str);
        let known = match host {
            Some(Ok(host)) => host_of(host).is_some_and(|host| self.knows(host, published)),
            Some(Err(_)) => false,
            None => true,
        };
        known && fields.origin().all(|origin| self.welcomes(origin))
    }

    fn knows(&self, host: &str, published: &Hosts) -> bool {
        let is_one_of = |known: &[String]| known.iter().any(|known| known.eq_ignore_ascii_case(host));
        is_one_of(&self.hosts) || if self.loopback_only { is_loopback(host) } else { is_one_of(&published.0) }
    }

    fn welcomes(&self, origin: &HeaderValue) -> bool {
        let Ok(origin) = origin.to_str() else { return false };
        match &self.origins {
            Origins::Listed(listed) if listed.iter().any(|known| known.eq_ignore_ascii_case(origin)) => true,
            Origins::Any if !self.loopback_only => true,
            _ => self.loopback_only && host_in(origin).is_some_and(is_loopback),
        }
    }
}

/// The host of a Host field, without its port.
fn host_of(field: &str) -> Option<&str> {
    if guard::is_plain(field.as_bytes()) {
        let end = field.bytes().position(|byte| byte == b':').unwrap_or(field.len());
        return field.get(..end);
    }
    // Behind a name and an @ stands another host than in front of it.
    if field.contains('@') {
        return None;
    }
    // The authority's own text is given back as a slice of the field, so that nothing is allocated.
    let authority: Authority = field.parse().ok()?;
    let length = authority.host().len();
    field.get(..length)
}

/// The host of an address.
fn host_in(address: &str) -> Option<&str> {
    let uri: Uri = address.parse().ok()?;
    let authority = uri.authority()?.as_str();
    let start = address.find(authority)?;
    host_of(&address[start..start + authority.len()])
}

fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use warp::http::header::{self, HeaderMap};

    use super::*;
    use crate::testing;

    fn admits(access: &Access, host: &str, origin: Option<&str>) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        access.admits(&Fields::of(&headers), &Hosts::of(testing::snapshot().directory().organisation()))
    }

    #[test]
    fn on_loopback_only_loopbacks_names_are_answered() {
        let access = Access::loopback();
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:80", "[::1]:80", "[::1]"] {
            assert!(admits(&access, host, None), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "10.0.0.1", "localhost@evilevil1"] {
            assert!(!admits(&access, host, None), "{host}");
        }
        assert!(admits(&access, "localhost", Some("http://localhost:6274")));
        assert!(admits(&access, "localhost", Some("http://127.0.0.1")));
        for origin in
            ["https://evil.example", "null", "http://localhost.evil.example", "http://localhost@evilevil1"]
        {
            assert!(!admits(&access, "localhost", Some(origin)), "{origin}");
        }
        let behind_a_proxy = access.with_hosts(["api.fixture.example".to_owned()]);
        assert!(admits(&behind_a_proxy, "API.fixture.example", None));
    }

    #[test]
    fn in_public_the_contents_own_hosts_are_answered() {
        let access = Access::public();
        for host in ["api.fixture.example", "fixture.example:443", "live.fixture.example"] {
            assert!(admits(&access, host, Some("https://claude.example")), "{host}");
        }
        for host in ["evil.example", "localhost", "api.fixture.example.evil.example"] {
            assert!(!admits(&access, host, None), "{host}");
        }
        let listed = access.with_origins(Origins::Listed(vec!["https://good.example".to_owned()]));
        assert!(admits(&listed, "api.fixture.example", None));
        assert!(admits(&listed, "api.fixture.example", Some("https://good.example")));
        assert!(!admits(&listed, "api.fixture.example", Some("https://evil.example")));
    }
}

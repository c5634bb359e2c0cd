//! Checks Host and Origin: the defense against DNS rebinding.

use warp::http::header::{self, HeaderMap, HeaderValue};

use crate::config::{Access, Origins};
use crate::hosts::{host_of_field, host_of_url, is_address, is_loopback};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AccessDenied {
    Host(String),
    Origin(String),
}

impl AccessDenied {
    pub(crate) fn message(&self) -> String {
        let settings = "in nameplate's settings";
        match self {
            Self::Host(host) => {
                format!(
                    "Forbidden: the Host \"{host}\" isn't allowed here; if it is a name of this service, add it to \
                     mcp.hosts (NAMEPLATE_MCP_HOSTS) {settings}"
                )
            }
            Self::Origin(origin) if origin.starts_with("http://") || origin.starts_with("https://") => {
                format!(
                    "Forbidden: pages from the Origin \"{origin}\" aren't allowed here; to allow them, add it to \
                 mcp.origins {settings}, or set mcp.origins = [\"*\"] to allow every site"
                )
            }
            Self::Origin(origin) => format!(
                "Forbidden: pages from the Origin \"{origin}\" aren't allowed here; to allow them, set mcp.origins = \
                 [\"*\"] {settings}, which allows every site"
            ),
        }
    }
}

impl Access {
    pub(crate) fn check(&self, headers: &HeaderMap, published: &[String]) -> Result<(), AccessDenied> {
        let host = accepted_host(headers, |host| self.accepts_host(host, published))?;
        let by_loopback_name = host.map_or(self.loopback_only, is_loopback);
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let refused = origins.find(|origin| !self.accepts_origin(origin, by_loopback_name));
        refused.map_or(Ok(()), |origin| Err(AccessDenied::Origin(shown(origin.as_bytes()))))
    }

    /// For what only operators or an editor should read. DNS rebinding leads a name here, so an address is as safe as
    /// `localhost`: probes and Prometheus ask by it. Browsers never leave the Host out.
    pub(crate) fn check_rebinding(&self, headers: &HeaderMap) -> Result<(), AccessDenied> {
        let is_safe = |host: &str| is_loopback(host) || is_address(host) || is_one_of(&self.hosts, host);
        accepted_host(headers, is_safe).map(drop)
    }

    fn accepts_host(&self, host: &str, published: &[String]) -> bool {
        is_one_of(&self.hosts, host)
            || if self.loopback_only { is_loopback(host) } else { is_one_of(published, host) }
    }

    fn accepts_origin(&self, origin: &HeaderValue, by_loopback_name: bool) -> bool {
        let Ok(origin) = origin.to_str() else { return self.origins == Some(Origins::Any) };
        let is_configured = match &self.origins {
            Some(Origins::Any) => true,
            Some(Origins::Listed(listed)) => listed.iter().any(|known| known.eq_ignore_ascii_case(origin)),
            None => !by_loopback_name,
        };
        is_configured || (by_loopback_name && host_of_url(origin).is_some_and(is_loopback))
    }
}

fn accepted_host(
    headers: &HeaderMap,
    accepts: impl FnOnce(&str) -> bool,
) -> Result<Option<&str>, AccessDenied> {
    let Some(field) = headers.get(header::HOST) else { return Ok(None) };
    let host = field.to_str().ok().and_then(host_of_field);
    let named = host.map_or(field.as_bytes(), str::as_bytes);
    host.filter(|host| accepts(host)).map(Some).ok_or_else(|| AccessDenied::Host(shown(named)))
}

fn is_one_of(known: &[String], host: &str) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(host))
}

/// For a message: at most 64 characters, `?` for those that are not visible.
fn shown(value: &[u8]) -> String {
    let visible = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { '?' };
    value.iter().take(64).map(visible).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::published_hosts;
    use crate::testing;

    fn check(access: &Access, host: &str, origin: Option<&str>) -> Result<(), AccessDenied> {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        access.check(&headers, &published_hosts(testing::snapshot().directory().organization()))
    }

    fn admits(access: &Access, host: &str, origin: Option<&str>) -> bool {
        check(access, host, origin).is_ok()
    }

    #[test]
    fn on_loopback_only_loopback_hosts_and_origins_are_accepted_by_default() {
        let access = Access::loopback();
        for host in ["localhost", "LocalHost:8080", "127.0.0.1:80", "[::1]:80", "[::1]"] {
            assert!(admits(&access, host, None), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "localhost@evilevil1",
            "api.fixture.example",
        ] {
            assert!(!admits(&access, host, None), "{host}");
        }
        assert!(admits(&access, "localhost", Some("http://localhost:6274")));
        assert!(admits(&access, "localhost", Some("http://127.0.0.1")));
        for origin in
            ["https://evil.example", "null", "http://localhost.evil.example", "http://localhost@evilevil1"]
        {
            assert!(!admits(&access, "localhost", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn configured_hosts_and_origins_apply_on_loopback_too() {
        let access = Access::loopback().with_hosts(["api.fixture.example".to_owned()]);
        assert!(admits(&access, "API.fixture.example", None));
        assert!(admits(&access, "api.fixture.example", Some("https://claude.example")));
        assert!(
            !admits(&access, "127.0.0.1:8080", Some("https://claude.example")),
            "a loopback host accepts loopback origins only"
        );
        assert!(!admits(&access, "evil.example", None));
        // A proxy that passes its upstream's host on, with pages of any site.
        let access = access.with_origins(Origins::Any);
        for origin in ["https://claude.example", "null", "http://localhost:6274"] {
            assert!(admits(&access, "127.0.0.1:8080", Some(origin)), "{origin}");
        }
        assert!(!admits(&access, "evil.example", Some("https://evil.example")), "DNS rebinding");
        let access = access.with_origins(Origins::Listed(vec!["https://good.example".to_owned()]));
        assert!(admits(&access, "127.0.0.1", Some("https://good.example")));
        assert!(admits(&access, "127.0.0.1", Some("http://localhost:6274")));
        for host in ["127.0.0.1", "api.fixture.example"] {
            assert!(!admits(&access, host, Some("https://evil.example")), "{host}");
        }
    }

    #[test]
    fn in_public_the_hosts_of_the_contents_urls_are_accepted() {
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
        for origin in ["https://evil.example", "http://localhost"] {
            assert!(!admits(&listed, "api.fixture.example", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn a_refusal_names_the_setting_and_the_value_to_add() {
        let access = Access::loopback();
        let message = |host: &str, origin| check(&access, host, origin).unwrap_err().message();
        let host = message("api.clinic.example:8443", None);
        assert!(
            host.contains("Host \"api.clinic.example\"") && host.contains("add it to mcp.hosts"),
            "{host}"
        );
        let origin = message("localhost", Some("https://claude.example"));
        assert!(origin.contains("Origin \"https://claude.example\""), "{origin}");
        assert!(origin.contains("add it to mcp.origins"), "{origin}");
        // The setting's list cannot hold "null".
        let null = message("localhost", Some("null"));
        assert!(null.contains("set mcp.origins = [\"*\"]") && !null.contains("add it"), "{null}");
        let long = check(&access, &"x".repeat(200), None).unwrap_err();
        assert_eq!(long, AccessDenied::Host("x".repeat(64)));
    }
}

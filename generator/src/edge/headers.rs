//! The headers of static files, the same for every kind of host.
//!
//! Rules go from general to specific. If a later rule repeats a header of an earlier one, some hosts send the later value
//! and others send both; each repeated header here is correct either way.

use std::fmt;

use directory::api::{Caching, EXPOSED_HEADERS, MCP_PATH, PROGRAM_ROOTS};
use directory::model::Directory;
use directory::web::{ELEMENTS_ROOT, PORTRAIT_POLICY, PORTRAIT_ROOT, PORTRAIT_SHARING, page_policy};
use standards::{BULK_PUBLISH_PATH, FHIR_RESOURCE_TYPES, FHIR_ROOT, FhirTarget, NDJSON, SLOTS_PATH};

use super::token::{EdgeError, HeaderValue, Token};

#[derive(Debug)]
pub(crate) struct HeaderRule {
    pub(crate) pattern: Token,
    pub(crate) headers: Vec<(&'static str, HeaderValue)>,
}

/// In the format of Netlify's and Cloudflare Pages' `_headers`.
impl fmt::Display for HeaderRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.pattern)?;
        self.headers.iter().try_for_each(|(name, value)| write!(formatter, "\n  {name}: {value}"))
    }
}

pub(super) fn rules(directory: &Directory) -> Result<Vec<HeaderRule>, EdgeError> {
    let rule = |pattern: &str, headers: &[(&'static str, &str)]| -> Result<HeaderRule, EdgeError> {
        let headers = headers.iter().map(|&(name, value)| Ok((name, value.parse()?)));
        Ok(HeaderRule { pattern: pattern.parse()?, headers: headers.collect::<Result<_, EdgeError>>()? })
    };
    let cors = [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", EXPOSED_HEADERS)];
    let cached = [cors[0], cors[1], ("Cache-Control", Caching::Catalogue.cache_control())];
    let [rest, api, well_known] = PROGRAM_ROOTS;
    let general = [
        rule(
            "/*",
            &[
                ("X-Content-Type-Options", "nosniff"),
                ("Nameplate-Generation", directory.generation().as_str()),
                ("Content-Security-Policy", &page_policy(directory)),
                ("Referrer-Policy", "strict-origin-when-cross-origin"),
                ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
            ],
        ),
        rule(&format!("{rest}/*"), &cached),
        // If a host sends both values, caches use the shorter time, which is correct, too.
        rule(&format!("{ELEMENTS_ROOT}*"), &[("Cache-Control", Caching::Immutable.cache_control())]),
        // These routes also answer JSON 404s.
        rule(&format!("{api}/*"), &cors),
        rule(&format!("{well_known}/*"), &cors),
        // Its name, set by the protocol, has no extension that tells hosts the type.
        rule(&format!("{MCP_PATH}/server-card"), &[("Content-Type", "application/json")]),
        // An SVG opened by itself can run scripts.
        rule(
            &format!("{PORTRAIT_ROOT}*"),
            &[
                ("Content-Security-Policy", PORTRAIT_POLICY),
                ("Cross-Origin-Resource-Policy", PORTRAIT_SHARING),
            ],
        ),
    ];
    let mut rules = general.into_iter().collect::<Result<Vec<_>, _>>()?;
    if directory.organisation().standards.is_some() {
        rules.push(rule(&format!("{FHIR_ROOT}/*"), &cors)?);
        // Hosts would send a wrong type: the manifest has no extension, and they do not know FHIR's NDJSON type.
        for resource_type in &FHIR_RESOURCE_TYPES {
            let file = FhirTarget::File(resource_type);
            let kept = ("Cache-Control", file.cache_control());
            rules.push(rule(&file.path(), &[("Content-Type", file.media_type()), kept])?);
        }
        let kept = ("Cache-Control", FhirTarget::Manifest.cache_control());
        rules.push(rule(&format!("{SLOTS_PATH}*"), &[("Content-Type", NDJSON), kept])?);
        rules.push(rule(BULK_PUBLISH_PATH, &[("Content-Type", FhirTarget::Manifest.media_type()), kept])?);
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture as fixture;

    #[test]
    fn api_files_allow_every_origin_and_are_cached_as_specified() {
        let rules = rules(fixture::snapshot().directory()).unwrap();
        let rule = rules.iter().find(|rule| rule.pattern == "/v1/*".parse().unwrap()).unwrap();
        let header = |name: &str| rule.headers.iter().find(|(n, _)| *n == name).unwrap().1.to_string();
        assert_eq!(header("Access-Control-Allow-Origin"), "*");
        assert_eq!(
            header("Cache-Control"),
            "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400"
        );
    }
}

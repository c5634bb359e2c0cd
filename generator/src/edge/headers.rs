//! The headers of static files, from general to specific. If a later rule repeats a header, some hosts send only the later
//! value, and others both. Both are correct for every header that is repeated here.

use std::fmt;

use directory::api::{Caching, EXPOSED_HEADERS, PROGRAM_ROOTS};
use directory::model::Directory;
use directory::web::{
    ELEMENTS_ROOT, HOME_LINKS, MARKDOWN, PAGE_HEADERS, PORTRAIT_POLICY, PORTRAIT_ROOT, PORTRAIT_SHARING,
    found_files, page_policy,
};
use standards::{BULK_PUBLISH_PATH, FHIR_RESOURCE_TYPES, FHIR_ROOT, FhirTarget, NDJSON, SLOTS_PATH};

use super::token::{EdgeError, HeaderValue, Token};

const MARKDOWN_FILES: &str = "/*.md";

#[derive(Debug)]
pub(crate) struct HeaderRule {
    pub(crate) pattern: Token,
    pub(crate) headers: Vec<(&'static str, HeaderValue)>,
}

/// For `_headers` of Netlify and Cloudflare Pages.
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
    let cached = [cors[0], cors[1], ("Cache-Control", Caching::Catalog.cache_control())];
    let [rest, api, well_known] = PROGRAM_ROOTS;
    let general = [
        rule(
            "/*",
            &[
                ("X-Content-Type-Options", "nosniff"),
                ("Nameplate-Generation", directory.generation().as_str()),
                ("Content-Security-Policy", &page_policy(directory)),
                PAGE_HEADERS[0],
                PAGE_HEADERS[1],
            ],
        ),
        rule(&format!("{rest}/*"), &cached),
        // If a host sends both values, caches use the shorter time, which is also correct.
        rule(&format!("{ELEMENTS_ROOT}*"), &[("Cache-Control", Caching::Immutable.cache_control())]),
        // The 404s of these routes are JSON.
        rule(&format!("{api}/*"), &cors),
        rule(&format!("{well_known}/*"), &cors),
        rule("/", &[("Link", HOME_LINKS)]),
        rule(MARKDOWN_FILES, &[("Content-Type", MARKDOWN)]),
        // An SVG can run scripts if it is opened by itself.
        rule(
            &format!("{PORTRAIT_ROOT}*"),
            &[
                ("Content-Security-Policy", PORTRAIT_POLICY),
                ("Cross-Origin-Resource-Policy", PORTRAIT_SHARING),
            ],
        ),
    ];
    let mut rules = general.into_iter().collect::<Result<Vec<_>, _>>()?;
    // Standards set these names. Most have no extension, so hosts cannot derive the type.
    for file in found_files(directory.organization()) {
        let link = file.link.map(|link| ("Link", link));
        let headers = [("Content-Type", file.media_type), ("Cache-Control", file.cache_control)];
        rules.push(rule(file.path, &headers.into_iter().chain(link).collect::<Vec<_>>())?);
    }
    if directory.organization().standards.is_some() {
        rules.push(rule(&format!("{FHIR_ROOT}/*"), &cors)?);
        // The manifest has no extension, and hosts do not know FHIR's NDJSON type.
        for resource in &FHIR_RESOURCE_TYPES {
            let file = FhirTarget::File(resource);
            let cached = ("Cache-Control", file.cache_control());
            rules.push(rule(&file.path(), &[("Content-Type", file.media_type()), cached])?);
        }
        let cached = ("Cache-Control", FhirTarget::Manifest.cache_control());
        rules.push(rule(&format!("{SLOTS_PATH}*"), &[("Content-Type", NDJSON), cached])?);
        rules.push(rule(BULK_PUBLISH_PATH, &[("Content-Type", FhirTarget::Manifest.media_type()), cached])?);
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

//! How programs find the directory: the files at well-known paths, with their headers, and what the MCP server says of
//! itself.

use serde_json::{Value, json};

use crate::api::Caching;
use crate::model::{Discovery, Organization};

pub const ARD_PATH: &str = "/.well-known/ard.json";
/// Drafts and scanners older than [`ARD_PATH`] read the same document here.
pub const AI_CATALOG_PATH: &str = "/.well-known/ai-catalog.json";
pub const API_CATALOG_PATH: &str = "/.well-known/api-catalog";
pub const SECURITY_PATH: &str = "/.well-known/security.txt";
pub const CHALLENGE_PATH: &str = "/.well-known/openai-apps-challenge";
/// What changed, for feed readers.
pub const FEED_PATH: &str = "/changes.atom";
pub const SERVER_CARD_PATH: &str = "/api/mcp/server-card";
pub const HOME_LINKS: &str =
    "</.well-known/api-catalog>; rel=\"api-catalog\", </.well-known/ard.json>; rel=\"ard\"";
pub const MARKDOWN: &str = "text/markdown; charset=utf-8";

/// The registries' limit for names and descriptions.
const MAX_CHARACTERS: usize = 100;
const PLAIN: &str = "text/plain; charset=utf-8";
/// The path of the logo, and the sides of the product's mark.
const LOGO: (&str, u32) = ("assets/logo.png", 512);

/// A file whose headers its path alone doesn't tell a host.
#[derive(Debug, Clone, Copy)]
pub struct FoundFile {
    pub path: &'static str,
    pub media_type: &'static str,
    pub cache_control: &'static str,
    pub link: Option<&'static str>,
}

const fn file(path: &'static str, media_type: &'static str) -> FoundFile {
    FoundFile { path, media_type, cache_control: Caching::Catalog.cache_control(), link: None }
}

const FOUND_FILES: [FoundFile; 7] = [
    file(FEED_PATH, "application/atom+xml"),
    file(ARD_PATH, "application/json"),
    file(AI_CATALOG_PATH, "application/json"),
    FoundFile {
        link: Some("</.well-known/api-catalog>; rel=\"api-catalog\""),
        ..file(
            API_CATALOG_PATH,
            "application/linkset+json; profile=\"https://www.rfc-editor.org/info/rfc9727\"",
        )
    },
    file(SECURITY_PATH, PLAIN),
    file(CHALLENGE_PATH, PLAIN),
    FoundFile {
        cache_control: "public, max-age=3600",
        ..file(SERVER_CARD_PATH, "application/mcp-server-card+json")
    },
];

pub fn found_file(path: &str) -> Option<&'static FoundFile> {
    FOUND_FILES.iter().find(|file| file.path == path)
}

/// The files that a clinic publishes.
pub fn found_files(clinic: &Organization) -> impl Iterator<Item = &'static FoundFile> {
    let Discovery { security, listing, .. } = &clinic.discovery;
    FOUND_FILES.iter().filter(move |file| match file.path {
        SECURITY_PATH => security.is_some(),
        CHALLENGE_PATH => listing.openai_challenge.is_some(),
        _ => true,
    })
}

/// What the MCP server says of itself: in its card, in the registry's entry, and in replies.
#[derive(Debug)]
pub struct ServerIdentity {
    /// The reversed host of the endpoint, and what it is there.
    pub name: String,
    pub version: &'static str,
    pub title: String,
    pub description: String,
    pub website_url: String,
    /// The site's host, which publishes this.
    pub publisher: String,
    pub icons: Value,
}

impl ServerIdentity {
    pub fn new(clinic: &Organization) -> Self {
        let reversed: Vec<_> = host(&clinic.mcp_url).split('.').rev().collect();
        let description = format!("Find clinicians of {}, the plans they accept, and openings", clinic.name);
        let (path, side) = clinic.discovery.logo.as_ref().map_or(LOGO, |logo| (logo.path, logo.width));
        let icon = json!({
            "src": format!("{}/{path}", clinic.site_url),
            "mimeType": "image/png",
            "sizes": [format!("{side}x{side}")],
        });
        Self {
            name: format!("{}/directory", reversed.join(".")),
            version: env!("CARGO_PKG_VERSION"),
            title: clinic.name.chars().take(MAX_CHARACTERS).collect(),
            description: description.chars().take(MAX_CHARACTERS).collect(),
            website_url: format!("{}/docs/assistants", clinic.site_url),
            publisher: host(&clinic.site_url).to_owned(),
            icons: json!([icon]),
        }
    }

    /// MCP's `serverInfo`, without what a client needs only once.
    pub fn brief(&self) -> Value {
        json!({ "name": self.name, "version": self.version, "title": self.title })
    }

    pub fn info(&self) -> Value {
        let mut info = self.brief();
        info["icons"] = self.icons.clone();
        info["websiteUrl"] = json!(self.website_url);
        info
    }
}

fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or("", |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default()
}

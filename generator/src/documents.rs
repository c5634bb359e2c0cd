//! Makes the documents by which programs find the directory: ARD v0.91, SEP-2127 (MCP server cards), the MCP registry, and
//! RFC 9727 (API catalogs). They depend on the content alone, so the live service sends the same bytes.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bytes::Bytes;
use directory::api::{MCP_LEGACY_VERSIONS, MCP_MODERN_VERSION, Snapshot};
use directory::calendar::Calendar;
use directory::model::{Directory, StateCode};
use directory::web::{
    AI_CATALOG_PATH, API_CATALOG_PATH, ARD_PATH, CHALLENGE_PATH, SECURITY_PATH, SERVER_CARD_PATH,
    ServerIdentity,
};
use serde_json::{Value, json};

use crate::json::to_json;
use crate::openapi;
use crate::path::{PathError, TreePath};
use crate::webmcp;

type Files = Vec<(TreePath, Bytes)>;

/// A live service without a site answers them, too.
pub fn documents(snapshot: &Snapshot) -> Result<Files, PathError> {
    let directory = snapshot.directory();
    // A feed must not change the examples in the description of the API.
    let snapshot = &snapshot.with_calendar(Calendar::unrolled(directory));
    let ard: Bytes = to_json(&ard(directory)).into();
    let mut files = openapi::files(snapshot)?;
    for (path, bytes) in [
        (ARD_PATH, ard.clone()),
        (AI_CATALOG_PATH, ard),
        (SERVER_CARD_PATH, to_json(&server_card(directory)).into()),
        (API_CATALOG_PATH, to_json(&api_catalog(directory)).into()),
        (webmcp::PATH, to_json(&webmcp::table(directory)).into()),
    ] {
        files.push((tree_path(path)?, bytes));
    }
    if let Some(challenge) = &directory.organization().discovery.listing.openai_challenge {
        files.push((tree_path(CHALLENGE_PATH)?, challenge.clone().into()));
    }
    Ok(files)
}

pub(crate) fn of_site(directory: &Directory) -> Result<Files, PathError> {
    let organization = directory.organization();
    let mut files = vec![("server.json".parse()?, to_json(&registry_entry(directory)).into())];
    if let Some(security) = &organization.discovery.security {
        let text = format!(
            "Contact: {}\nExpires: {}T23:59:59Z\nCanonical: {}{SECURITY_PATH}\n",
            security.contact, security.expires, organization.site_url
        );
        files.push((tree_path(SECURITY_PATH)?, text.into()));
    }
    Ok(files)
}

fn tree_path(path: &str) -> Result<TreePath, PathError> {
    path.trim_start_matches('/').parse()
}

fn ard(directory: &Directory) -> Value {
    let organization = directory.organization();
    let ServerIdentity { publisher, title, description, .. } = ServerIdentity::new(organization);
    let (of_assistants, of_programs) = queries(directory);
    json!({
        "specVersion": "1.0",
        "host": {
            "displayName": title,
            "documentationUrl": format!("{}/docs", organization.site_url),
        },
        "entries": [
            {
                "identifier": format!("urn:air:{publisher}:mcp:directory"),
                "displayName": title,
                "type": "application/mcp-server-card+json",
                "url": format!("{}{SERVER_CARD_PATH}", organization.api_url),
                "description": description,
                "representativeQueries": of_assistants,
            },
            {
                "identifier": format!("urn:air:{publisher}:api:directory"),
                "displayName": format!("{title} API"),
                "type": "application/openapi+json",
                "url": openapi_url(directory),
                "representativeQueries": of_programs,
            },
        ],
    })
}

/// About the states where most clinicians accept new patients, and a plan that most of them accept there.
fn queries(directory: &Directory) -> (Vec<String>, Vec<String>) {
    let accepting = |state| directory.providers().iter().filter(move |one| one.accepting.contains(state));
    let mut states: Vec<StateCode> =
        StateCode::all().filter(|&state| accepting(state).next().is_some()).collect();
    states.sort_by_cached_key(|&state| Reverse(accepting(state).count()));
    let plan = |state: &StateCode| {
        let mut counts = BTreeMap::new();
        for plan in accepting(*state).flat_map(|one| one.plans_in(*state)) {
            *counts.entry(plan).or_insert(0_usize) += 1;
        }
        let most = counts.into_iter().max_by_key(|(plan, count)| (*count, Reverse(plan.index())));
        most.map(|(plan, _)| plan)
    };
    let (Some(first), Some(last)) = (states.first(), states.get(2).or(states.last())) else {
        let all = ["Who is accepting new patients?", "Which insurance plans are accepted?"];
        return (all.map(str::to_owned).into(), all.map(str::to_owned).into());
    };
    let with_plan = states.iter().skip(1).chain([first]).find_map(|state| Some((state, plan(state)?)));
    let about_plan = match with_plan {
        Some((state, plan)) => {
            format!("Which clinicians in {} accept {}?", state.name(), directory.plan(*plan).as_str())
        }
        None => format!("Which visits can be booked in {}?", first.name()),
    };
    let of_assistants = vec![
        format!("Who is accepting new patients in {}?", first.name()),
        about_plan,
        format!("When is the next opening in {}?", last.name()),
    ];
    let of_programs = vec![
        format!("Which insurance plans are accepted in {}?", first.name()),
        format!("Which openings are there in {}?", last.name()),
    ];
    (of_assistants, of_programs)
}

fn server_card(directory: &Directory) -> Value {
    let ServerIdentity { name, version, title, description, website_url, icons, .. } =
        ServerIdentity::new(directory.organization());
    let versions: Vec<_> = MCP_LEGACY_VERSIONS.into_iter().chain([MCP_MODERN_VERSION]).collect();
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
        "name": name,
        "version": version,
        "title": title,
        "description": description,
        "websiteUrl": website_url,
        "icons": icons,
        "remotes": [{
            "type": "streamable-http",
            "url": &directory.organization().mcp_url,
            "supportedProtocolVersions": versions,
        }],
    })
}

fn registry_entry(directory: &Directory) -> Value {
    let ServerIdentity { name, version, title, description, website_url, icons, .. } =
        ServerIdentity::new(directory.organization());
    json!({
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": name,
        "title": title,
        "description": description,
        "version": version,
        "websiteUrl": website_url,
        "icons": icons,
        "remotes": [{ "type": "streamable-http", "url": &directory.organization().mcp_url }],
    })
}

fn api_catalog(directory: &Directory) -> Value {
    let organization = directory.organization();
    let (site, api) = (&organization.site_url, &organization.api_url);
    json!({
        "linkset": [
            {
                "anchor": format!("{api}/v1"),
                "service-desc": [{ "href": openapi_url(directory), "type": "application/json" }],
                "service-doc": [{ "href": format!("{site}/docs"), "type": "text/html" }],
            },
            {
                "anchor": &organization.mcp_url,
                "service-desc": [{
                    "href": format!("{api}{SERVER_CARD_PATH}"),
                    "type": "application/mcp-server-card+json",
                }],
            },
        ],
    })
}

fn openapi_url(directory: &Directory) -> String {
    format!("{}/v1/openapi.json", directory.organization().api_url)
}

#[cfg(test)]
mod tests;

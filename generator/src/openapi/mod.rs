//! Writes the OpenAPI document, and a JSON Schema of each answer, from the code that answers requests. Examples are real
//! answers of this clinic. A parameter's schema is one plain type, so that generated clients have `limit?: number`; the
//! document's description says what else the API accepts.

mod links;
mod parameters;
mod responses;
mod schemas;

pub(crate) use responses::{EXAMPLE_TIME, failures, shortened};

use bytes::Bytes;
use directory::api::{OPERATIONS, Operation, Snapshot};
use directory::model::{NoticeName, Organization};
use serde_json::{Map, Value, json};

use crate::json::to_json;
use crate::path::{PathError, TreePath};

const DOCUMENT_PATH: &str = "v1/openapi.json";
const TAG: &str = "Directory";

pub(crate) fn files(snapshot: &Snapshot) -> Result<Vec<(TreePath, Bytes)>, PathError> {
    let schemas = schemas::Schemas::new(snapshot.directory().professions());
    let mut files = vec![(DOCUMENT_PATH.parse()?, to_json(&document(snapshot, &schemas)).into())];
    let api_url = &snapshot.directory().organization().api_url;
    let documents = schemas.documents(api_url)?;
    files.extend(documents.into_iter().map(|(path, schema)| (path, to_json(&schema).into())));
    Ok(files)
}

fn document(snapshot: &Snapshot, schemas: &schemas::Schemas) -> Value {
    let organization = snapshot.directory().organization();
    let examples = parameters::Examples::new(snapshot.directory());
    let path = |row| json!({ "get": operation(row, snapshot, schemas, &examples) });
    let paths: Map<String, Value> = OPERATIONS.iter().map(|row| (row.path.to_owned(), path(row))).collect();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("{}: provider directory", organization.name),
            "summary": &organization.description,
            "description": format!(
                "The open, read-only directory of {}: clinicians, the plans they accept, the visits they \
                 offer, and open times. No key is needed. The same operations are MCP tools at {}. Empty \
                 optional parameters are ignored, out-of-range numbers are clamped, and parameter words are \
                 case-insensitive.",
                organization.name,
                organization.mcp_url
            ),
            "version": "1.0.0",
            "contact": contact(organization),
        },
        "servers": [{ "url": &organization.api_url }],
        "security": [],
        "tags": [{ "name": TAG, "description": "Clinicians, plans, visit types and openings." }],
        "paths": paths,
        "components": {
            "schemas": schemas.components(),
            "headers": responses::headers(),
            "responses": responses::shared(),
        },
    });
    if let Some(terms) = organization.discovery.notice(NoticeName::Terms) {
        document["info"]["termsOfService"] = terms.into();
    }
    document
}

/// The clinic's help, or else its site.
fn contact(organization: &Organization) -> Value {
    let support = organization.discovery.notice(NoticeName::Support).unwrap_or(&organization.site_url);
    match support.split_once(':') {
        Some(("mailto", email)) => json!({ "name": &organization.name, "email": email }),
        Some(("tel", _)) => json!({ "name": &organization.name, "url": &organization.site_url }),
        _ => json!({ "name": &organization.name, "url": support }),
    }
}

fn operation(
    row: &'static Operation,
    snapshot: &Snapshot,
    schemas: &schemas::Schemas,
    examples: &parameters::Examples<'_>,
) -> Value {
    let parameters: Vec<Value> =
        row.parameters.iter().map(|parameter| parameters::describe(parameter, examples)).collect();
    let mut operation = json!({
        "operationId": row.name,
        "summary": row.title,
        "description": row.doc,
        "tags": [TAG],
    });
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    operation["responses"] = responses::responses(row, snapshot, schemas.name(row.id)).into();
    operation
}

#[cfg(test)]
mod tests;

//! The view of the tools' results, as the endpoint's one resource (the extension MCP Apps).

use directory::api::shown;
use directory::model::Directory;
use directory::web::{VIEW_MEDIA_TYPE, VIEW_URI, view_csp, view_document};
use serde_json::{Value, json};

use super::params::Params;
use super::rpc::{INVALID_PARAMS, RpcError};
use super::versions::Era;

pub(super) const EXTENSION: &str = "io.modelcontextprotocol/ui";

/// The legacy revisions have their own code for this; the modern one doesn't.
const LEGACY_NOT_FOUND: i32 = -32002;

/// Also under the key that older hosts read.
pub(super) fn of_tool() -> Value {
    json!({ "ui": { "resourceUri": VIEW_URI }, "ui/resourceUri": VIEW_URI })
}

pub(super) fn list() -> Vec<u8> {
    let view = json!({
        "uri": VIEW_URI,
        "name": "directory",
        "title": "Clinicians and openings",
        "description": "Shows the results of this server's tools as cards, times, and buttons.",
        "mimeType": VIEW_MEDIA_TYPE,
    });
    json!({ "resources": [view] }).to_string().into_bytes()
}

/// Fails if the request names no resource, or another one.
pub(super) fn read(era: Era, params: &Params<'_>, directory: &Directory) -> Result<Vec<u8>, RpcError> {
    let Some(uri) = &params.uri else {
        return Err(RpcError::new(INVALID_PARAMS, "Invalid params: \"uri\" must be a resource's address"));
    };
    if uri != VIEW_URI {
        let code = if era == Era::Legacy { LEGACY_NOT_FOUND } else { INVALID_PARAMS };
        let message = format!("Resource not found: {}", shown(uri));
        return Err(RpcError { data: Some(json!({ "uri": shown(uri) })), ..RpcError::new(code, message) });
    }
    let view = json!({
        "uri": VIEW_URI,
        "mimeType": VIEW_MEDIA_TYPE,
        "text": view_document(directory, None),
        "_meta": { "ui": { "csp": view_csp(directory), "prefersBorder": false } },
    });
    Ok(json!({ "contents": [view] }).to_string().into_bytes())
}

//! Determines a request's revision of the protocol. Four begin with `initialize` (here: legacy). In the fifth (modern), each
//! request names its version in `_meta` and repeats some values in header fields, for proxies. A request is modern if its
//! `_meta` names a version, if its method is new, or if its version header is not legacy; `initialize` alone is legacy.

use std::borrow::Cow;

use data_encoding::BASE64;
use directory::api::{MCP_LEGACY_VERSIONS, MCP_MODERN_VERSION, shown};
use serde_json::{Value, json};
use warp::http::header::{HeaderMap, HeaderName};

use super::params::Params;
use super::rpc::{Call, INVALID_PARAMS, RpcError};

pub(super) const LEGACY: [&str; 4] = MCP_LEGACY_VERSIONS;
const LATEST_LEGACY: &str = LEGACY[3];
/// The only one with batches, and the default without a version header.
pub(super) const WITH_BATCHES: &str = LEGACY[1];
pub(super) const MODERN: &str = MCP_MODERN_VERSION;

pub(super) const VERSION_HEADER: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const METHOD_HEADER: HeaderName = HeaderName::from_static("mcp-method");
pub(super) const NAME_HEADER: HeaderName = HeaderName::from_static("mcp-name");

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

const HEADER_MISMATCH: i32 = -32020;
const UNSUPPORTED_VERSION: i32 = -32022;

/// Optional.
pub(super) const DISCOVER: &str = "server/discover";
pub(super) const INITIALIZE: &str = "initialize";
pub(super) const READ_RESOURCE: &str = "resources/read";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    Legacy,
    Modern,
}

/// Fails with status 400 if a modern request is not valid.
pub(super) fn era_of(call: &Call<'_>, headers: &HeaderMap) -> Result<Era, RpcError> {
    let header = text(headers, &VERSION_HEADER);
    let meta = call.params.meta.as_ref().and_then(Value::as_object);
    let version = meta.and_then(|meta| meta.get(VERSION));
    let legacy_header = header.as_deref().is_none_or(|header| LEGACY.contains(&header));
    if version.is_none() && (call.method == INITIALIZE || (legacy_header && call.method != DISCOVER)) {
        return Ok(Era::Legacy);
    }
    let Some(version) = version else {
        return Err(match header {
            Some(header) if header != MODERN && !legacy_header => unsupported(&header),
            _ => missing_meta(VERSION),
        });
    };
    let Some(version) = version.as_str() else { return Err(missing_meta(VERSION)) };
    // First, because a proxy may already have acted on the header.
    if header.is_some() {
        require_equal(headers, &VERSION_HEADER, version)?;
    }
    if version != MODERN {
        return Err(unsupported(version));
    }
    if !meta.and_then(|meta| meta.get(CLIENT_CAPABILITIES)).is_some_and(Value::is_object) {
        return Err(missing_meta(CLIENT_CAPABILITIES));
    }
    require_equal(headers, &VERSION_HEADER, version)?;
    require_equal(headers, &METHOD_HEADER, &call.method)?;
    if let Some(name) = repeated_name(call) {
        require_equal(headers, &NAME_HEADER, name)?;
    }
    Ok(Era::Modern)
}

/// The one that the client names, or the latest.
pub(super) fn negotiated(params: &Params<'_>) -> &'static str {
    let wanted = params.protocol_version.as_deref();
    LEGACY.into_iter().find(|known| Some(*known) == wanted).unwrap_or(LATEST_LEGACY)
}

pub(super) fn allows_batch(headers: &HeaderMap) -> bool {
    text(headers, &VERSION_HEADER).is_none_or(|version| version == WITH_BATCHES)
}

fn repeated_name<'a>(call: &'a Call<'_>) -> Option<&'a str> {
    match call.method.as_ref() {
        "tools/call" | "prompts/get" => call.params.name.as_deref(),
        READ_RESOURCE => call.params.uri.as_deref(),
        _ => None,
    }
}

fn require_equal(headers: &HeaderMap, name: &HeaderName, expected: &str) -> Result<(), RpcError> {
    let problem = match text(headers, name) {
        Some(value) if value == expected => return Ok(()),
        Some(_) => "differs from the request body",
        None => "is missing",
    };
    Err(RpcError::new(HEADER_MISMATCH, format!("Header mismatch: the {name} header {problem}")))
}

/// Text that is not valid in a header field is encoded as `=?base64?…?=`.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<Cow<'a, str>> {
    let value = std::str::from_utf8(headers.get(name)?.as_bytes()).ok()?.trim();
    let encoded = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let decoded = encoded.and_then(|encoded| String::from_utf8(BASE64.decode(encoded.as_bytes()).ok()?).ok());
    Some(decoded.map_or(Cow::Borrowed(value), Cow::Owned))
}

fn missing_meta(key: &str) -> RpcError {
    RpcError::new(INVALID_PARAMS, format!("Invalid params: _meta[\"{key}\"] is missing or malformed"))
}

/// Names the one version of this kind of request: earlier ones begin with `initialize`.
fn unsupported(requested: &str) -> RpcError {
    RpcError {
        data: Some(json!({ "supported": [MODERN], "requested": shown(requested) })),
        ..RpcError::new(UNSUPPORTED_VERSION, "Unsupported protocol version")
    }
}

#[cfg(test)]
mod tests {
    use warp::http::header::HeaderValue;

    use super::*;

    fn era(method: &str, params: &Value, headers: &[(HeaderName, &str)]) -> Result<Era, i32> {
        let params = params.to_string();
        let params = serde_json::from_str(&params).unwrap();
        let headers: HeaderMap = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap()))
            .collect();
        era_of(&Call { method: method.to_owned().into(), params }, &headers).map_err(|error| error.code)
    }

    fn meta() -> Value {
        json!({ "_meta": { VERSION: MODERN, CLIENT_CAPABILITIES: {} } })
    }

    #[test]
    fn a_request_without_a_modern_version_is_legacy() {
        let legacy = |method: &str, headers: &[(HeaderName, &str)]| era(method, &json!({}), headers);
        assert_eq!(legacy("tools/list", &[]), Ok(Era::Legacy));
        for version in LEGACY {
            assert_eq!(legacy("tools/list", &[(VERSION_HEADER, version)]), Ok(Era::Legacy));
        }
        for version in [MODERN, "2099-01-01", "2025-11-25"] {
            assert_eq!(legacy(INITIALIZE, &[(VERSION_HEADER, version)]), Ok(Era::Legacy));
        }
        assert_eq!(legacy("tools/list", &[(VERSION_HEADER, MODERN)]), Err(INVALID_PARAMS));
        assert_eq!(legacy("tools/list", &[(VERSION_HEADER, "2099-01-01")]), Err(UNSUPPORTED_VERSION));
        assert_eq!(legacy(DISCOVER, &[]), Err(INVALID_PARAMS));
    }

    #[test]
    fn a_modern_request_needs_its_meta_and_headers() {
        let good = [(VERSION_HEADER, MODERN), (METHOD_HEADER, "tools/list")];
        assert_eq!(era("tools/list", &meta(), &good), Ok(Era::Modern));
        assert_eq!(era("tools/list", &meta(), &good[..1]), Err(HEADER_MISMATCH));
        assert_eq!(era("tools/list", &meta(), &good[1..]), Err(HEADER_MISMATCH));
        let other = [(VERSION_HEADER, MODERN), (METHOD_HEADER, "Tools/List")];
        assert_eq!(era("tools/list", &meta(), &other), Err(HEADER_MISMATCH));
        let older = [(VERSION_HEADER, "2025-11-25"), (METHOD_HEADER, "tools/list")];
        assert_eq!(era("tools/list", &meta(), &older), Err(HEADER_MISMATCH));
        let without = json!({ "_meta": { VERSION: MODERN } });
        assert_eq!(era("tools/list", &without, &good), Err(INVALID_PARAMS));
        let unknown = json!({ "_meta": { VERSION: "2099-01-01", CLIENT_CAPABILITIES: {} } });
        assert_eq!(era("tools/list", &unknown, &good), Err(HEADER_MISMATCH));
        assert_eq!(era("tools/list", &unknown, &good[1..]), Err(UNSUPPORTED_VERSION));
        let both = [(VERSION_HEADER, "2099-01-01"), (METHOD_HEADER, "tools/list")];
        assert_eq!(era("tools/list", &unknown, &both), Err(UNSUPPORTED_VERSION));
    }

    #[test]
    fn a_repeated_name_may_be_base64() {
        let mut params = meta();
        params["name"] = "zoë".into();
        let with = |name| {
            let headers = [(VERSION_HEADER, MODERN), (METHOD_HEADER, "tools/call"), (NAME_HEADER, name)];
            era("tools/call", &params, &headers)
        };
        assert_eq!(with("=?base64?em/Dqw==?="), Ok(Era::Modern));
        assert_eq!(with("zoe"), Err(HEADER_MISMATCH));
        assert_eq!(with("=?base64?!?="), Err(HEADER_MISMATCH));
    }

    #[test]
    fn initialize_accepts_a_known_version_and_offers_the_latest_otherwise() {
        let with = |version: &str| {
            let params = json!({ "protocolVersion": version }).to_string();
            negotiated(&serde_json::from_str(&params).unwrap())
        };
        for version in LEGACY {
            assert_eq!(with(version), version);
        }
        assert_eq!(with("1999-01-01"), "2025-11-25");
        assert_eq!(negotiated(&Params::default()), "2025-11-25");
    }
}

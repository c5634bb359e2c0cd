//! Changes that `nameplate dev` makes to pages as it sends them: a script reloads each after a change, the content's
//! mistakes replace all while there are any, and samples name this service. The tree on disk stays what `build` publishes.

mod errors;
mod samples;

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use directory::api::MCP_PATH;
use directory::web::page_policy;
use warp::http::header::{self, HeaderValue};
use warp::http::{Method, StatusCode};

use crate::reply::{self, Response};
use crate::store::Store;
use crate::tree::Stamp;
use crate::vitals::Vitals;

/// Pages poll it, because an event stream would delay a stop.
const STATE: &str = "/.nameplate/state";
const SCRIPT: &str = "/.nameplate/reload.js";
const STYLE: &str = "/.nameplate/errors.css";

#[derive(Debug)]
pub(crate) struct Dev {
    /// Such as `http://127.0.0.1:8080`.
    address: String,
    store: Arc<Store>,
    vitals: Arc<Vitals>,
}

impl Dev {
    pub(crate) fn new(address: SocketAddr, store: Arc<Store>, vitals: Arc<Vitals>) -> Self {
        Self { address: format!("http://{address}"), store, vitals }
    }

    /// `None` for paths that are not this module's own.
    pub(crate) fn answer(&self, method: &Method, path: &str, stamp: Stamp) -> Option<Response> {
        let (media_type, body) = match path {
            STATE => ("application/json", format!("{{\"state\":\"{}\"}}", self.state(stamp)).into()),
            SCRIPT => ("text/javascript; charset=utf-8", Bytes::from_static(include_bytes!("reload.js"))),
            STYLE => ("text/css; charset=utf-8", Bytes::from_static(include_bytes!("errors.css"))),
            _ => return None,
        };
        let response = || of_type(StatusCode::OK, body, media_type);
        Some(reply::for_other_methods(method).unwrap_or_else(response))
    }

    pub(crate) fn page(&self, html: &[u8], stamp: Stamp) -> Bytes {
        let html = String::from_utf8_lossy(html);
        let current = self.store.current();
        let organization = current.directory().organization();
        let mcp = format!("{}{MCP_PATH}", self.address);
        // The MCP address goes first, because it may begin with the other one.
        let own = [
            (organization.mcp_url.as_str(), mcp.as_str()),
            (organization.api_url.as_str(), self.address.as_str()),
        ];
        let html = samples::rename(&html, &own);
        let script = self.script(stamp);
        let (head, body) = html.split_once("</head>").unwrap_or((&html, ""));
        let end = if body.is_empty() { "" } else { "</head>" };
        format!("{head}{script}{end}{body}").into()
    }

    /// `None` unless new content is refused.
    pub(crate) fn errors(&self, stamp: Stamp) -> Option<Response> {
        let why = self.vitals.refusal()?;
        let page = errors::page(&why, STYLE, &self.script(stamp));
        let mut response =
            of_type(StatusCode::INTERNAL_SERVER_ERROR, page.into(), "text/html; charset=utf-8");
        let policy = page_policy(self.store.current().directory());
        reply::insert(response.headers_mut(), header::CONTENT_SECURITY_POLICY, policy);
        Some(response)
    }

    fn script(&self, stamp: Stamp) -> String {
        format!("<script src=\"{SCRIPT}\" data-state=\"{}\" defer></script>\n", self.state(stamp))
    }

    /// Changes whenever a page may look different.
    fn state(&self, stamp: Stamp) -> String {
        let current = self.store.current();
        let mut hasher = DefaultHasher::new();
        (stamp, current.directory().generation().as_str(), self.vitals.refusal()).hash(&mut hasher);
        format!("{:016x}", hasher.finish())
    }
}

fn of_type(status: StatusCode, body: Bytes, media_type: &'static str) -> Response {
    let mut response = reply::json(status, body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

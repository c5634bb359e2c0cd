//! The same six tools on the rmcp crate's `StreamableHttpService`, as fast as it goes: stateless, without
//! Nagle's delay, each reply collected into one body.
//!
//! It asks the same library for its answers, from the same content at the same moment, and hands them to rmcp as
//! the JSON value that rmcp takes. What differs is everything between the socket and the answer. It does less
//! besides: no Host and Origin policy, no deadlines, no metrics.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use directory::Request as AskedFor;
use directory::Snapshot;
use directory::api::Operation;
use directory::calendar::{Calendar, Instant};
use directory::content::load_and_check;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tower::Service;

#[derive(Clone)]
struct Tools {
    listed: Arc<Vec<Tool>>,
    snapshot: Arc<Snapshot>,
    now: DateTime<Utc>,
}

impl Tools {
    fn read(listed: &Path, content: &Path, now: &str) -> Self {
        let bytes = std::fs::read(listed).expect("a file with the list of tools");
        let now = DateTime::parse_from_rfc3339(now).expect("a moment").to_utc();
        let checked = load_and_check(content, now.date_naive()).expect("content without mistakes");
        let snapshot = Snapshot::new(checked.directory);
        let calendar = Calendar::from_hours(snapshot.directory(), Instant::ceil(now));
        Self {
            listed: Arc::new(serde_json::from_slice(&bytes).expect("a list of tools")),
            snapshot: Arc::new(snapshot.with_calendar(calendar)),
            now,
        }
    }
}

impl rmcp::ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.listed.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(operation) = Operation::for_tool(&request.name) else {
            return Err(ErrorData::invalid_params("unknown tool", None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let asked = AskedFor::from_tool(operation, &arguments);
        Ok(match asked.and_then(|asked| self.snapshot.answer(&asked, self.now)) {
            Ok(answer) => {
                let value: Value = serde_json::from_slice(answer.body()).expect("JSON");
                CallToolResult::structured(value).into()
            }
            Err(fault) => CallToolResult::error(vec![ContentBlock::text(fault.spoken())]).into(),
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |what: &str| arguments.next().expect(what);
    let (listed, content) = (argument("a file with the list of tools"), argument("a content folder"));
    let (now, address) = (argument("a moment"), argument("an address"));
    let tools = Tools::read(Path::new(&listed), Path::new(&content), &now);
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false);
    let mcp = StreamableHttpService::new(
        move || Ok(tools.clone()),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let listener = tokio::net::TcpListener::bind(&address).await.expect("a free port");
    loop {
        let (stream, _) = listener.accept().await.expect("a connection");
        stream.set_nodelay(true).expect("no delay");
        let mcp = mcp.clone();
        let answer = service_fn(move |request: Request<Incoming>| {
            let mut mcp = mcp.clone();
            async move {
                let response = mcp.call(request).await.unwrap_or_else(|never| match never {});
                let (head, body) = response.into_parts();
                let body: Bytes = body.collect().await.unwrap_or_else(|never| match never {}).to_bytes();
                Ok::<_, Infallible>(Response::from_parts(head, Full::new(body)))
            }
        });
        tokio::spawn(async move {
            _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

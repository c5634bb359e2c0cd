//! The same six tools on the rmcp crate's `StreamableHttpService`, as fast as it goes: stateless, without
//! Nagle's delay, each reply collected into one body.
//!
//! The answers are read once from a folder that holds a `tools.json` and a `<tool>.json` for each tool, so
//! nothing is searched or sorted here: the yardstick does less than the product.

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::TokioIo;
use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use tower::Service;

#[derive(Clone)]
struct Directory {
    tools: Arc<Vec<Tool>>,
    answers: Arc<HashMap<String, Value>>,
}

impl Directory {
    fn read(folder: &Path) -> Self {
        let read = |name: &str| std::fs::read(folder.join(format!("{name}.json"))).expect(name);
        let tools: Vec<Tool> = serde_json::from_slice(&read("tools")).expect("a list of tools");
        let answer =
            |tool: &Tool| (tool.name.to_string(), serde_json::from_slice(&read(&tool.name)).expect("JSON"));
        let answers = tools.iter().map(answer).collect();
        Self { tools: Arc::new(tools), answers: Arc::new(answers) }
    }
}

impl rmcp::ServerHandler for Directory {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.to_vec()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match self.answers.get(request.name.as_ref()) {
            Some(answer) => Ok(CallToolResult::structured(answer.clone()).into()),
            None => Err(ErrorData::invalid_params("unknown tool", None)),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let (folder, address) = (arguments.next().expect("a folder"), arguments.next().expect("an address"));
    let directory = Directory::read(Path::new(&folder));
    let config = StreamableHttpServerConfig::default().with_legacy_session_mode(false);
    let mcp = StreamableHttpService::new(
        move || Ok(directory.clone()),
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

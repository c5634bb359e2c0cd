//! The MCP endpoint: the protocol, the list of tools, and whether tools give the same answers as REST.

use directory::api::{Fault, MCP_PATH, Operation, ParameterKind, Request};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::expectation::Body;
use super::host::{Host, Response};
use super::judge::{Judge, Rule};
use super::questions::INVALID;
use super::reference::Reference;
use super::report::{Findings, shown};

/// A search without a letter or a digit.
const NO_WORD: &str = "?!";
/// A protocol version that all current clients support.
const VERSION: &str = "2025-06-18";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const JSON_OR_EVENTS: &str = "application/json, text/event-stream";
const UNREACHABLE: &str = "assistants cannot connect: see that the host passes this path on to live, and that live \
                           accepts this host's name";
const FORBIDDEN: &str = "live does not accept this host's name: add it to mcp.hosts in live's settings, or set it as \
                         api-url or mcp-url in the content";
const PROTOCOL: &str = "clients lose the connection over this: see that the host passes the path on unchanged, and that \
                        live has this program's version";
const TOOLS: &str = "assistants see other tools than these: live has another version of this program";
const ANSWER: &str =
    "tools must give the same answers as REST: see that live has this content, and this program's version";

/// Checks the endpoint. `targets` are REST requests that the tools are called with.
pub(super) async fn check(host: &Host, reference: &Reference, targets: &[String]) -> Findings {
    let mut probe = McpProbe { judge: Judge::new(host), reference };
    if probe.check_initialize().await {
        probe.check_transport().await;
        probe.check_errors().await;
        probe.check_tools().await;
        for target in targets {
            probe.check_call(target).await;
        }
        for operation in Operation::tools() {
            probe.check_refusals(operation).await;
        }
    }
    probe.judge.findings
}

struct McpProbe<'a> {
    judge: Judge<'a>,
    reference: &'a Reference,
}

impl McpProbe<'_> {
    /// Sends an HTTP request and compares its status. `None`: it is wrong, which is reported.
    async fn http(
        &mut self,
        method: Method,
        label: &str,
        accept: &str,
        body: &str,
        status: u16,
    ) -> Option<Response> {
        let fields = [("content-type", JSON), ("accept", accept)];
        let fields = if body.is_empty() { &[][..] } else { &fields };
        let (found, advice) = match self.judge.send(method, MCP_PATH, label, fields, body).await {
            Ok(response) if response.status == status => {
                self.judge.cors(&response);
                if !response.header("mcp-session-id").is_empty() {
                    let found = "a header mcp-session-id";
                    self.judge.differs("mcp-session-id", "no session", found, PROTOCOL);
                }
                return Some(response);
            }
            Ok(response) if response.status == 403 => ("status 403".to_owned(), FORBIDDEN),
            Ok(Response { status, body, .. }) => {
                (format!("status {status} and {}", Body::Bytes(body).describe()), UNREACHABLE)
            }
            Err(why) => (why, UNREACHABLE),
        };
        self.judge.differs("mcp", format!("status {status}"), found, advice);
        None
    }

    /// Posts a JSON-RPC request and returns the response, which must be an event unless only JSON is accepted.
    async fn post(&mut self, label: &str, accept: &str, request: &Value) -> Option<Value> {
        let response = self.http(Method::POST, label, accept, &request.to_string(), 200).await?;
        let (form, expected) = match accept {
            JSON => (JSON, "the JSON-RPC response"),
            _ => (EVENTS, "one event with the JSON-RPC response"),
        };
        self.judge.media_type("mcp form", &response, &[form], PROTOCOL);
        self.judge.header(&response, "cache-control", &Rule::Exactly("no-store"), PROTOCOL);
        let message = message_in(&response).filter(|message| message["id"] == request["id"]);
        if message.is_none() {
            self.judge.differs("mcp form", expected, Body::Bytes(response.body).describe(), PROTOCOL);
        }
        message
    }

    /// Calls a method and returns a member of the response, `result` or `error`, which must be an object.
    async fn call(&mut self, label: &str, member: &str, method: &str, params: Value) -> Option<Value> {
        let id = self.judge.findings.requests + 1;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let mut message = self.post(label, JSON_OR_EVENTS, &request).await?;
        let found = message[member].take();
        if found.is_object() {
            return Some(found);
        }
        let expected = format!("a response with the member {member}");
        self.judge.differs("mcp", expected, shown(&message.to_string()), PROTOCOL);
        None
    }

    /// Whether there is an endpoint to check further.
    async fn check_initialize(&mut self) -> bool {
        if self.reference.may_lack_live() {
            let sent = self.judge.send(Method::GET, MCP_PATH, "", &[], "").await;
            if sent.is_ok_and(|response| response.status == 404) {
                let note = "this host has no MCP endpoint, as it has no live service";
                self.judge.findings.notes.push(note.to_owned());
                return false;
            }
        }
        let params = json!({"protocolVersion": VERSION, "capabilities": {},
            "clientInfo": {"name": "nameplate-verify", "version": env!("CARGO_PKG_VERSION")}});
        let Some(result) = self.call(" initialize", "result", "initialize", params).await else {
            return false;
        };
        if result["protocolVersion"] != VERSION || !result["capabilities"]["tools"].is_object() {
            let expected = format!("protocolVersion {VERSION} and the capability tools");
            self.judge.differs("mcp", expected, shown(&result.to_string()), PROTOCOL);
        }
        true
    }

    /// Notifications, methods other than POST, and clients that accept only JSON.
    async fn check_transport(&mut self) {
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let sent = self.http(Method::POST, " notification", JSON_OR_EVENTS, notification, 202).await;
        if let Some(Response { body, .. }) = sent.filter(|response| !response.body.is_empty()) {
            self.judge.differs("mcp", "an empty body", Body::Bytes(body).describe(), PROTOCOL);
        }
        if let Some(response) = self.http(Method::GET, "", "", "", 405).await {
            self.judge.header(&response, "allow", &Rule::Includes("POST"), PROTOCOL);
        }
        if let Some(response) = self.http(Method::OPTIONS, "", "", "", 204).await {
            let needed = Rule::Includes("content-type, accept, mcp-protocol-version");
            self.judge.header(&response, "access-control-allow-headers", &needed, PROTOCOL);
        }
        let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
        self.post(" ping that accepts only JSON", JSON, &ping).await;
    }

    /// Invalid JSON, and names that do not exist.
    async fn check_errors(&mut self) {
        if let Some(response) = self.http(Method::POST, " invalid JSON", JSON_OR_EVENTS, "{", 400).await {
            let message: Value = serde_json::from_slice(&response.body).unwrap_or_default();
            self.error_code(&message["error"], -32700);
        }
        let unknown = json!({"name": "no_such_tool", "arguments": {}});
        for (label, method, params, code) in [
            (" tools/call with an unknown tool", "tools/call", unknown, -32602),
            (" unknown method", "no/such/method", json!({}), -32601),
        ] {
            if let Some(error) = self.call(label, "error", method, params).await {
                self.error_code(&error, code);
            }
        }
    }

    fn error_code(&mut self, error: &Value, code: i64) {
        if error["code"] != code {
            self.judge.differs("mcp", format!("the error {code}"), shown(&error.to_string()), PROTOCOL);
        }
    }

    async fn check_tools(&mut self) {
        let Some(result) = self.call(" tools/list", "result", "tools/list", json!({})).await else { return };
        let none = Vec::new();
        let tools = result["tools"].as_array().unwrap_or(&none);
        let found: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default()).collect();
        let expected: Vec<_> = Operation::tools().map(|operation| operation.name).collect();
        if found != expected {
            let list = |names: &[&str]| format!("the tools {}", names.join(", "));
            return self.judge.differs("tools", list(&expected), list(&found), TOOLS);
        }
        for (tool, operation) in tools.iter().zip(Operation::tools()) {
            let description = tool["description"].as_str().unwrap_or_default();
            if !self.reference.is_description(operation, description) || tool["title"] != operation.title {
                let expected = format!("this program's description of {}", operation.name);
                self.judge.differs("tools", expected, "another one", TOOLS);
            }
        }
    }

    /// A valid call: the text must be REST's answer.
    async fn check_call(&mut self, target: &str) {
        let Ok(request) = Request::from_target(target) else { return };
        let tool = request.tool().name;
        let params = json!({"name": tool, "arguments": request.arguments()});
        let (label, from) = (format!(" tools/call {tool} ({target})"), self.reference.now());
        let Some(result) = self.call(&label, "result", "tools/call", params).await else { return };
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let mut expected = self.reference.expected(target, from);
        expected.retain(|one| one.allows_status(200));
        if let Some(first) = expected.first()
            && !expected.iter().any(|one| one.body.matches(text.as_bytes()))
        {
            let found = Body::Bytes(text.to_owned().into()).describe();
            self.judge.differs("tool", first.body.describe(), found, ANSWER);
        }
        let json: Value = serde_json::from_str(text).unwrap_or_default();
        if result["isError"] != false || result["structuredContent"] != json {
            let expected = "isError false, and structuredContent that equals the text";
            let found = format!("isError {} and another structuredContent", result["isError"]);
            self.judge.differs("tool", expected, found, PROTOCOL);
        }
    }

    /// Calls with each parameter invalid, and with an unknown one: each must end in a sentence for a person.
    async fn check_refusals(&mut self, operation: &'static Operation) {
        let required = operation.arguments().filter(|parameter| parameter.required);
        let valid: Map<String, Value> =
            required.map(|parameter| (parameter.name.to_owned(), parameter.example.into())).collect();
        let wrong = operation.arguments().map(|parameter| match parameter.kind {
            ParameterKind::SearchText => (parameter.name, NO_WORD),
            _ => (parameter.name, INVALID),
        });
        for (name, value) in wrong.chain([("nothing", INVALID)]) {
            let mut arguments = valid.clone();
            arguments.insert(name.to_owned(), value.into());
            let fault = self.reference.tool_error(operation, &arguments);
            let params = json!({"name": operation.name, "arguments": arguments});
            let label = format!(" tools/call {} ({name}: {value})", operation.name);
            let Some(result) = self.call(&label, "result", "tools/call", params).await else { continue };
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let sentence = fault.as_ref().map(Fault::spoken);
            let is_right = sentence.is_none_or(|sentence| sentence == text);
            if result["isError"] != true || !result["structuredContent"].is_null() || !is_right {
                let expected =
                    format!("isError true and {}", shown(sentence.unwrap_or("a sentence for a person")));
                let found = format!("isError {} and {}", result["isError"], shown(text));
                self.judge.differs("tool", expected, found, TOOLS);
            }
        }
    }
}

/// The JSON-RPC message of a response: the body itself, or the data of its only event.
fn message_in(response: &Response) -> Option<Value> {
    let text = std::str::from_utf8(&response.body).ok()?;
    let data = match response.media_type().as_str() {
        EVENTS => text.strip_prefix("event: message\ndata: ")?.strip_suffix("\n\n")?,
        _ => text,
    };
    serde_json::from_str(data).ok()
}

use directory::api::{Fault, MCP_PATH, Operation, ParameterKind, Request};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::expectation::Body;
use super::judge::Judge;
use super::reference::Reference;
use super::report::shown;
use super::targets::INVALID;
use crate::host::Response;

/// All current clients support it.
const VERSION: &str = "2025-06-18";
const HEADERS: [(&str, &str); 2] =
    [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
const UNREACHABLE: &str = "assistants can't connect: check that the host passes this path on to live, and that live \
                           accepts this host's name";
const FORBIDDEN: &str = "live doesn't accept this host's name: add it to mcp.hosts in live's settings, or use it in \
                         api-url or mcp-url in the content";
const PROTOCOL: &str = "clients lose the connection because of this: check that the host passes requests on unchanged, \
                        and that live has this program's version";
const TOOLS: &str = "assistants see different tools: live has another version of this program";
const REFUSED: &str = "live couldn't answer: check its feed and its log";
const ANSWER: &str =
    "tools must give the same answers as REST: check that live has this content, and this program's version";

/// If this is canceled, the judge keeps what was found.
pub(super) async fn check(judge: &mut Judge<'_>, reference: &Reference, targets: &[String]) {
    let mut probe = McpProbe { judge, reference };
    if probe.check_initialize().await {
        probe.check_tools().await;
        for target in targets {
            probe.check_call(target).await;
        }
        for operation in Operation::tools() {
            probe.check_refusal(operation).await;
        }
    }
}

struct McpProbe<'a, 'host> {
    judge: &'a mut Judge<'host>,
    reference: &'a Reference,
}

impl McpProbe<'_, '_> {
    async fn call(&mut self, label: &str, method: &str, params: Value) -> Option<Value> {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let (found, advice) = match self.judge.send(Method::POST, MCP_PATH, label, &HEADERS, &request).await {
            None => return None,
            Some(response) if response.status == 200 => {
                self.judge.check_cors(&response);
                if let Some(result) = result_in(&response) {
                    return Some(result);
                }
                (Body::Bytes(response.body).describe(), PROTOCOL)
            }
            Some(response) if response.status == 403 => ("status 403".to_owned(), FORBIDDEN),
            Some(Response { status, body, .. }) => {
                (format!("status {status} and {}", Body::Bytes(body).describe()), UNREACHABLE)
            }
        };
        self.judge.add("mcp", "status 200 with a JSON-RPC result", found, advice);
        None
    }

    async fn check_initialize(&mut self) -> bool {
        if self.reference.may_lack_live() {
            let sent = self.judge.get(MCP_PATH).await;
            if sent.is_some_and(|response| response.status == 404) {
                let note = "this host has no MCP endpoint, because it has no live service";
                self.judge.findings.notes.push(note.to_owned());
                return false;
            }
        }
        let params = json!({"protocolVersion": VERSION, "capabilities": {},
            "clientInfo": {"name": "nameplate-verify", "version": env!("CARGO_PKG_VERSION")}});
        let Some(result) = self.call(" initialize", "initialize", params).await else { return false };
        if result["protocolVersion"] != VERSION || !result["capabilities"]["tools"].is_object() {
            let expected = format!("protocolVersion {VERSION} and the capability tools");
            self.judge.add("mcp", expected, shown(&result.to_string()), PROTOCOL);
        }
        true
    }

    async fn check_tools(&mut self) {
        let Some(result) = self.call(" tools/list", "tools/list", json!({})).await else { return };
        let none = Vec::new();
        let tools = result["tools"].as_array().unwrap_or(&none);
        let found: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default()).collect();
        let expected: Vec<_> = Operation::tools().map(|operation| operation.name).collect();
        if found != expected {
            let list = |names: &[&str]| format!("the tools {}", names.join(", "));
            return self.judge.add("tools", list(&expected), list(&found), TOOLS);
        }
        let clinic = self.reference.snapshot.directory().organization();
        for (tool, operation) in tools.iter().zip(Operation::tools()) {
            if tool["description"].as_str() != operation.tool_description(clinic).as_deref() {
                let expected = format!("this program's description of {}", operation.name);
                self.judge.add("tools", expected, "another one", TOOLS);
            }
        }
    }

    /// The correct answer can be an error: if the content has no clinicians, a target asks about the slug "nobody".
    async fn check_call(&mut self, target: &str) {
        let Ok(request) = Request::from_target(target) else { return };
        let tool = request.tool().name;
        let params = json!({"name": tool, "arguments": request.arguments()});
        let (label, sent_at) = (format!(" tools/call {tool} ({target})"), self.reference.now());
        let Some(result) = self.call(&label, "tools/call", params).await else { return };
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let mut expected = self.reference.expected(target, sent_at);
        let is_error = expected.iter().all(|expected| expected.status >= 400);
        if result["isError"] == true && !is_error {
            self.judge.add("tool", "an answer".to_owned(), format!("the error {}", shown(text)), REFUSED);
            return;
        }
        expected.retain(|expected| expected.status == 200);
        if let Some(first) = expected.first()
            && !expected.iter().any(|expected| expected.body.matches(text.as_bytes()))
        {
            let found = Body::Bytes(text.to_owned().into()).describe();
            self.judge.add("tool", first.body.describe(), found, ANSWER);
        }
        let json: Value = serde_json::from_str(text).unwrap_or_default();
        if result["isError"] != is_error || result["structuredContent"] != json {
            let expected = format!("isError {is_error}, and structuredContent that equals the text");
            let content = result["structuredContent"].to_string();
            let found = format!("isError {} and structuredContent {}", result["isError"], shown(&content));
            self.judge.add("tool", expected, found, PROTOCOL);
        }
    }

    /// A call with an invalid argument returns this program's explanation.
    async fn check_refusal(&mut self, operation: &'static Operation) {
        let required = operation.arguments().filter(|parameter| parameter.required);
        let mut arguments: Map<String, Value> =
            required.map(|parameter| (parameter.name.to_owned(), parameter.example.into())).collect();
        // The first argument that can be invalid gets an invalid value; a search text can't be. Without another, an unknown
        // argument is sent.
        let mut candidates =
            operation.arguments().filter(|parameter| parameter.kind != ParameterKind::SearchText);
        let name = candidates.next().map_or("nothing", |parameter| parameter.name);
        arguments.insert(name.to_owned(), INVALID.into());
        let professions = self.reference.snapshot.directory().professions();
        let answer = Request::from_tool(operation, &arguments)
            .map_err(|fault| fault.of(professions))
            .and_then(|request| self.reference.snapshot.answer(&request, self.reference.now()));
        let sentence = answer.as_ref().err().map_or("", Fault::spoken);
        let params = json!({"name": operation.name, "arguments": arguments});
        let label = format!(" tools/call {} ({name}: {INVALID})", operation.name);
        let Some(result) = self.call(&label, "tools/call", params).await else { return };
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        if result["isError"] != true || text != sentence {
            let found = format!("isError {} and {}", result["isError"], shown(text));
            self.judge.add("tool", format!("isError true and {}", shown(sentence)), found, TOOLS);
        }
    }
}

/// The message is the body itself, or the data of its only event.
fn result_in(response: &Response) -> Option<Value> {
    let text = std::str::from_utf8(&response.body).ok()?;
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap_or(text);
    let mut message: Value = serde_json::from_str(data).ok()?;
    Some(message["result"].take()).filter(Value::is_object)
}

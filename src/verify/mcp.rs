//! The MCP endpoint: does it keep the protocol, has it the six tools, and do they say what REST says?

use directory::api::{Fault, MCP_PATH, OPERATIONS, Operation, Request};
use reqwest::Method;
use serde_json::{Map, Value, json};

use super::host::{Ask, Host, Response};
use super::judge::{Judge, describe, words};
use super::local::{Body, Local};
use super::questions::INVALID;
use super::report::{Findings, shown};

/// A protocol version that every client of the last years speaks.
const VERSION: &str = "2025-06-18";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const UNREACHABLE: &str = "assistants cannot connect: see that the host passes this path on to live, and that live \
                           answers under this host's name";
const FORBIDDEN: &str = "live does not answer under this host's name: add it to mcp.hosts in live's settings, or set it \
                         as api-url or mcp-url in the content";
const PROTOCOL: &str = "clients lose the connection over this: see that the host passes the path on unchanged, and that \
                        live is of this program's version";
const TOOLS: &str = "assistants see other tools than these: live is of another version of this program";

/// Everything that is asked of the endpoint. `targets` are the REST questions that the tools are called with.
pub(super) async fn check(host: &Host, local: &Local, targets: &[String]) -> Findings {
    let mut speaker = Speaker { host, local, findings: Findings::default() };
    if speaker.greets().await {
        speaker.protocol().await;
        speaker.tools().await;
        for target in targets {
            speaker.answers(target).await;
        }
        for operation in &OPERATIONS {
            speaker.refuses(operation).await;
        }
    }
    speaker.findings
}

struct Speaker<'a> {
    host: &'a Host,
    local: &'a Local,
    findings: Findings,
}

impl Speaker<'_> {
    fn note(&mut self, mut judge: Judge) {
        self.findings.differences.append(&mut judge.differences);
    }

    /// Sends one HTTP request and compares its status; `None` when that is wrong, which is noted.
    async fn http(&mut self, asked: &str, ask: Ask<'_>, status: u16) -> Option<(Response, Judge)> {
        self.findings.requests += 1;
        let mut judge = Judge::new(format!("{} {MCP_PATH}{asked}", ask.method));
        let came = self.host.ask(&Ask { target: MCP_PATH, ..ask }).await;
        let found = match came {
            Ok(came) if came.status == status => {
                judge.cors(&came);
                if !came.header("mcp-session-id").is_empty() {
                    judge.differs("mcp-session-id", "no session", "a header mcp-session-id", PROTOCOL);
                }
                return Some((came, judge));
            }
            Ok(came) if came.status == 403 => {
                judge.differs("mcp", format!("status {status}"), "status 403", FORBIDDEN);
                self.note(judge);
                return None;
            }
            Ok(came) => format!("status {} and {}", came.status, describe(&Body::Bytes(came.body))),
            Err(why) => why,
        };
        judge.differs("mcp", format!("status {status}"), found, UNREACHABLE);
        self.note(judge);
        None
    }

    /// Sends a JSON-RPC message in the form that clients use; gives back the reply, and the judge of its request.
    async fn send(&mut self, asked: &str, accept: &str, message: Value) -> Option<(Value, Judge)> {
        let fields = [("content-type", JSON), ("accept", accept)];
        let body = Some(message.to_string());
        let ask = Ask { method: Method::POST, fields: &fields, body, ..Ask::default() };
        let (came, mut judge) = self.http(asked, ask, 200).await?;
        let form = if accept == JSON { JSON } else { EVENTS };
        if came.media_type() != form {
            let found = format!("content-type \"{}\"", shown(&came.media_type()));
            judge.differs("mcp form", format!("content-type {form}"), found, PROTOCOL);
        }
        judge.header(&came, "cache-control", "no-store", PROTOCOL);
        if let Some(reply) = message_in(&came).filter(|reply| reply["id"] == message["id"]) {
            return Some((reply, judge));
        }
        let expected = if form == EVENTS { "one event with the reply" } else { "the reply" };
        judge.differs("mcp form", expected, describe(&Body::Bytes(came.body)), PROTOCOL);
        self.note(judge);
        None
    }

    /// Calls a method. `wanted` is the member of the reply that must be there.
    async fn call(
        &mut self,
        asked: &str,
        wanted: &str,
        method: &str,
        params: Value,
    ) -> Option<(Value, Judge)> {
        let id = self.findings.requests + 1;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let (mut reply, mut judge) = self.send(asked, "application/json, text/event-stream", message).await?;
        let member = reply[wanted].take();
        if member.is_object() {
            return Some((member, judge));
        }
        judge.differs("mcp", format!("a reply with {wanted}"), shown(&reply.to_string()), PROTOCOL);
        self.note(judge);
        None
    }

    /// `initialize`; false when there is no endpoint to ask further.
    async fn greets(&mut self) -> bool {
        if self.local.has_no_live() {
            self.findings.requests += 1;
            let got = self.host.get(MCP_PATH).await;
            if got.is_ok_and(|came| came.status == 404) {
                let note = "this host has no MCP endpoint, as it has no live service";
                self.findings.notes.push(note.to_owned());
                return false;
            }
        }
        let params = json!({"protocolVersion": VERSION, "capabilities": {},
            "clientInfo": {"name": "nameplate-verify", "version": env!("CARGO_PKG_VERSION")}});
        let Some((result, mut judge)) = self.call(" initialize", "result", "initialize", params).await else {
            return false;
        };
        if result["protocolVersion"] != VERSION || !result["capabilities"]["tools"].is_object() {
            let found = shown(&result.to_string());
            judge.differs(
                "mcp",
                format!("protocolVersion {VERSION} and the capability tools"),
                found,
                PROTOCOL,
            );
        }
        self.note(judge);
        true
    }

    /// The rows of the protocol that need no tool.
    async fn protocol(&mut self) {
        let fields = [("content-type", JSON), ("accept", "application/json, text/event-stream")];
        let post = |body: &str| Ask {
            method: Method::POST,
            fields: &fields,
            body: Some(body.to_owned()),
            ..Ask::default()
        };
        let notification = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        if let Some((came, mut judge)) = self.http(" notification", post(notification), 202).await {
            if !came.body.is_empty() {
                judge.differs("mcp", "an empty body", describe(&Body::Bytes(came.body)), PROTOCOL);
            }
            self.note(judge);
        }
        if let Some((came, judge)) = self.http(" with what is not JSON", post("{"), 400).await {
            self.error(judge, &serde_json::from_slice(&came.body).unwrap_or_default(), -32700);
        }
        if let Some((came, mut judge)) = self.http("", Ask::default(), 405).await {
            if !words(came.header("allow")).contains("post") {
                let found = format!("allow \"{}\"", shown(came.header("allow")));
                judge.differs("allow", "allow POST", found, PROTOCOL);
            }
            self.note(judge);
        }
        let ask = Ask { method: Method::OPTIONS, ..Ask::default() };
        if let Some((came, mut judge)) = self.http("", ask, 204).await {
            let allowed = words(came.header("access-control-allow-headers"));
            let needed = ["content-type", "accept", "mcp-protocol-version"];
            if !needed.iter().all(|&name| allowed.contains(name)) {
                let found = shown(came.header("access-control-allow-headers")).clone();
                let expected = format!("access-control-allow-headers {}", needed.join(", "));
                judge.differs("access-control-allow-headers", expected, format!("\"{found}\""), PROTOCOL);
            }
            self.note(judge);
        }
        let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
        if let Some((_, judge)) = self.send(" ping for JSON alone", JSON, ping).await {
            self.note(judge);
        }
        let unknown = json!({"name": "no_such_tool", "arguments": {}});
        for (method, params, code) in [("tools/call", unknown, -32602), ("no/such/method", json!({}), -32601)]
        {
            let asked = format!(" {method} of what there is not");
            if let Some((error, judge)) = self.call(&asked, "error", method, params).await {
                self.error(judge, &json!({"error": error}), code);
            }
        }
    }

    fn error(&mut self, mut judge: Judge, reply: &Value, code: i64) {
        if reply["error"]["code"] != code {
            judge.differs("mcp", format!("the error {code}"), shown(&reply.to_string()), PROTOCOL);
        }
        self.note(judge);
    }

    /// `tools/list`.
    async fn tools(&mut self) {
        let called = self.call(" tools/list", "result", "tools/list", json!({})).await;
        let Some((listed, mut judge)) = called else { return };
        let none = Vec::new();
        let tools = listed["tools"].as_array().unwrap_or(&none);
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default()).collect();
        let right: Vec<_> = OPERATIONS.iter().map(|operation| operation.tool).collect();
        let list = |names: &[&str]| format!("the tools {}", names.join(", "));
        if names != right {
            judge.differs("tools", list(&right), list(&names), TOOLS);
        }
        for (tool, operation) in tools.iter().zip(&OPERATIONS).filter(|_| names == right) {
            if tool["description"] != operation.tool_doc || tool["title"] != operation.title {
                let expected = format!("this program's description of {}", operation.tool);
                judge.differs("tools", expected, "another", TOOLS);
            }
        }
        self.note(judge);
    }

    /// A call that has an answer: REST's.
    async fn answers(&mut self, target: &str) {
        let Ok(request) = Request::from_target(target) else { return };
        let tool = request.operation().tool;
        let params = json!({"name": tool, "arguments": request.arguments()});
        let (asked, from) = (format!(" tools/call {tool} ({target})"), self.local.now());
        let Some((result, mut judge)) = self.call(&asked, "result", "tools/call", params).await else {
            return;
        };
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let right = self.local.right(target, from, self.local.now()).into_iter();
        let right: Vec<_> = right.filter(|one| one.is_status(200)).map(|one| one.body).collect();
        judge.text(&Response::of_text(text), &right, self.local);
        let said: Value = serde_json::from_str(text).unwrap_or_default();
        if result["isError"] != false || result["structuredContent"] != said {
            let expected = "isError false, and structuredContent that equals the text";
            let found = format!("isError {} and something else", result["isError"]);
            judge.differs("tool", expected, found, PROTOCOL);
        }
        self.note(judge);
    }

    /// Calls of one tool that are mistakes: each ends in one sentence for a person.
    async fn refuses(&mut self, operation: &'static Operation) {
        let required = operation.parameters.iter().filter(|parameter| parameter.required);
        let whole: Map<String, Value> =
            required.map(|parameter| (parameter.name.to_owned(), parameter.example.into())).collect();
        let names = operation.parameters.iter().map(|parameter| parameter.name);
        for name in names.chain(["nothing"]) {
            let mut arguments = whole.clone();
            arguments.insert(name.to_owned(), INVALID.into());
            let known = self.local.refusal(operation, &arguments);
            let params = json!({"name": operation.tool, "arguments": arguments});
            let asked = format!(" tools/call {} ({name}: {INVALID})", operation.tool);
            let Some((result, mut judge)) = self.call(&asked, "result", "tools/call", params).await else {
                continue;
            };
            let text = result["content"][0]["text"].as_str().unwrap_or_default();
            let is_right = known.as_ref().map(Fault::spoken).is_none_or(|spoken| spoken == text);
            if result["isError"] != true || !result["structuredContent"].is_null() || !is_right {
                let sentence = known.as_ref().map_or("a sentence for a person", Fault::spoken);
                let found = format!("isError {} and {}", result["isError"], shown(text));
                judge.differs("tool", format!("isError true and {}", shown(sentence)), found, TOOLS);
            }
            self.note(judge);
        }
    }
}

/// The JSON-RPC message of an answer: the body itself, or the data of the one event in it.
fn message_in(came: &Response) -> Option<Value> {
    let text = std::str::from_utf8(&came.body).ok()?;
    let data = match came.media_type().as_str() {
        EVENTS => text.strip_prefix("event: message\ndata: ")?.strip_suffix("\n\n")?,
        _ => text,
    };
    serde_json::from_str(data).ok()
}

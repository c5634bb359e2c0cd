//! The MCP endpoint: is it there, has it the six tools, and do they say what REST says?

use chrono::{DateTime, Utc};
use directory::api::{MCP_PATH, OPERATIONS, Request};
use serde_json::{Value, json};

use super::host::{Came, Host};
use super::judge::{Judge, describe};
use super::local::{Body, Local};
use super::report::Difference;

/// A protocol version that every client of the last years speaks.
const VERSION: &str = "2025-06-18";
/// What helps where nobody can speak to the endpoint.
const ADVICE: &str = "assistants cannot connect: see that the host passes this path on to live, and that live \
                      answers under this host's name";

/// What came of asking.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    pub(super) asked: usize,
    pub(super) differences: Vec<Difference>,
    /// The endpoint is not routed on this host, and need not be.
    pub(super) is_absent: bool,
}

/// Greets, lists the tools, and calls each one with the questions of these paths.
pub(super) async fn check(host: &Host, local: &Local, targets: &[String]) -> Spoken {
    let mut spoken = Spoken::default();
    let hello = json!({"protocolVersion": VERSION, "capabilities": {},
        "clientInfo": {"name": "nameplate-verify", "version": env!("CARGO_PKG_VERSION")}});
    let Some(_) = spoken.ask(host, local, "initialize", &hello).await else { return spoken };
    let Some(listed) = spoken.ask(host, local, "tools/list", &json!({})).await else { return spoken };
    spoken.tools(&listed);
    for target in targets {
        let Ok(request) = Request::from_target(target) else { continue };
        spoken.call(host, local, target, &request).await;
    }
    spoken
}

impl Spoken {
    /// Sends one message; `None` when nothing that can be read came back, which has been noted.
    async fn ask(&mut self, host: &Host, local: &Local, method: &str, params: &Value) -> Option<Value> {
        self.asked += 1;
        let asked = format!("POST {MCP_PATH} {method}");
        let message = json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params});
        let mut difference = |expected: &str, came: String, advice| {
            let expected = expected.to_owned();
            self.differences.push(Difference { asked: asked.clone(), expected, came, advice });
        };
        let came = match host.post(MCP_PATH, message.to_string()).await {
            Ok(came) => came,
            Err(why) => {
                difference("an answer", why, ADVICE);
                return None;
            }
        };
        if came.status == 404 && method == "initialize" && local.has_no_live() {
            self.is_absent = true;
            return None;
        }
        let found = message_in(&came).map(|message| message["result"].clone()).filter(Value::is_object);
        if came.status != 200 || found.is_none() {
            let body = describe(&Body::Bytes(came.body.clone()));
            difference("status 200 and a result", format!("status {} and {body}", came.status), ADVICE);
            return None;
        }
        found
    }

    fn tools(&mut self, listed: &Value) {
        let asked = format!("POST {MCP_PATH} tools/list");
        let mut difference = |expected: String, came: String, advice| {
            self.differences.push(Difference { asked: asked.clone(), expected, came, advice });
        };
        let none = Vec::new();
        let tools = listed["tools"].as_array().unwrap_or(&none);
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap_or_default()).collect();
        let right: Vec<_> = OPERATIONS.iter().map(|operation| operation.tool).collect();
        if names != right {
            let advice = "assistants see other tools than these: live is of another version of this program";
            difference(
                format!("the tools {}", right.join(", ")),
                format!("the tools {}", names.join(", ")),
                advice,
            );
            return;
        }
        for (tool, operation) in tools.iter().zip(&OPERATIONS) {
            if tool["description"] != operation.tool_doc || tool["title"] != operation.title {
                let expected = format!("this program's description of {}", operation.tool);
                difference(
                    expected,
                    "another".to_owned(),
                    "live is of another version of this program: update one",
                );
            }
        }
    }

    async fn call(&mut self, host: &Host, local: &Local, target: &str, request: &Request) {
        let tool = request.operation().tool;
        let params = json!({"name": tool, "arguments": request.arguments()});
        let from = local.now();
        let Some(result) = self.ask(host, local, "tools/call", &params).await else { return };
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let came = Came::of_text(text);
        let asked = format!("POST {MCP_PATH} tools/call {tool} ({target})");
        let mut judge = Judge::new(&asked, &came);
        judge.body(&right(local, target, from), result["isError"] == true, local);
        self.differences.append(&mut judge.differences);
    }
}

/// What the tool may say: the bodies of the answers, whatever way they would be given over REST.
fn right(local: &Local, target: &str, from: DateTime<Utc>) -> Vec<Body> {
    let right = local.expectations(target, from, local.now()).into_iter();
    right.filter(|one| matches!(one.status, 0 | 200)).map(|one| one.body).collect()
}

/// The JSON-RPC message of an answer: the body itself, or the data of the one event in it.
fn message_in(came: &Came) -> Option<Value> {
    let text = std::str::from_utf8(&came.body).ok()?;
    let data = match came.media_type().as_str() {
        "text/event-stream" => text.lines().find_map(|line| line.strip_prefix("data:"))?,
        _ => text,
    };
    serde_json::from_str(data).ok()
}

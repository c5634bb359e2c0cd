//! Code samples. No address can end a string in these languages: `check` restricts them, and queries are percent-encoded.

use directory::model::Organization;
use serde_json::{Value, json};

use super::routes;

pub(super) fn samples(url: &str) -> Value {
    let javascript = format!(
        "// Node 18 or later, as a module; or in any browser.\n\
         const response = await fetch(\"{url}\");\n\
         const answer = await response.json();\n\
         if (!response.ok) throw new Error(`${{answer.code}}: ${{answer.message}}`);\n\
         console.log(JSON.stringify(answer, null, 2));"
    );
    let python = format!(
        "import json\nfrom urllib.request import urlopen\n\n\
         with urlopen(\"{url}\") as response:\n    answer = json.load(response)\n\n\
         print(json.dumps(answer, indent=2))"
    );
    let rust = format!(
        "// cargo add serde_json; cargo add reqwest --features blocking,json\n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
         let response = reqwest::blocking::get(\"{url}\")?;\n    \
         let answer: serde_json::Value = response.error_for_status()?.json()?;\n    \
         println!(\"{{answer:#}}\");\n    \
         Ok(())\n}}"
    );
    json!([
        { "id": "curl", "language": "curl", "code": format!("curl \"{url}\"") },
        { "id": "javascript", "language": "JavaScript", "code": javascript },
        { "id": "python", "language": "Python", "code": python },
        { "id": "rust", "language": "Rust", "code": rust },
    ])
}

pub(super) fn clients(organization: &Organization, call: &Value) -> Value {
    let (name, url) = (routes::segment(&organization.name, "directory"), &organization.mcp_url);
    let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
    let post = |body: &Value| {
        format!(
            "curl \"{url}\" \\\n  -H \"Content-Type: application/json\" \\\n  \
             -H \"Accept: application/json, text/event-stream\" \\\n  -d '{body}'"
        )
    };
    json!({
        "claude_code": format!("claude mcp add --transport http {name} {url}"),
        "cursor": pretty(&json!({ "mcpServers": { &name: { "url": url } } })),
        "vs_code": pretty(&json!({ "servers": { &name: { "type": "http", "url": url } } })),
        "inspector": format!(
            "npx @modelcontextprotocol/inspector --cli {url} --transport http --method tools/list"
        ),
        "list": post(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })),
        "call": post(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call })),
    })
}

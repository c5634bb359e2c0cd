//! The tools that pages offer to assistants in the browser (WebMCP): the operations that MCP has as tools, too.

use directory::api::{Operation, OperationId};
use directory::model::Directory;
use serde_json::{Value, json};

const EMERGENCIES: &str = "Not for emergencies: call 911, or call or text 988 in a mental health crisis.";

/// Below `/v1`, because elements on other websites read it from the API.
pub(crate) const PATH: &str = "/v1/webmcp.json";

/// Members are those of `registerTool`; the scripts use the path, and what a call has unless it says otherwise: an assistant
/// in a page reads less than the API gives.
pub(crate) fn table(directory: &Directory) -> Value {
    let row = |operation: &Operation| {
        let defaults = match operation.id {
            OperationId::Providers => json!({ "view": "summary", "limit": 3 }),
            // A page can't show a header field or a second text: the body says all.
            OperationId::Availability => json!({ "limit": 10, "explain": true }),
            _ => json!({}),
        };
        let description = match operation.id {
            OperationId::Availability => format!("{} {EMERGENCIES}", operation.doc),
            _ => operation.doc.to_owned(),
        };
        json!({
            "name": operation.name,
            "title": operation.title,
            "description": description,
            "inputSchema": operation.input_schema(directory.professions()),
            "annotations": { "readOnlyHint": true, "untrustedContentHint": true },
            "path": operation.path,
            "defaults": defaults,
        })
    };
    Operation::tools().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_fixture as fixture;

    #[test]
    fn each_tool_has_a_row_with_short_texts() {
        let table = table(fixture::snapshot().directory());
        let rows = table.as_array().unwrap();
        let names: Vec<_> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
        let expected = [
            "list_states",
            "list_insurances",
            "search_providers",
            "get_provider",
            "list_appointment_types",
            "check_availability",
        ];
        assert_eq!(names, expected);
        for row in rows {
            assert!(row["description"].as_str().unwrap().len() <= 500, "{row}");
            for (name, argument) in row["inputSchema"]["properties"].as_object().unwrap() {
                assert!(argument["description"].as_str().unwrap().len() <= 150, "{name}");
            }
        }
        assert_eq!(rows[5]["inputSchema"]["required"], json!(["state"]));
        assert_eq!(rows[5]["defaults"], json!({ "limit": 10, "explain": true }));
        let text = rows[5]["description"].as_str().unwrap();
        assert!(text.contains("call 911") && text.contains("988"), "{text}");
        assert_eq!(rows[2]["defaults"], json!({ "view": "summary", "limit": 3 }));
    }
}

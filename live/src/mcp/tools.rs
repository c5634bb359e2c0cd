//! The six tools. A result contains REST's body, byte for byte.

use chrono::{DateTime, Utc};
use directory::Directory;
use directory::api::{Answer, Fault, Operation, OperationId, Request, Snapshot, answer_schema, shown};
use directory::model::ProviderType;
use serde_json::{Map, Value, json};

use super::params::Params;
use super::rpc::{INVALID_PARAMS, RpcError};
use super::view;

pub(super) fn list(directory: &Directory) -> Value {
    Operation::tools().map(|operation| describe(operation, directory)).collect()
}

fn describe(operation: &Operation, directory: &Directory) -> Value {
    let professions = directory.professions();
    json!({
        "name": operation.name,
        "title": operation.title,
        "description": operation.tool_description(directory.organization()),
        "inputSchema": operation.input_schema(professions),
        "outputSchema": output_schema(operation.id, professions),
        "annotations": {
            "title": operation.title,
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
        "_meta": view::of_tool(),
    })
}

/// Without what the tool says already: every client loads the whole list. Profiles in a search have no descriptions, because
/// the profile tool describes the same fields.
fn output_schema(operation: OperationId, professions: &[ProviderType]) -> Value {
    let mut schema = answer_schema(operation, professions).to_value();
    if let Some(root) = schema.as_object_mut() {
        root.shift_remove("$schema");
        root.shift_remove("title");
    }
    if operation == OperationId::Providers
        && let Some(profile) = schema.pointer_mut(ITEMS)
    {
        remove_descriptions(profile, |_| true);
        // The argument `view` selects profiles or summaries, so only the members of both are required.
        let summary = answer_schema(OperationId::ProviderSummaries, professions).to_value();
        let is_in_both = |name: &Value| summary.pointer(ITEMS).is_some_and(|item| has(item, name));
        if let Some(required) = profile["required"].as_array_mut() {
            required.retain(is_in_both);
        }
        profile["properties"]["leave"] = json!({ "type": "array" });
        profile["properties"]["languages"] = json!({ "type": "array", "items": { "type": "string" } });
    }
    remove_descriptions(&mut schema, repeats_the_name);
    schema
}

/// A clinician in a page of a search.
const ITEMS: &str = "/properties/providers/items";

fn has(schema: &Value, name: &Value) -> bool {
    schema["required"].as_array().is_some_and(|required| required.contains(name))
}

/// Also inside the lists of an object.
fn remove_descriptions(schema: &mut Value, tells_nothing: fn(&str) -> bool) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        if let Some(property) = property.as_object_mut()
            && property.get("description").and_then(Value::as_str).is_some_and(tells_nothing)
        {
            property.shift_remove("description");
        }
        remove_descriptions(property, tells_nothing);
        if let Some(items) = property.get_mut("items") {
            remove_descriptions(items, tells_nothing);
        }
    }
}

fn repeats_the_name(description: &str) -> bool {
    description.starts_with("Echo") || description.split(' ').count() < 5
}

/// For the JSON around a result's texts.
const ENVELOPE: usize = 128;

#[derive(Debug)]
pub(super) enum ToolOutcome {
    /// With what is said beside it.
    Answer(Answer, Option<String>),
    /// With `isError`: a sentence for the patient.
    Failure(Fault),
}

/// Fails if the tool does not exist, or its arguments are not an object.
pub(super) fn call(
    snapshot: &Snapshot,
    now: DateTime<Utc>,
    params: &Params<'_>,
) -> Result<ToolOutcome, RpcError> {
    let invalid = |message: String| RpcError::new(INVALID_PARAMS, message);
    let Some(name) = &params.name else {
        return Err(invalid("Invalid params: \"name\" must be a tool's name".to_owned()));
    };
    let Some(operation) = Operation::for_tool(name) else {
        return Err(invalid(format!("Unknown tool: {}", shown(name))));
    };
    let none = Map::new();
    let arguments = match &params.arguments {
        None => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(invalid("Invalid params: \"arguments\" must be an object".to_owned())),
    };
    let answer = Request::from_tool(operation, arguments)
        .map_err(|fault| fault.of(snapshot.directory().professions()))
        .and_then(|request| {
            let answer = snapshot.answer(&request, now)?;
            let beside = snapshot.note(&request, now, &answer);
            Ok(ToolOutcome::Answer(answer, beside))
        });
    Ok(answer.unwrap_or_else(ToolOutcome::Failure))
}

impl ToolOutcome {
    /// Usually too large.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Answer(answer, note) => {
                answer.body().len() * 3 + ENVELOPE + note.as_ref().map_or(0, |note| note.len() + ENVELOPE)
            }
            Self::Failure(fault) => fault.spoken().len() + ENVELOPE,
        }
    }

    /// Leaves out the closing brace, so that the caller can add members. Structured content repeats the body.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        match self {
            Self::Answer(answer, note) => {
                to.extend_from_slice(br#"{"content":["#);
                write_text(to, &String::from_utf8_lossy(answer.body()));
                // REST says the rest in header fields.
                if let Some(note) = note {
                    to.push(b',');
                    write_text(to, note);
                }
                to.extend_from_slice(br#"],"structuredContent":"#);
                to.extend_from_slice(answer.body());
                to.extend_from_slice(br#","isError":false"#);
            }
            // No structured content: some clients would show it to the model instead of the sentence.
            Self::Failure(fault) => {
                to.extend_from_slice(br#"{"content":["#);
                write_text(to, fault.spoken());
                to.extend_from_slice(br#"],"isError":true"#);
            }
        }
    }
}

fn write_text(to: &mut Vec<u8>, text: &str) {
    to.extend_from_slice(br#"{"type":"text","text":"#);
    _ = serde_json::to_writer(&mut *to, text);
    to.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_six_tools_have_the_specifications_order_and_schemas() {
        let list = list(crate::testing::snapshot().directory());
        let tools = list.as_array().unwrap();
        let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            [
                "list_states",
                "list_insurances",
                "search_providers",
                "get_provider",
                "list_appointment_types",
                "check_availability"
            ]
        );
        for tool in tools {
            assert_eq!(tool["inputSchema"]["type"], "object");
            assert_eq!(tool["inputSchema"]["additionalProperties"], false);
            assert!(tool["inputSchema"]["properties"].is_object());
            assert_eq!(tool["outputSchema"]["type"], "object");
            assert_eq!(tool["annotations"]["readOnlyHint"], true);
            assert_eq!(tool["annotations"]["destructiveHint"], false);
            assert_eq!(tool["annotations"]["idempotentHint"], true);
            assert_eq!(tool["annotations"]["openWorldHint"], false);
            assert!(tool["description"].as_str().unwrap().starts_with("Use this when"));
        }
        assert_eq!(tools[5]["inputSchema"]["required"], json!(["state"]));
        assert_eq!(tools[3]["inputSchema"]["required"], json!(["slug"]));
        assert_eq!(tools[4]["inputSchema"].get("required"), None);
    }

    #[test]
    fn an_arguments_schema_has_its_bounds_and_words() {
        let list = list(crate::testing::snapshot().directory());
        let properties = |tool: usize| list[tool]["inputSchema"]["properties"].clone();
        let horizon = &properties(5)["horizonDays"];
        assert_eq!((&horizon["type"], horizon.get("default")), (&json!(["integer", "null"]), None));
        assert_eq!((&horizon["minimum"], &horizon["maximum"]), (&json!(1), &json!(30)));
        let limit = &properties(2)["limit"];
        assert_eq!(limit["maximum"], 100);
        assert_eq!(properties(2)["offset"].get("maximum"), None);
        assert_eq!(properties(2)["providerType"]["enum"], json!(["physician", "nursePractitioner", null]));
        assert_eq!(
            properties(2)["gender"]["enum"],
            json!(["female", "male", "nonBinary", "other", "preferNotToSay", null])
        );
    }
}

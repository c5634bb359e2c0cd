//! The six tools, as a list for models and as calls that answer with REST's own bytes.

use chrono::{DateTime, SecondsFormat, Utc};
use directory::api::{
    Answer, Fault, OPERATIONS, Operation, OperationId, Parameter, ParameterKind, Request, Snapshot,
    answer_schema, shown,
};
use serde_json::{Map, Value, json};

use super::params::Params;
use super::rpc::{INVALID_PARAMS, RpcError};

/// The `tools` of `tools/list`, one for each operation, in its order.
pub(super) fn list() -> Value {
    OPERATIONS.iter().map(describe).collect()
}

fn describe(operation: &Operation) -> Value {
    json!({
        "name": operation.tool,
        "title": operation.title,
        "description": operation.tool_doc,
        "inputSchema": input_schema(operation),
        "outputSchema": output_schema(operation.id),
        "annotations": {
            "title": operation.title,
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        },
    })
}

/// The schema of an answer. The profiles of a search have no descriptions: the tool that gives one profile describes the
/// same fields, and every client pays for the length of the list.
fn output_schema(operation: OperationId) -> Value {
    let mut schema = answer_schema(operation).to_value();
    if operation == OperationId::Providers
        && let Some(profile) = schema.pointer_mut("/properties/providers/items")
    {
        remove_descriptions(profile);
    }
    schema
}

/// Removes the descriptions of an object's properties, and of those of the objects in its lists.
fn remove_descriptions(schema: &mut Value) {
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for property in properties.into_iter().flat_map(Map::values_mut) {
        if let Some(property) = property.as_object_mut() {
            property.shift_remove("description");
        }
        if let Some(items) = property.get_mut("items") {
            remove_descriptions(items);
        }
    }
}

/// As plain as a schema can be: one odd schema makes some clients drop every tool.
fn input_schema(operation: &Operation) -> Value {
    let properties: Map<String, Value> = operation
        .parameters
        .iter()
        .map(|parameter| (parameter.name.to_owned(), property(parameter)))
        .collect();
    let required: Vec<_> =
        operation.parameters.iter().filter(|parameter| parameter.required).map(|p| p.name).collect();
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn property(parameter: &Parameter) -> Value {
    let mut property = match parameter.kind {
        ParameterKind::State | ParameterKind::Plan | ParameterKind::Slug | ParameterKind::PathSlug => {
            json!({ "type": "string" })
        }
        ParameterKind::Word(words) => json!({ "type": "string", "enum": words }),
        ParameterKind::VisitType => json!({ "type": "integer" }),
        ParameterKind::Count { default, least, most } => {
            let mut count = json!({ "type": "integer", "minimum": least });
            if most != i64::MAX {
                count["maximum"] = most.into();
            }
            count["default"] = default.into();
            count
        }
    };
    property["description"] = parameter.doc.into();
    property
}

/// Room for what stands around the texts of a result.
const ENVELOPE: usize = 128;
/// Room for the note on slots of a late feed.
const NOTE: usize = 256;

/// What stands behind the slots of a late feed. REST says it in headers, which a tool's result does not have, and the
/// first text is REST's body to the byte.
fn late(as_of: DateTime<Utc>) -> String {
    format!(
        "The scheduling system has not confirmed these times since {}. Some of them may be taken by now, so please \
         check a time with the clinic before you rely on it.",
        as_of.to_rfc3339_opts(SecondsFormat::Secs, true)
    )
}

/// What a tool gives back.
#[derive(Debug)]
pub(super) enum Outcome {
    /// What was asked for.
    Answer(Answer),
    /// What went wrong inside the tool is a result, too, made to be read to a person.
    Failure(Fault),
}

/// Calls a tool.
///
/// # Errors
/// The call itself is not understood: there is no such tool, or the parameters are not an object.
pub(super) fn call(
    snapshot: &Snapshot,
    now: DateTime<Utc>,
    params: &Params<'_>,
) -> Result<Outcome, RpcError> {
    let invalid = |message: String| RpcError::new(INVALID_PARAMS, message);
    let Some(name) = params.name() else {
        return Err(invalid("Invalid params: \"name\" must be a tool's name".to_owned()));
    };
    let Some(operation) = Operation::for_tool(&name) else {
        return Err(invalid(format!("Unknown tool: {}", shown(&name))));
    };
    let none = Map::new();
    let arguments = match &params.arguments {
        None => &none,
        Some(Value::Object(arguments)) => arguments,
        Some(_) => {
            return Err(invalid("Invalid params: \"arguments\" must be an object".to_owned()));
        }
    };
    let answer = Request::from_tool(operation, arguments).and_then(|request| snapshot.answer(&request, now));
    Ok(answer.map_or_else(Outcome::Failure, Outcome::Answer))
}

impl Outcome {
    /// About how many bytes it will be written in; rather more than fewer.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Answer(answer) => answer.body().len() * 3 + ENVELOPE + answer.as_of().map_or(0, |_| NOTE),
            Self::Failure(fault) => fault.spoken().len() + ENVELOPE,
        }
    }

    /// Appends the result without its closing brace, so that the caller can add members.
    ///
    /// The body stands in it twice: as text for every client, and as JSON for those that read it.
    pub(super) fn write(&self, to: &mut Vec<u8>) {
        match self {
            Self::Answer(answer) => {
                to.extend_from_slice(br#"{"content":["#);
                write_text(to, &String::from_utf8_lossy(answer.body()));
                if let Some(as_of) = answer.as_of() {
                    to.push(b',');
                    write_text(to, &late(as_of));
                }
                to.extend_from_slice(br#"],"structuredContent":"#);
                to.extend_from_slice(answer.body());
                to.extend_from_slice(br#","isError":false"#);
            }
            // Only the sentence: structured content beside it would hide it from the model in some clients.
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
    // Writing into memory cannot fail.
    _ = serde_json::to_writer(&mut *to, text);
    to.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_tools_in_the_specifications_order_with_plain_schemas() {
        let list = list();
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
    fn arguments_carry_their_bounds_and_words() {
        let list = list();
        let properties = |tool: usize| list[tool]["inputSchema"]["properties"].clone();
        let horizon = &properties(5)["horizonDays"];
        assert_eq!((&horizon["type"], &horizon["default"]), (&json!("integer"), &json!(14)));
        assert_eq!((&horizon["minimum"], &horizon["maximum"]), (&json!(1), &json!(30)));
        let limit = &properties(2)["limit"];
        assert_eq!((&limit["default"], &limit["maximum"]), (&json!(10), &json!(100)));
        assert_eq!(properties(2)["offset"].get("maximum"), None);
        assert_eq!(properties(2)["providerType"]["enum"], json!(["physician", "nursePractitioner"]));
        assert_eq!(
            properties(2)["gender"]["enum"],
            json!(["female", "male", "nonBinary", "other", "preferNotToSay"])
        );
    }
}

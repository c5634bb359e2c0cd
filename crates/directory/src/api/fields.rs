//! The fields of each answer, for the documentation pages. They are read from the schemas of the serialized types.

use serde_json::Value;

use super::operation::{OPERATIONS, Operation, OperationId};
use super::wire::answer_schema;
use crate::model::ProviderType;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its path in the answer: `slots[].startTime`.
    pub path: String,
    /// Its type in words: "string or null".
    pub kind: String,
    pub doc: String,
}

/// The fields of a profile are listed only for the operation that answers one profile.
pub fn answer_fields(operation: OperationId, professions: &[ProviderType]) -> Vec<Field> {
    let mut fields = Vec::new();
    let schema = |operation| plain_schema(operation, professions);
    let others: Vec<_> =
        OPERATIONS.iter().filter(|row| row.id != operation).map(|row| (row, schema(row.id))).collect();
    collect(&schema(operation), "", &others, &mut fields);
    fields
}

/// The schema of an answer without `$schema` and `title`, which only a root schema has. It then equals the nested
/// schema of the same type.
fn plain_schema(operation: OperationId, professions: &[ProviderType]) -> Value {
    let mut schema = answer_schema(operation, professions);
    schema.remove("$schema");
    schema.remove("title");
    schema.to_value()
}

/// Collects the fields of a schema. A list whose items are the whole answer of another operation refers to that operation.
fn collect(schema: &Value, prefix: &str, others: &[(&Operation, Value)], fields: &mut Vec<Field>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{prefix}{name}");
        let mut doc = schema["description"].as_str().unwrap_or_default().to_owned();
        let items = &schema["items"];
        let whole = others.iter().find(|(_, other)| other == items);
        if let Some((row, _)) = whole {
            doc = format!("{doc} Each has the fields of GET {}.", row.path);
        }
        fields.push(Field { path: path.clone(), kind: kind(name, schema), doc });
        if whole.is_none() {
            collect(items, &format!("{path}[]."), others, fields);
        }
    }
}

fn kind(property: &str, schema: &Value) -> String {
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        return words.join(", ");
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().into_iter().collect(),
    };
    let kinds = types.into_iter().map(|name| match name {
        "array" => format!("array of {}", kind(property, &schema["items"])),
        "object" => match &schema["additionalProperties"] {
            values @ Value::Object(_) => {
                let key = if property.ends_with("ByState") { "state code" } else { "slug" };
                format!("object: {key} to {}", kind(property, values))
            }
            _ => "object".to_owned(),
        },
        "string" if property == "localTime" => "string, local time".to_owned(),
        "string" if schema["format"] == "date-time" => "string, UTC time".to_owned(),
        name => name.to_owned(),
    });
    kinds.collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every property of a schema, at any depth.
    fn properties<'a>(schema: &'a Value, found: &mut Vec<(&'a str, &'a Value)>) {
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            found.push((name, property));
            properties(&property["items"], found);
        }
    }

    #[test]
    fn every_field_of_every_answer_has_a_description() {
        for row in &OPERATIONS {
            let schema = plain_schema(row.id, &ProviderType::SPECIFIED);
            let mut found = Vec::new();
            properties(&schema, &mut found);
            assert!(!found.is_empty(), "{}", row.name);
            for (name, property) in found {
                assert!(property["description"].is_string(), "{}: {name} has no description", row.name);
            }
        }
    }

    #[test]
    fn fields_have_their_path_type_and_meaning() {
        let of = |operation, path: &str| {
            let fields = answer_fields(operation, &ProviderType::SPECIFIED);
            let field =
                fields.into_iter().find(|field| field.path == path).unwrap_or_else(|| panic!("no {path}"));
            (field.kind, field.doc)
        };
        let kind = |operation, path| of(operation, path).0;
        assert_eq!(kind(OperationId::States, "states"), "array of object");
        assert_eq!(kind(OperationId::States, "states[].appointmentTypeCount"), "integer");
        assert_eq!(kind(OperationId::Availability, "slots[].startTime"), "string, UTC time");
        assert_eq!(kind(OperationId::Availability, "slots[].localTime"), "string, local time");
        assert_eq!(kind(OperationId::Availability, "clinicians"), "object: slug to string");
        assert_eq!(kind(OperationId::Availability, "nextAvailable"), "string, UTC time or null");
        assert_eq!(kind(OperationId::Availability, "appointmentType"), "integer or null");
        assert_eq!(kind(OperationId::Provider, "headshotUrl"), "string or null");
        assert_eq!(kind(OperationId::Provider, "providerType"), "physician, nursePractitioner");
        assert_eq!(kind(OperationId::Provider, "menopauseSocietyCertified"), "boolean");
        assert_eq!(
            kind(OperationId::Provider, "acceptedInsuranceByState"),
            "object: state code to array of string"
        );
        assert_eq!(kind(OperationId::Provider, "education[].year"), "integer");
        let (kind, doc) = of(OperationId::Providers, "providers");
        assert_eq!(kind, "array of object");
        assert!(doc.ends_with("Each has the fields of GET /v1/providers/{slug}."), "{doc}");
        assert_eq!(answer_fields(OperationId::Providers, &ProviderType::SPECIFIED).len(), 8);
    }
}

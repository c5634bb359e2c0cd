use std::collections::BTreeMap;

use directory::api::{FaultKind, OPERATIONS, OperationId, answer_schema};
use directory::model::ProviderType;
use serde_json::{Map, Value, json};

use crate::path::{PathError, TreePath};

pub(super) const ERROR: &str = "Error";

/// The parts of answers that have a name of their own.
const PARTS: [(&str, OperationId, &str); 8] = [
    ("State", OperationId::States, "/properties/states/items"),
    ("Slot", OperationId::Availability, "/properties/slots/items"),
    ("AppointmentType", OperationId::AppointmentTypes, "/properties/appointmentTypes/items"),
    ("ProviderAppointmentType", OperationId::Provider, "/properties/appointmentTypes/items"),
    ("ProviderSummary", OperationId::ProviderSummaries, "/properties/providers/items"),
    ("Education", OperationId::Provider, "/properties/education/items"),
    ("Certification", OperationId::Provider, "/properties/certifications/items"),
    ("Reason", OperationId::Availability, "/properties/reason"),
];

pub(super) struct Schemas {
    /// The title and the schema.
    answers: BTreeMap<OperationId, (String, Value)>,
}

impl Schemas {
    pub(super) fn new(professions: &[ProviderType]) -> Self {
        let answer = |operation: OperationId| {
            let mut schema = answer_schema(operation, professions).to_value();
            let title = remove(&mut schema, "title").as_str().map(str::to_owned);
            remove(&mut schema, "$schema");
            (title.unwrap_or_else(|| format!("{operation:?}")), schema)
        };
        Self { answers: OPERATIONS.iter().map(|row| (row.id, answer(row.id))).collect() }
    }

    pub(super) fn name(&self, operation: OperationId) -> &str {
        self.answers.get(&operation).map_or("", |(name, _)| name)
    }

    /// A schema that contains another one refers to it by name.
    pub(super) fn components(&self) -> Map<String, Value> {
        let mut components: Map<String, Value> = Map::new();
        let answers = self.answers.values().map(|(name, schema)| (&**name, schema.clone(), schema));
        let parts = PARTS.iter().filter_map(|(name, operation, place)| {
            let used = self.answers.get(operation)?.1.pointer(place)?;
            Some((*name, never_null(used.clone()), used))
        });
        let all: Vec<(&str, Value, &Value)> = answers.chain(parts).collect();
        for (name, schema, _) in &all {
            let mut schema = schema.clone();
            for (other, defined, used) in all.iter().filter(|(other, ..)| other != name) {
                let mut by_name = json!({ "$ref": format!("#/components/schemas/{other}") });
                if defined != *used {
                    by_name = json!({ "anyOf": [by_name, { "type": "null" }] });
                }
                replace(&mut schema, used, &by_name);
            }
            components.insert((*name).to_owned(), schema);
        }
        components.insert(ERROR.to_owned(), error());
        components
    }

    pub(super) fn documents(&self, api_url: &str) -> Result<Vec<(TreePath, Value)>, PathError> {
        let answers = self.answers.values().cloned();
        let all = answers.chain([(ERROR.to_owned(), error())]);
        all.map(|(name, schema)| {
            let path: TreePath = format!("v1/schemas/{name}.json").parse()?;
            let mut document = json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": format!("{api_url}/{path}"),
                "title": name,
            });
            if let (Value::Object(document), Value::Object(schema)) = (&mut document, schema) {
                document.extend(schema);
            }
            Ok((path, document))
        })
        .collect()
    }
}

fn never_null(mut schema: Value) -> Value {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            schema["type"] = only.clone();
        }
    }
    schema
}

fn error() -> Value {
    let mut codes: Vec<&str> = FaultKind::ALL.iter().map(|kind| kind.code()).collect();
    codes.dedup();
    json!({
        "description": "What went wrong: a code for programs, a message for developers.",
        "type": "object",
        "required": ["code", "message"],
        "properties": {
            "code": { "type": "string", "enum": codes },
            "message": { "type": "string" },
        },
    })
}

fn remove(schema: &mut Value, key: &str) -> Value {
    schema.as_object_mut().and_then(|schema| schema.shift_remove(key)).unwrap_or_default()
}

fn replace(within: &mut Value, value: &Value, with: &Value) {
    if within == value {
        *within = with.clone();
        return;
    }
    match within {
        Value::Object(members) => members.values_mut().for_each(|member| replace(member, value, with)),
        Value::Array(elements) => elements.iter_mut().for_each(|element| replace(element, value, with)),
        _ => {}
    }
}

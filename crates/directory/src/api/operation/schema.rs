//! The schemas of tools' arguments.

use serde_json::{Map, Value, json};

use super::{Operation, Parameter, ParameterKind};
use crate::model::ProviderType;

impl Operation {
    /// Of few keywords: some clients drop all tools if they do not understand one schema.
    pub fn input_schema(&self, professions: &[ProviderType]) -> Value {
        let property = |parameter: &Parameter| (parameter.name.to_owned(), property(parameter, professions));
        let properties: Map<String, Value> = self.arguments().map(property).collect();
        let required: Vec<_> =
            self.arguments().filter(|parameter| parameter.required).map(|p| p.name).collect();
        let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }
}

fn property(parameter: &Parameter, professions: &[ProviderType]) -> Value {
    let mut property = match parameter.kind {
        ParameterKind::State
        | ParameterKind::Plan
        | ParameterKind::Slug
        | ParameterKind::PathSlug
        | ParameterKind::Language
        | ParameterKind::Time
        | ParameterKind::TimeZone
        | ParameterKind::Cursor
        | ParameterKind::SearchText => json!({ "type": "string" }),
        ParameterKind::Flag => json!({ "type": "boolean" }),
        ParameterKind::Word(_) | ParameterKind::Profession => {
            json!({ "type": "string", "enum": parameter.words(professions) })
        }
        ParameterKind::VisitType => json!({ "type": "integer" }),
        ParameterKind::Count { least, most, .. } => {
            let mut count = json!({ "type": "integer", "minimum": least });
            if most != i64::MAX {
                count["maximum"] = most.into();
            }
            count
        }
    };
    if !parameter.required {
        // Clients with strict schemas send every argument, and null for those that they leave out.
        property["type"] = json!([property["type"], "null"]);
        if let Some(words) = property.get_mut("enum").and_then(Value::as_array_mut) {
            words.push(Value::Null);
        }
    }
    property["description"] = parameter.doc.into();
    property
}

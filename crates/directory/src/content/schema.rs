//! JSON Schemas of the content files, for text editors, derived from the raw types. The dialect is draft 7, because the TOML
//! plug-ins of editors do not support a newer one.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};

use super::raw::{
    AllowFile, AppointmentTypesFile, AvailabilityFile, DirectoryFile, HolidaysFile, InsurancesFile,
    ProviderFile, RetiredFile,
};

pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("allow", schema_of::<AllowFile>()),
        ("appointment-types", schema_of::<AppointmentTypesFile>()),
        ("availability", schema_of::<AvailabilityFile>()),
        ("directory", schema_of::<DirectoryFile>()),
        ("holidays", schema_of::<HolidaysFile>()),
        ("insurances", schema_of::<InsurancesFile>()),
        ("provider", schema_of::<ProviderFile>()),
        ("retired", schema_of::<RetiredFile>()),
    ]
}

fn schema_of<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(without_null).transform(&mut schema);
    schema
}

/// Removes null from the types of optional values, because TOML has no null.
fn without_null(schema: &mut Schema) {
    if let Some(serde_json::Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
}

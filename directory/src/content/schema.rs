//! JSON Schemas of the content files, for the editors that people write them in.
//!
//! They come from the raw types, so a key that the reader knows is a key that the editor knows. The dialect is
//! the oldest that schemars speaks, because editors' TOML plug-ins know none of the newer ones.

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema};

use super::raw::{
    AllowFile, AppointmentTypesFile, AvailabilityFile, DirectoryFile, HolidaysFile, InsurancesFile,
    ProviderFile, RetiredFile,
};

/// Each content file's schema, by the name of its kind.
#[must_use]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![
        ("allow", of::<AllowFile>()),
        ("appointment-types", of::<AppointmentTypesFile>()),
        ("availability", of::<AvailabilityFile>()),
        ("directory", of::<DirectoryFile>()),
        ("holidays", of::<HolidaysFile>()),
        ("insurances", of::<InsurancesFile>()),
        ("provider", of::<ProviderFile>()),
        ("retired", of::<RetiredFile>()),
    ]
}

fn of<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft07();
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(without_null).transform(&mut schema);
    schema
}

/// TOML has no null: what may be absent is absent.
fn without_null(schema: &mut Schema) {
    if let Some(serde_json::Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
}

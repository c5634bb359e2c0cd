//! JSON Schemas of the content files, for text editors that complete and check them.
//!
//! They are derived from the raw types, so both always know the same keys. The dialect is the oldest that schemars
//! writes, because TOML plug-ins of editors know no newer one.

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

/// TOML has no null, so a value that may be absent has no null in its type.
fn without_null(schema: &mut Schema) {
    if let Some(serde_json::Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
}

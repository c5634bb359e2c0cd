//! `v1/verification.json`: who confirmed which entry when. A file beside the manifest; no operation answers with it.

use serde_json::json;

use super::standing::changed_groups;
use crate::model::{Directory, FactGroup};

pub const VERIFICATION_PATH: &str = "v1/verification.json";

pub fn verification(directory: &Directory) -> Option<Vec<u8>> {
    directory.accuracy()?;
    let mut providers: Vec<_> = directory.providers().iter().collect();
    providers.sort_unstable_by_key(|provider| &provider.slug);
    let entries = providers.into_iter().map(|provider| {
        let confirmed = provider.record.confirmed.as_ref();
        let changed = changed_groups(directory, provider).into_iter().map(FactGroup::word);
        json!({
            "slug": provider.slug.as_str(),
            "confirmedOn": confirmed.map(|confirmed| confirmed.on.to_string()),
            "by": confirmed.map(|confirmed| confirmed.by.word()),
            "changed": changed.collect::<Vec<_>>(),
        })
    });
    Some(json!({ "providers": entries.collect::<Vec<_>>() }).to_string().into_bytes())
}

//! `v1/verification.json`: who confirmed which entry when. A file beside the manifest; no operation answers with it.

use serde::Serialize;

use super::standing::changed_groups;
use crate::model::Directory;

pub const VERIFICATION_PATH: &str = "v1/verification.json";

#[derive(Serialize)]
struct Verification<'a> {
    providers: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    slug: &'a str,
    confirmed_on: Option<String>,
    by: Option<&'static str>,
    changed: Vec<&'static str>,
}

/// The file, sorted by slug; `None` without a policy. It depends on the content alone.
#[must_use]
pub fn verification(directory: &Directory) -> Option<Vec<u8>> {
    directory.accuracy()?;
    let mut providers: Vec<_> = directory
        .providers()
        .iter()
        .map(|provider| {
            let confirmed = provider.record.confirmed.as_ref();
            let changed = changed_groups(directory, provider);
            Entry {
                slug: provider.slug.as_str(),
                confirmed_on: confirmed.map(|confirmed| confirmed.on.to_string()),
                by: confirmed.map(|confirmed| confirmed.by.word()),
                changed: changed.into_iter().map(crate::model::FactGroup::word).collect(),
            }
        })
        .collect();
    providers.sort_unstable_by_key(|entry| entry.slug);
    serde_json::to_vec(&Verification { providers }).ok()
}

//! A resource as it is published: its id and its line.

use serde::Serialize;

#[derive(Debug)]
pub(super) struct Resource {
    pub(super) id: String,
    pub(super) json: Vec<u8>,
}

impl Resource {
    pub(super) fn of(id: impl Into<String>, value: &impl Serialize) -> Self {
        // Serialization fails only for maps whose keys are not strings, and there are none.
        Self { id: id.into(), json: serde_json::to_vec(value).unwrap_or_default() }
    }
}

/// Resources as lines, sorted by id.
pub(super) fn lines(mut resources: Vec<Resource>) -> Vec<u8> {
    resources.sort_unstable_by(|one, other| one.id.cmp(&other.id));
    let mut lines = Vec::with_capacity(resources.iter().map(|resource| resource.json.len() + 1).sum());
    for resource in &resources {
        lines.extend_from_slice(&resource.json);
        lines.push(b'\n');
    }
    lines
}

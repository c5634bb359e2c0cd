//! A resource as it is published: its id and JSON.

use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) id: String,
    pub(crate) json: Vec<u8>,
}

impl Resource {
    pub(crate) fn of(id: impl Into<String>, mut value: Value) -> Self {
        leave_out_empty(&mut value);
        Self { id: id.into(), json: value.to_string().into() }
    }
}

fn leave_out_empty(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(leave_out_empty);
            members.retain(|_, member| !member.is_null() && *member != Value::Array(Vec::new()));
        }
        Value::Array(elements) => elements.iter_mut().for_each(leave_out_empty),
        _ => {}
    }
}

/// Resources as lines, sorted by id.
pub(crate) fn lines(mut resources: Vec<Resource>) -> Vec<u8> {
    resources.sort_unstable_by(|one, other| one.id.cmp(&other.id));
    let mut lines = Vec::with_capacity(resources.iter().map(|resource| resource.json.len() + 1).sum());
    for resource in &resources {
        lines.extend_from_slice(&resource.json);
        lines.push(b'\n');
    }
    lines
}

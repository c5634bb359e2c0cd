use serde_json::Value;

#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) id: String,
    pub(crate) json: Vec<u8>,
}

impl Resource {
    pub(crate) fn new(id: impl Into<String>, mut value: Value) -> Self {
        remove_empty(&mut value);
        Self { id: id.into(), json: value.to_string().into() }
    }
}

fn remove_empty(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(remove_empty);
            members.retain(|_, member| !member.is_null() && *member != Value::Array(Vec::new()));
        }
        Value::Array(elements) => elements.iter_mut().for_each(remove_empty),
        _ => {}
    }
}

/// One line for each resource, sorted by id.
pub(crate) fn to_lines(mut resources: Vec<Resource>) -> Vec<u8> {
    resources.sort_unstable_by(|one, other| one.id.cmp(&other.id));
    resources.iter().flat_map(|resource| [resource.json.as_slice(), b"\n"]).collect::<Vec<_>>().concat()
}

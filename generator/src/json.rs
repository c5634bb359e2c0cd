use serde::Serialize;

pub(crate) fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    // Fails only for maps whose keys are not text, which no value here has.
    serde_json::to_vec(value).unwrap_or_default()
}

//! Serializes JSON.

use serde::Serialize;

pub(crate) fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    // This fails only for maps whose keys are not text, and no value here has such a map.
    serde_json::to_vec(value).unwrap_or_default()
}

//! Random changes of keys and of the content, compared with readings of all keys; and whom a bad key concerns.

mod closed;
mod random;

use super::super::FeedLimits;
use super::{KeyChange, KeyValue, SlotKey};

/// A key with the text of its value, or without one if it is deleted.
fn change_of(name: &str, text: Option<&str>) -> KeyChange {
    let key = SlotKey::parse(name).unwrap();
    match text {
        Some(text) => KeyChange::Put(KeyValue::read(key, text, &FeedLimits::default()).unwrap()),
        None => KeyChange::Delete(key),
    }
}

//! Finds pairs of the first entry with a key and a later one with the same key.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

pub(super) fn repeated<T: Copy, K: Hash + Eq>(
    entries: impl IntoIterator<Item = T>,
    key: impl Fn(T) -> Option<K>,
) -> impl Iterator<Item = (T, T)> {
    let mut seen = HashMap::new();
    entries.into_iter().filter_map(move |entry| match seen.entry(key(entry)?) {
        Entry::Occupied(first) => Some((*first.get(), entry)),
        Entry::Vacant(free) => {
            free.insert(entry);
            None
        }
    })
}

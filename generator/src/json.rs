//! Serializes JSON: values at once, and long lists in pieces on all threads.

use std::io::{self, Write};

use rayon::prelude::*;
use serde::{Serialize, Serializer as _};

const ITEMS_PER_PIECE: usize = 256;
/// Limits the serialized pieces in memory: a long list takes megabytes.
const PIECES_AT_A_TIME: usize = 16;
const BYTES_PER_ITEM: usize = 256;
const END: &[u8] = b"]}";

pub(crate) fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    // This fails only for maps whose keys are not text, and no value here has such a map.
    serde_json::to_vec(value).unwrap_or_default()
}

/// Writes the object `head`, whose last field must be an empty list, and fills that list with the `row` of each item.
pub(crate) fn write_list<'i, T: Sync, R: Serialize>(
    to: &mut impl Write,
    head: &impl Serialize,
    items: &'i [T],
    row: impl Fn(&'i T) -> R + Sync,
) -> io::Result<()> {
    let head = to_json(head);
    to.write_all(head.strip_suffix(END).unwrap_or_default())?;
    let piece = |items: &'i [T]| {
        let mut json = Vec::with_capacity(items.len() * BYTES_PER_ITEM);
        _ = serde_json::Serializer::new(&mut json).collect_seq(items.iter().map(&row));
        json
    };
    let mut is_first = true;
    for items in items.chunks(ITEMS_PER_PIECE * PIECES_AT_A_TIME) {
        let pieces: Vec<Vec<u8>> = items.par_chunks(ITEMS_PER_PIECE).map(piece).collect();
        for piece in pieces {
            if !std::mem::take(&mut is_first) {
                to.write_all(b",")?;
            }
            // Without the brackets of the piece.
            to.write_all(piece.get(1..piece.len().saturating_sub(1)).unwrap_or_default())?;
        }
    }
    to.write_all(END)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_written_in_pieces_equals_one_written_at_once() {
        #[derive(Serialize)]
        struct Object {
            name: &'static str,
            list: Vec<String>,
        }
        let head = Object { name: "a \"name\"", list: Vec::new() };
        for count in
            [0, 1, ITEMS_PER_PIECE, ITEMS_PER_PIECE + 1, (PIECES_AT_A_TIME + 1) * ITEMS_PER_PIECE + 5]
        {
            let items: Vec<usize> = (0..count).collect();
            let mut written = Vec::new();
            write_list(&mut written, &head, &items, ToString::to_string).unwrap();
            let list = items.iter().map(ToString::to_string).collect();
            assert!(written == serde_json::to_vec(&Object { list, ..head }).unwrap(), "{count}");
        }
    }
}

//! Which content this is: a hash over every file that an answer or a page can come from.
//!
//! Files are taken in the order of their paths, line ends are made equal and byte order marks are gone, so
//! that a checkout on any machine has the same name. What nothing is read from (notes, schemas) is not in it,
//! nor is a feed, which changes by the minute.

use sha2::{Digest, Sha256};

use crate::model::Generation;

/// How many bytes of the hash name a generation, two digits each.
const BYTES: usize = 8;

/// What a file adds to the generation.
pub(super) type FileHash = [u8; 32];

/// Each file is hashed on its own, so that the files can be hashed at the same time.
pub(super) fn of_text(text: &str) -> FileHash {
    if text.contains('\r') {
        Sha256::digest(text.replace("\r\n", "\n").as_bytes()).into()
    } else {
        Sha256::digest(text.as_bytes()).into()
    }
}

/// One hash of some files, by their paths, each of which stands there once.
pub(super) fn fold(mut files: Vec<(String, FileHash)>) -> FileHash {
    files.sort_unstable();
    let mut whole = Sha256::new();
    for (path, hash) in &files {
        // No path has a NUL, so no two lists of files are the same bytes.
        whole.update(path.as_bytes());
        whole.update([0]);
        whole.update(hash);
    }
    whole.finalize().into()
}

/// What people call the content with this hash.
pub(super) fn name(digest: &FileHash) -> Generation {
    let digits = digest[..BYTES].iter().flat_map(|byte| [byte >> 4, byte & 15]);
    Generation(digits.map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_do_not_name_another_generation_and_anything_else_does() {
        assert_eq!(of_text("a\r\nb\r\n"), of_text("a\nb\n"));
        assert_ne!(of_text("a\rb"), of_text("a\nb"));
        let of = |files: &[(&str, &str)]| {
            name(&fold(files.iter().map(|(path, text)| ((*path).to_owned(), of_text(text))).collect()))
        };
        assert_eq!(of(&[("a", "1"), ("b", "2")]), of(&[("b", "2"), ("a", "1")]));
        assert_ne!(of(&[("a", "1"), ("b", "2")]), of(&[("a", "2"), ("b", "1")]));
        assert_ne!(of(&[("a", "1")]), of(&[("b", "1")]));
        assert_eq!(of(&[]).as_str().len(), 16);
    }
}

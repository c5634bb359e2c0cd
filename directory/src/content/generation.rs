//! The generation: a hash over every file that answers and pages come from.
//!
//! Files are hashed in the order of their paths, with equal line ends and without byte order marks, so that a checkout
//! on any machine gives the same hash. Files that are not read and the feed, which changes by the minute, do not count.

use sha2::{Digest, Sha256};

use crate::model::Generation;

/// How many bytes of the hash name a generation, two digits each.
const BYTES: usize = 8;

pub(super) type FileHash = [u8; 32];

/// Hashes one file. Files are hashed in parallel.
pub(super) fn of_text(text: &str) -> FileHash {
    if text.contains('\r') {
        Sha256::digest(text.replace("\r\n", "\n").as_bytes()).into()
    } else {
        Sha256::digest(text.as_bytes()).into()
    }
}

/// One hash of some files. Each path occurs once.
pub(super) fn fold(mut files: Vec<(String, FileHash)>) -> FileHash {
    files.sort_unstable();
    let mut whole = Sha256::new();
    for (path, hash) in &files {
        // A path has no NUL, so two different lists of files never give the same bytes.
        whole.update(path.as_bytes());
        whole.update([0]);
        whole.update(hash);
    }
    whole.finalize().into()
}

/// The generation of content with this hash.
pub(super) fn name(digest: &FileHash) -> Generation {
    let digits = digest[..BYTES].iter().flat_map(|byte| [byte >> 4, byte & 15]);
    Generation(digits.map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_do_not_change_the_generation_and_anything_else_does() {
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

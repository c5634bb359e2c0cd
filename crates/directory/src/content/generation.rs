//! The generation: a hash over every file that answers and pages are made from, with LF as line ends and without byte order
//! marks, so that a checkout on any machine gives the same one. The feed, which changes by the minute, doesn't count.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::model::Generation;

/// How many bytes of the hash the generation's name shows, in hexadecimal.
const BYTES: usize = 8;

pub(super) type FileHash = [u8; 32];

pub(super) fn hash_text(text: &str) -> FileHash {
    if text.contains('\r') {
        Sha256::digest(text.replace("\r\n", "\n").as_bytes()).into()
    } else {
        Sha256::digest(text.as_bytes()).into()
    }
}

/// Each path must occur only once.
pub(super) fn combine(mut files: Vec<(String, FileHash)>) -> FileHash {
    files.sort_unstable();
    let mut whole = Sha256::new();
    for (path, hash) in &files {
        // A path cannot contain NUL, so different lists of files never give the same bytes.
        whole.update(path.as_bytes());
        whole.update([0]);
        whole.update(hash);
    }
    whole.finalize().into()
}

pub(super) fn name(digest: &FileHash) -> Generation {
    Generation(HEXLOWER.encode(&digest[..BYTES]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_line_ends_changes_the_generation() {
        assert_eq!(hash_text("a\r\nb\r\n"), hash_text("a\nb\n"));
        assert_ne!(hash_text("a\rb"), hash_text("a\nb"));
        let of = |files: &[(&str, &str)]| {
            name(&combine(files.iter().map(|(path, text)| ((*path).to_owned(), hash_text(text))).collect()))
        };
        assert_eq!(of(&[("a", "1"), ("b", "2")]), of(&[("b", "2"), ("a", "1")]));
        assert_ne!(of(&[("a", "1"), ("b", "2")]), of(&[("a", "2"), ("b", "1")]));
        assert_ne!(of(&[("a", "1")]), of(&[("b", "1")]));
        assert_eq!(of(&[]).as_str().len(), 16);
    }
}

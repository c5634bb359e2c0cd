//! Which content this is: a hash over every file that an answer or a page can come from.
//!
//! Files are taken in the order of their paths, line ends are made equal and byte order marks are gone, so
//! that a checkout on any machine has the same name. A feed changes by the minute and is no part of it.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::load::{Source, Sources};
use crate::model::Generation;

/// How many bytes of the hash name a generation, two digits each.
const BYTES: usize = 8;

pub(super) fn of(sources: &Sources) -> Generation {
    let files: Vec<_> = sources.iter().filter(|(_, source)| !matches!(source, Source::Feed(_))).collect();
    // Each file is hashed on its own, so that the files can be hashed at the same time.
    let hashes: Vec<_> = files
        .into_par_iter()
        .map(|(path, source)| {
            let mut hash = Sha256::new();
            hash.update(path.as_bytes());
            hash.update([0]);
            match source {
                Source::Text(text) if text.contains('\r') => {
                    hash.update(text.replace("\r\n", "\n").as_bytes());
                }
                Source::Text(text) => hash.update(text.as_bytes()),
                Source::Portrait(digest) => hash.update(digest),
                Source::Feed(_) | Source::Unread => hash.update([0]),
            }
            hash.finalize()
        })
        .collect();
    let mut whole = Sha256::new();
    for hash in hashes {
        whole.update(hash);
    }
    let digest = whole.finalize();
    let digits = digest[..BYTES].iter().flat_map(|byte| [byte >> 4, byte & 15]);
    Generation(digits.map(|digit| char::from_digit(digit.into(), 16).unwrap_or_default()).collect())
}

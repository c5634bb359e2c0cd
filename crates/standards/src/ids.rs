//! Compound ids: a provider's id with suffixes, such as `prov-0001.CA`.
//!
//! FHIR allows 64 characters, so a long provider's id is hashed. The number of suffixes is fixed for each type, so
//! providers' ids with dots stay unambiguous.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use directory::model::{Directory, Provider, ProviderId};

/// The longest id of a provider that is used in compounds as it is.
const LONGEST: usize = 40;

/// A provider's part of a compound id: its id, or the beginning of the hash of a long one.
pub(crate) fn part(id: &ProviderId) -> Cow<'_, str> {
    hash_of_long(id).map_or_else(|| id.as_str().into(), Cow::from)
}

fn hash_of_long(id: &ProviderId) -> Option<String> {
    (id.as_str().len() > LONGEST).then(|| HEXLOWER.encode(&Sha256::digest(id.as_str())[..LONGEST / 2]))
}

/// The provider whose part of a compound id this is.
pub(crate) fn provider_of<'a>(directory: &'a Directory, text: &str) -> Option<&'a Provider> {
    let by_id = directory.with_id(text).map(|number| directory.provider(number));
    let by_id = by_id.filter(|provider| provider.id.as_str().len() <= LONGEST);
    by_id.or_else(|| directory.with_stand_in(text, hash_of_long).map(|number| directory.provider(number)))
}

/// The number of the file that has a provider's slots, if a day has several files.
pub(crate) fn shard(id: &ProviderId, shards: u32) -> u32 {
    let hash = Sha256::digest(id.as_str());
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    u32::try_from(u64::from_be_bytes(first) % u64::from(shards.max(1))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::test_content;

    #[test]
    fn long_ids_become_the_beginning_of_their_hash() {
        let short: ProviderId = "a".repeat(40).parse().unwrap();
        assert_eq!(part(&short), "a".repeat(40));
        // printf %041d 0 | sha256sum
        let long: ProviderId = "0".repeat(41).parse().unwrap();
        assert_eq!(part(&long), "4b7e6989a501165d819b04190841db955b6a53e0");
    }
    #[test]
    fn long_ids_are_hashed_once_for_all_readings() {
        static HASHED: AtomicUsize = AtomicUsize::new(0);
        let counted = |id: &ProviderId| {
            HASHED.fetch_add(1, Ordering::Relaxed);
            hash_of_long(id)
        };
        let long = "x".repeat(60);
        let directory = test_content::edited(&[("providers/sol.toml", "prov-0002", &long)]);
        let hash = part(&long.parse().unwrap()).into_owned();
        for (text, found) in [(hash.as_str(), true), ("nobody", false), (&hash, true)] {
            assert_eq!(directory.with_stand_in(text, counted).is_some(), found, "{text}");
        }
        assert_eq!(HASHED.load(Ordering::Relaxed), directory.providers().len());
    }
}

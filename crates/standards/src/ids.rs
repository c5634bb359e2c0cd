//! Compound ids, such as `prov-0001.CA`. FHIR allows 64 characters, so a long provider's id is replaced by its hash. A
//! provider's id may contain dots, so ids are split at the last one.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use directory::model::{Directory, ProviderId, ProviderNumber};

const LONGEST: usize = 40;

/// The beginning of a provider's compound ids.
pub(crate) fn id_prefix(id: &ProviderId) -> Cow<'_, str> {
    hash_if_long(id).map_or_else(|| id.as_str().into(), Cow::from)
}

fn hash_if_long(id: &ProviderId) -> Option<String> {
    (id.as_str().len() > LONGEST).then(|| HEXLOWER.encode(&Sha256::digest(id.as_str())[..LONGEST / 2]))
}

pub(crate) fn find_provider(directory: &Directory, prefix: &str) -> Option<ProviderNumber> {
    // A long id is never a prefix itself.
    let has_short_id = |number: &ProviderNumber| directory.provider(*number).id.as_str().len() <= LONGEST;
    let found_by_id = directory.with_id(prefix).filter(has_short_id);
    let find_by_hash = || directory.with_replaced_id(prefix, hash_if_long);
    found_by_id.or_else(find_by_hash)
}

pub(crate) fn slot_file_number(id: &ProviderId, files_per_day: u32) -> u32 {
    if files_per_day <= 1 {
        return 0;
    }
    let hash = Sha256::digest(id.as_str());
    let mut first_bytes = [0; 8];
    first_bytes.copy_from_slice(&hash[..8]);
    u32::try_from(u64::from_be_bytes(first_bytes) % u64::from(files_per_day)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::test_content;

    #[test]
    fn long_ids_are_replaced_by_part_of_their_hash() {
        let short: ProviderId = "a".repeat(40).parse().unwrap();
        assert_eq!(id_prefix(&short), "a".repeat(40));
        // printf %041d 0 | sha256sum
        let long: ProviderId = "0".repeat(41).parse().unwrap();
        assert_eq!(id_prefix(&long), "4b7e6989a501165d819b04190841db955b6a53e0");
    }

    #[test]
    fn long_ids_are_hashed_once_for_all_lookups() {
        static HASH_COUNT: AtomicUsize = AtomicUsize::new(0);
        let hash_and_count = |id: &ProviderId| {
            HASH_COUNT.fetch_add(1, Ordering::Relaxed);
            hash_if_long(id)
        };
        let long = "x".repeat(60);
        let directory = test_content::edited(&[("providers/sol.toml", "prov-0002", &long)]);
        let hash = id_prefix(&long.parse().unwrap()).into_owned();
        for (prefix, is_found) in [(hash.as_str(), true), ("nobody", false), (&hash, true)] {
            assert_eq!(directory.with_replaced_id(prefix, hash_and_count).is_some(), is_found, "{prefix}");
        }
        assert_eq!(HASH_COUNT.load(Ordering::Relaxed), directory.providers().len());
    }
}

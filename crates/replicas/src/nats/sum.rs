//! The number of a site's keys and a hash of them all, which a writer and a replica compare.

use xxhash_rust::xxh3::Xxh3;

/// The keys of a site without its beat: their number, and the XOR of their hashes, which does not depend on their
/// order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub keys: u64,
    /// The XOR of their hashes.
    pub xor: u64,
}

/// The hash of a key and its value as stored: xxh3-64 of the key, a zero byte and the value.
#[must_use]
pub fn hash_of(key: &str, value: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(key.as_bytes());
    hasher.update(&[0]);
    hasher.update(value);
    hasher.digest()
}

impl Sum {
    /// Replaces a key's hash; `None` is a key that is not there.
    pub fn change(&mut self, before: Option<u64>, after: Option<u64>) {
        for hash in [before, after].into_iter().flatten() {
            self.xor ^= hash;
        }
        self.keys = self.keys + u64::from(after.is_some()) - u64::from(before.is_some());
    }

    /// The hash as a beat writes it.
    #[must_use]
    pub fn hex(self) -> String {
        format!("{:016x}", self.xor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_does_not_depend_on_the_order_of_changes() {
        let (a, b) = (hash_of("s.p.a", b"1"), hash_of("s.p.b", b"2"));
        let mut one = Sum::default();
        one.change(None, Some(a));
        one.change(None, Some(b));
        let mut other = Sum::default();
        other.change(None, Some(hash_of("s.p.b", b"old")));
        other.change(None, Some(a));
        other.change(Some(hash_of("s.p.b", b"old")), Some(b));
        assert_eq!(one, other);
        other.change(Some(b), None);
        assert_eq!((other.keys, other.xor), (1, a));
    }

    #[test]
    fn the_hash_is_that_of_the_contract() {
        // The zero byte separates key and value, so moving a byte between them changes the hash.
        assert_ne!(hash_of("s.p.a", b"b"), hash_of("s.p.ab", b""));
        assert_eq!(hash_of("", b""), xxhash_rust::xxh3::xxh3_64(b"\0"));
        assert_eq!(Sum { keys: 0, xor: 10 }.hex(), "000000000000000a");
    }
}

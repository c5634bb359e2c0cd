//! A bucket's keys, their values (lines of a feed, plain or gzipped), and the sum of them that writers and replicas compare.
//!
//! | key | what its value is |
//! |---|---|
//! | `<site>.p.<slug>` | the lines of one provider |
//! | `<site>.s.<id>` | a FHIR Schedule and the Slots that name it; other bytes than letters, digits, `-` and `_` as `=XX` |
//! | `<site>.beat` | what the site's writer confirms |

use std::io::Read;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use directory::calendar::{BadText, FeedFile, FeedLimits, PartId, is_site};
use flate2::read::MultiGzDecoder;
use xxhash_rust::xxh3::Xxh3;

const BEAT: &str = "beat";

pub fn beat_key(site: &str) -> String {
    format!("{site}.{BEAT}")
}

/// The site that a key belongs to, also if the rest of its name is wrong.
pub(super) fn site_of(key: &str) -> Option<&str> {
    key.split_once('.').map(|(site, _)| site).filter(|site| is_site(site))
}

/// The number of a site's keys without its beat, and the XOR of their hashes, which does not depend on their order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub keys: u64,
    pub xor: u64,
}

/// The hash of a key and its value as stored: xxh3-64 of the key, a zero byte and the value.
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

    pub fn hex(self) -> String {
        format!("{:016x}", self.xor)
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// The most bytes of a value when expanded.
pub const MAX_VALUE: usize = 4 << 20;

pub fn text_of(value: &[u8]) -> Result<String, String> {
    let bytes = if value.starts_with(&GZIP) {
        let mut bytes = Vec::new();
        let most = MAX_VALUE as u64 + 1;
        let mut expanded = MultiGzDecoder::new(value).take(most);
        expanded.read_to_end(&mut bytes).map_err(|error| format!("its gzip is broken: {error}"))?;
        bytes
    } else {
        value.to_vec()
    };
    if bytes.len() > MAX_VALUE {
        return Err(format!("it expands to more than {MAX_VALUE} bytes: list fewer months"));
    }
    String::from_utf8(bytes).map_err(|_| "it isn't UTF-8 text".to_owned())
}

pub(super) fn read(key: &PartId, value: &[u8], limits: &FeedLimits) -> Result<Arc<FeedFile>, BadText> {
    key.read(&text_of(value).map_err(BadText::Other)?, limits)
}

/// Where a message stands in the stream, as its reply subject says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MessagePosition {
    /// Its number in the stream.
    pub(super) stream: u64,
    /// Its number among those that this consumer was sent.
    pub(super) consumer: u64,
    pub(super) stored_at: DateTime<Utc>,
    /// The number of messages that follow it.
    pub(super) pending: u64,
}

impl MessagePosition {
    /// Reads `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<nanoseconds>.<pending>`, or the
    /// later form with a domain and an account before the stream and a token at the end.
    pub(super) fn parse(reply: &str) -> Option<Self> {
        let mut tokens = reply.strip_prefix("$JS.ACK.")?.split('.');
        let before = match tokens.clone().count() {
            7 => 3,
            9.. => 5,
            _ => return None,
        };
        tokens.nth(before - 1)?;
        let mut number = || tokens.next()?.parse::<u64>().ok();
        let (stream, consumer, nanoseconds, pending) = (number()?, number()?, number()?, number()?);
        let stored_at = DateTime::from_timestamp_nanos(i64::try_from(nanoseconds).ok()?);
        Some(Self { stream, consumer, stored_at, pending })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use directory::calendar::FeedMode;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn a_key_outside_the_layout_is_none_of_a_site() {
        for (key, site) in
            [("ehr.beat", Some("ehr")), ("ehr.x.a", Some("ehr")), ("Ehr.beat", None), ("ehr", None)]
        {
            assert_eq!(site_of(key), site, "{key}");
        }
        for key in ["", "_content", "ehr", "Ehr.p.a", "ehr._content", "ehr.x.a", "ehr.beat", "ehr.beat.a"] {
            assert!(PartId::key(key).is_err(), "{key}");
        }
    }

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

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    const LINE: &str = r#"{"provider": "jane-doe", "start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z", "status": "busy"}"#;

    fn read(value: &[u8]) -> Result<Arc<FeedFile>, String> {
        let key = PartId::key("ehr.p.jane-doe").unwrap();
        super::read(&key, value, &FeedLimits::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_value_is_lines_or_the_same_gzipped_or_empty() {
        let count = |value: &FeedFile| value.starts(FeedMode::Busy).count();
        let plain = read(LINE.as_bytes()).unwrap();
        assert_eq!(read(&gzip(LINE.as_bytes())).unwrap(), plain);
        assert_eq!((count(&plain), count(&read(b"").unwrap())), (1, 0));
    }

    #[test]
    fn a_bad_value_is_refused_with_its_reason() {
        let broken = {
            let mut bytes = gzip(LINE.as_bytes());
            bytes.truncate(20);
            bytes
        };
        for (value, says) in [
            (b"nonsense".to_vec(), "ehr.p.jane-doe:1:1: this isn't a JSON object"),
            (b"\xff".to_vec(), "it isn't UTF-8"),
            (broken, "its gzip is broken"),
            (gzip(&vec![b' '; MAX_VALUE + 1]), "it expands to more than 4194304 bytes"),
            (
                LINE.replace("jane", "june").into_bytes(),
                "a line is about provider june-doe, which this key doesn't hold",
            ),
        ] {
            let error = read(&value).unwrap_err();
            assert!(error.starts_with(says), "{error}");
        }
    }

    #[test]
    fn both_forms_of_the_reply_are_read() {
        let at = DateTime::from_timestamp_nanos(1_700_000_000_123_456_789);
        let position = MessagePosition { stream: 17, consumer: 5, stored_at: at, pending: 2 };
        for reply in [
            "$JS.ACK.KV_nameplate.live-1.1.17.5.1700000000123456789.2",
            "$JS.ACK.hub.ACC.KV_nameplate.live-1.1.17.5.1700000000123456789.2.token",
            "$JS.ACK._.ACC.KV_nameplate.live-1.1.17.5.1700000000123456789.2",
        ] {
            assert_eq!(MessagePosition::parse(reply), Some(position), "{reply}");
        }
        for reply in
            ["", "$JS.ACK.a.b", "$JS.FC.KV_nameplate.live-1.x", "$JS.ACK.KV_nameplate.live-1.1.x.5.1.2"]
        {
            assert_eq!(MessagePosition::parse(reply), None, "{reply}");
        }
    }
}

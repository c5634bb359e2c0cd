//! Whatever a bucket sends, a replica ends with the stream's last readable values, and its sums are those of the keys.
//!
//! Each line is a message or what a replica does: `put KEY VALUE`, `del KEY`, `beat SITE`, `wrong SITE`, `anew`. One replica
//! parses values after every message, the other only at the end.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use chrono::DateTime;
use directory::calendar::{Event, FeedFile, FeedLimits, FeedMode, PartId};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

use keys::MessagePosition;
use mirror::{Message, Mirror};

// These modules need no sockets. They are private to the crate, so they are compiled by path.
#[allow(dead_code, unreachable_pub, reason = "the target uses a part of it")]
#[path = "../../crates/replicas/src/nats/beat.rs"]
mod beat;
#[allow(dead_code, unreachable_pub, reason = "the target uses a part of it")]
#[path = "../../crates/replicas/src/nats/mirror.rs"]
mod mirror;
#[allow(dead_code, unreachable_pub, reason = "the target uses a part of it")]
#[path = "../../crates/replicas/src/nats/sites.rs"]
mod sites;
#[allow(dead_code, unreachable_pub, reason = "the target uses a part of it")]
#[path = "../../crates/replicas/src/nats/keys.rs"]
mod keys;

const LINES: usize = 100;

/// The stream as the servers have it: the last value of each key, with its number.
#[derive(Default)]
struct Stream {
    last: u64,
    keys: BTreeMap<String, (u64, Vec<u8>)>,
}

impl Stream {
    /// The number of a site's keys without its beat, and the XOR of their hashes.
    fn sum(&self, site: &str) -> (usize, u64) {
        let (prefix, beat) = (format!("{site}."), format!("{site}.beat"));
        let keys: Vec<_> =
            self.keys.iter().filter(|(key, _)| key.starts_with(&prefix) && **key != beat).collect();
        let hash =
            |(key, (_, value)): &(&String, &(u64, Vec<u8>))| xxh3_64(&[key.as_bytes(), &[0], value].concat());
        (keys.len(), keys.iter().map(hash).fold(0, |all, one| all ^ one))
    }
}

struct Replica {
    mirror: Mirror,
    values: BTreeMap<String, Arc<FeedFile>>,
    diverged: BTreeMap<String, bool>,
    refused: BTreeSet<String>,
}

impl Replica {
    fn new() -> Self {
        let mirror = Mirror::new(FeedMode::Busy, BTreeSet::new());
        Self { mirror, values: BTreeMap::new(), diverged: BTreeMap::new(), refused: BTreeSet::new() }
    }

    fn take(&mut self, key: &str, number: u64, value: Option<&[u8]>, pending: u64) {
        let at = MessagePosition { stream: number, consumer: number, stored_at: DateTime::UNIX_EPOCH, pending };
        self.mirror.take(Message { key: key.to_owned(), at, value: value.map(Bytes::copy_from_slice) });
    }

    fn parse(&mut self) {
        let (waiting, _) = self.mirror.take_waiting();
        let parsed = waiting.into_iter().map(|(key, value)| {
            let read = value.map(|value| keys::read(&key, &value, &FeedLimits::default()));
            (key, read)
        });
        for event in self.mirror.events(parsed.collect()) {
            match event {
                Event::PartChanged { part, text: Ok(file) } => {
                    _ = self.values.insert(part.name().to_string(), file);
                }
                Event::PartGone { part } => _ = self.values.remove(&**part.name()),
                Event::Complete { writer, parts } => {
                    let of_site = format!("{writer}.");
                    self.values.retain(|key, _| !key.starts_with(&of_site) || parts.contains(key.as_str()));
                }
                Event::Writers { all } => {
                    let is_there = |key: &str| all.iter().any(|site| key.starts_with(&format!("{site}.")));
                    self.values.retain(|key, _| is_there(key));
                }
                _ => {}
            }
        }
        self.refused = self.mirror.refused().into_keys().collect();
        let sites = self.mirror.sites();
        self.diverged = sites.iter().map(|(site, read)| (site.to_string(), read.is_diverged)).collect();
    }
}

fn send(stream: &mut Stream, quick: &mut Replica, slow: &mut Replica, key: &str, value: Option<&[u8]>) {
    stream.last += 1;
    match value {
        Some(value) => _ = stream.keys.insert(key.to_owned(), (stream.last, value.to_vec())),
        None => _ = stream.keys.remove(key),
    }
    quick.take(key, stream.last, value, 0);
    slow.take(key, stream.last, value, 0);
    quick.parse();
}

fuzz_target!(|bytes: &[u8]| {
    let (mut stream, mut quick, mut slow) = (Stream::default(), Replica::new(), Replica::new());
    for line in bytes.split(|byte| *byte == b'\n').take(LINES) {
        let mut words = line.splitn(3, |byte| *byte == b' ');
        let mut word = || words.next().unwrap_or_default();
        let (what, key, value) = (word(), word(), word());
        let Ok(key) = std::str::from_utf8(key) else { continue };
        match what {
            b"put" => send(&mut stream, &mut quick, &mut slow, key, Some(value)),
            b"del" => send(&mut stream, &mut quick, &mut slow, key, None),
            b"beat" | b"wrong" if directory::calendar::is_site(key) => {
                let ((keys, xor), is_wrong) = (stream.sum(key), what == b"wrong");
                let xor = if is_wrong { xor ^ 1 } else { xor };
                let text = format!(
                    r#"{{"asOf": "2026-11-22T12:00:00Z", "mode": "busy", "keys": {keys}, "sum": "{xor:016x}"}}"#
                );
                send(&mut stream, &mut quick, &mut slow, &format!("{key}.beat"), Some(text.as_bytes()));
                assert_eq!(quick.diverged.get(key), Some(&is_wrong), "{key}");
            }
            b"anew" => {
                let mut keys: Vec<_> = stream.keys.iter().collect();
                keys.sort_by_key(|(_, (number, _))| *number);
                for replica in [&mut quick, &mut slow] {
                    replica.mirror.start_over();
                    for (at, (key, (number, value))) in keys.iter().enumerate() {
                        replica.take(key, *number, Some(value), (keys.len() - at - 1) as u64);
                    }
                    replica.mirror.is_at(stream.last);
                    assert_eq!(replica.mirror.reached, stream.last);
                }
                quick.parse();
            }
            _ => {}
        }
    }
    slow.parse();
    for replica in [&quick, &slow] {
        for (key, (_, text)) in &stream.keys {
            let Ok(name) = PartId::key(key) else { continue };
            match keys::read(&name, text, &FeedLimits::default()) {
                Ok(value) => assert_eq!(replica.values.get(key), Some(&value), "{key}"),
                Err(_) => assert!(replica.refused.contains(key), "{key}"),
            }
        }
        assert!(replica.values.keys().all(|key| stream.keys.contains_key(key)));
        assert!(replica.values.keys().all(|key| PartId::key(key).is_ok()));
    }
});

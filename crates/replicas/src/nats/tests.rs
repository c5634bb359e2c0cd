//! The mirror of a bucket, whatever part of the stream is lost: the keys, the sums and the sites are those of the
//! stream.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use chrono::DateTime;
use directory::calendar::{Event, FeedLimits, FeedMode, Instant, PartId};
use proptest::prelude::*;

use super::beat::Beat;
use super::keys;
use super::keys::{MessagePosition, Sum, beat_key, hash_of};
use super::mirror::{Message, Mirror};
use feed::SiteRead;

const SITES: [&str; 2] = ["ehr", "lab"];

/// The beat of a writer with these keys.
pub(super) fn busy_beat(sum: Sum) -> Beat {
    Beat {
        as_of: Instant::from_unix(1_795_348_800),
        mode: "busy".to_owned(),
        every: Some(10),
        keys: Some(sum.keys),
        sum: Some(sum.hex()),
        late: BTreeMap::new(),
    }
}

/// A stream that keeps the last message of each key, as a bucket does.
#[derive(Default)]
struct Stream {
    last: u64,
    messages: BTreeMap<u64, (String, Option<Bytes>)>,
}

impl Stream {
    fn put(&mut self, key: String, value: Option<Bytes>) {
        self.messages.retain(|_, (known, _)| *known != key);
        self.last += 1;
        self.messages.insert(self.last, (key, value));
    }

    fn live(&self) -> BTreeMap<&str, &Bytes> {
        let live = self.messages.values().filter_map(|(key, value)| Some((key.as_str(), value.as_ref()?)));
        live.filter(|(key, _)| SITES.iter().all(|site| *key != beat_key(site))).collect()
    }

    fn sum(&self, site: &str) -> Sum {
        let mut sum = Sum::default();
        for (key, value) in self.live().into_iter().filter(|(key, _)| key.starts_with(&format!("{site}."))) {
            sum.change(None, Some(hash_of(key, value)));
        }
        sum
    }

    fn beat(&mut self, site: &str, sum: Sum) {
        self.put(beat_key(site), Some(busy_beat(sum).text().into()));
    }

    /// The first message after this one, as the server sends it now.
    fn next(&self, after: u64) -> Option<Message> {
        let (number, (key, value)) = self.messages.range(after + 1..).next()?;
        let pending = self.messages.range(number + 1..).count() as u64;
        let stored_at = DateTime::from_timestamp(1_795_000_000, 0).unwrap();
        let at = MessagePosition { stream: *number, consumer: 1, stored_at, pending };
        Some(Message { key: key.clone(), at, value: value.clone() })
    }
}

/// The lines of a provider; version 3 is not valid.
fn lines(slug: &str, version: u8) -> Bytes {
    match version {
        0 => Bytes::new(),
        3 => Bytes::from_static(b"nonsense"),
        hour => format!(
            "{{\"provider\": \"{slug}\", \"start\": \"2026-12-01T1{hour}:00:00Z\", \"end\": \"2026-12-01T1{hour}:30:00Z\", \
             \"status\": \"busy\"}}"
        )
        .into(),
    }
}

/// A replica: a mirror, and what a driver keeps of its events.
struct Replica {
    mirror: Mirror,
    values: BTreeMap<Arc<str>, usize>,
    sites: Arc<BTreeMap<Arc<str>, SiteRead>>,
    events: Vec<bool>,
}

impl Replica {
    fn new() -> Self {
        let mirror = Mirror::new(FeedMode::Busy, BTreeSet::new());
        let mut replica = Self { mirror, values: BTreeMap::new(), sites: Arc::default(), events: Vec::new() };
        replica.mirror.start_over();
        replica
    }

    /// Takes at most this many messages; true if one of them requires reading everything again.
    fn follow(&mut self, stream: &Stream, most: usize) -> bool {
        for _ in 0..most {
            let Some(message) = stream.next(self.mirror.last) else { break };
            if self.mirror.take(message) {
                return true;
            }
        }
        false
    }

    fn read_all(&mut self, stream: &Stream) {
        assert!(!self.follow(stream, usize::MAX));
        self.mirror.is_at(stream.last);
        self.apply();
    }

    fn apply(&mut self) {
        let (waiting, _) = self.mirror.take_waiting();
        let parsed = waiting.into_iter().map(|(key, value)| {
            let read = value.map(|value| keys::read(&key, &value, &FeedLimits::default()));
            (key, read)
        });
        let events = self.mirror.events(parsed.collect());
        if events.is_empty() {
            return;
        }
        self.events.push(events.iter().any(|event| matches!(event, Event::Writers { .. })));
        self.sites = Arc::new(self.mirror.sites());
        for event in events {
            match event {
                Event::PartChanged { part, text: Ok(file) } => {
                    let count = file.starts(FeedMode::Busy).count();
                    self.values.insert(Arc::clone(part.name()), count);
                }
                Event::PartGone { part } => _ = self.values.remove(part.name()),
                Event::Complete { writer, parts } => {
                    let of_site = format!("{writer}.");
                    self.values.retain(|key, _| !key.starts_with(&of_site) || parts.contains(key));
                }
                Event::Writers { all } => {
                    let is_there = |key: &str| all.iter().any(|site| key.starts_with(&format!("{site}.")));
                    self.values.retain(|key, _| is_there(key));
                }
                _ => {}
            }
        }
    }
}

fn provider_key(site: &str, slug: &str) -> String {
    format!("{site}.p.{slug}")
}

#[derive(Debug, Clone)]
enum BucketStep {
    Put(usize, usize, u8),
    Delete(usize, usize),
    Beat(usize),
    /// The replica takes this many messages and applies them.
    Follow(usize),
    /// The replica reads everything again.
    Anew,
}

fn step() -> impl Strategy<Value = BucketStep> {
    prop_oneof![
        6 => (0..2usize, 0..4usize, 0..4u8).prop_map(|(site, key, version)| BucketStep::Put(site, key, version)),
        2 => (0..2usize, 0..4usize).prop_map(|(site, key)| BucketStep::Delete(site, key)),
        3 => (0..2usize).prop_map(BucketStep::Beat),
        4 => (0..6usize).prop_map(BucketStep::Follow),
        1 => Just(BucketStep::Anew),
    ]
}

proptest! {
    #[test]
    fn any_cut_and_any_second_reading_lead_to_the_same_keys(steps in prop::collection::vec(step(), 1..60)) {
        const SLUGS: [&str; 4] = ["ann", "bob", "cem", "dan"];
        let mut stream = Stream::default();
        let mut replica = Replica::new();
        replica.read_all(&stream);
        // What a driver that missed nothing has: the last good value of each key.
        let mut good: BTreeMap<String, usize> = BTreeMap::new();
        for step in steps {
            match step {
                BucketStep::Put(site, slug, version) => {
                    let key = provider_key(SITES[site], SLUGS[slug]);
                    stream.put(key, Some(lines(SLUGS[slug], version)));
                }
                BucketStep::Delete(site, slug) => stream.put(provider_key(SITES[site], SLUGS[slug]), None),
                BucketStep::Beat(site) => stream.beat(SITES[site], stream.sum(SITES[site])),
                BucketStep::Follow(most) => {
                    prop_assert!(!replica.follow(&stream, most), "a beat of the writer's own keys differs");
                    replica.apply();
                }
                BucketStep::Anew => {
                    replica.mirror.start_over();
                    replica.read_all(&stream);
                    prop_assert_eq!(replica.events.last(), Some(&true));
                }
            }
        }
        replica.read_all(&stream);
        for site in SITES {
            prop_assert_eq!(replica.mirror.sum_of(site), stream.sum(site));
        }
        let mut fresh = Replica::new();
        fresh.read_all(&stream);
        for (key, value) in stream.live() {
            let slug = key.rsplit('.').next().unwrap();
            let read = keys::read(&PartId::key(key).unwrap(), value, &FeedLimits::default());
            prop_assert_eq!(read.is_err(), replica.mirror.refused().contains_key(key));
            prop_assert_eq!(read.is_err(), fresh.mirror.refused().contains_key(key));
            if let Ok(value) = read {
                good.insert(key.to_owned(), value.starts(FeedMode::Busy).count());
                prop_assert_eq!(replica.values.get(key).copied(), good.get(key).copied(), "{}", slug);
            } else {
                prop_assert!(!fresh.values.contains_key(key));
            }
        }
        // A key that was deleted is gone.
        for key in replica.values.keys() {
            prop_assert!(stream.live().contains_key(&**key));
        }
        let sites = |replica: &Replica| replica.sites.keys().cloned().collect::<Vec<_>>();
        prop_assert!(replica.sites.values().all(|site| !site.is_diverged));
        prop_assert!(sites(&fresh).iter().all(|site| replica.sites.contains_key(site)));
    }
}

#[tokio::test]
async fn a_lost_message_is_found_by_the_next_beat_and_reading_again_fixes_it() {
    let mut stream = Stream::default();
    stream.put(provider_key("ehr", "ann"), Some(lines("ann", 1)));
    let mut replica = Replica::new();
    replica.read_all(&stream);
    // A message that never comes although the numbers have no gap: a fault of the server's.
    let lost = stream.sum("ehr");
    stream.put(provider_key("ehr", "bob"), Some(lines("bob", 1)));
    let right = stream.sum("ehr");
    assert_ne!(lost, right);
    stream.messages.remove(&2);
    stream.last = 1;
    stream.beat("ehr", right);
    assert!(replica.follow(&stream, 9), "the sums differ");
    replica.apply();
    assert!(replica.sites["ehr"].is_diverged);
    replica.mirror.start_over();
    stream.put(provider_key("ehr", "bob"), Some(lines("bob", 1)));
    stream.beat("ehr", right);
    replica.read_all(&stream);
    assert!(!replica.sites["ehr"].is_diverged);
    assert_eq!(replica.values.len(), 2);
}

#[tokio::test]
async fn messages_that_a_server_behind_the_others_delivers_late_are_taken() {
    let mut stream = Stream::default();
    stream.put(provider_key("ehr", "ann"), Some(lines("ann", 1)));
    let mut replica = Replica::new();
    replica.read_all(&stream);
    stream.put(provider_key("ehr", "bob"), Some(lines("bob", 1)));
    // The new consumer's server has not got it yet, so nothing is pending; the leader named it as the last message.
    replica.mirror.is_at(stream.last);
    // The server catches up.
    replica.read_all(&stream);
    assert_eq!(replica.mirror.sum_of("ehr"), stream.sum("ehr"));
    assert_eq!(replica.values.len(), 2);
}

#[tokio::test]
async fn keys_outside_the_layout_are_named_and_change_nothing() {
    let mut stream = Stream::default();
    stream.put("stray".to_owned(), Some(Bytes::new()));
    stream.put("ehr.x.ann".to_owned(), Some(Bytes::new()));
    stream.put(provider_key("ehr", "ann"), Some(lines("ann", 1)));
    stream.beat("ehr", stream.sum("ehr"));
    let mut replica = Replica::new();
    replica.read_all(&stream);
    let refused = replica.mirror.refused();
    assert_eq!(refused.keys().collect::<Vec<_>>(), ["ehr.x.ann", "stray"]);
    assert_eq!(replica.values.len(), 1);
    assert!(!replica.sites["ehr"].is_diverged, "the writer counts its stray key, and so does the replica");
    stream.put("stray".to_owned(), None);
    replica.read_all(&stream);
    assert_eq!(replica.mirror.refused().len(), 1);
}

#[tokio::test]
async fn only_the_sites_that_are_wanted_are_followed() {
    let mut stream = Stream::default();
    for site in SITES {
        stream.put(provider_key(site, "ann"), Some(lines("ann", 1)));
    }
    let mut replica = Replica::new();
    replica.mirror = Mirror::new(FeedMode::Busy, ["ehr".into(), "new".into()].into());
    replica.mirror.start_over();
    replica.read_all(&stream);
    let sites: Vec<_> = replica.sites.iter().map(|(name, site)| (&**name, site.confirmed)).collect();
    assert_eq!(sites, [("ehr", None), ("new", None)]);
    assert_eq!(replica.values.len(), 1);
}

#[tokio::test]
async fn a_bad_value_keeps_the_last_good_one_until_it_is_corrected() {
    let mut stream = Stream::default();
    stream.put(provider_key("ehr", "ann"), Some(lines("ann", 1)));
    stream.beat("ehr", stream.sum("ehr"));
    let mut replica = Replica::new();
    replica.read_all(&stream);
    stream.put(provider_key("ehr", "ann"), Some(lines("ann", 3)));
    replica.read_all(&stream);
    assert_eq!(replica.values.len(), 1);
    assert!(replica.mirror.refused()["ehr.p.ann"].contains("isn't a JSON object"));
    // Reading everything again keeps it, too.
    replica.mirror.start_over();
    replica.read_all(&stream);
    assert_eq!((replica.values.len(), replica.mirror.refused().len()), (1, 1));
    stream.put(provider_key("ehr", "ann"), Some(lines("ann", 2)));
    replica.read_all(&stream);
    assert!(replica.mirror.refused().is_empty());
}

/// Found by the fuzz target `nats`: such a site was left out, so a provider without a key was offered under `unlisted = "open"`.
#[tokio::test]
async fn a_site_whose_keys_are_all_missing_is_not_confirmed() {
    let (mut stream, mut replica) = (Stream::default(), Replica::new());
    stream.beat("ehr", Sum { keys: 1, xor: 7 });
    assert!(replica.follow(&stream, 1));
    replica.mirror.start_over();
    replica.read_all(&stream);
    let site = &replica.sites["ehr"];
    assert!(site.is_diverged && site.confirmed.is_none());
    stream.put(beat_key("lab"), Some(Bytes::from_static(b"nonsense")));
    replica.read_all(&stream);
    assert!(replica.sites["lab"].confirmed.is_none());
    assert!(replica.mirror.refused().contains_key("lab.beat"));
    // Without beats nothing is known of either site.
    stream.put(beat_key("ehr"), None);
    stream.put(beat_key("lab"), None);
    replica.read_all(&stream);
    assert!(replica.sites.is_empty(), "{:?}", replica.sites);
}

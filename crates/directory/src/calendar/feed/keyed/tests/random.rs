//! Any order of puts, deletes, whole snapshots and new content equals a reading of all keys together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::super::super::instant::Instant;
use super::super::super::super::test_clinics::{BEGIN, clinic_of, provider, slug};
use super::super::super::{
    FeedEntries, FeedFile, FeedLimits, FeedMode, FeedRules, FeedSet, ScheduleMeaning, SkipReason,
};
use super::super::{KeyedChange, KeyedSet};
use super::change_of;
use crate::model::{Directory, Slug};

const PEOPLE: usize = 6;
const SCHEDULES: usize = 5;

/// A value: the description of the Schedule, if it is one's key and has any, and the entries.
#[derive(Debug, Clone)]
struct Value {
    describes: Option<usize>,
    entries: Vec<(i64, i64, &'static str, Option<&'static str>)>,
    has_location: bool,
}

#[derive(Debug, Clone)]
enum KeyStep {
    /// Puts or deletes keys, at once.
    Change(Vec<(TestKey, Option<Value>)>),
    /// Deletes every key but these and puts these.
    Reset(Vec<(TestKey, Value)>),
    /// Other content.
    Content(usize),
}

/// A site, and a provider or a Schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TestKey {
    Provider(&'static str, usize),
    Schedule(&'static str, usize),
}

impl TestKey {
    fn name(self) -> Arc<str> {
        match self {
            Self::Provider(site, number) => format!("{site}.p.{}", slug_of(number)).into(),
            Self::Schedule(site, number) => format!("{site}.s.s=2E{number}").into(),
        }
    }

    fn text(self, value: &Value) -> String {
        let mut text = String::new();
        if value.has_location {
            text.push_str("{\"resourceType\":\"Location\"}\n");
        }
        let whose = match self {
            Self::Provider(_, number) => format!("\"provider\":\"{}\"", slug_of(number)),
            Self::Schedule(_, number) => {
                if let Some(variant) = value.describes {
                    writeln!(text, "{}", schedule(number, variant)).unwrap();
                }
                format!("\"resourceType\":\"Slot\",\"schedule\":{{\"reference\":\"Schedule/s.{number}\"}}")
            }
        };
        for (start, length, status, types) in &value.entries {
            let (start, end) =
                (Instant::from_unix(BEGIN + start), Instant::from_unix(BEGIN + start + length));
            let types = match (self, types) {
                (Self::Provider(..), Some(types)) => format!(",\"types\":[{types}]"),
                (Self::Schedule(..), Some(types)) => {
                    format!(",\"serviceType\":[{{\"coding\":[{{\"code\":\"{types}\"}}]}}]")
                }
                (_, None) => String::new(),
            };
            writeln!(
                text,
                "{{{whose},\"start\":\"{start}\",\"end\":\"{end}\",\"status\":\"{status}\"{types}}}"
            )
            .unwrap();
        }
        text
    }

    /// The same value for a reading of files: where there is no entry, one that has ended long ago and does not count says
    /// whose it is.
    fn text_of_file(self, value: &Value, mode: FeedMode) -> String {
        let mut value = value.clone();
        if value.entries.is_empty() {
            let status = if mode == FeedMode::Open { "busy" } else { "free" };
            value.entries.push((-1_000_000_000, 60, status, None));
        }
        self.text(&value)
    }
}

/// Providers who are or were there, one who has left, and a slug that no content has.
fn slug_of(number: usize) -> String {
    match number {
        0..PEOPLE => format!("p-{number}"),
        PEOPLE => "former-1".to_owned(),
        7 => "gone".to_owned(),
        _ => "stranger".to_owned(),
    }
}

/// What a Schedule says in two variants: of one person, of several, with people whom the content does not have, and of a
/// room.
fn schedule(number: usize, variant: usize) -> String {
    let person = |id: &str| format!(r#"{{"reference":"Practitioner/{id}"}}"#);
    let npi = |npi: &str| {
        format!(r#"{{"identifier":{{"system":"http://hl7.org/fhir/sid/us-npi","value":"{npi}"}}}}"#)
    };
    let actors = match (number, variant) {
        (0, 0) => person("id-0"),
        (0, _) => npi("npi-3"),
        (1, 0) => format!("{},{}", person("id-1"), person("id-2")),
        (1, _) => format!("{},{}", person("id-2"), person("x-9")),
        (2, 0) => npi("1234567893"),
        (2, _) => r#"{"reference":"Location/1"}"#.to_owned(),
        (3, 0) => format!("{},{}", npi("npi-1"), npi("1234567893")),
        (3, _) => person("x-9"),
        (_, 0) => npi("npi-2"),
        (..) => String::new(),
    };
    let active = if (number + variant) % 4 == 3 { ",\"active\":false" } else { "" };
    format!(r#"{{"resourceType":"Schedule","id":"s.{number}","actor":[{actors}]{active}}}"#)
}

/// Contents: providers come, leave, and get other slugs, ids and NPIs.
fn content(number: usize) -> Directory {
    let mut providers: Vec<_> = (0..PEOPLE).map(provider).collect();
    for one in &mut providers[1..4] {
        one.npi = Some(format!("npi-{}", &one.slug.as_str()[2..]));
    }
    match number {
        0 => {}
        1 => {
            providers.remove(2);
            providers[0].id = "id-7".parse().unwrap();
        }
        2 => {
            providers[1].former_slugs.push(slug(1));
            providers[1].slug = "new-name".parse().unwrap();
            providers[3].npi = None;
            providers[4].visit_types.clear();
        }
        _ => {
            providers.truncate(3);
            providers.push(provider(8));
        }
    }
    let retired = BTreeSet::from(["gone".parse().unwrap()]);
    let providers = providers.into_iter().map(|one| (one, None)).collect();
    clinic_of(providers, &[101], retired, &format!("content {number}"))
}

fn rules(mode: FeedMode, unlisted_is_open: bool) -> FeedRules {
    let mut rules = FeedRules { unlisted_is_open, ..FeedRules::new(mode) };
    rules.limits.entries_per_provider = 14;
    let types = Some(vec!["101".parse().unwrap()]);
    rules.schedules.insert("s.4".to_owned(), ScheduleMeaning { provider: slug(5), types });
    rules
}

fn key() -> impl Strategy<Value = TestKey> {
    let site = || select(vec!["a", "b"]);
    prop_oneof![
        3 => (site(), 0..PEOPLE + 3).prop_map(|(site, number)| TestKey::Provider(site, number)),
        2 => (site(), 0..SCHEDULES).prop_map(|(site, number)| TestKey::Schedule(site, number)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let status = select(vec!["free", "busy", "busy-tentative", "entered-in-error"]);
    let types = option::weighted(0.3, select(vec!["101", "103", "201", "999"]));
    let entry = ((0..6_i64).prop_map(|hour| hour * 1800), select(vec![600, 1800, 3600]), status, types);
    // Mostly one variant of each Schedule, so that few readings are refused.
    let describes = option::weighted(0.9, prop_oneof![9 => Just(0), 1 => Just(1_usize)]);
    (describes, vec(entry, 0..4), proptest::bool::weighted(0.1))
        .prop_map(|(describes, entries, has_location)| Value { describes, entries, has_location })
}

fn step() -> impl Strategy<Value = KeyStep> {
    prop_oneof![
        8 => vec((key(), option::weighted(0.8, value())), 0..4).prop_map(KeyStep::Change),
        1 => vec((key(), value()), 0..8).prop_map(KeyStep::Reset),
        1 => (0..4_usize).prop_map(KeyStep::Content),
    ]
}

/// What was reported of all changes together.
#[derive(Debug, Default, PartialEq)]
struct Mirror {
    sets: BTreeMap<Slug, FeedEntries>,
    listed: BTreeMap<Slug, Vec<String>>,
    withheld: BTreeSet<Slug>,
    counts: BTreeMap<SkipReason, usize>,
    others: BTreeMap<String, usize>,
}

impl Mirror {
    fn take(&mut self, change: KeyedChange) {
        if change.is_complete {
            *self = Self::default();
        }
        self.sets.extend(change.providers.into_iter().map(|set| (set.provider, set.entries)));
        for (slug, sites) in change.listed {
            let mut sites: Vec<String> = sites.iter().map(ToString::to_string).collect();
            sites.sort();
            if sites.is_empty() {
                self.listed.remove(&slug)
            } else {
                self.listed.insert(slug, sites)
            };
        }
        for (slug, is_withheld) in change.withheld {
            assert!(if is_withheld { self.withheld.insert(slug) } else { self.withheld.remove(&slug) });
        }
        if let Some(skipped) = change.skipped {
            self.counts = skipped.counts().collect();
            self.others = skipped.other_resources;
        }
    }

    /// What a reading of files says, by the rules of keys.
    fn from_set(set: FeedSet, rules: &FeedRules) -> Self {
        let mut withheld = set.withheld;
        if rules.mode == FeedMode::Busy && !rules.unlisted_is_open {
            let slugs = set.providers.iter().map(|feed| &feed.provider);
            withheld.extend(slugs.filter(|slug| !set.listed.contains_key(*slug)).cloned());
        }
        let site = |file: &Arc<str>| file.split('.').next().unwrap().to_owned();
        let sites = |files: Vec<Arc<str>>| files.iter().map(site).collect::<BTreeSet<_>>();
        Self {
            sets: set.providers.into_iter().map(|feed| (feed.provider, feed.entries)).collect(),
            listed: set
                .listed
                .into_iter()
                .map(|(slug, listed)| (slug, sites(listed.files).into_iter().collect()))
                .collect(),
            withheld,
            counts: set.skipped.counts().collect(),
            others: set.skipped.other_resources,
        }
    }
}

fn read(name: &str, text: &str) -> Arc<FeedFile> {
    Arc::new(FeedFile::read(name, text, &FeedLimits::default()).unwrap())
}

/// The former people of each owner.
fn sorted(set: &FeedSet) -> BTreeMap<String, String> {
    set.led_to.0.iter().map(|(owner, of)| (owner.to_string(), format!("{of:?}"))).collect()
}

fn check(mode: FeedMode, unlisted_is_open: bool, steps: Vec<KeyStep>) -> Result<(), TestCaseError> {
    let rules = rules(mode, unlisted_is_open);
    let mut set = KeyedSet::new(Arc::new(rules.clone()));
    let (mut directory, mut mirror) = (content(0), Mirror::default());
    let mut values: BTreeMap<TestKey, Value> = BTreeMap::new();
    mirror.take(set.apply(&directory, &[]));
    for step in steps {
        let before = set.feed_set(&directory).led_to;
        let changes: Vec<(TestKey, Option<Value>)> = match step {
            KeyStep::Change(changes) => changes,
            KeyStep::Reset(all) => {
                let kept: BTreeMap<TestKey, Value> = all.into_iter().collect();
                let gone = values.keys().filter(|key| !kept.contains_key(key)).map(|key| (*key, None));
                let gone: Vec<_> = gone.collect();
                gone.into_iter().chain(kept.into_iter().map(|(key, value)| (key, Some(value)))).collect()
            }
            KeyStep::Content(number) => {
                directory = content(number);
                Vec::new()
            }
        };
        let event: Vec<_> = changes
            .iter()
            .map(|(key, value)| {
                change_of(&key.name(), value.as_ref().map(|value| key.text(value)).as_deref())
            })
            .collect();
        let change = set.apply(&directory, &event);
        // A plain key is of one provider.
        let is_plain = changes.iter().all(|(key, _)| matches!(key, TestKey::Provider(..)));
        prop_assert!(!is_plain || change.is_complete || change.providers.len() <= changes.len());
        mirror.take(change);
        for (key, value) in changes {
            match value {
                Some(value) => _ = values.insert(key, value),
                None => _ = values.remove(&key),
            }
        }
        prop_assert_eq!(set.len(), values.len());
        let files: Vec<_> =
            values.iter().map(|(key, value)| read(&key.name(), &key.text_of_file(value, mode))).collect();
        if let Ok(expected) = FeedSet::resolve(&files, &rules, &directory, &before) {
            let is_from = set.feed_set(&directory);
            prop_assert_eq!(sorted(&is_from), sorted(&expected));
            let expected = Mirror::from_set(expected, &rules);
            prop_assert_eq!(&mirror, &expected);
            prop_assert_eq!(Mirror::from_set(is_from, &rules), expected);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changes_of_keys_equal_a_reading_of_all_keys(
        is_open in any::<bool>(),
        unlisted_is_open in any::<bool>(),
        steps in vec(step(), 1..25),
    ) {
        let mode = if is_open { FeedMode::Open } else { FeedMode::Busy };
        check(mode, unlisted_is_open, steps)?;
    }
}

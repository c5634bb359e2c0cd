//! A reader who follows the documented rules, against the changes of invented clinics.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::*;

/// What a host serves at some time.
#[derive(Debug, Clone, PartialEq, Eq)]
struct World {
    generation: String,
    profiles: BTreeMap<String, String>,
    /// By route.
    catalogs: BTreeMap<String, String>,
}

impl World {
    fn new(generation: &str, profiles: &[(&str, &str)]) -> Self {
        let own = |pairs: &[(&str, &str)]| {
            pairs.iter().map(|(name, body)| ((*name).to_owned(), (*body).to_owned())).collect()
        };
        let catalogs = own(&[("/v1/states", "s"), ("/v1/insurances", "i"), ("/v1/insurances/CA", "ca")]);
        Self { generation: generation.to_owned(), profiles: own(profiles), catalogs }
    }

    fn contents(&self) -> Contents {
        let profiles = self.profiles.iter().map(|(slug, body)| (format!("/v1/providers/{slug}"), body));
        let all = profiles.chain(self.catalogs.iter().map(|(route, body)| (route.clone(), body)));
        Contents::new(&self.generation, all.map(|(route, body)| (route, Sha256Digest::hash(body.as_bytes()))))
    }

    /// `printf 'slug sha256\n' … | sha256sum`.
    fn digest(&self) -> String {
        let mut lines = String::new();
        for (slug, body) in &self.profiles {
            lines.extend([slug, " ", &HEXLOWER.encode(&Sha256::digest(body)), "\n"]);
        }
        HEXLOWER.encode(&Sha256::digest(lines))
    }
}

/// What `/v1/changes` says after a host has served these, one after the other.
fn told(worlds: &[World]) -> Value {
    serde_json::from_slice(&history(worlds).body()).unwrap()
}

fn history(worlds: &[World]) -> History {
    let [first, others @ ..] = worlds else { panic!("no world") };
    let start = History::new(first.contents());
    others.iter().fold(start, |history, world| history.followed_by(world.contents()))
}

fn slugs(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|slug| slug.as_str().unwrap()).collect()
}

/// Replays. Returns the profiles, and how many were fetched; `None` of the latter: everything was read.
fn replay(reader: &World, told: &Value, host: &World) -> (BTreeMap<String, String>, Option<usize>) {
    let everything = || (host.profiles.clone(), None);
    let steps = told["steps"].as_array().unwrap();
    // The newest is first, so the oldest of several is the last.
    let Some(at) = steps.iter().rposition(|step| step["from"] == *reader.generation) else {
        return if told["digest"] == *reader.digest() {
            (reader.profiles.clone(), Some(0))
        } else {
            everything()
        };
    };
    let mut now = World { generation: host.generation.clone(), ..reader.clone() };
    let mut fetched = 0;
    for step in steps[..=at].iter().rev() {
        if step["all"] == true {
            return everything();
        }
        for slug in slugs(&step["removed"]) {
            now.profiles.remove(slug);
        }
        for slug in slugs(&step["added"]).into_iter().chain(slugs(&step["changed"])) {
            fetched += 1;
            match host.profiles.get(slug) {
                Some(body) => now.profiles.insert(slug.to_owned(), body.clone()),
                // 404: a newer step removes it.
                None => now.profiles.remove(slug),
            };
        }
    }
    if told["digest"] == *now.digest() { (now.profiles, Some(fetched)) } else { everything() }
}

/// One edit: a clinician joins or is edited, leaves, or takes the slug of another; a comment; a new version of the program.
#[derive(Debug, Clone)]
enum Edit {
    Write(u8, u8),
    Leave(u8),
    Rename(u8, u8),
    Plan(u8),
    Comment(u8),
    Upgrade,
    /// Back to the content that was served this many generations ago.
    Back(usize),
}

fn edits() -> impl Strategy<Value = Vec<Vec<Edit>>> {
    let slug = 0..6u8;
    let edit = prop_oneof![
        4 => (slug.clone(), 0..3u8).prop_map(|(slug, text)| Edit::Write(slug, text)),
        3 => slug.clone().prop_map(Edit::Leave),
        2 => (slug.clone(), slug).prop_map(|(from, to)| Edit::Rename(from, to)),
        1 => (0..3u8).prop_map(Edit::Plan),
        1 => (0..3u8).prop_map(Edit::Comment),
        1 => Just(Edit::Upgrade),
        2 => (1..6usize).prop_map(Edit::Back),
    ];
    prop::collection::vec(prop::collection::vec(edit, 0..4), 1..24)
}

/// The worlds that follow one another. The generation is that of the content alone; bodies also follow from the version.
fn worlds(edits: &[Vec<Edit>]) -> Vec<World> {
    type Content = (BTreeMap<u8, (u8, u8)>, u8, u8);
    let (mut version, mut contents, mut worlds) = (0, Vec::<Content>::new(), Vec::new());
    let mut content: Content = (BTreeMap::from([(0, (0, 0)), (1, (1, 0))]), 0, 0);
    for step in std::iter::once(&Vec::new()).chain(edits) {
        for edit in step {
            let (people, plan, comment) = &mut content;
            match *edit {
                Edit::Write(slug, text) => _ = people.insert(slug, (slug, text)),
                Edit::Leave(slug) => _ = people.remove(&slug),
                Edit::Rename(from, to) => _ = people.remove(&from).map(|person| people.insert(to, person)),
                Edit::Plan(name) => *plan = name,
                Edit::Comment(text) => *comment = text,
                Edit::Upgrade => version += 1,
                Edit::Back(by) => content = contents.iter().rev().nth(by).unwrap_or(&content).clone(),
            }
        }
        contents.push(content.clone());
        let slug = |number: &u8| format!("p-{number}");
        worlds.push(World {
            generation: HEXLOWER.encode(&Sha256::digest(format!("{content:?}"))[..8]),
            profiles: content.0.iter().map(|(at, who)| (slug(at), format!("{who:?} {version}"))).collect(),
            catalogs: BTreeMap::from([("/v1/insurances/AZ".to_owned(), format!("{} {version}", content.1))]),
        });
    }
    worlds
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn a_reader_of_any_earlier_generation_ends_with_the_hosts_profiles(edits in edits()) {
        let worlds = worlds(&edits);
        let (told, now) = (told(&worlds), worlds.last().unwrap());
        prop_assert_eq!(&told["digest"], &Value::from(now.digest()));
        for reader in &worlds {
            let (profiles, fetched) = replay(reader, &told, now);
            prop_assert_eq!(&profiles, &now.profiles);
            prop_assert!(fetched.is_some(), "everything was read");
        }
    }

    #[test]
    fn a_reader_may_go_to_a_host_that_missed_generations(edits in edits(), seen in prop::collection::vec(any::<bool>(), 25)) {
        let worlds = worlds(&edits);
        let now = worlds.last().unwrap();
        let mut other: Vec<_> = worlds.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(world, _)| world.clone()).collect();
        other.push(now.clone());
        let told = told(&other);
        for reader in &worlds {
            prop_assert_eq!(&replay(reader, &told, now).0, &now.profiles);
        }
    }

    #[test]
    fn what_is_read_back_goes_on_as_if_nothing_had_stopped(edits in edits()) {
        let worlds = worlds(&edits);
        let mut stopping = History::new(worlds[0].contents());
        for world in &worlds[1..] {
            stopping = History::read(stopping.contents().clone(), &stopping.body()).followed_by(world.contents());
        }
        prop_assert_eq!(stopping.body(), history(&worlds).body());
    }
}

#[test]
fn a_step_lists_who_came_changed_and_left_bytewise() {
    let before = World::new("a", &[("b-b", "1"), ("bb", "1"), ("c", "1"), ("gone", "1"), ("same", "1")]);
    let after =
        World::new("b", &[("b-b", "2"), ("bb", "2"), ("c", "2"), ("same", "1"), ("z", "1"), ("new", "1")]);
    assert_eq!(
        told(&[before, after.clone()]),
        serde_json::json!({
            "generation": "b", "digest": after.digest(), "clinicians": 6,
            "steps": [{
                "from": "a", "to": "b", "added": ["new", "z"], "changed": ["b-b", "bb", "c"], "removed": ["gone"],
                "catalogs": [], "all": false
            }]
        })
    );
}

#[test]
fn a_renamed_clinician_is_removed_and_added_and_a_reused_slug_is_changed() {
    let ann = World::new("a", &[("ann", "id 1")]);
    let renamed = World::new("b", &[("ann-lee", "id 1 now ann-lee")]);
    let reused = World::new("c", &[("ann-lee", "id 1 now ann-lee"), ("ann", "id 2")]);
    let steps = told(&[ann.clone(), renamed.clone(), reused.clone()]);
    assert_eq!(slugs(&steps["steps"][1]["removed"]), ["ann"]);
    assert_eq!(slugs(&steps["steps"][1]["added"]), ["ann-lee"]);
    assert_eq!(slugs(&steps["steps"][0]["added"]), ["ann"]);
    assert_eq!(replay(&ann, &steps, &reused).0, reused.profiles);
    // At once, under one slug: no one is left whom the host no longer has.
    let at_once = World::new("d", &[("ann", "id 2")]);
    let steps = told(&[ann.clone(), at_once.clone()]);
    assert_eq!(slugs(&steps["steps"][0]["changed"]), ["ann"]);
    assert_eq!(replay(&ann, &steps, &at_once).0, at_once.profiles);
}

#[test]
fn more_than_a_thousand_clinicians_are_not_listed() {
    let crowd = |generation: &str, people: usize, text: &str| {
        let mut world = World::new(generation, &[]);
        world.profiles = (0..people).map(|number| (format!("p-{number}"), text.to_owned())).collect();
        world
    };
    let nobody = crowd("a", 0, "");
    let step = told(&[nobody.clone(), crowd("b", 1_000, "x")])["steps"][0].clone();
    assert_eq!((slugs(&step["added"]).len(), &step["all"]), (1_000, &Value::from(false)));
    let step = told(&[nobody, crowd("b", 1_001, "x")])["steps"][0].clone();
    assert_eq!((slugs(&step["added"]).len(), &step["all"]), (0, &Value::from(true)));
    // Five hundred leave, and five hundred and one are changed.
    let step = told(&[crowd("a", 1_001, "x"), crowd("b", 501, "y")])["steps"][0].clone();
    assert_eq!(
        (&step["changed"], &step["removed"], &step["all"]),
        (&[0; 0].into(), &[0; 0].into(), &true.into())
    );
}

#[test]
fn the_same_content_adds_no_step_and_a_comment_adds_an_empty_one() {
    let (ann, same) = (World::new("a", &[("ann", "1")]), World::new("a", &[("ann", "1")]));
    assert_eq!(told(&[ann.clone(), same])["steps"], serde_json::json!([]));
    let step = told(&[ann, World::new("b", &[("ann", "1")])])["steps"].clone();
    let empty = serde_json::json!([{
        "from": "a", "to": "b", "added": [], "changed": [], "removed": [], "catalogs": [], "all": false
    }]);
    assert_eq!(step, empty);
}

#[test]
fn an_upgrade_is_a_step_to_the_same_generation() {
    let old = World::new("a", &[("ann", "old"), ("bo", "same")]);
    let upgraded = World::new("a", &[("ann", "new"), ("bo", "same")]);
    let edited = World::new("b", &[("ann", "new"), ("bo", "edited")]);
    let all = told(&[old.clone(), upgraded, edited.clone()]);
    assert_eq!((&all["steps"][1]["from"], &all["steps"][1]["to"]), (&"a".into(), &"a".into()));
    assert_eq!(slugs(&all["steps"][1]["changed"]), ["ann"]);
    assert_eq!(replay(&old, &all, &edited), (edited.profiles.clone(), Some(2)));
}

#[test]
fn a_catalog_is_listed_if_the_body_of_one_state_has_changed() {
    let before = World::new("a", &[]);
    let mut after = World::new("b", &[]);
    _ = after.catalogs.insert("/v1/insurances/CA".to_owned(), "other".to_owned());
    _ = after.catalogs.insert("/v1/appointment-types/TX".to_owned(), "new".to_owned());
    let step = told(&[before, after])["steps"][0].clone();
    assert_eq!(slugs(&step["catalogs"]), ["/v1/insurances", "/v1/appointment-types"]);
}

#[test]
fn a_hundred_steps_are_kept() {
    let worlds: Vec<_> = (0..=101).map(|number| World::new(&number.to_string(), &[])).collect();
    let all = told(&worlds);
    let steps = all["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &steps[0]["to"], &steps[99]["from"]), (100, &"101".into(), &"1".into()));
}

#[test]
fn only_steps_that_lead_to_the_tree_are_read_back() {
    let worlds = ["a", "b", "c"].map(|generation| World::new(generation, &[("ann", generation)]));
    let (published, last) = (history(&worlds).body(), &worlds[2]);
    let read = |published: &[u8]| History::read(last.contents(), published).steps().len();
    assert_eq!(read(&published), 2);
    let text = String::from_utf8(published).unwrap();
    // The older step does not lead to the newer one.
    assert_eq!(read(text.replace(r#""to":"b""#, r#""to":"x""#).as_bytes()), 1);
    assert_eq!(read(text.replace(r#""generation":"c""#, r#""generation":"d""#).as_bytes()), 0);
    assert_eq!(read(text.replace(&last.digest(), &worlds[0].digest()).as_bytes()), 0);
    assert_eq!(read(b"not json"), 0);
}

#[test]
fn older_steps_can_be_reported_later() {
    let worlds = ["a", "b", "c"].map(|generation| World::new(generation, &[("ann", generation)]));
    let [a, b, c] = worlds.each_ref().map(World::contents);
    let later = History::new(c.clone()).preceded_by(&b, &c).preceded_by(&a, &b);
    assert_eq!(later.body(), history(&worlds).body());
}

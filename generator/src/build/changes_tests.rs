//! What a tree says of its changes, against a reader who follows the documented rules.
#![expect(clippy::disallowed_methods, reason = "the tests change folders of their own")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{BuildOptions, Summary, build, test_fixture as fixture};

/// A clinic whose tree is built again and again.
struct Clinic {
    content: tempfile::TempDir,
    outs: tempfile::TempDir,
}

/// What a reader has of a tree.
#[derive(Clone)]
struct Copy {
    generation: String,
    profiles: BTreeMap<String, Vec<u8>>,
}

impl Clinic {
    fn new() -> Self {
        Self { content: fixture::copy(), outs: tempfile::tempdir().unwrap() }
    }

    fn out(&self, name: &str) -> PathBuf {
        self.outs.path().join(name)
    }

    fn options(&self, out: &str, time: &str) -> BuildOptions {
        let options = BuildOptions::new(self.content.path(), self.out(out));
        BuildOptions { max_shrink: None, with_pages: false, time: time.parse().unwrap(), ..options }
    }

    fn build(&self, options: &BuildOptions) -> Summary {
        build(&fixture::load(self.content.path()), options).unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.content.path().join("providers").join(name)
    }

    /// A further clinician of the clinic.
    fn join(&self, slug: &str, id: &str, name: &str) {
        let one = fs::read_to_string(fixture::folder().join("providers/state.toml")).unwrap();
        let other = one.replace("prov-0002", id).replace("Sam State", name);
        fs::write(self.file(&format!("{slug}.toml")), other).unwrap();
    }
}

fn copy(out: &Path) -> Copy {
    let generation = changes(out)["generation"].as_str().unwrap().to_owned();
    let names = fs::read_dir(out.join("v1/providers")).unwrap().map(|entry| entry.unwrap().file_name());
    let slugs = names.filter_map(|name| Some(name.to_str()?.strip_suffix(".json")?.to_owned()));
    let profiles =
        slugs.filter(|slug| slug != "summary").map(|slug| (slug.clone(), profile(out, &slug).unwrap()));
    Copy { generation, profiles: profiles.collect() }
}

fn profile(out: &Path, slug: &str) -> Option<Vec<u8>> {
    fs::read(out.join(format!("v1/providers/{slug}.json"))).ok()
}

fn changes(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("v1/changes.json")).unwrap()).unwrap()
}

fn digest(profiles: &BTreeMap<String, Vec<u8>>) -> String {
    let lines =
        profiles.iter().map(|(slug, body)| format!("{slug} {}\n", HEXLOWER.encode(&Sha256::digest(body))));
    HEXLOWER.encode(&Sha256::digest(lines.collect::<String>()))
}

/// Replays the changes of a tree.
fn replayed(reader: Copy, out: &Path) -> BTreeMap<String, Vec<u8>> {
    let told = changes(out);
    let steps = told["steps"].as_array().unwrap();
    let mut profiles = reader.profiles;
    if let Some(first) = steps.iter().rposition(|step| step["from"] == *reader.generation) {
        for step in steps[..=first].iter().rev() {
            let list = |name: &str| step[name].as_array().unwrap().clone();
            for slug in list("removed") {
                profiles.remove(slug.as_str().unwrap());
            }
            for slug in list("added").into_iter().chain(list("changed")) {
                let slug = slug.as_str().unwrap();
                match profile(out, slug) {
                    Some(body) => profiles.insert(slug.to_owned(), body),
                    None => profiles.remove(slug),
                };
            }
        }
    }
    assert_eq!(told["digest"], digest(&profiles));
    assert_eq!(told["clinicians"], profiles.len());
    profiles
}

#[test]
fn a_reader_of_any_earlier_tree_ends_with_the_profiles_of_the_newest() {
    for seed in 0..6_u64 {
        let (clinic, mut random) = (Clinic::new(), seed);
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let mut readers = Vec::new();
        for round in 0..8 {
            for _ in 0..next(4) {
                let slug = format!("c-{}", next(4));
                let file = clinic.file(&format!("{slug}.toml"));
                match (next(5), file.exists()) {
                    (0, true) => fs::remove_file(file).unwrap(),
                    (1, true) => {
                        let to = clinic.file(&format!("r-{seed}-{round}.toml"));
                        let text = fs::read_to_string(&file).unwrap();
                        if !to.exists() {
                            fs::write(to, format!("former-slugs = [\"{slug}\"]\n{text}")).unwrap();
                            fs::remove_file(file).unwrap();
                        }
                    }
                    (2, _) => fixture::edit(clinic.content.path(), "providers/state.toml", |text| {
                        format!("# {round}\n{text}")
                    }),
                    // Another person, perhaps with a slug of someone who left.
                    _ if slug_is_free(&clinic, &slug) => {
                        clinic.join(&slug, &format!("id-{round}-{}", next(1000)), &format!("Ann {round}"));
                    }
                    _ => {}
                }
            }
            clinic.build(&clinic.options("dist", "2026-11-21T12:00:00Z"));
            readers.push(copy(&clinic.out("dist")));
        }
        let newest = readers.last().unwrap().profiles.clone();
        for reader in readers {
            assert_eq!(replayed(reader, &clinic.out("dist")), newest, "seed {seed}");
        }
    }
}

/// Whether no clinician has this as a former slug.
fn slug_is_free(clinic: &Clinic, slug: &str) -> bool {
    let mut files = fs::read_dir(clinic.content.path().join("providers")).unwrap();
    !files.any(|file| {
        fs::read_to_string(file.unwrap().path()).is_ok_and(|text| text.contains(&format!("\"{slug}\"")))
    })
}

#[test]
fn the_same_content_previous_tree_and_time_give_the_same_tree() {
    let clinic = Clinic::new();
    let first = clinic.options("first", "2026-11-20T12:00:00Z");
    clinic.build(&BuildOptions { with_pages: true, ..first });
    // What a workflow restores.
    let previous = clinic.out("previous");
    fs::create_dir_all(previous.join("v1")).unwrap();
    for file in ["v1/manifest.json", "v1/changes.json", "changes.atom"] {
        fs::copy(clinic.out("first").join(file), previous.join(file)).unwrap();
    }
    clinic.join("new", "prov-0009", "Noa New");
    let again = |out: &str, time: &str, previous: &Path| {
        let previous = Some(previous.to_owned());
        clinic.build(&BuildOptions { previous, with_pages: true, ..clinic.options(out, time) });
        ["v1/manifest.json", "v1/changes.json", "changes.atom"]
            .map(|file| fs::read(clinic.out(out).join(file)).unwrap())
    };
    let one = again("one", "2026-11-21T12:00:00Z", &previous);
    assert!(one == again("two", "2026-11-21T12:00:00Z", &clinic.out("first")));
    let later = again("three", "2026-11-22T12:00:00Z", &previous);
    assert!(one[1] == later[1] && one[2] != later[2]);
    assert_eq!(changes(&clinic.out("one"))["steps"][0]["added"], json!(["new"]));
    let unchanged = BuildOptions { with_pages: true, ..clinic.options("one", "2026-11-30T12:00:00Z") };
    assert!(clinic.build(&unchanged).is_unchanged());
}

#[test]
fn without_a_previous_tree_there_are_no_steps() {
    let clinic = Clinic::new();
    let options = clinic.options("dist", "2026-11-21T12:00:00Z");
    let summary = clinic.build(&BuildOptions { previous: Some(clinic.out("none")), ..options });
    assert_eq!(changes(&clinic.out("dist"))["steps"], json!([]));
    assert!(summary.notes.iter().any(|note| note.contains("no previous tree")), "{:?}", summary.notes);
}

#[test]
fn other_bodies_of_the_same_content_are_a_step_to_the_same_generation() {
    let clinic = Clinic::new();
    clinic.build(&clinic.options("old", "2026-11-21T12:00:00Z"));
    let manifest = clinic.out("old").join("v1/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let (before, after) = text.split_once("v1/providers/state.json").unwrap();
    let after = after.replacen("\"sha256\":\"", "\"sha256\":\"ff", 1);
    // One digest of 64 digits, of other bytes.
    let (start, rest) = after.split_once("\"sha256\":\"").unwrap();
    let digits = &rest[..64];
    let changed = format!("{before}v1/providers/state.json{start}\"sha256\":\"{digits}{}", &rest[66..]);
    fs::write(&manifest, changed).unwrap();
    let previous = Some(clinic.out("old"));
    clinic.build(&BuildOptions { previous, ..clinic.options("new", "2026-11-21T12:00:00Z") });
    let told = changes(&clinic.out("new"));
    let generation = &told["generation"];
    assert_eq!(
        told["steps"],
        json!([{
            "from": generation, "to": generation, "added": [], "changed": ["state"], "removed": [], "catalogs": [],
            "all": false
        }])
    );
}

#[test]
fn the_feed_names_only_who_is_listed_and_keeps_its_times() {
    let clinic = Clinic::new();
    let build = |time: &str| {
        clinic.build(&BuildOptions { with_pages: true, ..clinic.options("dist", time) });
        let feed = fs::read_to_string(clinic.out("dist/changes.atom")).unwrap();
        let entries = feed.lines().filter(|line| line.starts_with("<entry>"));
        let field = |line: &str, name: &str| {
            let (_, after) = line.split_once(&format!("<{name}>")).unwrap();
            after.split_once('<').unwrap().0.to_owned()
        };
        let told: Vec<_> =
            entries.map(|line| (field(line, "title"), field(line, "updated"), field(line, "id"))).collect();
        let generation = changes(&clinic.out("dist"))["generation"].as_str().unwrap().to_owned();
        (told, generation, feed)
    };
    let (none, _, feed) = build("2026-11-20T12:00:00Z");
    assert_eq!(none, []);
    assert!(feed.contains("\n<updated>2026-11-20T12:00:00Z</updated>\n"), "{feed}");
    assert_eq!(build("2026-11-20T18:00:00Z").2, feed, "nothing has changed since");
    clinic.join("dee", "prov-0009", "Dee O'Name");
    let (joined, first, feed) = build("2026-11-21T12:00:00Z");
    let entry = |title: &str, time: &str, generation: &str, slug: &str| {
        (title.to_owned(), time.to_owned(), format!("tag:larkspur.example,2026:{generation}/{slug}"))
    };
    let new = entry("New clinician: Dee O'Name", "2026-11-21T12:00:00Z", &first, "dee");
    assert_eq!(joined, std::slice::from_ref(&new));
    assert!(feed.contains("\n<updated>2026-11-21T12:00:00Z</updated>\n"), "{feed}");
    let page = fs::read_to_string(clinic.out("dist/providers/dee.html")).unwrap();
    assert!(page.contains("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"/changes.atom\""));

    fixture::edit(clinic.content.path(), "providers/state.toml", |text| {
        text.replace("bio = \"", "bio = \"New. ")
    });
    let (edited, second, _) = build("2026-11-22T12:00:00Z");
    let changed = entry("Sam State's profile changed", "2026-11-22T12:00:00Z", &second, "state");
    assert_eq!(edited, [changed.clone(), new]);

    fs::remove_file(clinic.file("dee.toml")).unwrap();
    let (left, third, feed) = build("2026-11-23T12:00:00Z");
    assert_eq!(left, [entry("No longer listed: dee", "2026-11-23T12:00:00Z", &third, "dee"), changed]);
    assert!(!feed.contains("Dee O"), "{feed}");
}

//! `check` refuses all content that a build would refuse, so that an editor sees the line.
#![expect(clippy::disallowed_methods, reason = "these tests edit a copy of a content folder")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use chrono::NaiveDate;
use directory::api::{Fault, Snapshot};
use directory::content::{ContentError, load_and_check};

use super::*;
use crate::edge::{EdgeError, Target};
use crate::pages::PageError;
use crate::path::PathError;
use crate::read::ReadError;
use crate::test_fixture as fixture;

type Edit = (&'static str, fn(&Path));

/// Edits after which a build cannot publish.
const BROKEN: [Edit; 16] = [
    ("portrait in another folder", |content| headshot(content, "a/b.svg")),
    ("portrait outside", |content| headshot(content, "../directory.toml")),
    ("portrait missing", |content| headshot(content, "missing.svg")),
    ("portrait that is a link", |content| {
        std::os::unix::fs::symlink("ada.svg", content.join("headshots/link.svg")).unwrap();
        headshot(content, "link.svg");
    }),
    ("portrait too large", |content| {
        let bytes = vec![0; usize::try_from(LARGEST_PORTRAIT).unwrap() + 1];
        fs::write(content.join("headshots/large.png"), bytes).unwrap();
        headshot(content, "large.png");
    }),
    ("portrait's address with a semicolon", |content| headshot(content, "https://a.example;x/a.png")),
    ("live-url with an IP address", |content| live_url(content, "https://192.0.2.7")),
    ("live-url with a path", |content| live_url(content, "https://live.larkspur.example/base")),
    ("live-url with a sign", |content| live_url(content, "https://live.larkspur.example#x")),
    ("live-url with a space", |content| live_url(content, "https://live.larkspur.example x")),
    ("api-url with a line break", |content| {
        fixture::edit(content, "directory.toml", |text| text.replace("api.larkspur.example\"", "api\\nb\""));
    }),
    ("slug with a space", |content| rename(content, "Sam State.toml")),
    ("slug with capitals", |content| rename(content, "State.toml")),
    ("folder named like a file", |content| fs::create_dir(content.join("providers/sam.toml")).unwrap()),
    ("former slug twice", |content| {
        let line = |text: String| format!("former-slugs = [\"x\"]\n{text}");
        fixture::edit(content, "providers/state.toml", line);
        let text = fs::read_to_string(content.join("providers/state.toml")).unwrap();
        fs::write(content.join("providers/sam.toml"), text.replace("prov-0002", "prov-0003")).unwrap();
    }),
    ("former slug that is a slug", |content| {
        fixture::edit(content, "providers/state.toml", |text| {
            format!("former-slugs = [\"ada-moreau\"]\n{text}")
        });
    }),
];

/// Texts with a meaning in TOML, HTML, templates, headers, rules or paths.
const HOSTILE: [&str; 14] = [
    "a b",
    "Élan ليلى",
    "…",
    "\"",
    "' onload=x",
    "\\",
    "# x",
    "a\nb",
    "../x",
    "<script>",
    "%zz%00",
    "{{ x }}{% if %}",
    "$request; add_header X y",
    "CON.svg",
];

/// A plan's name, and the files of the fixture that contain it.
const PLAN: (&str, [&str; 2]) = ("\"Goldenrod PPO\"", ["insurances.toml", "providers/ada-moreau.toml"]);

/// The other published texts of the fixture: the file, and the beginning of the line.
const FIELDS: [(&str, &str); 14] = [
    ("directory.toml", "name        = "),
    ("directory.toml", "description = "),
    ("directory.toml", "api-url     = "),
    ("directory.toml", "mcp-url     = "),
    ("directory.toml", "site-url    = "),
    ("directory.toml", "live-url    = "),
    ("appointment-types.toml", "name = \"Message"),
    ("appointment-types.toml", "description = \"Write"),
    ("providers/state.toml", "id = "),
    ("providers/state.toml", "display-name = "),
    ("providers/state.toml", "credentials = "),
    ("providers/state.toml", "bio = "),
    ("providers/state.toml", "headshot = "),
    ("providers/state.toml", "clinical-interests = "),
];

fn headshot(content: &Path, name: &str) {
    fixture::edit(content, "providers/state.toml", |text| format!("headshot = {name:?}\n{text}"));
}

fn live_url(content: &Path, address: &str) {
    fixture::edit(content, "directory.toml", |text| text.replace("https://live.larkspur.example", address));
}

fn rename(content: &Path, name: &str) {
    fs::rename(content.join("providers/state.toml"), content.join("providers").join(name)).unwrap();
}

fn check(content: &Path) -> Result<Snapshot, ContentError> {
    load_and_check(content, NaiveDate::default()).map(|checked| Snapshot::new(checked.directory))
}

/// The edits that cause an error; none if content cannot cause it. A new kind of error does not compile until its edits
/// are listed here.
fn edits_for(error: &BuildError) -> &'static [&'static str] {
    let of_path = |error: &PathError| -> &[&str] {
        match error {
            PathError::Form(_) => &["slug with a space"],
            // Two providers cannot share a file, and the pages of plans are numbered.
            PathError::Twice(_) => &["former slug twice", "former slug that is a slug"],
            PathError::Case(..) => &["slug with capitals"],
            PathError::FileAndFolder(..) => &["folder named like a file"],
        }
    };
    match error {
        BuildError::Answers(error)
        | BuildError::Path(error)
        | BuildError::Page(PageError::Path(error))
        | BuildError::Edge(EdgeError::Path(error)) => of_path(error),
        BuildError::Portrait(error) => match error {
            ReadError::Io { .. } => &["portrait missing"],
            ReadError::NotAFile(_) => &["portrait that is a link"],
            ReadError::TooLarge(..) => &["portrait too large"],
            ReadError::Name(_) => &["portrait in another folder", "portrait outside"],
            // These have other causes than the content.
            ReadError::Changed(_) | ReadError::NoFolder(_) => &[],
        },
        BuildError::Edge(error) => match error {
            EdgeError::Word(_) => &["live-url with a sign", "live-url with a space"],
            EdgeError::HeaderValue(_) => &["api-url with a line break", "portrait's address with a semicolon"],
            EdgeError::Upstream(_) => &["live-url with a path"],
            EdgeError::UpstreamWithoutName(_) => &["live-url with an IP address"],
            EdgeError::Path(error) => of_path(error),
        },
        // Every planned request has an answer.
        BuildError::Answer { .. }
        // These have other causes than the content.
        | BuildError::Page(PageError::Template(_) | PageError::Text(_))
        | BuildError::Site(_)
        | BuildError::Write(_)
        | BuildError::Shrunk(_)
        | BuildError::OutputInside { .. }
        | BuildError::SourceInside { .. } => &[],
    }
}

#[test]
fn check_reports_with_a_position_each_mistake_that_stops_a_build() {
    for (name, edit) in BROKEN {
        let content = fixture::copy();
        edit(content.path());
        match check(content.path()) {
            Err(ContentError::Invalid(report)) => {
                let error =
                    report.problems().iter().find(|problem| problem.severity().word() == "error").unwrap();
                assert!(report.position(error).path.starts_with(content.path().to_str().unwrap()), "{name}");
                assert!(error.help().is_some(), "{name}: {}", error.what());
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn every_error_caused_by_content_has_an_edit_that_check_refuses() {
    let (text, path) = (String::new, PathBuf::new);
    let paths = || {
        [
            PathError::Form(text()),
            PathError::Twice(text()),
            PathError::Case(text(), text()),
            PathError::FileAndFolder(text(), text()),
        ]
    };
    let missing = ReadError::Io { path: path(), source: io::ErrorKind::NotFound.into() };
    let portraits =
        [missing, ReadError::NotAFile(path()), ReadError::TooLarge(path(), 0), ReadError::Name(path())];
    let edges = [
        EdgeError::Word(text()),
        EdgeError::HeaderValue(text()),
        EdgeError::Upstream(text()),
        EdgeError::UpstreamWithoutName(text()),
    ];
    let about_content: Vec<BuildError> = paths()
        .map(BuildError::from)
        .into_iter()
        .chain(paths().map(BuildError::Answers))
        .chain(portraits.map(BuildError::from))
        .chain(edges.map(BuildError::from))
        .collect();
    for error in &about_content {
        let edits = edits_for(error);
        assert!(!edits.is_empty(), "{error:?}");
        for edit in edits {
            assert!(BROKEN.iter().any(|(name, _)| name == edit), "{edit}");
        }
    }
    let fault = Fault::not_found();
    assert!(edits_for(&BuildError::Answer { path: text(), fault }).is_empty());
}

#[test]
fn content_that_check_accepts_builds_for_every_host() {
    let mut accepted = 0;
    for hostile in HOSTILE {
        let content = fixture::copy();
        let value = serde_json::Value::from(hostile).to_string();
        let files = PLAN.1.map(|file| content.path().join(file));
        let texts = files.clone().map(|file| fs::read_to_string(file).unwrap());
        for (file, text) in files.iter().zip(&texts) {
            assert!(text.contains(PLAN.0));
            fs::write(file, text.replace(PLAN.0, &value)).unwrap();
        }
        match check(content.path()) {
            Ok(_) => accepted += 1,
            Err(_) => files.iter().zip(&texts).for_each(|(file, text)| fs::write(file, text).unwrap()),
        }
        for (file, key) in FIELDS {
            let path = content.path().join(file);
            let before = fs::read_to_string(&path).unwrap();
            let name = key.split_once('=').unwrap().0;
            let line = match name.trim() {
                "clinical-interests" => format!("{name}= [{value}]"),
                _ => format!("{name}= {value}"),
            };
            let mut lines: Vec<&str> = before.lines().collect();
            match lines.iter_mut().find(|line| line.starts_with(key)) {
                Some(old) => *old = &line,
                None => lines.insert(0, &line),
            }
            fs::write(&path, lines.join("\n") + "\n").unwrap();
            match check(content.path()) {
                Ok(_) => accepted += 1,
                Err(_) => fs::write(&path, before).unwrap(),
            }
        }
        let snapshot = check(content.path()).unwrap();
        for target in Target::ALL {
            let options = BuildOptions { target, ..BuildOptions::new(content.path(), "nowhere") };
            if let Err(refused) = preview(&snapshot, &options) {
                panic!("{hostile:?} for {target}: {refused}");
            }
        }
    }
    assert!(accepted > 60, "{accepted}");
}

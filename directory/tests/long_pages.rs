//! The warning about pages that are too long, and what it names.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use chrono::{DateTime, NaiveDate};
use directory::content::{Checked, load_and_check};
use directory::{Request, Snapshot};

/// A clinic with a number of providers in California, whose profiles are about 8 KB each, and as many in Texas with
/// short profiles.
fn clinic(providers: usize) -> Checked {
    let folder = tempfile::tempdir().unwrap();
    let clinic = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clinic");
    for file in ["directory.toml", "insurances.toml", "appointment-types.toml"] {
        fs::copy(clinic.join(file), folder.path().join(file)).unwrap();
    }
    fs::create_dir(folder.path().join("providers")).unwrap();
    for number in 0..2 * providers {
        let (state, bio, interests) = if number % 2 == 0 {
            ("CA", "She listens. ".repeat(300), 40)
        } else {
            ("TX", "She listens.".to_owned(), 0)
        };
        let mut text = format!(
            "id = \"p{number}\"\ndisplay-name = \"Ann {number:02}\"\ncredentials = \"MD\"\ngender = \"female\"\n\
             provider-type = \"physician\"\nbio = \"{bio}\"\nlicensed = [\"{state}\"]\naccepting = []\n\
             appointment-types = [101]\n"
        );
        let interests: Vec<_> = (0..interests).map(|at| format!("\"{at:02}{}\"", "x".repeat(98))).collect();
        _ = writeln!(text, "clinical-interests = [{}]", interests.join(", "));
        if state == "CA" && number == 4 {
            text.push_str("[insurance]\nall = [\"Goldenrod PPO\"]\n");
        }
        fs::write(folder.path().join(format!("providers/ann-{number:02}.toml")), text).unwrap();
    }
    load_and_check(folder.path(), NaiveDate::default()).unwrap()
}

/// The warnings about pages: where, what, and what to do.
fn page_warnings(checked: &Checked) -> Vec<(String, String, String)> {
    let of_pages = checked.warnings.problems().iter().filter(|problem| problem.what().contains(" page "));
    of_pages
        .map(|problem| {
            let path = checked.warnings.position(problem).path;
            let name = path.rsplit('/').next().unwrap().to_owned();
            (name, problem.what().to_owned(), problem.help().unwrap().to_owned())
        })
        .collect()
}

#[test]
fn the_longest_page_is_reported_at_its_longest_profile() {
    let checked = clinic(10);
    let warnings = page_warnings(&checked);
    let snapshot = Snapshot::new(checked.directory);
    let length = |query| {
        let request = Request::from_path_and_query("/v1/providers", Some(query)).unwrap();
        snapshot.answer(&request, DateTime::UNIX_EPOCH).unwrap().body().len()
    };
    assert_eq!(length("state=CA") / 1000, 85);
    assert!(length("") < 64_000 && length("state=TX") < 64_000, "half of everybody has a short profile");
    // Forty interests of 100 characters with quotes and commas in brackets, and a text of 3,899 characters, ten times.
    let [(file, what, help)] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(file, "ann-04.toml");
    assert_eq!(
        what,
        "the page of the first 10 providers in CA has 85 KB, and assistants may cut off what is longer than 64 KB"
    );
    assert_eq!(
        help,
        "most of it is `clinical-interests` (41 KB), `bio` (39 KB); shorten these, beginning with \
         this profile, which has 8 KB of it"
    );
}

#[test]
fn a_short_page_is_not_reported() {
    assert_eq!(page_warnings(&clinic(7)), []);
}

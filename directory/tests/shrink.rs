//! Which clinicians count as vanished from one generation to the next.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod support;

use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use directory::Directory;
use directory::content::load_and_check;
use directory::model::MaxShrink;

use support::clinic;

fn directory(content: &Path) -> Directory {
    load_and_check(content, NaiveDate::from_ymd_opt(2026, 11, 21).unwrap()).unwrap().directory
}

/// Adds ten clinicians, `c-0` to `c-9`, to the two of the clinic.
fn crowd(content: &Path) {
    let one = fs::read_to_string(content.join("providers/bo-two.toml")).unwrap();
    for number in 0..10 {
        let other = one.replace("prov-2", &format!("crowd-{number}"));
        fs::write(content.join(format!("providers/c-{number}.toml")), other).unwrap();
    }
}

#[test]
fn renamed_and_retired_clinicians_have_not_vanished() {
    let (_folder, content) = clinic();
    crowd(&content);
    let (before, max_shrink) = (directory(&content), MaxShrink::default());
    let file = |number: u32| content.join(format!("providers/c-{number}.toml"));
    (0..5).for_each(|number| fs::remove_file(file(number)).unwrap());
    assert_eq!(max_shrink.compare(&before, &directory(&content)), Ok(()), "five always may");

    fs::remove_file(file(5)).unwrap();
    let shrunk = max_shrink.compare(&before, &directory(&content)).unwrap_err();
    assert_eq!(shrunk.to_string(), "6 of 12 clinicians are gone at once (c-0, c-1, c-2 and 3 more)");

    // Renamed, with a former slug and without one.
    let text = fs::read_to_string(file(6)).unwrap();
    fs::remove_file(file(6)).unwrap();
    fs::write(content.join("providers/d-6.toml"), format!("former-slugs = [\"c-6\"]\n{text}")).unwrap();
    fs::rename(file(7), content.join("providers/d-7.toml")).unwrap();
    let shrunk = max_shrink.compare(&before, &directory(&content)).unwrap_err();
    assert!(shrunk.to_string().starts_with("6 of 12 "), "{shrunk}");

    // Retired: let go on purpose.
    let retired = "[[provider]]\nid = \"crowd-0\"\nslug = \"c-0\"\n";
    fs::write(content.join("retired.toml"), retired).unwrap();
    assert_eq!(max_shrink.compare(&before, &directory(&content)), Ok(()));
}

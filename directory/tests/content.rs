//! The reports of the content checker, word for word.
//!
//! Each file of `broken/` is a case: files laid over the clinic of `clinic/`, and the report that they lead to.
//! `=== PATH` begins a file, `=== PATH (deleted)` deletes one, `=== report` begins the expected report. With
//! `BLESS=1` in the environment the reports are written again; read the diff line by line before you commit it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod advice;
mod support;

use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use directory::content::{Checked, ContentError, load_and_check};

use support::{clinic, tests};

/// Lays the files of a case of `broken/` over a content folder, and gives them and the report that is expected.
fn broken_case(case: &Path, content: &Path) -> (String, String) {
    let text = fs::read_to_string(case).unwrap();
    let (input, expected) = text.split_once("=== report\n").unwrap();
    for part in input.split("=== ").filter(|part| !part.trim().is_empty()) {
        let (path, body) = part.split_once('\n').unwrap();
        let file = content.join(path.trim_end_matches(" (deleted)"));
        if path.ends_with(" (deleted)") {
            fs::remove_file(file).unwrap();
        } else {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, body).unwrap();
        }
    }
    (input.to_owned(), expected.to_owned())
}

fn check(content: &Path) -> Result<Checked, ContentError> {
    load_and_check(content, NaiveDate::from_ymd_opt(2026, 11, 21).unwrap())
}

/// Errors or warnings as a person reads them, with the temporary folder's name taken away.
fn told(content: &Path) -> String {
    let report = match check(content) {
        Ok(checked) => checked.warnings,
        Err(ContentError::Invalid(report)) => *report,
        Err(error) => return format!("{error}\n"),
    };
    let parent = format!("{}/", content.parent().unwrap().display());
    let drawn = report.drawn(false).replace(&parent, "");
    format!("{drawn}{} errors, {} warnings\n", report.errors(), report.warnings())
}

#[test]
fn the_clinic_itself_has_nothing_wrong() {
    let (_folder, content) = clinic();
    assert_eq!(told(&content), "0 errors, 0 warnings\n");
}

#[test]
fn each_broken_case_has_its_report() {
    let mut cases: Vec<_> =
        fs::read_dir(tests().join("broken")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let mut wrong = Vec::new();
    for case in &cases {
        let (_folder, content) = clinic();
        let (input, expected) = broken_case(case, &content);
        let told = told(&content);
        if std::env::var_os("BLESS").is_some() {
            fs::write(case, format!("{input}=== report\n{told}")).unwrap();
        } else if told != expected {
            wrong.push(format!("{}\n--- expected\n{expected}--- told\n{told}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_is_not_text_is_named_for_what_it_is() {
    let (_folder, content) = clinic();
    for (bytes, what) in [
        (&b"PK\x03\x04\x14\0\x06\0\xff"[..], "this is a Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "this is a Word document"),
        (b"%PDF-1.7\n%\xe2\xe3", "this is a PDF"),
        (b"\xff\xfei\0d\0", "this file is in the encoding UTF-16"),
        (b"id = \"J\xe9\"", "this file is not UTF-8 text: line 1"),
    ] {
        fs::write(content.join("providers/bo-two.toml"), bytes).unwrap();
        let told = told(&content);
        assert!(told.contains(what) && told.contains("1 errors"), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_content_folder_may_be_a_link_and_a_file_in_it_may_not() {
    let (folder, content) = clinic();
    let link = folder.path().join("today");
    std::os::unix::fs::symlink(&content, &link).unwrap();
    assert_eq!(told(&link), "0 errors, 0 warnings\n");
    let (file, elsewhere) = (content.join("directory.toml"), folder.path().join("elsewhere.toml"));
    fs::rename(&file, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    assert!(told(&link).contains("this is a link, and only files are read"));
}

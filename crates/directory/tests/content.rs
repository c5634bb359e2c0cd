//! The reports of the content checker, word for word.
//!
//! Each file of `broken/` is a case: changes to the clinic of `clinic/`, and the resulting report. `=== PATH` begins a
//! file, `=== PATH (deleted)` deletes one, `=== report` begins the expected report. `BLESS=1` in the environment writes
//! the reports again; read the diff line by line before you commit it.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod repairs;
mod support;

use std::fs;
use std::path::Path;

use chrono::NaiveDate;
use directory::calendar::{Calendar, Instant};
use directory::content::{
    Checked, ContentError, Entries, load_and_check, load_and_check_entries, published_files,
};
use directory::{Request, Snapshot};

use support::{clinic, tests};

/// Applies a case of `broken/` to a content folder. Returns the part with the files and the expected report.
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

/// The report as people read it, without the temporary folder's name.
fn drawn_report(content: &Path) -> String {
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
fn the_clinic_has_no_problems() {
    let (_folder, content) = clinic();
    assert_eq!(drawn_report(&content), "0 errors, 0 warnings\n");
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
        let actual = drawn_report(&content);
        if std::env::var_os("BLESS").is_some() {
            fs::write(case, format!("{input}=== report\n{actual}")).unwrap();
        } else if actual != expected {
            wrong.push(format!("{}\n--- expected\n{expected}--- actual\n{actual}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_file_that_is_not_text_is_recognized() {
    let (_folder, content) = clinic();
    for (bytes, what) in [
        (&b"PK\x03\x04\x14\0\x06\0\xff"[..], "This is a Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "This is a Word document"),
        (b"%PDF-1.7\n%\xe2\xe3", "This is a PDF"),
        (b"\xff\xfei\0d\0", "This file was saved as UTF-16"),
        (b"id = \"J\xe9\"", "This file wasn't saved as UTF-8, so a letter on line 1"),
    ] {
        fs::write(content.join("providers/bo-two.toml"), bytes).unwrap();
        let actual = drawn_report(&content);
        assert!(actual.contains(what) && actual.contains("1 errors"), "{actual}");
    }
}

#[test]
fn the_content_folder_can_be_a_link_and_its_files_cannot() {
    let (folder, content) = clinic();
    let link = folder.path().join("today");
    std::os::unix::fs::symlink(&content, &link).unwrap();
    assert_eq!(drawn_report(&link), "0 errors, 0 warnings\n");
    let (file, elsewhere) = (content.join("directory.toml"), folder.path().join("elsewhere.toml"));
    fs::rename(&file, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    assert!(drawn_report(&link).contains("This is a symlink; only files are read."));
}

/// All regular files of a folder, in memory.
fn in_memory(content: &Path) -> Entries {
    let mut entries = Entries::default();
    for entry in walkdir::WalkDir::new(content).into_iter().map(Result::unwrap) {
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(content).unwrap().to_str().unwrap();
            entries.add(path, fs::read(entry.path()).unwrap().into()).unwrap();
        }
    }
    entries
}

/// The generation and the warnings, or the errors.
fn outcome(checked: Result<Checked, ContentError>, content: &Path) -> (Option<String>, String) {
    let (generation, report) = match checked {
        Ok(checked) => (Some(checked.directory.generation().to_string()), checked.warnings),
        Err(ContentError::Invalid(report)) => (None, *report),
        Err(error) => panic!("{error}"),
    };
    (generation, report.drawn(false).replace(&format!("{}/", content.display()), ""))
}

#[test]
fn files_in_memory_have_the_generation_and_the_report_of_their_folder() {
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    let both = |content: &Path| {
        let memory = load_and_check_entries(in_memory(content), today);
        (outcome(check(content), content), outcome(memory, content))
    };
    let (mut good, mut wrong) = (0, 0);
    for case in fs::read_dir(tests().join("broken")).unwrap().map(Result::unwrap) {
        let (_folder, content) = clinic();
        broken_case(&case.path(), &content);
        let (folder, memory) = both(&content);
        assert_eq!(memory, folder, "{}", case.path().display());
        if folder.0.is_some() { good += 1 } else { wrong += 1 }
    }
    assert!(good > 5 && wrong > 50, "{good} {wrong}");
    let (_folder, content) = clinic();
    // Names that are passed over, folders that are too deep, and folders in the place of files.
    for path in
        [".git/config.toml", "a/b/c/d/e.toml", "providers/x.toml/y.toml", "notes.txt", "headshots/a.bmp"]
    {
        fs::create_dir_all(content.join(path).parent().unwrap()).unwrap();
        fs::write(content.join(path), "a").unwrap();
    }
    fs::write(content.join("providers/large.toml"), vec![b'#'; (1 << 20) + 1]).unwrap();
    let (folder, memory) = both(&content);
    assert!(folder.1.contains("larger than 1 MB") && folder.1.contains("it must be a file"));
    assert_eq!(memory, folder);
}

#[test]
fn the_published_files_alone_give_the_same_generation_and_answers() {
    let today = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();
    let now = "2026-11-21T12:00:00Z".parse().unwrap();
    for content in [tests().join("../../../content"), tests().join("clinic")] {
        let published = published_files(&content).unwrap();
        assert!(published.iter().all(
            |(path, _)| Path::new(path).extension().is_some_and(|end| end == "toml")
                || path.starts_with("headshots/")
                || ["logo.png", "share.png"].contains(&path)
        ));
        let folder = load_and_check(&content, today).unwrap();
        let memory = load_and_check_entries(published, today).unwrap();
        assert_eq!(memory.warnings.problems(), []);
        let [folder, memory] = [folder, memory].map(|checked| {
            let snapshot = Snapshot::new(checked.directory);
            let calendar = Calendar::from_hours(snapshot.directory(), Instant::ceil(now));
            snapshot.with_calendar(calendar)
        });
        assert_eq!(memory.directory().generation(), folder.directory().generation());
        let mut paths = vec![
            "/v1/states".to_owned(),
            "/v1/providers".to_owned(),
            "/v1/appointment-types?state=AZ".to_owned(),
        ];
        for provider in folder.directory().providers() {
            paths.push(format!("/v1/providers/{}", provider.slug));
            paths.push(format!("/v1/availability?state=AZ&provider={}", provider.slug));
        }
        for path in paths {
            let request = Request::from_target(&path).unwrap();
            let [folder, memory] = [&folder, &memory].map(|snapshot| snapshot.answer(&request, now).unwrap());
            assert_eq!(memory.body(), folder.body(), "{path}");
        }
    }
}

/// What is published of a license, an NPI and a phone number doesn't depend on how they are written.
#[test]
fn other_spellings_mean_the_same() {
    let read = |license: &str, kind: &str, npi: &str, phone: &str| {
        let (_folder, content) = clinic();
        let file = content.join("providers/ann-one.toml");
        let text = fs::read_to_string(&file).unwrap().replace("\"9941339100\"", npi);
        fs::write(
            &file,
            format!("{text}\n[[{license}]]\nstate = \"CA\"\nnumber = \"A 1\"\nkind = \"{kind}\"\n"),
        )
        .unwrap();
        let clinic = fs::read_to_string(content.join("directory.toml")).unwrap();
        fs::write(content.join("directory.toml"), clinic.replace("510-555-0100", phone)).unwrap();
        let directory = check(&content).unwrap_or_else(|_| panic!("{}", drawn_report(&content))).directory;
        let ann = directory.providers().iter().find(|one| one.slug.as_str() == "ann-one").unwrap().clone();
        let phone =
            directory.organization().address.as_ref().unwrap().phone.as_ref().unwrap().dial().to_owned();
        (ann.npi, ann.record, phone)
    };
    let expected = read("licence", "licence", "\"9941339100\"", "+15105550100");
    assert_eq!(
        (expected.0.as_deref(), expected.1.licenses.len(), &*expected.2),
        (Some("9941339100"), 1, "+15105550100")
    );
    for (license, kind, npi, phone) in [
        ("license", "license", "\"994-133-9100\"", "(510) 555-0100"),
        ("license", "licence", "\" 9941 339 100 \"", "510.555.0100"),
        ("licence", "license", "\"9941\u{2013}339\u{2013}100\"", "5105550100"),
    ] {
        assert_eq!(read(license, kind, npi, phone), expected, "{license} {kind} {npi} {phone}");
    }
}

#[test]
fn similar_portraits_are_searched_for_the_first_hundred_missing_ones() {
    let (_folder, content) = clinic();
    let bo = fs::read_to_string(content.join("providers/bo-two.toml")).unwrap();
    let bo: Vec<_> = bo.lines().filter(|line| !line.starts_with("headshot")).collect();
    let bo = bo.join("\n");
    fs::create_dir_all(content.join("headshots")).unwrap();
    for number in 100..202 {
        let text = format!("headshot = \"portrait-of-{number}x.svg\"\n{bo}");
        fs::write(content.join(format!("providers/bo-{number}.toml")), text).unwrap();
        let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
        fs::write(content.join(format!("headshots/portrait-of-{number}.svg")), picture).unwrap();
    }
    let Err(ContentError::Invalid(report)) = check(&content) else { panic!("the portraits are missing") };
    let missing = report.problems().iter().filter(|problem| problem.what().starts_with("headshots/"));
    let (guessed, others): (Vec<_>, Vec<_>) =
        missing.partition(|problem| problem.help().unwrap().starts_with("Did you mean \"portrait-of-"));
    assert_eq!((guessed.len(), others.len()), (100, 2));
    assert!(others.iter().all(|problem| problem.help().unwrap().starts_with("Put the file there")));
}

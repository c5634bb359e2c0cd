//! The content checker with damaged files: it reports where the damage is, reads on, and never panics.
//!
//! `content.rs` tests mistakes that people make. Here the input is bytes that are not text, links, nesting, large files
//! and random damage.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests fail by panicking, and prepare files of their own"
)]

mod chance;
mod many;
#[path = "../support/mod.rs"]
mod support;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use chrono::NaiveDate;
use directory::calendar::FeedMode;
use directory::content::{
    Checked, ContentError, FolderFeed, Position, Report, load_and_check, load_and_check_beside_feed,
};

/// The day on which the folders are checked.
const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 21).unwrap();

/// A copy of the clinic's folder, which a test can damage.
struct Clinic {
    _folder: tempfile::TempDir,
    content: PathBuf,
}

impl Clinic {
    fn new() -> Self {
        let (folder, content) = support::clinic();
        Self { _folder: folder, content }
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.content.join(path), bytes).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.content.join(path)).unwrap()
    }

    /// Checks the folder and the report itself: it can be drawn, and each place in it is in a file.
    fn check(&self) -> Result<Checked, Box<Report>> {
        let result = match load_and_check(&self.content, TODAY) {
            Ok(checked) => Ok(checked),
            Err(ContentError::Invalid(report)) => Err(report),
            Err(error @ ContentError::Load(_)) => panic!("{error}"),
        };
        let report = result.as_ref().map_or_else(AsRef::as_ref, |checked| &checked.warnings);
        assert_eq!(result.is_err(), report.errors() > 0);
        assert!(report.drawn(false).len() < 1_000_000);
        assert!(report.drawn(true).len() < 1_000_000);
        let mut last = None;
        for problem in report.problems() {
            let position = report.position(problem);
            assert_inside(&position);
            if let Some(other) = report.other_position(problem) {
                assert_inside(&other);
            }
            assert!(!problem.what().is_empty());
            // Errors come first: "error" sorts before "warning".
            let order = (problem.severity().word(), position.path, position.line, position.column);
            assert!(last.as_ref() <= Some(&order), "{last:?} is reported before {order:?}");
            last = Some(order);
        }
        result
    }

    /// The problems of one file, as `line:column: message`.
    fn problems_of(&self, path: &str) -> Vec<String> {
        let report = self.check().err().unwrap();
        let path = self.content.join(path).display().to_string();
        let problems = report.problems().iter().map(|problem| (report.position(problem), problem));
        problems
            .filter(|(position, _)| position.path == path)
            .map(|(position, problem)| format!("{}:{}: {}", position.line, position.column, problem.what()))
            .collect()
    }
}

/// A place in a report must be in the file.
fn assert_inside(position: &Position) {
    // A file that is missing or not text is reported at its start.
    if (position.line, position.column) == (1, 1) {
        return;
    }
    let text = fs::read_to_string(&position.path).unwrap();
    let line = text.split('\n').nth(position.line - 1).unwrap_or_else(|| panic!("{position}"));
    assert!(position.column <= line.chars().count() + 1, "{position}");
}

const BO: &str = "providers/bo-two.toml";
const BO_HOURS: &str = "availability/bo-two.toml";
const BUSY: &str = "availability/busy.ndjson";

#[test]
fn bytes_that_are_not_text_are_reported_with_their_line() {
    let clinic = Clinic::new();
    let latin1 = [clinic.text(BO).as_bytes(), b"sort-name = \"M\xfcller\"\n"].concat();
    clinic.write(BO, latin1);
    assert_eq!(
        clinic.problems_of(BO),
        ["1:1: This file wasn't saved as UTF-8, so a letter on line 11 can't be read."]
    );
    let utf16: Vec<u8> = "\u{feff}id = \"prov-2\"\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    clinic.write(BO, utf16);
    assert_eq!(clinic.problems_of(BO), ["1:1: This file was saved as UTF-16, which can't be read."]);
}

#[test]
fn an_unreadable_file_causes_no_other_problems() {
    let paths = [BO, "providers/ann-one.toml", "insurances.toml", "appointment-types.toml", BO_HOURS];
    let more = ["directory.toml", "retired.toml", "holidays/us-federal.toml"];
    let mut wrong = Vec::new();
    for path in paths.into_iter().chain(more) {
        let clinic = Clinic::new();
        clinic.write(path, b"\xff");
        let report = clinic.check().err().unwrap();
        let reported = report.problems().iter().map(|it| format!("{}: {}", report.position(it), it.what()));
        let reported: Vec<_> = reported.collect();
        if reported.len() != 1 {
            wrong.push(reported);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn invisible_bytes_are_reported_where_they_are() {
    let clinic = Clinic::new();
    clinic.write(BO, clinic.text(BO).replace("Bo Two", "Bo\0Two"));
    let reported = clinic.problems_of(BO);
    assert!(reported.len() == 1 && reported[0].starts_with("2:19: "), "{reported:?}");
    clinic.write(BO, "\0".repeat(1000));
    assert_eq!(clinic.problems_of(BO).len(), 1);
}

#[test]
fn links_are_reported_and_not_followed() {
    use std::os::unix::fs::symlink;

    let clinic = Clinic::new();
    let elsewhere = clinic.content.with_file_name("elsewhere.toml");
    fs::rename(clinic.content.join(BO), &elsewhere).unwrap();
    symlink(&elsewhere, clinic.content.join(BO)).unwrap();
    symlink(&clinic.content, clinic.content.join("loop")).unwrap();
    symlink("round", clinic.content.join("round")).unwrap();
    for path in [BO, "loop", "round"] {
        assert_eq!(clinic.problems_of(path), ["1:1: This is a symlink; only files are read."], "{path}");
    }
}

#[test]
fn folders_in_place_of_files_are_reported() {
    for path in ["directory.toml", "insurances.toml", BO, BO_HOURS] {
        let clinic = Clinic::new();
        fs::remove_file(clinic.content.join(path)).unwrap();
        fs::create_dir(clinic.content.join(path)).unwrap();
        assert_eq!(clinic.problems_of(path), ["1:1: This is a folder, but it must be a file."]);
    }
}

#[test]
fn files_in_place_of_folders_stop_nothing() {
    let clinic = Clinic::new();
    fs::remove_dir_all(clinic.content.join("headshots")).unwrap();
    clinic.write("headshots", "");
    assert_eq!(clinic.problems_of("providers/ann-one.toml"), ["8:12: headshots/ann-one.svg doesn't exist."]);
}

#[test]
fn a_pipe_is_reported_and_not_read() {
    let clinic = Clinic::new();
    let pipe = clinic.content.join("providers/pipe.toml");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return;
    }
    assert_eq!(clinic.problems_of("providers/pipe.toml"), ["1:1: This is a pipe; only files are read."]);
    let clinic = Clinic::new();
    fs::rename(&pipe, clinic.content.join(BUSY)).unwrap();
    assert_eq!(clinic.problems_of(BUSY), ["1:1: This is a pipe; only files are read."]);
    let Err(ContentError::Invalid(beside)) = load_and_check_beside_feed(&clinic.content, TODAY) else {
        panic!("a pipe isn't a feed to listen to");
    };
    assert!(beside.drawn(false).contains("help: Write the feed to a file"), "{}", beside.drawn(false));
}

#[test]
fn a_pipe_in_place_of_each_kind_of_file_is_reported_at_once() {
    for path in [
        "directory.toml",
        "insurances.toml",
        "appointment-types.toml",
        "retired.toml",
        "allow.toml",
        "holidays/us-federal.toml",
        "headshots/ann-one.svg",
        BO,
        BO_HOURS,
        BUSY,
    ] {
        let clinic = Clinic::new();
        _ = fs::remove_file(clinic.content.join(path));
        assert!(Command::new("mkfifo").arg(clinic.content.join(path)).status().unwrap().success());
        assert_eq!(clinic.problems_of(path), ["1:1: This is a pipe; only files are read."], "{path}");
    }
}

#[test]
fn a_feed_may_be_a_link_and_nothing_of_what_it_leads_to_is_shown() {
    use std::os::unix::fs::symlink;

    let clinic = Clinic::new();
    let secret = clinic.content.with_file_name("secret");
    fs::write(&secret, "token = 12345\n").unwrap();
    symlink(&secret, clinic.content.join(BUSY)).unwrap();
    let checked = clinic.check().ok().unwrap();
    assert!(matches!(checked.feed, Some(FolderFeed::Linked(FeedMode::Busy))), "{:?}", checked.feed);
    let drawn = checked.warnings.drawn(false);
    assert!(drawn.contains("This is a symlink") && !drawn.contains("12345"), "{drawn}");
    let beside = load_and_check_beside_feed(&clinic.content, TODAY).unwrap();
    assert!(!beside.warnings.drawn(false).contains(BUSY));

    // A second feed contradicts it as any other would.
    symlink(&secret, clinic.content.join("availability/open.ndjson")).unwrap();
    assert!(
        clinic.problems_of("availability/open.ndjson")[0]
            .contains("Both open.ndjson and busy.ndjson are here")
    );
    fs::remove_file(clinic.content.join("availability/open.ndjson")).unwrap();

    // Where it leads nowhere nothing starts; what runs already goes on with a warning.
    for elsewhere in ["gone", "content"] {
        fs::remove_file(clinic.content.join(BUSY)).unwrap();
        symlink(clinic.content.with_file_name(elsewhere), clinic.content.join(BUSY)).unwrap();
        assert_eq!(clinic.problems_of(BUSY), ["1:1: This is a symlink, and its target can't be read."]);
        let beside = load_and_check_beside_feed(&clinic.content, TODAY).unwrap();
        assert!(beside.warnings.drawn(false).contains("its target can't be read"), "{elsewhere}");
    }
}

#[test]
fn a_file_without_read_permission_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;

    let clinic = Clinic::new();
    fs::set_permissions(clinic.content.join(BO), fs::Permissions::from_mode(0o000)).unwrap();
    // A user who may read everything can't be refused.
    if fs::read(clinic.content.join(BO)).is_ok() {
        return;
    }
    assert_eq!(clinic.problems_of(BO), ["1:1: This file can't be read: permission denied."]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_name_that_is_not_text_is_reported() {
    use std::os::unix::ffi::OsStrExt as _;

    let clinic = Clinic::new();
    let name = std::ffi::OsStr::from_bytes(b"providers/\xff.toml");
    fs::write(clinic.content.join(name), "").unwrap();
    assert_eq!(clinic.check().err().unwrap().errors(), 1);
}

#[test]
fn deep_nesting_is_reported() {
    let deep = 20_000;
    let keys = vec!["a"; deep].join(".");
    for text in [
        format!("bio = {}", "[".repeat(deep)),
        format!("bio = {}", "[\n".repeat(deep)),
        format!("bio = {}", "{a=".repeat(deep)),
        format!("bio = {}{}", "[".repeat(deep), "]".repeat(deep)),
        "[".repeat(deep),
        format!("{keys} = 1"),
        format!("[{keys}]"),
        format!("[[{keys}]]"),
    ] {
        let clinic = Clinic::new();
        clinic.write(BO, clinic.text(BO).replace("bio = \"Bo explains.\"\n", "") + &text);
        let reported = clinic.problems_of(BO);
        assert!((1..=3).contains(&reported.len()), "{}: {reported:?}", &text[..20]);
    }
}

#[test]
fn a_value_that_repeats_a_word_thousands_of_times_overflows_no_stack() {
    let clinic = Clinic::new();
    let repeat = |path: &str, list: &str, first: &str, word: &str, times: usize| {
        let text = clinic.text(path);
        assert!(text.contains(list), "{path}");
        clinic.write(path, text.replacen(list, &format!("[\"{first}{}\"]", word.repeat(times)), 1));
        assert!(!clinic.problems_of(path).is_empty(), "{path}");
    };
    repeat("providers/ann-one.toml", "[\"CA\", \"NY\"]", "CA", " only", 12_000);
    repeat("availability/ann-one.toml", "[\"mon\", \"tue\"]", "mon", " except mon", 5_000);
}

#[test]
fn files_that_are_too_large_are_not_read() {
    let clinic = Clinic::new();
    let junk = "id = [\"\u{1f31e}".repeat(50_000_000 / 11);
    for path in [BO, "directory.toml", "headshots/ann-one.svg"] {
        clinic.write(path, &junk);
        assert_eq!(clinic.problems_of(path), ["1:1: This file is larger than 1 MB."]);
    }
}

#[test]
fn a_line_of_a_megabyte_is_read_and_shown_in_part() {
    let long = "é".repeat(500_000);
    let mut wrong = Vec::new();
    for text in [
        format!("bio = \"{long}\""),
        format!("bio = \"{long}"),
        format!("bio = {long}"),
        format!("{long} = 1"),
        format!("\"{long}\" = 1"),
        format!("bio = [\"{long}\"]"),
        format!("gender = \"{long}\""),
        format!("licensed = [\"{long}\", \"XX\"]"),
    ] {
        let clinic = Clinic::new();
        clinic.write(BO, &text);
        let drawn = clinic.check().err().unwrap().drawn(false).len();
        if drawn > 30_000 {
            wrong.push((drawn, text.chars().take(20).collect::<String>()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn text_of_a_file_cannot_imitate_the_report() {
    let clinic = Clinic::new();
    let words = r#""\u001b[2Jmale\nerror: pay here\u202e""#;
    clinic.write(BO, clinic.text(BO).replace("\"male\"", words));
    let drawn = clinic.check().err().unwrap().drawn(false);
    assert!(!drawn.contains(['\u{1b}', '\u{202e}']), "{drawn:?}");
    assert!(!drawn.lines().any(|line| line.starts_with("error: pay")), "{drawn}");
}

#[test]
fn ten_thousand_mistakes_are_counted_and_a_hundred_are_shown() {
    let clinic = Clinic::new();
    let bo = clinic.text(BO);
    let interests = format!("clinical-interests = [{}]\n", "\"\", ".repeat(10));
    for number in 0..1000 {
        let own = bo.replace("prov-2", &format!("prov-x{number}")) + &interests;
        clinic.write(&format!("providers/p{number}.toml"), own);
    }
    let report = clinic.check().err().unwrap();
    assert_eq!(
        (report.errors(), report.warnings()),
        (10_000, 2000),
        "each file has no hours and the name of another"
    );
    let drawn = report.drawn(false);
    assert_eq!(drawn.matches("error: ").count(), 100);
    assert_eq!(report.problems().len(), 1000, "500 errors and 500 warnings are kept");
    assert!(drawn.contains("… and 900 more\n\n"), "{drawn}");
    let unlisted = report.unlisted();
    assert_eq!(unlisted.len(), 21);
    assert!(unlisted[0].ends_with("Fix the listed ones first."), "{unlisted:?}");
    let number = |sentence: &String| sentence.split(' ').next().unwrap().parse::<usize>().unwrap();
    assert_eq!(unlisted.iter().map(number).sum::<usize>(), 11_000);
    assert!(drawn.ends_with(&format!("{}\n\n", unlisted[20])), "a list that is cut says so at its end");
}

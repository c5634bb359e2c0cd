//! `nameplate check --fix`, and the repairs in the JSON, as an office manager and a program use them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::harness::{nameplate, text};
use crate::publish::copy_of_content;

struct Clinic {
    _folder: tempfile::TempDir,
    content: PathBuf,
}

impl Clinic {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let content = folder.path().join("content");
        copy_of_content(&content);
        Self { _folder: folder, content }
    }

    fn change(&self, path: &str, from: &str, to: &str) {
        let path = self.content.join(path);
        let before = fs::read_to_string(&path).unwrap();
        assert!(before.contains(from), "{from}");
        fs::write(&path, before.replacen(from, to, 1)).unwrap();
    }

    fn check(&self, flags: &[&str]) -> (Option<i32>, String) {
        let content = ["check", "--content", self.content.to_str().unwrap()];
        let output = nameplate(&[&content[..], flags].concat());
        (output.status.code(), text(&output.stdout).to_owned() + text(&output.stderr))
    }

    fn texts(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        fn walk(folder: &Path, texts: &mut BTreeMap<PathBuf, Vec<u8>>) {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.path().is_dir() {
                    walk(&entry.path(), texts);
                } else {
                    texts.insert(entry.path(), fs::read(entry.path()).unwrap());
                }
            }
        }
        let mut texts = BTreeMap::new();
        walk(&self.content, &mut texts);
        texts
    }
}

const GRACE: &str = "providers/grace-kealoha.toml";
const HOURS: &str = "availability/grace-kealoha.toml";

#[test]
fn certain_repairs_are_applied_and_leave_every_other_byte() {
    let clinic = Clinic::new();
    let right = clinic.texts();
    clinic.change(GRACE, "\"Grace Kealoha\"", "“Grace Kealoha”");
    clinic.change(GRACE, "licensed = [\"CA\", \"HI\"]", "licensed = (\"CA\", \"HI\")");
    clinic.change(HOURS, "[[weekly]]", "[weekly]");
    clinic.change(HOURS, "timezone = \"Pacific/Honolulu\"", "timezone: Pacific/Honolulu");
    let broken = clinic.texts();

    let (code, printed) = clinic.check(&["--fix", "--diff"]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("4 repairs can be applied. Nothing was written: "), "{printed}");
    // Each change with its place, as `diff` shows it.
    let hours = clinic.content.join(HOURS);
    let changed =
        format!("{}:1\n- timezone: Pacific/Honolulu\n+ timezone = \"Pacific/Honolulu\"\n", hours.display());
    assert!(printed.contains(&changed) && printed.contains("\n- [weekly]\n+ [[weekly]]\n"), "{printed}");
    assert_eq!(clinic.texts(), broken);

    let (code, printed) = clinic.check(&["--fix", "--quiet"]);
    assert_eq!((code, printed.lines().count()), (Some(0), 4), "each change: {printed}");
    assert_eq!(clinic.texts(), right);

    let (code, printed) = clinic.check(&["--fix"]);
    assert_eq!(
        (code, printed.as_str()),
        (Some(0), "Nothing needed a repair: there are no errors and no warnings.\n")
    );
    assert_eq!(clinic.check(&["--fix", "--diff"]).0, Some(0));
    assert_eq!(clinic.texts(), right);
}

#[test]
fn a_likely_repair_waits_for_its_flag_and_a_contradiction_for_a_person() {
    let clinic = Clinic::new();
    let right = clinic.texts();
    clinic.change(GRACE, "\"female\"", "mael");
    let (_, printed) = clinic.check(&[]);
    assert!(printed.contains("This can be repaired: run `nameplate check --fix-likely"), "{printed}");
    let (code, printed) = clinic.check(&["--fix"]);
    assert!(
        code == Some(1) && printed.contains("Nothing was repaired: no repair below is certain."),
        "{printed}"
    );
    assert!(printed.ends_with("(add --diff to see the changes first)\n"), "{printed}");
    let (code, printed) = clinic.check(&["--fix-likely"]);
    assert!(printed.contains("Applied 1 repair in 1 file."), "{printed}");
    assert!(code == Some(0) && printed.contains(":5: Wrote gender = \"male\""), "{printed}");
    assert!(printed.contains("\nNext openings in each clinician's time zone"), "{printed}");
    assert!(printed.contains("This biography says \"She\", but `gender` is \"male\"."), "{printed}");

    // What brings a warning waits for a person: the clinician may live elsewhere.
    clinic.change(HOURS, "\"Pacific/Honolulu\"", "\"EST\"");
    let (code, printed) = clinic.check(&["--fix-likely"]);
    assert!(code == Some(1) && printed.contains("Nothing was repaired"), "{printed}");
    assert!(printed.contains("help: Write timezone = \"America/New_York\""), "{printed}");

    let clinic = Clinic::new();
    clinic.change("insurances.toml", "\"Goldenrod PPO\"", "\"Goldenrod Select\"");
    clinic.change(GRACE, "accepting = [\"HI\"]", "accepting = [\"HI\", \"NV\"]");
    let broken = clinic.texts();
    for flags in [&["--fix", "--diff"][..], &["--fix-likely", "--diff", "--quiet"]] {
        let (code, printed) = clinic.check(flags);
        assert!(code == Some(1) && printed.contains("0 repairs can be applied"), "{printed}");
        assert!(printed.contains("error: ") && printed.contains("Remove \"NV\" here"), "{printed}");
    }
    let (code, printed) = clinic.check(&["--fix-likely"]);
    assert!(code == Some(1) && printed.contains("Nothing was repaired"), "{printed}");
    assert!(
        printed.contains("Remove \"NV\" here") && printed.contains("add \"NV\" to `licensed`"),
        "{printed}"
    );
    assert!(broken == clinic.texts() && broken != right);
}

#[test]
fn what_check_says_can_be_repaired_is_repaired() {
    // Which of two files with one id seems copied depends on the mistake.
    let clinic = Clinic::new();
    let path = clinic.content.join("providers/may-lee.toml");
    let copied = fs::read_to_string(clinic.content.join(GRACE)).unwrap().replace("Grace", "May");
    fs::write(&path, copied.replace("Kealoha", "Lee").replace("\"female\"", "\"F\"")).unwrap();
    let (_, printed) = clinic.check(&[]);
    assert!(printed.contains("1 of these can be repaired: run `nameplate check --fix-likely"), "{printed}");
    let (_, printed) = clinic.check(&["--fix-likely", "--diff"]);
    assert!(printed.contains("1 repair can be applied"), "{printed}");
    let (code, printed) = clinic.check(&["--fix-likely"]);
    assert!(code == Some(1) && printed.contains("Applied 1 repair in 1 file."), "{printed}");
    assert!(printed.contains("error: Two clinicians have the id"), "{printed}");

    // One repair of a list can heal several problems.
    let clinic = Clinic::new();
    clinic.change("directory.toml", "\"mon-fri 08:00-18:00\"", "\"mon-fri 8 AM-6 PM\", \"sat 9 AM-1 PM\"");
    let (_, printed) = clinic.check(&["--fix-likely", "--diff"]);
    assert!(printed.contains("1 repair for 2 problems can be applied"), "{printed}");
    let (code, printed) = clinic.check(&["--fix-likely"]);
    assert!(code == Some(0) && printed.contains("Applied 1 repair for 2 problems in 1 file."), "{printed}");
}

#[test]
fn a_folder_inside_the_content_folder_is_named_as_such() {
    let clinic = Clinic::new();
    let inner = clinic.content.join("providers");
    let expected = format!("is a folder inside the content folder: name {}", clinic.content.display());
    for command in [&["check"][..], &["check", "--fix"], &["build"], &["dev", "--listen", "127.0.0.1:0"]] {
        let output = nameplate(&[command, &["--content", inner.to_str().unwrap()]].concat());
        let printed = text(&output.stderr);
        assert!(output.status.code() == Some(2) && printed.contains(&expected), "{printed}");
    }
}

#[test]
fn line_endings_comments_and_a_byte_order_mark_stay() {
    let clinic = Clinic::new();
    let path = clinic.content.join(HOURS);
    let lines = fs::read_to_string(&path).unwrap();
    let right = format!("\u{feff}# Grace's hours\n{lines}").replace('\n', "\r\n");
    fs::write(&path, right.replace("timezone = ", "timezone == ")).unwrap();
    let (code, printed) = clinic.check(&["--fix"]);
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(fs::read_to_string(&path).unwrap(), right);

    // Whether a biography over two lines is one paragraph or two is for a person.
    for end in ["\n", "\r\n"] {
        let path = clinic.content.join(GRACE);
        let text = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let begin = text.find("bio = ").unwrap();
        let rest = &text[begin..];
        let after = &rest[rest.find('\n').unwrap() + 1..];
        let broken = format!("{}bio = \"Grace listens.\nShe likes to.\"\n{after}", &text[..begin]);
        let broken = broken.replace('\n', end);
        fs::write(&path, &broken).unwrap();
        let (code, printed) = clinic.check(&["--fix-likely"]);
        let offers = ["Join this line and the next", "Write bio = \"\"\"Grace listens."];
        assert!(code == Some(1) && offers.iter().all(|offer| printed.contains(offer)), "{printed}");
        assert_eq!(fs::read_to_string(&path).unwrap(), broken);
        fs::write(&path, text).unwrap();
    }
}

#[test]
fn a_clinicians_file_gets_its_right_ending() {
    let clinic = Clinic::new();
    let right = clinic.texts();
    for wrong in ["providers/grace-kealoha.txt", "providers/grace-kealoha.toml.txt"] {
        fs::rename(clinic.content.join(GRACE), clinic.content.join(wrong)).unwrap();
        let (code, printed) = clinic.check(&["--fix"]);
        assert_eq!(code, Some(0), "{printed}");
        assert!(printed.contains(&format!("Renamed {wrong} to {GRACE}")), "{printed}");
        assert_eq!(clinic.texts(), right);
    }
}

#[test]
fn a_program_applies_the_edits_of_the_json() {
    let clinic = Clinic::new();
    let right = clinic.texts();
    clinic.change("insurances.toml", "\"Goldenrod PPO\"", "\"Goldenrod Select\"");
    let (_, printed) = clinic.check(&["--format", "json"]);
    let report: Value = serde_json::from_str(&printed).unwrap();
    let [problem] = report["problems"].as_array().unwrap().as_slice() else { panic!("{report:#}") };
    let followers = problem["followers"].as_u64().unwrap();
    assert_eq!(report["errors"].as_u64().unwrap(), followers + 1);
    assert_eq!(problem["places"].as_array().unwrap().len(), 10);
    let repairs = problem["repairs"].as_array().unwrap();
    let names: Vec<_> = repairs.iter().map(|repair| repair["repair"].as_str().unwrap()).collect();
    assert_eq!(names, ["undo-rename", "rename-everywhere"], "{report:#}");
    assert!(repairs.iter().all(|repair| repair["heals"].as_u64() == Some(followers + 1)));
    for edit in repairs[0]["edits"].as_array().unwrap() {
        let path = clinic.content.join(edit["path"].as_str().unwrap());
        let mut text = fs::read_to_string(&path).unwrap();
        let [start, end] = ["start", "end"].map(|key| usize::try_from(edit[key].as_u64().unwrap()).unwrap());
        text.replace_range(start..end, edit["text"].as_str().unwrap());
        fs::write(path, text).unwrap();
    }
    assert_eq!(clinic.texts(), right);
}

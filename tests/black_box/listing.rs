//! What the stores of assistants ask for, as `nameplate export --listing` writes it.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{NOW, content, nameplate, text};

fn export(folder: &Path, content: &Path) -> std::process::Output {
    let (folder, content) = (folder.to_str().unwrap(), content.to_str().unwrap());
    nameplate(&["export", "--listing", folder, "--content", content, "--now", NOW])
}

#[test]
fn the_demos_forms_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("listing");
    let done = export(&out, &content());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let read = |name: &str| fs::read(out.join(name)).unwrap();
    assert_eq!(read("logo.png"), fs::read(content().join("logo.png")).unwrap());
    assert!(text(&read("README.md")).contains("screenshots"));
    let listed: Value = serde_json::from_slice(&read("tools.json")).unwrap();
    let tools = listed["tools"].as_array().unwrap();
    assert!(read("tools.json").len() <= 20_480);

    let form: Value = serde_json::from_slice(&read("chatgpt-app-submission.json")).unwrap();
    let info = &form["app_info"];
    assert_eq!((&info["display_name"], &info["category"]), (&"Larkspur Health".into(), &"LIFESTYLE".into()));
    assert_eq!(form["schema_version"], 1);
    for tool in tools {
        let row = &form["tools"][tool["name"].as_str().unwrap()];
        for hint in ["readOnlyHint", "openWorldHint", "destructiveHint"] {
            assert_eq!(row["annotations"][hint], tool["annotations"][hint], "{tool}");
        }
    }
    let why = &form["tools"]["check_availability"]["justifications"]["read_only_justification"];
    assert_eq!(why, "Looks up published openings and changes nothing.");
    let cases = form["test_cases"].as_array().unwrap();
    assert_eq!((cases.len(), form["negative_test_cases"].as_array().unwrap().len()), (5, 3));
    assert_eq!(cases[0]["user_prompt"], "When can a new patient be seen in Arizona?");
    assert_eq!(cases[0]["tools_triggered"], "check_availability");

    let claude = read("claude-directory.md");
    for part in [
        "Authentication: none",
        "| `get_provider` |",
        "- https://larkspur.example\n",
        "larkspur.example/privacy",
    ] {
        assert!(text(&claude).contains(part), "{part}");
    }
}

/// Copies the demo's content.
fn copied(copy: &Path) {
    for entry in walkdir::WalkDir::new(content()).into_iter().map(Result::unwrap) {
        let to = copy.join(entry.path().strip_prefix(content()).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&to).unwrap();
        } else {
            fs::copy(entry.path(), &to).unwrap();
        }
    }
}

/// The openings of many clinics are only in a feed.
#[test]
fn a_clinic_without_hours_in_its_content_can_be_listed() {
    let folder = tempfile::tempdir().unwrap();
    let (out, copy) = (folder.path().join("listing"), folder.path().join("content"));
    copied(&copy);
    fs::remove_dir_all(copy.join("availability")).unwrap();
    let done = export(&out, &copy);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let form: Value =
        serde_json::from_slice(&fs::read(out.join("chatgpt-app-submission.json")).unwrap()).unwrap();
    assert_eq!(form["test_cases"][0]["tools_triggered"], "check_availability");
}

#[test]
fn texts_of_the_example_are_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let (out, copy) = (folder.path().join("listing"), folder.path().join("content"));
    copied(&copy);
    let file = copy.join("directory.toml");
    let edited: Vec<_> = fs::read_to_string(&file)
        .unwrap()
        .lines()
        .map(|line| match line.split_once('=') {
            Some((key, _)) if key.trim() == "description" => {
                "description = \"One sentence about what you do\"".to_owned()
            }
            _ => line.to_owned(),
        })
        .collect();
    fs::write(&file, edited.join("\n")).unwrap();
    let done = export(&out, &copy);
    let said = text(&done.stderr);
    assert!(
        done.status.code() == Some(1) && said.contains("replace the placeholder in `description`"),
        "{said}"
    );
    assert!(!out.exists());
}

#[test]
fn without_notices_nothing_is_written_and_each_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (out, copy) = (folder.path().join("listing"), folder.path().join("content"));
    copied(&copy);
    let file = copy.join("directory.toml");
    let kept = fs::read_to_string(&file).unwrap();
    let kept: Vec<_> =
        kept.lines().filter(|line| !line.starts_with("privacy ") && !line.starts_with("support ")).collect();
    fs::write(&file, kept.join("\n")).unwrap();
    let done = export(&out, &copy);
    assert_eq!(done.status.code(), Some(1));
    let said = text(&done.stderr);
    assert!(said.contains("`privacy`") && said.contains("`support`") && !said.contains("`terms`"), "{said}");
    assert!(!out.exists());
}

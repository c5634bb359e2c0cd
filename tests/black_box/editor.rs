//! The editors' form as a command, and mistakes in its words.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::harness::{nameplate, root, text};
use crate::publish::copy_of_content;

#[derive(Deserialize)]
struct Cases {
    mistake: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    what: String,
    file: String,
    from: String,
    to: String,
    label: String,
    says: String,
}

fn checked(folder: &Path) -> Value {
    let done = nameplate(&["check", "--content", folder.to_str().unwrap(), "--format", "json"]);
    serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{}", text(&done.stderr)))
}

#[test]
fn thirty_mistakes_are_reported_in_the_words_of_the_form() {
    let cases = fs::read_to_string(root().join("tests/cases/editor-mistakes.toml")).unwrap();
    let Cases { mistake } = toml::from_str(&cases).unwrap();
    assert!(mistake.len() >= 30, "{}", mistake.len());
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for (at, case) in mistake.iter().enumerate() {
        let content = folder.path().join(at.to_string());
        assert_eq!(nameplate(&["init", content.to_str().unwrap()]).status.code(), Some(0));
        let path = content.join(&case.file);
        let before = fs::read_to_string(&path).unwrap();
        assert!(before.contains(&case.from), "{}: {}", case.what, case.from);
        fs::write(path, before.replacen(&case.from, &case.to, 1)).unwrap();
        let report = checked(&content);
        let problems = report["problems"].as_array().unwrap();
        let told: Vec<_> = problems
            .iter()
            .map(|problem| {
                format!(
                    "{}: {}",
                    problem["label"].as_str().unwrap_or("-"),
                    problem["inWords"].as_str().unwrap()
                )
            })
            .collect();
        let expected = format!("{}: {}", case.label, case.says);
        if !told.contains(&expected) {
            wrong.push(format!("{}\n  wanted {expected}\n  told {}", case.what, told.join("\n       ")));
        }
        // No line of it speaks of the file.
        assert!(
            !case.says.contains("line") && !case.says.contains(".toml") && !case.says.contains('`'),
            "{}",
            case.says
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_mistake_has_its_key_and_a_link_to_the_form() {
    let folder = tempfile::tempdir().unwrap();
    copy_of_content(folder.path());
    let hours = folder.path().join("availability/annelise-bjork.toml");
    let before = fs::read_to_string(&hours).unwrap();
    fs::write(&hours, before.replace("to   = 2028-06-25", "to   = 2027-06-25")).unwrap();
    fs::write(folder.path().join("editor.toml"), "address = \"https://edit.larkspur.example/\"\n").unwrap();
    let report = checked(folder.path());
    let problem = &report["problems"][0];
    assert_eq!(problem["key"], serde_json::json!(["exception", 1, "to"]), "{report}");
    assert_eq!(problem["label"], "Hours › Exceptions › 2 › To");
    assert_eq!(
        problem["form"],
        "https://edit.larkspur.example/#/collections/availability/entries/annelise-bjork"
    );

    // The same as a page.
    let out = tempfile::tempdir().unwrap();
    let page = out.path().join("page");
    let arguments = [
        "check",
        "--content",
        folder.path().to_str().unwrap(),
        "--format",
        "html",
        "--out",
        page.to_str().unwrap(),
    ];
    let done = nameplate(&arguments);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    let html = fs::read_to_string(page.join("index.html")).unwrap();
    assert!(html.contains("Exceptions › 2 › To") && html.contains("entries"), "{html}");
    assert_eq!(fs::read_to_string(page.join("_redirects")).unwrap(), "/*  /index.html  200\n");
    assert!(page.join("assets/style.css").exists());
    // Nothing is overwritten, and without a folder nothing is written.
    let again = nameplate(&arguments);
    assert!(
        again.status.code() == Some(2) && text(&again.stderr).contains("isn't empty"),
        "{}",
        text(&again.stderr)
    );
    let nowhere = nameplate(&["check", "--format", "html"]);
    assert!(
        nowhere.status.code() == Some(2) && text(&nowhere.stderr).contains("--out"),
        "{}",
        text(&nowhere.stderr)
    );

    // A mistake in editor.toml takes the links away and nothing else.
    fs::write(folder.path().join("editor.toml"), "adress = \"https://edit.larkspur.example\"\n").unwrap();
    let report = checked(folder.path());
    assert!(report["problems"][0]["form"].is_null() && report["errors"] == 1, "{report}");
}

/// The form's own file is private: it is neither content nor published.
#[test]
fn the_forms_file_changes_nothing_that_is_published() {
    let folder = tempfile::tempdir().unwrap();
    copy_of_content(folder.path());
    let line = || {
        let done = nameplate(&["check", "--content", folder.path().to_str().unwrap()]);
        text(&done.stdout).lines().last().unwrap().to_owned()
    };
    let before = line();
    fs::write(folder.path().join("editor.toml"), "address = \"https://edit.larkspur.example\"\n").unwrap();
    assert_eq!(line(), before);
}

#[test]
fn a_form_without_its_modules_or_over_other_files_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let editor = |out: &str, modules: &str| {
        let done = nameplate(&["editor", "--out", out, "--modules", modules]);
        (done.status.code(), text(&done.stderr).to_owned())
    };
    let (code, said) = editor(&at("form"), &at("node_modules"));
    assert!(code == Some(2) && said.contains("npm ci --ignore-scripts"), "{said}");
    let cms = folder.path().join("node_modules/@sveltia/cms");
    fs::create_dir_all(&cms).unwrap();
    fs::write(cms.join("package.json"), "{\"version\": \"0.221.2\"}").unwrap();
    let (code, said) = editor(&at("form"), &at("node_modules"));
    assert!(code == Some(2) && said.contains("0.221.2") && said.contains("made for 0.221.1"), "{said}");
    assert!(!folder.path().join("form").exists(), "nothing is written in part");
}

/// The versions are in the lock file that people install from.
#[test]
fn the_lock_file_names_no_host_of_packages() {
    let lock = fs::read_to_string(root().join("deploy/editor/package-lock.json")).unwrap();
    assert!(!lock.contains("\"resolved\""));
    for version in ["0.221.1", "3.3.0"] {
        assert!(lock.contains(&format!("\"version\": \"{version}\"")), "{version}");
    }
}

//! What `check` and `build` say of problems, in every form.

use std::fs;

use crate::harness::{nameplate, text};
use crate::publish::copy_of_content;

#[test]
fn every_format_of_check_has_the_same_problems() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let file = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.replace("\"nonBinary\"", "\"100%\"")).unwrap();
    let content = content.to_str().unwrap();
    let line = before.lines().position(|line| line.contains("nonBinary")).unwrap() + 1;
    let json = nameplate(&["check", "--format", "json", "--content", content]);
    assert_eq!(json.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!((&report["errors"], &report["warnings"]), (&1.into(), &0.into()));
    let problem = &report["problems"][0];
    assert_eq!(problem["what"], "\"100%\" isn't a valid gender.");
    assert_eq!((&problem["line"], &problem["column"]), (&line.into(), &10.into()));
    let github = nameplate(&["check", "--format", "github", "--content", content]);
    let path = format!("{content}/providers/jun-nakashima.toml");
    let expected = format!("::error file={path},line={line},col=10::\"100%25\" isn't a valid gender.%0A");
    assert!(text(&github.stdout).starts_with(&expected), "{}", text(&github.stdout));
    assert_eq!(report["unlisted"], serde_json::json!([]));

    // A list that is cut says so in every format.
    fs::write(&file, "= =\n".repeat(5000)).unwrap();
    let more = format!("4980 more problems in {path} are not listed. Fix the listed ones first.");
    let json = nameplate(&["check", "--format", "json", "--content", content]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["unlisted"], serde_json::json!([more]), "{report:#}");
    assert!(report["errors"].as_u64().unwrap() >= 5000);
    assert!(report["problems"].as_array().unwrap().len() < 100);
    let github = nameplate(&["check", "--format", "github", "--content", content]);
    let line = format!("::error title=nameplate check::{more}\n");
    assert!(text(&github.stdout).contains(&line), "{}", text(&github.stdout));
    let plain = nameplate(&["check", "--content", content]);
    assert!(text(&plain.stdout).contains(&format!("{more}\n\n")), "{}", text(&plain.stdout));
}

#[test]
fn a_build_names_the_warnings_that_check_shows() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let (content, out) = (content.to_str().unwrap(), out.to_str().unwrap());
    let build = || text(&nameplate(&["build", "--content", content, "--out", out]).stdout).to_owned();
    let printed = build();
    assert!(printed.contains(" written") && !printed.contains("warning"), "{printed}");
    fs::write(format!("{content}/holidays/nowhere.toml"), "dates = [2026-12-25]\n").unwrap();
    let printed = build();
    assert!(printed.contains(&format!("1 warning: run `nameplate check --content {content}`")), "{printed}");
}

#[test]
fn annotations_end_after_a_hundred_and_json_lists_all() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    // Of one file, a hundred errors are listed.
    for file in ["holidays/nowhere.toml", "holidays/elsewhere.toml"] {
        fs::write(content.join(file), format!("dates = [{}]\n", "\"never\", ".repeat(60))).unwrap();
    }
    let content = content.to_str().unwrap();
    let check = |format| nameplate(&["check", "--format", format, "--content", content]);
    let github = check("github");
    let lines: Vec<_> = text(&github.stdout).lines().collect();
    assert_eq!(lines.len(), 101);
    let last = "::error title=nameplate check::120 errors, 0 warnings; 20 of them have no annotation: ";
    assert!(lines[100].starts_with(last), "{}", lines[100]);
    let report: serde_json::Value = serde_json::from_slice(&check("json").stdout).unwrap();
    assert_eq!(report["problems"].as_array().map(Vec::len), Some(120));
}

//! What the scripts in the workflows do, with programs and APIs in place of the real ones.

use std::fs;
use std::process::Command;

use crate::edges::is_installed;
use crate::harness::{root, text};
use crate::workflows::{jobs, workflows};

/// What a pull request leaves for the comment is not trusted: it may have been written by hand.
#[test]
fn a_comment_shows_what_a_pull_request_left_as_text() {
    if !is_installed("node") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let workflow = fs::read_to_string(root().join("docs/deploy/comment.yml")).unwrap();
    let (_, script) = workflow.split_once("script: |\n").unwrap();
    fs::write(folder.path().join("script.js"), script).unwrap();
    fs::create_dir(folder.path().join("note")).unwrap();
    fs::write(folder.path().join("note/number"), "7\n").unwrap();
    let left = "- @everyone [here](https://evil.example)\n````\n## Free\u{202e}\u{1b}[31m\n```\n<img src=x>";
    let long = format!("{}{}", "`".repeat(19_990), "x".repeat(90_000));
    for (left, fence) in [(left, 5), ("240 files", 3), (&long, 19_991)] {
        fs::write(folder.path().join("note/summary.txt"), left).unwrap();
        let mut command = Command::new("node");
        command.arg(root().join("tests/black_box/comment.mjs")).current_dir(folder.path());
        let done = command.output().unwrap();
        let body = text(&done.stdout);
        let fence = "`".repeat(fence);
        let (head, rest) = body.split_once(&format!("\n{fence}text\n")).unwrap_or_else(|| {
            panic!("{body}{}", text(&done.stderr));
        });
        assert_eq!(head, "<!-- nameplate -->\n### What this changes\n");
        let inside = rest.strip_suffix(&format!("\n{fence}\n")).expect("the fence is closed at the end");
        assert!(!inside.contains(&fence) && !inside.contains(['\u{202e}', '\u{1b}']), "{inside}");
        assert!(body.chars().count() < 65_536, "{}", body.chars().count());
        assert!(left.starts_with(inside.lines().next().unwrap()), "{inside}");
    }
    let mut command = Command::new("node");
    command.arg(root().join("tests/black_box/comment.mjs")).arg("failure").current_dir(folder.path());
    let body = command.output().unwrap().stdout;
    assert!(text(&body).starts_with("<!-- nameplate -->\n### What must be put right\n"), "{}", text(&body));
    fs::write(folder.path().join("note/number"), "8\n").unwrap();
    let mut command = Command::new("node");
    command.arg(root().join("tests/black_box/comment.mjs")).current_dir(folder.path());
    assert_eq!(text(&command.output().unwrap().stdout), "", "pull request 8 has another commit");
}

/// The script of audit.yml, with an API that notes what it is asked: an old request is closed and replaced, an open one stays,
/// ten are open at most, and names that aren't slugs touch nothing.
#[test]
fn the_weekly_audit_asks_ten_clinicians_and_keeps_one_issue() {
    if !is_installed("node") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let workflow = fs::read_to_string(root().join("docs/deploy/audit.yml")).unwrap();
    let (_, script) = workflow.split_once("script: |\n").unwrap();
    fs::write(folder.path().join("script.js"), script).unwrap();
    for name in ["out/asked", "out/confirmed", "out/lapsed"] {
        fs::create_dir_all(folder.path().join(name)).unwrap();
    }
    let slugs: Vec<String> = (0..14).map(|number| format!("clinician-{number}")).collect();
    let requests = slugs.iter().map(String::as_str).chain(["../evil"]);
    let requests: Vec<_> =
        requests.map(|slug| format!("{{\"slug\":\"{slug}\",\"title\":\"Is it right?\"}}")).collect();
    fs::write(folder.path().join("out/asked/requests.json"), format!("[{}]", requests.join(","))).unwrap();
    for slug in &slugs {
        fs::write(folder.path().join(format!("out/asked/{slug}.md")), "Please").unwrap();
        fs::write(folder.path().join(format!("out/confirmed/{slug}.toml")), "id = 1").unwrap();
    }
    fs::write(folder.path().join("out/lapsed/late.toml"), "status = 1").unwrap();
    fs::write(folder.path().join("out/audit.txt"), "certain: @everyone\n\n```\r# one\n").unwrap();
    fs::write(folder.path().join("out/history.ndjson"), "{}\n").unwrap();
    let mut command = Command::new("node");
    command.arg(root().join("tests/black_box/audit.mjs")).current_dir(folder.path());
    let done = command.output().unwrap();
    let printed = text(&done.stdout);
    assert!(done.status.success(), "{printed}{}", text(&done.stderr));
    let made: Vec<&str> = printed.lines().filter_map(|line| line.strip_prefix("pull confirm/")).collect();
    // There is room for nine. 0 is asked already; 1 and 3 were asked before, so that others come first; a fork's branch with the
    // name of a request asks no one.
    let expected: Vec<_> = [2, 4, 5, 6, 7, 8, 9, 10, 11].map(|number| format!("clinician-{number}")).into();
    assert_eq!(made, expected, "{printed}");
    assert!(printed.contains("closed 2\n") && !printed.contains("closed 4\n"), "{printed}");
    assert!(
        printed.contains("pull lapsed\n") && printed.contains("issue Audit of the directory\n"),
        "{printed}"
    );
    let issue = printed.split_once("issue Audit of the directory\n").unwrap().1;
    let mut lines = issue.split(['\n', '\r']).take_while(|line| !line.starts_with("file "));
    assert!(
        issue.contains("    certain: @everyone\n") && lines.all(|line| line.starts_with("    ")),
        "{issue}"
    );
    assert!(printed.contains("file audit/history.ndjson\n") && !printed.contains("evil"), "{printed}");
}

/// The commands of a step, as the runner has them.
fn step(workflow: &str, name: &str) -> String {
    let (_, rest) = workflow.split_once(&format!("- name: {name}\n")).expect("the step is there");
    let (_, rest) = rest.split_once("run: |\n").unwrap();
    let lines = rest.lines().take_while(|line| line.starts_with("          "));
    lines.flat_map(|line| [line.trim_start(), "\n"]).collect()
}

/// An advisory that is found becomes one issue, with an API that notes what it is asked.
#[test]
fn an_advisory_becomes_one_issue() {
    let workflow = fs::read_to_string(root().join(".github/workflows/advisories.yml")).unwrap();
    let commands = step(&workflow, "Open an issue, unless one is open");
    for (open, asked) in [("0", 1), ("1", 0)] {
        let folder = tempfile::tempdir().unwrap();
        let gh = "#!/bin/sh\ncase \"$2\" in list) echo \"$OPEN\";; *) echo \"$@\" >> asked;; esac\n";
        fs::write(folder.path().join("gh"), gh).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(folder.path().join("gh")).status().unwrap().success());
        let mut shell = Command::new("bash");
        shell.args(["-e", "-o", "pipefail", "-c", &commands]).current_dir(folder.path());
        shell.env("PATH", format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap()));
        shell.env("OPEN", open).env("GITHUB_REPOSITORY", "larkspur/nameplate").env("RUN", "https://run");
        assert!(shell.status().unwrap().success());
        let told = fs::read_to_string(folder.path().join("asked")).unwrap_or_default();
        assert_eq!(told.matches("issue create --repo larkspur/nameplate").count(), asked, "{told}");
        assert_eq!(told.matches("https://run").count(), asked, "{told}");
    }
    // The job that can write has no checkout, and the tool has a version.
    let jobs = jobs(&workflow);
    assert!(jobs.iter().all(|job| job.contains("checkout") != job.contains("issues: write")));
    assert!(workflow.contains("schedule:") && workflow.contains("cargo-deny --version "));
}

/// A release is used only if it is the one that the repository's variables name.
#[test]
fn a_release_is_installed_by_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("release/nameplate-v1")).unwrap();
    fs::write(at("release/nameplate-v1/nameplate"), "the program").unwrap();
    let mut tar = Command::new("tar");
    tar.args(["-czf", "packed.tar.gz", "-C", "release", "nameplate-v1"]).current_dir(folder.path());
    assert!(tar.status().unwrap().success());
    // A curl that gives the file.
    fs::create_dir(at("tools")).unwrap();
    let curl = "#!/bin/sh\nwhile [ \"$1\" != --output ]; do shift; done\ncp \"$PACKED\" \"$2\"\n";
    fs::write(at("tools/curl"), curl).unwrap();
    let made = Command::new("chmod").arg("+x").arg(at("tools/curl")).status().unwrap();
    assert!(made.success());
    let sum = Command::new("sha256sum").arg(at("packed.tar.gz")).output().unwrap();
    let right = text(&sum.stdout).split(' ').next().unwrap().to_owned();
    let line = format!("{right}  ./nameplate-v1-x86_64-unknown-linux-gnu.tar.gz");
    let mut seen = 0;
    for (path, workflow) in workflows() {
        if !workflow.contains("NAMEPLATE_SHA256") {
            continue;
        }
        seen += 1;
        let commands = step(&workflow, "Install nameplate");
        for (sha, is_right) in [(right.as_str(), true), (&line, true), (&"0".repeat(64), false), ("", false)]
        {
            let temp = tempfile::tempdir().unwrap();
            let mut shell = Command::new("bash");
            shell.args(["-e", "-o", "pipefail", "-c", &commands]);
            let tools = format!("{}:{}", at("tools").display(), std::env::var("PATH").unwrap());
            shell.env("PATH", tools).env("PACKED", at("packed.tar.gz")).env("RUNNER_TEMP", temp.path());
            shell.env("GITHUB_PATH", temp.path().join("path")).env("SHA256", sha).env("RELEASE", "https://x");
            let done = shell.output().unwrap();
            assert_eq!(done.status.success(), is_right, "{path} {sha}: {}", text(&done.stderr));
            assert_eq!(temp.path().join("bin/nameplate").exists(), is_right, "{path} {sha}");
        }
        assert!(!workflow.contains("cargo"), "{path} compiles");
    }
    assert_eq!(seen, 5);
}

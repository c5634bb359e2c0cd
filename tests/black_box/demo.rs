//! `nameplate demo`, and the lines that `dev` prints.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};

use crate::harness::{Server, command, nameplate, text};
use crate::publish::copy_of_content;

/// A command that runs until it is dropped, and the lines that it prints.
struct Running(Child, std::io::Lines<BufReader<std::process::ChildStderr>>);

impl Running {
    fn start(arguments: &[&str]) -> Self {
        Self::of(command(arguments))
    }

    fn of(mut command: Command) -> Self {
        let mut process = command.stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        Self(process, lines)
    }

    /// The next line with a text.
    fn says(&mut self, needle: &str) -> String {
        let mut said = self.1.by_ref().map(Result::unwrap);
        said.find(|line| line.contains(needle)).unwrap_or_else(|| panic!("it never says {needle}"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
fn dev_takes_another_port_only_if_none_was_given() {
    // If this can't be had, another program has it, which is as good.
    let _held = TcpListener::bind("127.0.0.1:8080");
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("out"));
    copy_of_content(&content);
    let (content, out) = (content.to_str().unwrap(), out.to_str().unwrap());
    let mut dev = Running::start(&["dev", "--content", content, "--out", out]);
    dev.says("Port 8080 is in use.");
    let line = dev.says("Your site is at http://127.0.0.1:");
    assert!(!line.contains(":8080/"), "{line}");
    let refused = |mut command: Command| {
        let output = command.output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(75), "{said}");
        assert!(said.contains("; try --listen "), "{said}");
    };
    refused(command(&["dev", "--content", content, "--out", out, "--listen", "8080"]));
    let mut with_variable = command(&["dev", "--content", content, "--out", out]);
    with_variable.env("NAMEPLATE_LISTEN", "127.0.0.1:8080");
    refused(with_variable);
}

#[test]
fn two_demos_run_side_by_side_and_leave_nothing_when_they_are_stopped() {
    let unpacked = tempfile::tempdir().unwrap();
    let mut demos = [(); 2].map(|()| {
        let mut demo = command(&["demo"]);
        demo.env("TMPDIR", unpacked.path());
        Running::of(demo)
    });
    let addresses = demos.each_mut().map(|demo| {
        let line = demo.says("The demo clinic is at http://");
        let (_, rest) = line.split_once("http://").unwrap();
        let address = rest.split_once('/').unwrap().0.to_owned();
        let server = Server::elsewhere(address.parse().unwrap());
        assert!(text(&server.get("/").body).contains("Larkspur Health"));
        for _ in 0..3 {
            let line = demo.says("curl");
            let url = line.trim().strip_prefix("curl '").unwrap().strip_suffix('\'').unwrap();
            let path = url.strip_prefix(&format!("http://{address}")).unwrap();
            assert_eq!(server.get(path).status, 200, "{path}");
        }
        address
    });
    assert_ne!(addresses[0], addresses[1]);
    assert_eq!(fs::read_dir(unpacked.path()).unwrap().count(), 2);
    for mut demo in demos {
        assert!(Command::new("kill").arg(demo.0.id().to_string()).status().unwrap().success());
        assert_eq!(demo.0.wait().unwrap().code(), Some(0));
    }
    assert_eq!(fs::read_dir(unpacked.path()).unwrap().count(), 0, "a demo that is stopped leaves nothing");
}

#[test]
fn the_written_demo_has_no_problem_and_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine");
    let mine = mine.to_str().unwrap();
    assert!(nameplate(&["demo", "--to", mine]).status.success());
    let checked = nameplate(&["check", "--format", "json", "--content", mine]);
    let report: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert_eq!((&report["errors"], &report["warnings"]), (&0.into(), &0.into()), "{report}");
    let names = |root: &str| -> Vec<_> {
        let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        files
            .map(|file| (file.path().strip_prefix(root).unwrap().to_owned(), fs::read(file.path()).unwrap()))
            .collect()
    };
    assert_eq!(names(mine), names(concat!(env!("CARGO_MANIFEST_DIR"), "/content")));
    let again = nameplate(&["demo", "--to", mine]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("isn't empty"), "{again:?}");
}

#[test]
fn a_demo_without_a_folder_for_its_files_says_which_variable_to_set() {
    let refused = command(&["demo"]).env("TMPDIR", "/dev/null").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("set TMPDIR to a folder that can be written"), "{refused:?}");
}

/// A container's port can be published only if the program doesn't listen only on loopback.
#[test]
fn a_demo_listens_at_the_given_address() {
    // The settings of another service say nothing to it.
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("nameplate.toml"), "[feed]\ncalendars = 'calendars'\n").unwrap();
    let mut demo = command(&["demo", "--listen", "0.0.0.0:0"]);
    demo.current_dir(&folder);
    let mut demo = Running::of(demo);
    let line = demo.1.next().unwrap().unwrap();
    assert!(line.starts_with("The demo clinic is at http://127.0.0.1:"), "{line}");
    demo.says("other computers on this network can open it, too");
    let address = line.split_once("http://").unwrap().1.split_once('/').unwrap().0;
    let server = Server::elsewhere(address.parse().unwrap());
    assert!(text(&server.get("/").body).contains("Larkspur Health"));
    let taken = nameplate(&["demo", "--listen", address]);
    assert_eq!(taken.status.code(), Some(75));
    assert!(text(&taken.stderr).contains("; try --listen "), "{taken:?}");
}

#[test]
fn dev_prints_its_address_first_then_a_line_for_each_edit() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let arguments = ["dev", "--listen", "127.0.0.1:0", "--content", content.to_str().unwrap(), "--out"];
    let mut dev = Running::start(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert!(dev.1.next().unwrap().unwrap().starts_with("Your site is at http://127.0.0.1:"));
    let file = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.replace("\"Jun Nakashima\"", "\"Jun T. Nakashima\"")).unwrap();
    let line = dev.says("jun-nakashima.toml");
    assert!(line.contains(" pages and ") && line.ends_with(" API responses changed"), "{line}");
}

#[test]
fn dev_waits_for_a_correction_of_content_that_is_broken_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let file = content.join("directory.toml");
    let good = fs::read_to_string(&file).unwrap();
    fs::write(&file, "name = Larkspur\n").unwrap();
    let arguments = ["dev", "--listen", "127.0.0.1:0", "--content", content.to_str().unwrap(), "--out"];
    let mut dev = Running::start(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    dev.says("directory.toml:1:8");
    let line = dev.says("once this is fixed");
    let listen = line.split_once("dev starts at http://").unwrap().1.split_once('/').unwrap().0;
    // A browser that is open already shows why nothing else is there, and asks again.
    let waiting = Server::elsewhere(listen.parse().unwrap()).get("/providers/jun-nakashima");
    assert_eq!((waiting.status, waiting.field("refresh")), (503, Some("2")));
    assert!(text(&waiting.body).contains("<h1>The content has mistakes</h1>"));
    fs::write(&file, &good).unwrap();
    let line = dev.says("http://127.0.0.1:");
    let address = line.split_once("http://").unwrap().1.split_once('/').unwrap().0;
    assert_eq!(Server::elsewhere(address.parse().unwrap()).get("/v1/states").status, 200);
    // Later mistakes have no time or module either.
    fs::write(&file, "name = Larkspur\n").unwrap();
    assert!(dev.says("new content isn't served").starts_with("error: "));
    fs::write(&file, good).unwrap();
    assert!(dev.says("directory.toml: ").ends_with("; the content is served again"));
}

#[test]
fn dev_counts_the_example_texts_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    let (content, out) = (content.to_str().unwrap(), out.to_str().unwrap());
    assert!(nameplate(&["init", content]).status.success());
    let checked = nameplate(&["check", "--format", "json", "--content", content]);
    let examples = text(&checked.stdout).matches("\"what\":\"This is still a placeholder.").count();
    let mut dev = Running::start(&["dev", "--listen", "127.0.0.1:0", "--content", content, "--out", out]);
    let line = dev.says("to replace before");
    assert!(line.starts_with(&format!("{examples} placeholders to replace")), "{line}");
    // Where to read what to do.
    assert!(dev.says("nameplate check").contains(content));
    // A mistake is shown alone, and then only the warning that is new.
    let plans = folder.path().join("content/insurances.toml");
    let good = fs::read_to_string(&plans).unwrap();
    fs::write(&plans, "[[plan]]\n").unwrap();
    dev.says("new content isn't served");
    fs::write(&plans, good + "\n[[plan]]\nname = \"Oscar\"\n").unwrap();
    let said = dev.1.by_ref().map(Result::unwrap).take_while(|line| !line.starts_with("insurances.toml: "));
    let said: Vec<String> = said.collect();
    assert!(said.iter().any(|line| line.contains("insurances.toml:1:1")), "{said:#?}");
    let warnings: Vec<_> = said.iter().filter(|line| line.contains("warning")).collect();
    assert!(matches!(warnings[..], [one] if one.ends_with("No clinician accepts \"Oscar\".")), "{said:#?}");
}

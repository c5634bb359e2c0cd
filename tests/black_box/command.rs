//! The command's exit codes, streams and refusals.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Server, TIMEOUT, command, nameplate, root, text, within};
use crate::publish::copy_of_content;

#[test]
fn check_passes_the_demo_and_prints_a_summary() {
    let checked = nameplate(&["check"]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("content is fine: 24 clinicians"), "{}", text(&checked.stdout));
    // Without a line `headshot` in its file.
    assert!(
        text(&checked.stdout).ends_with("\n13 clinicians without a portrait: add pictures to headshots/, and name each in its clinician's file, as in headshot = \"jane-doe.jpg\"\n"),
        "{}",
        text(&checked.stdout)
    );
}

#[test]
fn check_prints_next_starts_under_the_folders_feed() {
    let folder = tempfile::tempdir().unwrap();
    copy_of_content(folder.path());
    let feed = |name: &str| folder.path().join("availability").join(name);
    let line_of = |slug: &str| {
        let checked = nameplate(&["check", "--content", folder.path().to_str().unwrap()]);
        assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
        let out = text(&checked.stdout);
        out.lines().find(|line| line.trim_start().starts_with(slug)).map(str::to_owned)
    };
    assert!(line_of("amara-okonkwo").unwrap().contains(" · "));

    let from_now = |days| (chrono::Utc::now() + chrono::TimeDelta::days(days)).format("%Y-%m-%dT%H:%M:00Z");
    let line = |status: &str, start: i64, end: i64| {
        let (start, end) = (from_now(start), from_now(end));
        format!(
            "{{\"provider\": \"amara-okonkwo\", \"start\": \"{start}\", \"end\": \"{end}\", \"status\": \"{status}\"}}\n"
        )
    };
    let busy: String = (-1..40).map(|day| line("busy", day, day + 1)).collect();
    fs::write(feed("busy.ndjson"), busy).unwrap();
    assert!(line_of("amara-okonkwo").unwrap().contains("none within 30 days: fully booked  ("));
    assert!(line_of("annelise-bjork").unwrap().contains(" · "));

    fs::remove_file(feed("busy.ndjson")).unwrap();
    fs::write(feed("open.ndjson"), line("free", 1, 2)).unwrap();
    let shown = line_of("amara-okonkwo").unwrap();
    assert!(!shown.contains(" · ") && !shown.contains("none"), "{shown}");
    assert!(line_of("annelise-bjork").unwrap().contains("none within 30 days"));

    fs::remove_file(feed("open.ndjson")).unwrap();
    let file = folder.path().join("providers/amara-okonkwo.toml");
    let away = format!(
        "{}\n[[leave]]\nfrom = {}\n",
        fs::read_to_string(&file).unwrap(),
        &from_now(-2).to_string()[..10]
    );
    fs::write(file, away).unwrap();
    let shown = line_of("amara-okonkwo").unwrap();
    assert!(shown.contains("none within 30 days: on leave until further notice  ("), "{shown}");
}

/// Runs the script in a shell and compares what the shell offers.
#[test]
fn completions_work_in_the_shell() {
    let script = nameplate(&["completions", "bash"]);
    assert_eq!(script.status.code(), Some(0), "{}", text(&script.stderr));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nameplate.bash");
    fs::write(&file, &script.stdout).unwrap();
    let offered = |words: &str, last: &str| {
        let asked = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 )); _nameplate nameplate {last}; \
             echo ${{COMPREPLY[@]}}",
            file.display()
        );
        let shell = Command::new("bash").args(["-c", &asked]).output().unwrap();
        assert!(shell.status.success(), "{}", text(&shell.stderr));
        text(&shell.stdout).trim().to_owned()
    };
    assert_eq!(offered("nameplate ver", "ver nameplate"), "verify");
    assert_eq!(offered("nameplate build --target net", "net --target"), "netlify");
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let script = nameplate(&["completions", shell]);
        assert_eq!(script.status.code(), Some(0));
        assert!(text(&script.stdout).contains("print-config"), "{shell}");
    }
    assert_eq!(nameplate(&["completions", "ksh"]).status.code(), Some(2));
}

#[test]
fn a_usage_error_is_2_and_help_is_0() {
    assert_eq!(nameplate(&[]).status.code(), Some(2));
    assert_eq!(nameplate(&["chek"]).status.code(), Some(2));
    assert_eq!(nameplate(&["query", "--now", "yesterday", "/v1/states"]).status.code(), Some(2));
    assert_eq!(nameplate(&["--help"]).status.code(), Some(0));
}

#[test]
fn a_flag_of_other_programs_leads_to_ours() {
    for (arguments, tip) in [
        (&["check", "content"][..], "'--content content'"),
        (&["-q", "build", "content"], "'--content content'"),
        (&["check", "--json"], "'--format json'"),
        (&["check", "--jsn"], "'--format json'"),
        (&["dev", "--port", "9000"], "'--listen PORT'"),
        (&["dev", "--host", "0.0.0.0"], "'--listen 0.0.0.0:8080'"),
        (&["check", "--fx"], "'--fix'"),
        (&["check", "--fxi"], "'--fix'"),
        (&["lint"], "run `nameplate check`"),
        (&["new"], "run `nameplate init`"),
        (&["deploy"], "run `nameplate build`"),
        (&["version"], "run `nameplate --version`"),
        (&["run"], "run `nameplate serve`"),
        (&["build", "-o", "dist"], "'--out'"),
        (&["validate"], "run `nameplate check`"),
        (&["publish", "content"], "name the store, as in `nameplate publish content s3://bucket/prefix`"),
        (&["check", "--fix-likly"], "'--fix-likely'"),
        (
            &["--content", "x", "check"],
            "write --content after the command, as in `nameplate check --content DIR`",
        ),
    ] {
        let refused = nameplate(arguments);
        let said = text(&refused.stderr);
        assert!(refused.status.code() == Some(2) && said.contains(tip), "{arguments:?}: {said}");
        assert_eq!(said.matches("tip:").count(), 1, "{said}");
    }
    assert!(!text(&nameplate(&["init", "--json"]).stderr).contains("--format"));
    assert!(!text(&nameplate(&["completions", "tcsh"]).stderr).contains("tip:"));
    assert!(text(&nameplate(&["completions", "powershel"]).stderr).contains("tip:"));
    let file = nameplate(&["check", "--content", "Cargo.toml"]);
    assert!(
        text(&file.stderr)
            .ends_with("it's a file, not a folder; name the content folder with --content DIR\n")
    );
    for (arguments, said) in [
        (&["check", "--content="][..], "--content is empty: name a content folder"),
        (&["dev", "--listen", "65536"], "the highest port is 65535: write "),
        (&["demo", "--listen", "[::1]:99999"], "the highest port is 65535: write "),
        (&["dev", "--listen", "here"], "this isn't a valid address: write "),
        (&["export", "clinic.pdf"], "for a spreadsheet, run `nameplate export clinic.xlsx`; for FHIR, "),
    ] {
        let refused = nameplate(arguments);
        assert!(refused.status.code() == Some(2) && text(&refused.stderr).contains(said), "{refused:?}");
    }
}

#[test]
fn a_missing_content_folder_is_2_and_one_sentence() {
    for flags in [&[][..], &["--fix"], &["--fix", "--diff"]] {
        let refused = nameplate(&[&["check", "--content", "nowhere"], flags].concat());
        assert_eq!(refused.status.code(), Some(2));
        assert_eq!(
            text(&refused.stderr),
            "error: there is no folder \"nowhere\" here: go to the folder that has it, use --content DIR, or start one with \
             `nameplate init nowhere`\n"
        );
    }
}

#[test]
fn broken_content_is_1_everywhere_and_nothing_is_published() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    fs::create_dir(&content).unwrap();
    fs::write(content.join("directory.toml"), "name = Larkspur\n").unwrap();
    let content = content.to_str().unwrap();
    let out = folder.path().join("dist");
    for arguments in [
        &["check", "--content", content][..],
        &["build", "--content", content, "--out", out.to_str().unwrap()],
        &["query", "--content", content, "/v1/states"],
        &["serve", "--content", content, "--listen", "127.0.0.1:0"],
    ] {
        let refused = nameplate(arguments);
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}");
        let printed = format!("{}{}", text(&refused.stdout), text(&refused.stderr));
        assert!(printed.contains("directory.toml:1:8"), "{printed}");
    }
    assert!(!out.exists());
}

#[test]
fn a_used_port_is_75_and_one_sentence() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for command in ["serve", "dev"] {
        let refused = nameplate(&[command, "--listen", &address]);
        assert_eq!(refused.status.code(), Some(75), "another program may leave it");
        let printed = text(&refused.stderr);
        let last = printed.lines().last().unwrap();
        assert!(
            last.starts_with("error: ") && last.contains(&address) && last.contains("--listen"),
            "{printed}"
        );
    }
    drop(taken);
    let twice = nameplate(&["serve", "--listen", &address, "--admin", &address]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(text(&twice.stderr).contains("--listen and --admin both use port"), "{}", text(&twice.stderr));
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_nameplate"))
        .current_dir(root())
        .args(["query", "/v1/providers?limit=100"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    assert_eq!(process.wait().unwrap().code(), Some(0));
}

#[test]
fn sigterm_ends_a_service_with_0() {
    let server = Server::start(&["serve"]);
    assert_eq!(server.get("/v1/states").status, 200);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn query_ends_with_a_newline_only_on_a_terminal() {
    let body = nameplate(&["query", "/v1/states"]).stdout;
    assert!(body.ends_with(b"}"), "{}", text(&body));
    if !crate::edges::is_installed("script") {
        return;
    }
    // The program of util-linux gives a command a terminal.
    let query = format!("{} query --quiet /v1/states", env!("CARGO_BIN_EXE_nameplate"));
    let mut command = std::process::Command::new("script");
    let shown = command.current_dir(root()).args(["-qec", &query, "/dev/null"]).output().unwrap();
    assert_eq!(text(&shown.stdout), format!("{}\r\n", text(&body)));
}

#[test]
fn query_shows_the_head_that_live_sends() {
    let server = Server::start(&["serve", "--now", crate::harness::NOW]);
    for target in ["/v1/states?x=1", "/v1/providers/hannah-whitfield", "/v1/providers/nobody"] {
        let live = server.get(target);
        let printed = nameplate(&["query", "--headers", "--now", crate::harness::NOW, target]);
        let (head, _) = text(&printed.stdout).split_once("\n\n").unwrap();
        let mut lines = head.lines();
        assert!(lines.next().unwrap().contains(&live.status.to_string()), "{head}");
        for line in lines {
            let (name, value) = line.split_once(": ").unwrap();
            assert_eq!(live.field(name), Some(value), "{target}");
        }
        assert!(head.contains("nameplate-generation: "), "{head}");
    }
}

#[test]
fn view_prints_the_document_and_puts_an_answer_into_it() {
    let whole = nameplate(&["view"]);
    assert_eq!(whole.status.code(), Some(0), "{}", text(&whole.stderr));
    let document = text(&whole.stdout);
    assert!(document.starts_with("<!DOCTYPE html>") && !document.contains("\"preview\""));
    let answered = nameplate(&["view", "--now", crate::harness::NOW, "/v1/providers/amara-okonkwo"]);
    let document = text(&answered.stdout);
    assert!(document.contains("\"target\":\"/v1/providers/amara-okonkwo\""), "{document}");
    assert!(document.contains("\"slug\":\"amara-okonkwo\""), "{document}");
    for (target, sentence) in [
        ("v1/states", "error: \"v1/states\" isn't a path: begin it with /, as in '/v1/states'\n"),
        ("/v1/providers/nobody", "error: there is nothing to show: "),
    ] {
        let refused = nameplate(&["view", target]);
        assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(2), ""), "{target}");
        assert!(text(&refused.stderr).starts_with(sentence), "{}", text(&refused.stderr));
    }
}

/// Only Linux has `/dev/full`.
#[cfg(target_os = "linux")]
#[test]
fn a_failed_write_is_2_except_for_the_log() {
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut query = Command::new(env!("CARGO_BIN_EXE_nameplate"));
    query.current_dir(root()).args(["query", "/v1/states"]).stdout(full());
    assert_eq!(query.output().unwrap().status.code(), Some(2));
    // A log that cannot be written does not stop the service.
    let mut serve = Command::new(env!("CARGO_BIN_EXE_nameplate"));
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    serve.current_dir(root()).args(["serve", "--listen", &free.to_string()]).stderr(full());
    let server = Server::running(serve.spawn().unwrap(), free, free);
    within(TIMEOUT, "it serves", || TcpStream::connect(free).is_ok());
    assert_eq!(server.get("/v1/states").status, 200);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn init_copies_the_site_and_a_build_uses_the_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (look, out) = (folder.path().join("look"), folder.path().join("dist"));
    let (look, out) = (look.to_str().unwrap(), out.to_str().unwrap());
    assert_eq!(nameplate(&["init", "--site", look]).status.code(), Some(0));
    // Released scripts and the view for assistants are not part of a look.
    let mut built_in: Vec<_> = files_below(&root().join("site"));
    built_in.retain(|(name, _)| !name.starts_with("elements/") && !name.starts_with("view/"));
    assert_eq!(files_below(Path::new(look)), built_in);

    // An unchanged copy gives the same tree.
    let content = root().join("content");
    let build = ["build", "--content", content.to_str().unwrap(), "--out", out];
    assert!(nameplate(&build).status.success());
    let again = nameplate(&[&build[..], &["--site", look]].concat());
    assert!(text(&again.stdout).contains("all up to date"), "{}", text(&again.stdout));

    // Missing files are replaced by the built-in ones.
    for (name, _) in built_in.iter().filter(|(name, _)| name != "assets/theme.css") {
        fs::remove_file(Path::new(look).join(name)).unwrap();
    }
    fs::write(Path::new(look).join("assets/theme.css"), ":root { --brand: #115e59; }").unwrap();
    let changed = nameplate(&[&build[..], &["--site", look]].concat());
    assert!(text(&changed.stdout).contains(" 2 written"), "{}", text(&changed.stdout));

    // A broken template is reported with its position, and the tree is unchanged.
    fs::write(Path::new(look).join("card.html"), "<li>\n  {{ person.nobody }}\n</li>").unwrap();
    let broken = nameplate(&[&build[..], &["--site", look]].concat());
    let printed = text(&broken.stderr);
    assert!(
        !broken.status.success() && printed.contains("card.html:2:") && printed.contains('^'),
        "{printed}"
    );
    let theme = fs::read_to_string(Path::new(out).join("assets/theme.css")).unwrap();
    assert_eq!(theme, ":root { --brand: #115e59; }");
}

fn files_below(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    let name = |path: &Path| path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    files.map(|entry| (name(entry.path()), fs::read(entry.path()).unwrap())).collect()
}

/// With this size of a stack the system refuses every thread, as it does at its limit of processes.
#[test]
fn a_machine_without_threads_is_an_error_in_one_sentence() {
    for arguments in [&["build"][..], &["check"], &["query", "/v1/states"]] {
        let mut command = command(arguments);
        let done = command.env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{}", text(&done.stderr));
        let said = text(&done.stderr);
        assert!(said.starts_with("error: the system can't start another thread: "), "{said}");
        assert_eq!((said.lines().count(), done.stdout.len()), (1, 0), "{said}");
    }
}

#[test]
fn quiet_leaves_results_and_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let (content, out) = (content.to_str().unwrap(), folder.path().join("dist"));
    let out = out.to_str().unwrap();
    let sheet = folder.path().join("clinicians.csv");
    for arguments in [
        &["check", "--content", content, "-q"][..],
        &["build", "--quiet", "--content", content, "--out", out],
        &["export", sheet.to_str().unwrap(), "--content", content, "--quiet"],
        &["rename", "provider", "jun-nakashima", "juno-nakashima", "--content", content, "--quiet"],
    ] {
        let done = nameplate(arguments);
        let printed = [text(&done.stdout), text(&done.stderr)].concat();
        assert_eq!((done.status.code(), printed.as_str()), (Some(0), ""), "{arguments:?}");
    }
    // What a dry run would do is its result.
    let dry = ["rename", "provider", "juno-nakashima", "jun", "--dry-run", "--content", content, "-q"];
    assert!(text(&nameplate(&dry).stdout).contains("nothing was written"));
    let query = ["query", "/v1/states", "--content", content];
    let quiet = nameplate(&[&query[..], &["--quiet"]].concat());
    assert_eq!(text(&quiet.stdout), text(&nameplate(&query).stdout));
    fs::write(Path::new(content).join("insurances.toml"), "[[plan]]\n").unwrap();
    let grace = Path::new(content).join("providers/grace-kealoha.toml");
    let loud = fs::read_to_string(&grace).unwrap().replace("\"Grace Kealoha\"", "\"GRACE KEALOHA\"");
    fs::write(grace, loud).unwrap();
    let broken = nameplate(&["check", "--content", content, "--quiet"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken.stdout).contains("insurances.toml:1"), "{}", text(&broken.stdout));
    // Warnings aren't mistakes.
    assert!(!text(&broken.stdout).contains("all caps"), "{}", text(&broken.stdout));
    assert!(text(&nameplate(&["check", "--content", content]).stdout).contains("all caps"));
}

//! `nameplate dev` for an editor of content.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use crate::harness::{Server, TIMEOUT, command, give_it_time, nameplate, text, within};
use crate::publish::copy_of_content;

#[test]
fn samples_name_devs_address_and_its_tree_equals_builds() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let (content, out) = (content.to_str().unwrap(), out.to_str().unwrap());
    let tree = ["--content", content, "--out", out];
    for listen in ["127.0.0.1:0", "0.0.0.0:0"] {
        let server = Server::start_at(&[&["dev"][..], &tree].concat(), listen);
        let port = server.address().port();
        let page = server.get("/docs/list-states");
        let page = text(&page.body);
        let sample = format!("curl &quot;http://127.0.0.1:{port}/v1/states&quot;");
        assert!(page.contains(&sample) && !page.contains("https://api.larkspur.example/v1"), "{page}");
        let page = server.get("/docs/assistants");
        let page = text(&page.body);
        let sample =
            format!("claude mcp add --transport http larkspur-health http://127.0.0.1:{port}/api/mcp<");
        assert!(page.contains(&sample), "{page}");
        assert!(!page.contains("https://api.larkspur.example/api/mcp"), "{page}");
        // The shown address answers, whichever address the service listens on.
        let own = Server::elsewhere(([127, 0, 0, 1], port).into());
        assert_eq!(own.post_mcp(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).status, 200);
        // A site that is open in the editor's browser reads no draft by a name that leads here.
        for target in ["/", "/v1/providers", "/.nameplate/state"] {
            let host = format!("draft.evil.example:{port}");
            let refused =
                own.send(&format!("GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
            assert_eq!(refused.status, 403, "{target}");
        }
        assert_eq!(server.terminate(), Some(0));
    }
    let built = nameplate(&[&["build"][..], &tree].concat());
    assert!(text(&built.stdout).contains("all up to date"), "{}", text(&built.stdout));
    let files = walkdir::WalkDir::new(out).into_iter().map(Result::unwrap);
    for file in files.filter(|entry| entry.file_type().is_file()) {
        let bytes = fs::read(file.path()).unwrap();
        let has = |needle: &str| bytes.windows(needle.len()).any(|window| window == needle.as_bytes());
        assert!(!has(".nameplate/") && !has("127.0.0.1"), "{}", file.path().display());
    }
}

#[test]
fn a_second_dev_that_would_publish_to_the_same_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let dev = ["dev", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let first = Server::start(&dev);
    let second = nameplate(&[&dev[..], &["--listen", "127.0.0.1:0"]].concat());
    let said = text(&second.stderr);
    assert_eq!(second.status.code(), Some(2), "{said}");
    assert!(said.contains("stop it, or name another folder with --out"), "{said}");
    // The first one goes on, and its folder is free after it.
    assert_eq!(first.get("/v1/states").status, 200);
    assert_eq!(first.terminate(), Some(0));
    assert_eq!(Server::start(&dev).terminate(), Some(0));
}

#[test]
fn devs_pages_follow_changes_and_its_error_page_lists_checks_problems() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let content_name = content.to_str().unwrap();
    let server = Server::start(&["dev", "--content", content_name, "--out", out.to_str().unwrap()]);
    let state = || {
        let reply: serde_json::Value = serde_json::from_slice(&server.get("/.nameplate/state").body).unwrap();
        reply["state"].as_str().unwrap().to_owned()
    };
    let shown = |path: &str| {
        let page = server.get(path);
        let body = text(&page.body).to_owned();
        let (_, rest) = body.split_once("data-state=\"").expect("the script");
        (page.status, rest.split_once('"').unwrap().0.to_owned(), body)
    };
    let script = server.get("/.nameplate/reload.js");
    assert!(text(&script.body).contains("location.reload()"));
    // The service may read the content again after the start.
    within(TIMEOUT, "a current page", || shown("/").1 == state());
    let first = state();

    let file = content.join("providers/jun-nakashima.toml");
    let good = fs::read_to_string(&file).unwrap();
    fs::write(&file, good.replace("\"Jun Nakashima\"", "\"Juno Nakashima\"")).unwrap();
    within(TIMEOUT, "another state", || state() != first);
    within(TIMEOUT, "the edited page", || shown("/providers/jun-nakashima").2.contains("Juno Nakashima"));

    // Two mistakes at once, one with characters that HTML must escape.
    let broken = good.replace("\"nonBinary\"", "\"<b>&\"").replace("prov-", "prov_");
    fs::write(&file, broken).unwrap();
    within(TIMEOUT, "the page of mistakes", || shown("/").0 == 500);
    let checked = nameplate(&["check", "--format", "json", "--content", content_name]);
    let report: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
    assert!(report["errors"].as_u64().unwrap() >= 2, "{report}");
    for path in ["/", "/providers/jun-nakashima", "/no-such-page"] {
        let (status, shown, page) = shown(path);
        assert_eq!((status, shown), (500, state()), "{path}");
        // Long sentences are broken into lines.
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for problem in report["problems"].as_array().unwrap() {
            let what = problem["what"].as_str().unwrap();
            let what = what.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let place = format!("jun-nakashima.toml:{}:{}", problem["line"], problem["column"]);
            assert!(page.contains(&what) && page.contains(&place), "{what} {place}: {page}");
        }
        assert!(page.contains("/assets/theme.css") && page.contains("/assets/style.css"));
    }
    fs::write(&file, good).unwrap();
    within(TIMEOUT, "the page itself", || shown("/providers/jun-nakashima").0 == 200);
    // Not the first state again: the tree lists its changes.
    within(TIMEOUT, "a current page", || shown("/").1 == state());
}

#[test]
fn a_polling_page_does_not_delay_devs_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&["dev", "--out", folder.path().join("dist").to_str().unwrap()]);
    let mut polling = TcpStream::connect(server.address()).unwrap();
    let request = format!("GET /.nameplate/state HTTP/1.1\r\nHost: {}\r\n\r\n", server.address());
    polling.write_all(request.as_bytes()).unwrap();
    assert!(polling.read(&mut [0; 512]).unwrap() > 0);
    server.signal("-TERM");
    assert!(server.logs("stopped").contains("cut=0"), "it was not cut at the end of the drain");
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn the_demo_content_has_no_warning() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("dist");
    let mut command = command(&["dev", "--listen", "127.0.0.1:0", "--out", out.to_str().unwrap()]);
    command.env("NAMEPLATE_LOG_LEVEL", "info");
    let mut process = command.stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let mut printed = Vec::new();
    for line in BufReader::new(process.stderr.take().unwrap()).lines().map(Result::unwrap) {
        let is_last = line.contains("address=");
        printed.push(line);
        if is_last {
            break;
        }
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let address = |line: &&String| line.starts_with("Your site is at http://127.0.0.1:");
    assert_eq!(printed.iter().filter(address).count(), 1, "{printed:#?}");
    let warns = |line: &&String| line.to_lowercase().contains("warn");
    assert!(!printed.iter().any(|line| warns(&line)), "{printed:#?}");
}

#[test]
fn a_profile_preselects_the_first_visit_for_new_patients() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let file = content.join("providers/amara-okonkwo.toml");
    let before = fs::read_to_string(&file).unwrap();
    assert!(before.contains("appointment-types = [101, 102, "));
    fs::write(&file, before.replace("[101, 102, ", "[102, 101, ")).unwrap();
    let (content, out) = (content.to_str().unwrap(), out.to_str().unwrap());
    assert!(nameplate(&["build", "--content", content, "--out", out]).status.success());
    let page = |name: &str| fs::read_to_string(format!("{out}/{name}")).unwrap();

    let profile = page("providers/amara-okonkwo.html");
    let (_, select) = profile.split_once("<select id=\"times-visit\"").unwrap();
    let (select, _) = select.split_once("</select>").unwrap();
    let options: Vec<_> = select.split("<option ").skip(1).collect();
    let chosen: Vec<_> = options.iter().filter(|option| option.contains(" selected")).collect();
    assert!(matches!(chosen[..], [one] if one.contains(">New patient visit<")), "{select}");
    assert!(options.iter().any(|option| option.contains(">Follow-up visit (current patients)<")));
    assert!(options.iter().any(|option| option.contains(">Menopause consultation<")));
    assert!(!select.contains("Any video visit"), "{select}");
    assert!(profile.contains("Follow-up visit (current patients)</span> · 30 minutes, by video</h3>"));

    assert!(page("clinicians.html").contains(">Follow-up visit, 30 minutes (current patients)</option>"));
    for (name, said) in [
        ("states/ca.html", ">Follow-up visit, 30 minutes (current patients)</a>"),
        (
            "index.html",
            "Already a patient? <a class=\"tap\" href=\"/visit-types/102\" dir=\"auto\">Follow-up visit</a>",
        ),
        ("visit-types/102.html", "30 minutes, by video · Current patients only"),
    ] {
        assert!(page(name).contains(said), "{name}");
    }
    assert!(page("visit-types/102.html").contains("<title>Follow-up visit (current patients) ·"));
    // The API does not contain a visit's duration.
    assert!(!page("v1/appointment-types.json").contains("uration"));
}

/// Drafts are private: every site that is open in the editor's browser can ask for them.
#[test]
fn pages_of_other_machines_cannot_read_devs_answers() {
    let folder = tempfile::tempdir().unwrap();
    let (content, out) = (folder.path().join("content"), folder.path().join("dist"));
    copy_of_content(&content);
    let server =
        Server::start(&["dev", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    for target in ["/v1/providers", "/v1/availability?state=CA", "/docs", "/.nameplate/state", "/v1/nothing"]
    {
        for (origin, allowed) in [
            ("https://evil.example", None),
            ("null", None),
            ("http://localhost.evil.example", None),
            ("http://localhost:3000", Some("*")),
            ("http://127.0.0.1:5173", Some("*")),
            ("http://[::1]:5173", Some("*")),
        ] {
            let reply = server.get_with(target, &format!("Origin: {origin}"));
            assert_eq!(reply.field("access-control-allow-origin"), allowed, "{target} {origin}");
            assert_eq!(reply.field("vary"), Some("accept-encoding, origin"), "{target} {origin}");
        }
    }
    // A published service answers every page.
    let published = Server::start(&["serve", "--content", content.to_str().unwrap()]);
    let reply = published.get_with("/v1/providers", "Origin: https://evil.example");
    assert_eq!(reply.field("access-control-allow-origin"), Some("*"));
}

#[test]
fn dev_serves_every_interface_and_follows_each_change() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let out = folder.path().join("dist");
    let arguments = ["dev", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let server = Server::start(&arguments);
    let profile = "/v1/providers/jun-nakashima";
    assert!(text(&server.get("/").body).contains("Larkspur Health"));
    assert!(text(&server.get("/providers/jun-nakashima").body).contains("Jun Nakashima"));
    assert_eq!(server.post_mcp(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#).status, 200);

    let file = content.join("providers/jun-nakashima.toml");
    let before = fs::read_to_string(&file).unwrap();
    fs::write(&file, before.replace("\"Jun Nakashima\"", "\"Juno Nakashima\"")).unwrap();
    within(TIMEOUT, "the edited profile", || text(&server.get(profile).body).contains("Juno Nakashima"));
    assert!(text(&server.get("/providers/jun-nakashima").body).contains("Juno Nakashima"));

    // A broken edit changes nothing in the API.
    fs::write(&file, "id = oops").unwrap();
    within(TIMEOUT, "the broken edit is reported", || server.get("/").status == 500);
    assert!(text(&server.get(profile).body).contains("Juno Nakashima"));

    // An edit waits for another build of the same tree.
    let lock = fs::File::open(folder.path().join(".nameplate/dist/lock")).unwrap();
    lock.lock().unwrap();
    fs::write(&file, before).unwrap();
    give_it_time();
    assert!(text(&server.get(profile).body).contains("Juno Nakashima"));
    drop(lock);
    within(TIMEOUT, "the old profile", || text(&server.get(profile).body).contains("\"Jun Nakashima\""));
}

#[test]
fn dev_follows_a_replaced_content_folder() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let out = folder.path().join("dist");
    let server =
        Server::start(&["dev", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    fs::remove_dir_all(&content).unwrap();
    copy_of_content(&content);
    let file = content.join("providers/jun-nakashima.toml");
    let original = fs::read_to_string(&file).unwrap();
    // The first shows that the new folder is read, and the second that it is watched.
    for name in ["Juno", "June"] {
        fs::write(&file, original.replace("\"Jun Nakashima\"", &format!("\"{name} Nakashima\""))).unwrap();
        within(TIMEOUT, "the edited profile", || {
            text(&server.get("/v1/providers/jun-nakashima").body).contains(&format!("{name} Nakashima"))
        });
    }
}

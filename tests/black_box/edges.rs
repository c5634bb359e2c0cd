//! The rules of other hosts, run by those hosts' own programs where the machine has them.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::harness::{Server, nameplate, root, text, within};

/// Builds the demo for a host, with live at this address.
fn built(folder: &Path, host: &str, live: &str) {
    let content = folder.join("content");
    crate::publish::copy_of_content(&content);
    let file = content.join("directory.toml");
    let organisation = fs::read_to_string(&file).unwrap();
    fs::write(&file, organisation.replace("https://live.larkspur.example", live)).unwrap();
    let (content, out) = (content.to_str().unwrap().to_owned(), folder.join("dist"));
    let arguments = ["build", "--content", &content, "--out", out.to_str().unwrap(), "--target", host];
    let done = nameplate(&arguments);
    assert!(done.status.success(), "{}", text(&done.stderr));
}

/// Whether a program of the machine can be asked. Where it cannot, a test says so, and fails under JUDGES=strict.
fn is_there(program: &str) -> bool {
    let found = Command::new(program).arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        _ = writeln!(std::io::stderr(), "SKIPPED: {program} is not installed");
        assert!(std::env::var("JUDGES").as_deref() != Ok("strict"), "{program} is not installed");
    }
    found
}

#[test]
fn the_worker_answers_plain_questions_and_sends_the_others_to_live() {
    if !is_there("node") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    built(folder.path(), "cloudflare", "https://live.example");
    let dist = folder.path().join("dist");
    // Node tells a module by its name.
    let worker = folder.path().join("worker.mjs");
    fs::copy(dist.join("_worker.js"), &worker).unwrap();
    let file = |name: &str| fs::read_to_string(dist.join(name)).unwrap();
    let live = |path: &str| format!("live {path}");
    let cases = [
        ("/v1/states", 200, file("v1/states.json")),
        ("/v1/states/", 200, file("v1/states.json")),
        ("/v1/insurances?state=ca", 200, file("v1/insurances/CA.json")),
        ("/v1/insurances?state=+new+york%20&utm=1", 200, file("v1/insurances/NY.json")),
        ("/v1/insurances?state=XX", 200, live("/v1/insurances")),
        ("/v1/insurances?state=%zz", 200, live("/v1/insurances")),
        ("/v1/insurances?state=constructor", 200, live("/v1/insurances")),
        ("/v1/providers?st%61te=CA&state=NY", 200, file("v1/providers/state/NY.json")),
        ("/v1/providers?State=CA", 200, file("v1/providers.json")),
        ("/v1/providers?state=CA&limit=&state=", 200, file("v1/providers.json")),
        ("/v1/providers?state=CA&limit=5", 200, live("/v1/providers")),
        ("/v1/providers/maria-de-la-vega", 200, file("v1/providers/maria-de-la-vega.json")),
        ("/v1/providers/nobody", 200, live("/v1/providers/nobody")),
        ("/v1/providers/hannah-whitfield", 301, "/v1/providers/hannah-whitfield-moss".to_owned()),
        ("/v1/availability?state=CA", 200, live("/v1/availability")),
        ("/api/mcp", 200, live("/api/mcp")),
        ("/api/sse", 404, file("v1/not-found.json")),
        ("/.well-known/oauth-authorization-server", 404, file("v1/not-found.json")),
    ];
    let mut command = Command::new("node");
    command.arg(root().join("tests/black_box/worker.mjs")).args([&worker, &dist]);
    let said = command.args(cases.iter().map(|(target, ..)| target)).output().unwrap();
    let lines: Vec<_> = text(&said.stdout).lines().collect();
    assert_eq!(lines.len(), cases.len(), "{}", text(&said.stderr));
    for (line, (target, status, told)) in lines.into_iter().zip(&cases) {
        // What comes from live has live's own headers.
        let cors = if told.starts_with("live ") { "none" } else { "*" };
        let expected = serde_json::json!([target, status, told, cors]);
        assert_eq!(serde_json::from_str::<serde_json::Value>(line).unwrap(), expected);
    }
}

/// An nginx over a built tree; it is stopped when this is dropped.
struct Nginx(std::process::Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

#[test]
fn nginx_answers_as_live_does_and_goes_on_after_it_dies() {
    if !is_there("nginx") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The content names live, and live reads the content: so its port is chosen first.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    built(folder.path(), "nginx", &format!("http://{port}"));
    let (content, port) = (folder.path().join("content"), port.to_string());
    let live = Server::start_at(&["serve", "--content", content.to_str().unwrap()], &port);
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let at = folder.path().display();
    let configuration = format!(
        "daemon off; master_process off; pid {at}/pid; error_log {at}/error.log;\nevents {{}}\nhttp {{\n\
         access_log off; types {{ text/html html; text/css css; text/javascript js; text/plain txt; application/json json; application/xml xml; font/woff2 woff2; image/svg+xml svg; image/png png; }}\nclient_body_temp_path {at}/body; proxy_temp_path {at}/proxy;\n\
         proxy_cache_path {at}/cache keys_zone=nameplate:1m;\ninclude {at}/dist/_nginx/http.conf;\n\
         server {{ listen {free}; root {at}/dist; include {at}/dist/_nginx/server.conf; }}\n}}\n"
    );
    let file = folder.path().join("nginx.conf");
    fs::write(&file, configuration).unwrap();
    let log = folder.path().join("error.log");
    let mut command = Command::new("nginx");
    command.arg("-e").arg(&log).arg("-c").arg(&file).stderr(Stdio::null());
    let nginx = Nginx(command.spawn().unwrap());
    let host = Server::elsewhere(free);
    within(Duration::from_secs(5), "nginx accepts", || std::net::TcpStream::connect(free).is_ok());
    let targets = [
        "/v1/states",
        "/v1/states/",
        "/v1/insurances?state=ca",
        "/v1/insurances?state=New%20York",
        "/v1/insurances?utm=1&state=new+york",
        "/v1/insurances?state=XX",
        "/v1/insurances?state=",
        "/v1/appointment-types?state=PR",
        "/v1/providers?state=CA",
        "/v1/providers?state=CA&state=NY",
        "/v1/providers?st%61te=CA",
        "/v1/providers?State=CA",
        "/v1/providers?gender=male&limit=1",
        "/v1/providers/maria-de-la-vega",
        "/v1/providers/nobody",
        "/v1/nothing",
        "/api/sse",
    ];
    for target in targets {
        let (ours, theirs) = (host.get(target), live.get(target));
        assert_eq!((ours.status, text(&ours.body)), (theirs.status, text(&theirs.body)), "{target}");
        for field in ["content-type", "access-control-allow-origin", "nameplate-generation"] {
            let both = (ours.field(field), theirs.field(field));
            assert!(both.0.is_some() && both.0 == both.1, "{target} {field} {both:?}");
        }
        assert_eq!(ours.field("last-modified"), None, "{target}");
    }
    let states = host.get("/v1/states");
    assert_eq!(states.field("cache-control"), live.get("/v1/states").field("cache-control"));
    let tag = format!("If-None-Match: {}", states.field("etag").unwrap());
    assert_eq!(host.get_with("/v1/states", &tag).status, 304);
    let moved = host.get("/v1/providers/hannah-whitfield");
    let location = moved.field("location");
    assert_eq!((moved.status, location), (301, Some("/v1/providers/hannah-whitfield-moss")));
    assert_eq!(host.get("/_nginx/server.conf").status, 404);
    assert!(text(&host.get("/providers/amara-okonkwo").body).contains("Amara Okonkwo"));

    // Whatever verify asks for, nginx and live together give it.
    let base = format!("http://{free}");
    let verified = nameplate(&["verify", &base, "--content", content.to_str().unwrap()]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));

    live.terminate();
    // What was asked before is still answered; what was not is an error that a program can read.
    assert_eq!(host.get("/v1/providers?gender=male&limit=1").status, 200);
    let unreachable = host.get("/v1/providers?gender=female");
    assert_eq!((unreachable.status, unreachable.field("retry-after")), (503, Some("1")));
    assert!(text(&unreachable.body).starts_with(r#"{"code":"OVERLOADED""#));
    drop(nginx);
}

//! Runs the rules for other hosts in those hosts' own programs, if they are installed.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Server, TIMEOUT, nameplate, root, text, within};

fn build(folder: &Path, host: &str, live: &str) {
    let content = folder.join("content");
    crate::publish::copy_of_content(&content);
    let file = content.join("directory.toml");
    let organization = fs::read_to_string(&file).unwrap();
    fs::write(&file, organization.replace("https://live.larkspur.example", live)).unwrap();
    build_again(folder, host);
}

fn build_again(folder: &Path, host: &str) {
    let (content, out) = (folder.join("content"), folder.join("dist"));
    let arguments =
        ["build", "--content", content.to_str().unwrap(), "--out", out.to_str().unwrap(), "--target", host];
    let done = nameplate(&arguments);
    assert!(done.status.success(), "{}", text(&done.stderr));
}

/// Whether a program is installed. If not, the test prints SKIPPED, and fails with JUDGES=strict.
pub(crate) fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("-v").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        _ = writeln!(std::io::stderr(), "SKIPPED: {program} is not installed");
        assert!(std::env::var("JUDGES").as_deref() != Ok("strict"), "{program} is not installed");
    }
    found
}

#[test]
fn the_worker_serves_planned_requests_and_forwards_others_to_live() {
    if !is_installed("node") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build(folder.path(), "cloudflare", "https://live.example");
    let dist = folder.path().join("dist");
    // Node recognizes a module by its extension.
    let worker = folder.path().join("worker.mjs");
    fs::copy(dist.join("_worker.js"), &worker).unwrap();
    let file = |name: &str| fs::read_to_string(dist.join(name)).unwrap();
    let live = |path: &str| {
        let changes = path == "/api/mcp" || path == "/v1/availability" || path.starts_with("/fhir/");
        let kept = if changes { "not kept" } else { "kept" };
        format!("live {path} {kept}")
    };
    let unreachable =
        || r#"{"code":"OVERLOADED","message":"the service is unreachable right now; ask again"}"#.to_owned();
    let unavailable = r#"{"code":"AVAILABILITY_UNAVAILABLE","message":"availability is unknown"}"#.to_owned();
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
        ("/v1/availability?state=CA&live=503", 503, unavailable),
        // A proxy in front of live answers for it: Cloudflare with 52x, others with their own page.
        ("/v1/availability?state=CA&live=521", 503, unreachable()),
        ("/v1/availability?state=CA&live=530", 503, unreachable()),
        ("/v1/availability?state=CA&live=502", 503, unreachable()),
        ("/v1/availability?state=CA&live=dead", 503, unreachable()),
        ("/v1/providers?limit=5&live=521", 503, unreachable()),
        ("/api/mcp?live=502", 503, unreachable()),
        ("/fhir/Organization.ndjson", 200, file("fhir/Organization.ndjson")),
        ("/fhir/$bulk-publish", 200, live("/fhir/$bulk-publish")),
        ("/fhir/slots/2026-11-23.ndjson", 200, live("/fhir/slots/2026-11-23.ndjson")),
        ("/fhir/metadata", 200, live("/fhir/metadata")),
        ("/fhir/metadata?live=502", 503, unreachable()),
        ("/api/sse", 404, file("v1/not-found.json")),
        ("/v1/changes/?since=1", 200, file("v1/changes.json")),
        ("/.well-known/api-catalog", 200, file(".well-known/api-catalog")),
        ("/.well-known/oauth-authorization-server", 404, file("v1/not-found.json")),
    ];
    let mut command = Command::new("node");
    command.arg(root().join("tests/black_box/worker.mjs")).args([&worker, &dist]);
    let printed = command.args(cases.iter().map(|(target, ..)| target)).output().unwrap();
    let lines: Vec<_> = text(&printed.stdout).lines().collect();
    assert_eq!(lines.len(), cases.len(), "{}", text(&printed.stderr));
    for (line, (target, status, body)) in lines.into_iter().zip(&cases) {
        let printed: Vec<serde_json::Value> = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::json!(printed[..3]), serde_json::json!([target, status, body]));
        // Live's answers have live's headers; a cached answer does not have the first request's id.
        let of_live = ["none", "none", "none", if body.ends_with(" not kept") { "first" } else { "none" }];
        let expected = match (body.starts_with("live "), body.contains("OVERLOADED")) {
            (true, _) => of_live,
            (_, true) => ["*", "1", "no-store", "none"],
            _ if target.ends_with("live=503") => ["none", "60", "no-store", "none"],
            _ => {
                assert_eq!(printed[3], "*", "{target}");
                continue;
            }
        };
        assert_eq!(printed[3..], expected.map(serde_json::Value::from), "{target}");
    }
}

/// An nginx that serves a built tree, stopped when dropped.
struct Nginx(std::process::Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}

impl Nginx {
    /// Starts nginx as docs/deploy/README.md describes, with the folder's tree.
    fn start(folder: &Path) -> (Self, Server) {
        let (nginx, mut hosts) = Self::start_all(&[folder]);
        (nginx, hosts.remove(0))
    }

    /// Starts one nginx for the trees of several folders, with a server for each.
    fn start_all(folders: &[&Path]) -> (Self, Vec<Server>) {
        let (mut clinics, mut addresses) = (Vec::new(), Vec::new());
        for folder in folders {
            let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
            let at = folder.display();
            let http = fs::read_to_string(folder.join("dist/_nginx/http.conf")).unwrap();
            let (_, cache) = http.split_once("keys_zone=").unwrap();
            let cache = cache.split(':').next().unwrap();
            clinics.push(format!(
                "proxy_cache_path {at}/cache keys_zone={cache}:1m;\ninclude {at}/dist/_nginx/http.conf;\n\
                 server {{ listen {free}; root {at}/dist; include {at}/dist/_nginx/server.conf; }}\n"
            ));
            addresses.push(free);
        }
        let (folder, clinics) = (folders[0], clinics.concat());
        let at = folder.display();
        let configuration = format!(
            "daemon off; master_process off; pid {at}/pid; error_log {at}/error.log;\nevents {{}}\nhttp {{\n\
             access_log off; types {{ text/html html; text/css css; text/javascript js; text/plain txt; application/json json; application/xml xml; font/woff2 woff2; image/svg+xml svg; image/png png; }}\nclient_body_temp_path {at}/body; proxy_temp_path {at}/proxy;\n\
             proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;\n{clinics}}}\n"
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration).unwrap();
        let mut command = Command::new("nginx");
        command.arg("-e").arg(folder.join("error.log")).arg("-c").arg(&file).stderr(Stdio::null());
        let nginx = Self(command.spawn().unwrap());
        for address in &addresses {
            within(TIMEOUT, "nginx accepts", || std::net::TcpStream::connect(address).is_ok());
        }
        (nginx, addresses.into_iter().map(Server::elsewhere).collect())
    }
}

const FOR_PROGRAMS: [&str; 5] = [
    "/v1/changes",
    "/v1/openapi.json",
    "/api/mcp/server-card",
    "/.well-known/ard.json",
    "/.well-known/api-catalog",
];

#[test]
fn nginx_answers_like_live_and_survives_its_death() {
    if !is_installed("nginx") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The content contains live's address, so the port is chosen first.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    build(folder.path(), "nginx", &format!("http://{port}"));
    let (content, port) = (folder.path().join("content"), port.to_string());
    let shipped = ["--config", "deploy/nameplate.toml", "--admin", "127.0.0.1:0", "--log-format", "text"];
    let arguments = [&["serve", "--content", content.to_str().unwrap()], &shipped[..]].concat();
    let live = Server::start_at(&arguments, &port);
    let (nginx, host) = Nginx::start(folder.path());
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
    for target in targets.into_iter().chain(FOR_PROGRAMS) {
        let (ours, theirs) = (host.get(target), live.get(target));
        assert_eq!((ours.status, text(&ours.body)), (theirs.status, text(&theirs.body)), "{target}");
        for field in ["content-type", "access-control-allow-origin", "nameplate-generation"] {
            let both = (ours.field(field), theirs.field(field));
            assert!(both.0.is_some() && both.0 == both.1, "{target} {field} {both:?}");
        }
        assert_eq!(ours.field("link"), theirs.field("link"), "{target}");
        assert_eq!(ours.field("last-modified"), None, "{target}");
    }
    let manifest: serde_json::Value = serde_json::from_slice(&host.get("/fhir/$bulk-publish").body).unwrap();
    let last = manifest["output"].as_array().unwrap().last().unwrap()["url"].as_str().unwrap();
    let last = last.strip_prefix("https://api.larkspur.example").unwrap();
    for target in
        ["/fhir/Organization.ndjson", "/fhir/Schedule.ndjson", "/fhir/metadata", "/fhir/Location/CA", last]
    {
        let (ours, theirs) = (host.get(target), live.get(target));
        assert_eq!((ours.status, text(&ours.body)), (200, text(&theirs.body)), "{target}");
        for field in ["content-type", "cache-control", "access-control-allow-origin", "nameplate-generation"]
        {
            let both = (ours.field(field), theirs.field(field));
            assert!(both.0.is_some() && both.0 == both.1, "{target} {field} {both:?}");
        }
    }
    let manifest = host.get("/fhir/$bulk-publish");
    assert_eq!(manifest.field("content-type"), Some("application/json"));
    assert_eq!(manifest.field("cache-control"), Some("public, max-age=60"));
    assert_eq!(host.get("/fhir/nothing").status, 404);
    // Files that `export` adds to the tree's are served by the same rules.
    let exported =
        nameplate(&["export", folder.path().join("dist").to_str().unwrap(), "--now", crate::harness::NOW]);
    assert!(exported.status.success(), "{}", text(&exported.stderr));
    for (target, media_type) in [
        ("/fhir/$bulk-publish", "application/json"),
        ("/fhir/slots/2026-11-24.ndjson", "application/fhir+ndjson"),
    ] {
        let reply = host.get(target);
        assert_eq!((reply.status, reply.field("content-type")), (200, Some(media_type)), "{target}");
        assert_eq!(reply.field("cache-control"), Some("public, max-age=60"), "{target}");
        assert_eq!(reply.field("access-control-allow-origin"), Some("*"), "{target}");
    }
    assert!(
        text(&host.get("/fhir/$bulk-publish").body).contains("\"transactionTime\": \"2026-11-21T12:00:00Z\"")
    );
    fs::remove_file(folder.path().join("dist/fhir/$bulk-publish")).unwrap();
    fs::remove_dir_all(folder.path().join("dist/fhir/slots")).unwrap();
    let states = host.get("/v1/states");
    assert_eq!(states.field("cache-control"), live.get("/v1/states").field("cache-control"));
    let tag = format!("If-None-Match: {}", states.field("etag").unwrap());
    assert_eq!(host.get_with("/v1/states", &tag).status, 304);
    let moved = host.get("/v1/providers/hannah-whitfield");
    let location = moved.field("location");
    assert_eq!((moved.status, location), (301, Some("/v1/providers/hannah-whitfield-moss")));
    assert_eq!(host.get("/_nginx/server.conf").status, 404);
    assert!(text(&host.get("/providers/amara-okonkwo").body).contains("Amara Okonkwo"));

    let (preflight, reply) = crate::browser::from_page(&host, "api.larkspur.example", "https://claude.ai");
    assert_eq!((preflight.status, reply.status), (204, 200), "{}", text(&reply.body));

    let base = format!("http://{}", host.address());
    let verified = nameplate(&["verify", &base, "--content", content.to_str().unwrap()]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified.stdout));

    live.terminate();
    // Cached answers are still served; others are JSON errors.
    for target in ["/v1/providers?gender=male&limit=1", "/fhir/metadata", "/fhir/metadata?unknown=1"] {
        assert_eq!(host.get(target).status, 200, "{target}");
    }
    let unreachable = host.get("/v1/providers?gender=female");
    assert_eq!((unreachable.status, unreachable.field("retry-after")), (503, Some("1")));
    assert!(text(&unreachable.body).starts_with(r#"{"code":"OVERLOADED""#));
    drop(nginx);
}

#[test]
fn one_nginx_serves_two_clinics() {
    if !is_installed("nginx") {
        return;
    }
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [larkspur, fern] = [folders[0].path(), folders[1].path()];
    let edit = |folder: &Path| {
        let file = folder.join("content/directory.toml");
        fs::write(
            &file,
            fs::read_to_string(&file).unwrap().replace("larkspur.example", "fern-clinic.example"),
        )
        .unwrap();
        let file = folder.join("content/providers/jun-nakashima.toml");
        fs::write(
            &file,
            fs::read_to_string(&file).unwrap().replace("\"Jun Nakashima\"", "\"June Nakashima\""),
        )
        .unwrap();
        build_again(folder, "nginx");
    };
    // Each has its own live service, and one has a live service over HTTPS that is down.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    build(larkspur, "nginx", &format!("http://{port}"));
    build(fern, "nginx", "https://localhost:1");
    edit(fern);
    let content = larkspur.join("content");
    let live = Server::start_at(&["serve", "--content", content.to_str().unwrap()], &port);
    let (_nginx, hosts) = Nginx::start_all(&[larkspur, fern]);
    for (host, folder, name) in [(&hosts[0], larkspur, "Jun"), (&hosts[1], fern, "June")] {
        for (target, file) in [
            ("/v1/providers?state=CA", "v1/providers/state/CA.json"),
            ("/v1/appointment-types?state=new%20york", "v1/appointment-types/NY.json"),
            ("/v1/providers/jun-nakashima", "v1/providers/jun-nakashima.json"),
        ] {
            let reply = host.get(target);
            assert_eq!(
                (reply.status, &reply.body),
                (200, &fs::read(folder.join("dist").join(file)).unwrap()),
                "{target}"
            );
        }
        assert!(
            text(&host.get("/v1/providers/jun-nakashima").body).contains(&format!("\"{name} Nakashima\""))
        );
    }
    let search = "/v1/providers?gender=male&limit=1";
    assert_eq!((hosts[0].get(search).status, hosts[1].get(search).status), (200, 503));
    live.terminate();
    // The answer is cached only for its own clinic.
    assert_eq!((hosts[0].get(search).status, hosts[1].get(search).status), (200, 503));
}

#[test]
fn nginx_never_serves_cached_availability() {
    if !is_installed("nginx") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    build(folder.path(), "nginx", &format!("http://{port}"));
    let content = folder.path().join("content");
    let arguments = ["serve", "--content", content.to_str().unwrap()];
    let live = Server::start_at(&arguments, &port);
    let (nginx, host) = Nginx::start(folder.path());
    let (slots, search) = ("/v1/availability?state=CA&limit=3", "/v1/providers?gender=male&limit=1");
    for _ in 0..2 {
        assert_eq!(host.get(slots).status, 200);
        // A cached answer with an id would repeat the first request's id.
        let found = host.get(search);
        assert_eq!((found.status, found.field("x-request-id")), (200, None));
    }
    live.terminate();

    // The feed's publisher is down: nginx passes live's error on unchanged.
    let settings = folder.path().join("nameplate.toml");
    fs::write(&settings, "[feed]\nurl = \"http://127.0.0.1:1/$bulk-publish\"\nmode = \"busy\"\n").unwrap();
    let with_feed = [&arguments[..], &["--config", settings.to_str().unwrap()]].concat();
    let live = Server::start_at(&with_feed, &port);
    let (ours, theirs) = (host.get(slots), live.get(slots));
    assert!(
        text(&theirs.body).starts_with(r#"{"code":"AVAILABILITY_UNAVAILABLE""#),
        "{}",
        text(&theirs.body)
    );
    assert_eq!((ours.status, text(&ours.body)), (503, text(&theirs.body)));
    for (field, expected) in [
        ("retry-after", "60"),
        ("cache-control", "no-store"),
        ("content-type", "application/json"),
        ("access-control-allow-origin", "*"),
    ] {
        assert_eq!((ours.field(field), theirs.field(field)), (Some(expected), Some(expected)), "{field}");
    }
    live.terminate();

    let ours = host.get(slots);
    assert_eq!((ours.status, ours.field("retry-after")), (503, Some("1")));
    assert_eq!(ours.field("content-type"), Some("application/json"));
    assert_eq!(
        (ours.field("cache-control"), ours.field("access-control-allow-origin")),
        (Some("no-store"), Some("*"))
    );
    assert!(text(&ours.body).starts_with(r#"{"code":"OVERLOADED""#), "{}", text(&ours.body));
    assert_eq!(host.get(search).status, 200, "a catalog answer may be cached");
    drop(nginx);
}

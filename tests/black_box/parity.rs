//! For each request that a file answers, the file, live's body, the tool's text and `query`'s output are the same bytes.

use std::fs;

use chrono::NaiveDate;
use directory::content::load_and_check;
use directory::{Request, Snapshot};
use serde_json::{Value, json};

use crate::harness::{NOW, Server, content, nameplate, text};

fn tool_text(server: &Server, request: &Request) -> (bool, String) {
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": request.tool().name, "arguments": request.arguments()}
    });
    let reply = server.post_mcp(&call.to_string());
    assert_eq!(reply.status, 200);
    let result = &reply.event()["result"];
    let answered = result["content"][0]["text"].as_str().unwrap().to_owned();
    if result["isError"] == false {
        let structured: Value = serde_json::from_str(&answered).unwrap();
        assert_eq!(result["structuredContent"], structured);
    }
    (result["isError"] == true, answered)
}

#[test]
fn answers_have_the_same_bytes_in_every_interface() {
    let dist = tempfile::tempdir().unwrap();
    let out = dist.path().join("dist");
    assert!(nameplate(&["build", "--out", out.to_str().unwrap()]).status.success());
    let checked = load_and_check(&content(), NaiveDate::default()).unwrap();
    let files = generator::answer_files(&checked.directory).unwrap().0;
    let server = Server::start(&["serve", "--now", NOW]);
    // Four lists for each of the 56 states, five without a state, and each profile.
    assert_eq!(files.len(), 4 * 56 + 5 + checked.directory.providers().len());
    for (path, request) in &files {
        let target = request.path_and_query();
        let file = fs::read(out.join(path.as_str())).unwrap();
        assert!(serde_json::from_slice::<Value>(&file).unwrap().is_object(), "{target}");
        let live = server.get(&target);
        assert_eq!((live.status, text(&live.body)), (200, text(&file)), "{target}");
        assert_eq!(live.field("content-type"), Some("application/json"), "{target}");
        assert_eq!(tool_text(&server, request), (false, text(&file).to_owned()), "{target}");
        assert_eq!(Request::from_target(&target).as_ref(), Ok(request), "{target}");
    }
    // A process for each entry would take minutes.
    for (path, request) in files.iter().step_by(17) {
        let target = request.path_and_query();
        let file = fs::read(out.join(path.as_str())).unwrap();
        let printed = nameplate(&["query", &target]);
        assert_eq!((printed.status.code(), text(&printed.stdout)), (Some(0), text(&file)), "{target}");
    }
}

#[test]
fn documents_for_programs_have_the_same_bytes_with_and_without_a_site() {
    let dist = tempfile::tempdir().unwrap();
    let out = dist.path().join("dist");
    assert!(nameplate(&["build", "--out", out.to_str().unwrap()]).status.success());
    let server = Server::start(&["serve", "--now", NOW]);
    let well_known = ["ard.json", "ai-catalog.json", "api-catalog"].map(|name| format!(".well-known/{name}"));
    let schemas = fs::read_dir(out.join("v1/schemas")).unwrap();
    let schemas = schemas.map(|entry| format!("v1/schemas/{}", entry.unwrap().file_name().to_str().unwrap()));
    let mut paths: Vec<String> = schemas.chain(well_known).collect();
    assert!(paths.len() > 9, "{paths:?}");
    paths.extend(["v1/openapi.json", "api/mcp/server-card"].map(str::to_owned));
    for path in paths {
        let live = server.get(&format!("/{path}"));
        let file = fs::read(out.join(&path)).unwrap();
        assert_eq!((live.status, text(&live.body)), (200, text(&file)), "{path}");
        assert_eq!(live.field("access-control-allow-origin"), Some("*"), "{path}");
    }
    // The demo has no challenge, and no page.
    for path in ["/.well-known/openai-apps-challenge", "/server.json", "/llms.txt", "/index.md"] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn pages_in_every_language_are_served_as_the_files_they_are() {
    let dist = tempfile::tempdir().unwrap();
    let out = dist.path().join("dist");
    assert!(nameplate(&["build", "--out", out.to_str().unwrap()]).status.success());
    let server = Server::start(&["serve", "--static", out.to_str().unwrap()]);
    let mut pages = 0;
    for entry in walkdir::WalkDir::new(&out).into_iter().map(Result::unwrap) {
        let name = entry.path().strip_prefix(&out).unwrap().to_str().unwrap().to_owned();
        let Some(route) = name.strip_suffix(".html") else { continue };
        let page = server.get(&format!("/{}", if route == "index" { "" } else { route }));
        assert_eq!((page.status, text(&page.body)), (200, text(&fs::read(entry.path()).unwrap())), "{route}");
        pages += usize::from(route.starts_with("es/"));
    }
    assert!(pages > 40, "{pages}");
    for (target, file) in [("/es/nobody/here", "es/404.html"), ("/esx", "404.html"), ("/nobody", "404.html")]
    {
        let lost = server.get(target);
        let expected = fs::read(out.join(file)).unwrap();
        assert_eq!((lost.status, text(&lost.body)), (404, text(&expected)), "{target}");
    }
    for former in ["/es/providers/hannah-whitfield", "/es/providers/hannah-whitfield/"] {
        let moved = server.get(former);
        let target = Some("/es/providers/hannah-whitfield-moss");
        assert_eq!((moved.status, moved.field("location")), (301, target), "{former}");
    }
    // Someone deletes the folder: a patient reads why, an operator finds it in the log, and the API answers.
    fs::remove_dir_all(&out).unwrap();
    for page in ["/", "/es/providers/amara-okonkwo"] {
        let gone = server.get(page);
        let facts = (gone.status, gone.field("content-type"), gone.field("cache-control"));
        assert_eq!(facts, (503, Some("text/html; charset=utf-8"), Some("no-store")), "{page}");
        assert!(text(&gone.body).contains("<p lang=\"es\">"), "{}", text(&gone.body));
    }
    assert_eq!(server.get("/v1/states").status, 200);
    server.logs("the --static folder is missing");
}

#[test]
fn unplanned_requests_have_the_same_bytes_in_every_interface() {
    let server = Server::start(&["serve", "--now", NOW]);
    for target in [
        "/v1/availability?state=AZ",
        "/v1/availability?state=new+york&limit=3",
        "/v1/availability?state=CA&appointmentType=101&horizonDays=30&limit=200",
        "/v1/availability?state=CA&provider=maria-de-la-vega",
        "/v1/availability?state=PR",
        "/v1/providers?state=TX&insurance=goldenrod+ppo&providerType=PHYSICIAN&gender=female&limit=2&offset=1",
    ] {
        let live = server.get(target);
        assert_eq!(live.status, 200, "{target}");
        let printed = nameplate(&["query", "--now", NOW, target]);
        assert_eq!(text(&printed.stdout), text(&live.body), "{target}");
        let request = Request::from_target(target).unwrap();
        assert_eq!(tool_text(&server, &request), (false, text(&live.body).to_owned()), "{target}");
    }
}

#[test]
fn errors_have_a_code_for_programs_and_a_sentence_for_people() {
    let server = Server::start(&["serve", "--now", NOW]);
    let cases = [
        (
            "/v1/insurances?state=XX",
            400,
            r#"{"code":"SPONSOR_NOT_COVERED","message":"invalid state code: XX"}"#,
            json!(["list_insurances", {"state": "XX"}]),
            "I don't recognize the state “XX”. Please give a US state name or two-letter code.",
        ),
        (
            "/v1/providers/nobody",
            404,
            r#"{"code":"PROVIDER_NOT_FOUND","message":"provider not found: nobody"}"#,
            json!(["get_provider", {"slug": "nobody"}]),
            "No clinician is listed as “nobody”. Search by state to find one.",
        ),
    ];
    for (target, status, body, call, sentence) in cases {
        let live = server.get(target);
        assert_eq!((live.status, text(&live.body)), (status, body));
        let printed = nameplate(&["query", target]);
        assert_eq!((printed.status.code(), text(&printed.stdout)), (Some(1), body));
        let call = json!({
            "jsonrpc": "2.0", "id": "a", "method": "tools/call",
            "params": {"name": call[0], "arguments": call[1]}
        });
        let event = server.post_mcp(&call.to_string()).event();
        assert_eq!(event["result"]["isError"], true);
        assert_eq!(event["result"]["content"], json!([{"type": "text", "text": sentence}]));
        assert_eq!(event["result"].get("structuredContent"), None);
    }
}

#[test]
fn a_former_slug_redirects_over_rest_and_is_answered_by_the_tool() {
    let server = Server::start(&["serve", "--now", NOW]);
    let today = server.get("/v1/providers/hannah-whitfield-moss");
    let moved = server.get("/v1/providers/hannah-whitfield");
    assert_eq!((today.status, moved.status), (200, 301));
    assert_eq!(moved.field("location"), Some("/v1/providers/hannah-whitfield-moss"));
    let request = Request::from_path_and_query("/v1/providers/hannah-whitfield", None).unwrap();
    assert_eq!(tool_text(&server, &request), (false, text(&today.body).to_owned()));
}

#[test]
fn a_snapshot_answers_like_the_service() {
    let checked = load_and_check(&content(), NaiveDate::default()).unwrap();
    let snapshot = Snapshot::new(checked.directory);
    let request = Request::from_path_and_query("/v1/states", None).unwrap();
    let answer = snapshot.answer(&request, NOW.parse().unwrap()).unwrap();
    let server = Server::start(&["serve", "--now", NOW]);
    let live = server.get("/v1/states");
    assert_eq!(text(&live.body), text(answer.body()));
    assert_eq!(live.field("etag"), Some(answer.etag().to_string().as_str()));
    assert_eq!(live.field("nameplate-generation"), Some(snapshot.directory().generation().as_str()));
    assert_eq!(server.get_with("/v1/states", &format!("If-None-Match: {}", answer.etag())).status, 304);
}

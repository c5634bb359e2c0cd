//! Attacks on the endpoint: malformed JSON, and texts that try to end their event.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::testing::now;
use crate::{Clock, Service, Store};

async fn raw(server: &Server, body: &[u8]) -> Reply {
    let head = format!(
        "POST /api/mcp HTTP/1.1\r\nhost: localhost\r\n{JSON}\r\n{BOTH}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    Reply::parse(&server.raw(&[head.as_bytes(), body].concat()).await)
}

#[tokio::test]
async fn arbitrary_bytes_get_a_valid_response() {
    let server = Server::start(options()).await;
    let whole =
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_states","arguments":{}}}"#;
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let (mut refused, mut answered) = (0, 0);
    for round in 0..400 {
        let mut body = whole.to_vec();
        if round % 4 == 0 {
            body = (0..random() % 200).map(|_| random().to_le_bytes()[0]).collect();
        }
        for _ in 0..round % 4 {
            let at = usize::try_from(random()).unwrap() % body.len();
            body[at] = random().to_le_bytes()[0];
        }
        let reply = raw(&server, &body).await;
        let shown = String::from_utf8_lossy(&body);
        match reply.status {
            400 => {
                refused += 1;
                assert!(
                    [-32700, -32600].contains(&reply.json()["error"]["code"].as_i64().unwrap()),
                    "{shown}"
                );
            }
            200 => {
                answered += 1;
                assert_eq!(reply.event()["jsonrpc"], "2.0", "{shown}");
            }
            202 => assert!(reply.body.is_empty(), "{shown}"),
            other => panic!("{other} for {shown}"),
        }
    }
    assert!(refused > 100 && answered > 10, "{refused} refused, {answered} answered");
}

#[tokio::test]
async fn deep_nesting_is_refused_in_parsed_members() {
    let server = Server::start(options()).await;
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(10_000), "}".repeat(10_000));
    for nested in [&deep, &objects] {
        for (body, code) in [
            (
                format!(
                    r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"list_states","arguments":{nested}}}}}"#
                ),
                -32600,
            ),
            (format!(r#"{{"jsonrpc":"2.0","id":{nested},"method":"ping"}}"#), -32600),
        ] {
            is_error(&raw(&server, body.as_bytes()).await, 400, code);
        }
        // Unknown members are ignored at any depth.
        for ignored in [format!(r#""x":{nested}"#), format!(r#""params":{{"x":{nested}}}"#)] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping",{ignored}}}"#);
            assert_eq!(raw(&server, body.as_bytes()).await.event()["result"], json!({}));
        }
    }
    let no_object = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{deep}}}"#);
    is_error(&raw(&server, no_object.as_bytes()).await, 400, -32600);
    // A batch of one item, which is not a message.
    let batch = raw(&server, deep.as_bytes()).await.events();
    assert_eq!((batch.len(), &batch[0]["error"]["code"]), (1, &json!(-32600)));
    is_error(&raw(&server, "[".repeat(30_000).as_bytes()).await, 400, -32700);
}

#[tokio::test]
async fn duplicate_keys_large_numbers_and_lone_surrogates_follow_the_rules() {
    let server = Server::start(options()).await;
    let twice = r#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}"#;
    is_error(&raw(&server, twice.as_bytes()).await, 400, -32600);
    let with = |arguments: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"list_insurances","arguments":{arguments}}}}}"#
        )
    };
    let last_wins = raw(&server, with(r#"{"state":"XX","state":"CA"}"#).as_bytes()).await.event();
    let text = last_wins["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(text.as_bytes(), body_of("/v1/insurances?state=CA"));
    for arguments in [r#"{"state":1e400}"#, r#"{"state":"\ud800"}"#, r#"{"\udfff":1}"#] {
        let refused = raw(&server, with(arguments).as_bytes()).await;
        is_error(&refused, 400, -32600);
        assert!(!refused.text().contains("valid JSON"), "{}", refused.text());
    }
    is_error(&raw(&server, with(r#"{"state":01}"#).as_bytes()).await, 400, -32700);
    for arguments in [r#"{"state":1e300}"#, r#"{"state":[]}"#, r#"{"state":{}}"#, r#"{"state":true}"#] {
        let result = raw(&server, with(arguments).as_bytes()).await.event()["result"].clone();
        assert_eq!(result["isError"], true, "{arguments}");
    }
    let not_utf8 = [&b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi"[..], &[0xff], b"ng\"}"].concat();
    is_error(&raw(&server, &not_utf8).await, 400, -32700);
}

#[tokio::test]
async fn an_id_is_a_string_or_a_number_and_is_returned_unchanged() {
    let server = Server::start(options()).await;
    for id in ["0", "-1", "1.50", "1e400", "123456789012345678901234567890", r#""""#, r#""\u00e9\n\u2028""#] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let reply = raw(&server, body.as_bytes()).await;
        let expected =
            format!("event: message\ndata: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}\n\n");
        assert_eq!((reply.status, reply.text()), (200, expected.as_str()));
    }
    for id in ["null", "true", "false", "[]", "[1]", "{}"] {
        let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        is_error(&raw(&server, body.as_bytes()).await, 400, -32600);
    }
}

#[tokio::test]
async fn a_notification_never_gets_a_reply() {
    let server = Server::start(options()).await;
    let silent =
        |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let notes = [
        silent("nonsense", json!({})),
        silent("tools/call", json!({ "name": "book_visit" })),
        silent("tools/call", json!({ "name": "get_provider", "arguments": { "slug": "nobody" } })),
        silent("initialize", json!({ "protocolVersion": "1999-01-01" })),
    ];
    for note in &notes {
        let reply = post(&server, &[], note).await;
        assert_eq!((reply.status, reply.body.len()), (202, 0), "{note}");
    }
    assert_eq!(post(&server, &[], &Value::Array(notes.to_vec())).await.status, 202);
    is_error(&post(&server, &[], &silent("ping", json!([]))).await, 400, -32600);
}

#[tokio::test]
async fn a_mixed_batch_has_one_event_for_each_request() {
    let server = Server::start(options()).await;
    let call = |id: Value, name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let batch = json!([
        call(json!(1), "list_states", json!({})),
        call(json!(1), "get_provider", json!({ "slug": "nobody" })),
        { "jsonrpc": "2.0", "method": "nonsense" },
        call(json!("a"), "book_visit", json!({})),
        [],
        null,
        { "jsonrpc": "2.0", "id": null, "method": "ping" },
    ]);
    let events = post(&server, &[], &batch).await.events();
    assert_eq!(events[0]["result"]["content"][0]["text"].as_str().unwrap().as_bytes(), body_of("/v1/states"));
    assert_eq!((&events[1]["id"], &events[1]["result"]["isError"]), (&json!(1), &json!(true)));
    assert_eq!((&events[2]["id"], &events[2]["error"]["code"]), (&json!("a"), &json!(-32602)));
    for refused in &events[3..] {
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&Value::Null, &json!(-32600)));
    }
    assert_eq!(events.len(), 6);
}

/// The fixture with another biography, and its lints allowed in `allow.toml`.
#[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
fn with_biography(folder: &Path, biography: &str) -> PathBuf {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    let content = folder.join("content");
    for part in ["", "providers", "availability"] {
        std::fs::create_dir_all(content.join(part)).unwrap();
        for entry in std::fs::read_dir(fixture.join(part)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                std::fs::copy(&path, content.join(part).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    let path = content.join("providers/sam-roe.toml");
    let profile = std::fs::read_to_string(&path).unwrap();
    let written = serde_json::to_string(biography).unwrap();
    let changed = profile.replace("\"Sam listens first.\"", &written);
    assert_ne!(changed, profile);
    std::fs::write(path, changed).unwrap();
    let allow = |text: &str| {
        format!("[[allow]]\nlint = \"invisible-character\"\ntext = \"{text}\"\nreason = \"a test\"\n")
    };
    let allowed =
        ["\u{200b}", "\u{200d}", "\u{202e}", "\u{feff}", "\u{e0041}", "\u{e007f}"].map(allow).concat();
    std::fs::write(content.join("allow.toml"), allowed).unwrap();
    content
}

#[tokio::test]
async fn a_text_with_line_breaks_and_control_characters_stays_one_event() {
    let biography = "First line.\n\ndata: {\"jsonrpc\":\"2.0\"}\r\nevent: message\nid: 7\n: a comment \u{2028}and\u{2029} \
        a\u{200b}b\u{200d}c\u{202e}d\u{feff}e\u{e0041}\u{e007f} \\ \"quoted\" 🏳\u{1f308} end";
    let folder = tempfile::tempdir().unwrap();
    let content = with_biography(folder.path(), biography);
    let checked = directory::content::load_and_check(&content, now().date_naive());
    let snapshot =
        directory::api::Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory);
    let store = Arc::new(Store::new(snapshot));
    let server = Server::around(Service::new(store, Clock::frozen(now()), options())).await;

    let rest = server.get("/v1/providers/sam-roe").await;
    // TOML and the directory may normalize line ends, so REST's body is the expected one.
    assert_eq!(rest.json()["bio"].as_str().unwrap().replace("\r\n", "\n"), biography.replace("\r\n", "\n"));
    for (tool, arguments, target) in [
        ("get_provider", json!({ "slug": "sam-roe" }), "/v1/providers/sam-roe"),
        ("search_providers", json!({}), "/v1/providers"),
    ] {
        let body = server.get(target).await.body;
        let reply = send(&server, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
        let result = &reply.event()["result"];
        assert_eq!(result["content"][0]["text"].as_str().unwrap().as_bytes(), body);
        assert_eq!(result["structuredContent"], serde_json::from_slice::<Value>(&body).unwrap());
        // One line break before the event's data, two after it.
        assert_eq!(reply.body.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count(), 3);
    }
}

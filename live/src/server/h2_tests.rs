//! HTTP/2 without TLS, with prior knowledge, as a proxy in front uses it.

use std::net::SocketAddr;
use std::time::Duration;

use bytes::Bytes;
use h2::client::{SendRequest, handshake};
use tokio::net::TcpStream;
use warp::http::{HeaderMap, Request, StatusCode};

use crate::testing::{Server, body_of, options};

type Client = SendRequest<Bytes>;

async fn connect(address: SocketAddr) -> Client {
    let stream = TcpStream::connect(address).await.unwrap();
    let (client, connection) = handshake(stream).await.unwrap();
    tokio::spawn(async move {
        // The requests report a connection that the server ends.
        let _ = connection.await;
    });
    client
}

async fn ask(
    client: &Client,
    method: &str,
    target: &str,
    fields: &[(&str, &str)],
    body: &[u8],
) -> Result<(StatusCode, HeaderMap, Vec<u8>), h2::Error> {
    let mut request = Request::builder().method(method).uri(format!("http://localhost{target}"));
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    let mut client = client.clone().ready().await?;
    let (response, mut stream) = client.send_request(request.body(()).unwrap(), body.is_empty())?;
    if !body.is_empty() {
        stream.send_data(Bytes::copy_from_slice(body), true)?;
    }
    let response = tokio::time::timeout(Duration::from_secs(10), response).await.expect("an answer")?;
    let (head, mut coming) = response.into_parts();
    let mut body = Vec::new();
    while let Some(part) = coming.data().await {
        let part = part?;
        coming.flow_control().release_capacity(part.len())?;
        body.extend_from_slice(&part);
    }
    Ok((head.status, head.headers, body))
}

#[tokio::test]
async fn http_2_answers_like_http_1() {
    let server = Server::start(options()).await;
    let client = connect(server.address).await;
    let target = "/v1/availability?state=CA";
    let (status, headers, body) = ask(&client, "GET", target, &[], b"").await.unwrap();
    assert_eq!((status, body), (StatusCode::OK, body_of(target)));
    assert_eq!(
        (&headers["access-control-allow-origin"], &headers["vary"]),
        (&"*".parse().unwrap(), &"accept-encoding".parse().unwrap())
    );
    let tag = headers["etag"].to_str().unwrap();
    let (status, _, body) = ask(&client, "GET", target, &[("if-none-match", tag)], b"").await.unwrap();
    assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0));
    let (status, head, body) = ask(&client, "HEAD", target, &[], b"").await.unwrap();
    assert_eq!(
        (status, body.len(), &head["content-length"]),
        (StatusCode::OK, 0, &headers["content-length"])
    );
    for (method, target, expected) in [
        ("GET", "/v1/providers/nobody", 404),
        ("GET", "/v1/appointment-types?state=XX", 400),
        ("GET", "/nowhere", 404),
        ("DELETE", "/v1/states", 405),
        ("TRACE", "/v1/states", 405),
        ("OPTIONS", "/v1/states", 204),
        ("GET", "/healthz", 200),
    ] {
        let (status, headers, body) = ask(&client, method, target, &[], b"").await.unwrap();
        assert_eq!(status.as_u16(), expected, "{method} {target}");
        assert!(headers.contains_key("nameplate-generation") && !headers.contains_key("connection"));
        let json = serde_json::from_slice::<serde_json::Value>(&body);
        assert!(expected == 204 || json.is_ok(), "{method} {target}");
    }
    let fields = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    let ping = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let (status, headers, body) = ask(&client, "POST", "/api/mcp", &fields, ping).await.unwrap();
    assert_eq!((status, &headers["content-type"]), (StatusCode::OK, &"text/event-stream".parse().unwrap()));
    assert!(body.starts_with(b"event: message\ndata: "));
    let long = format!("/v1/providers?state={}", "x".repeat(9_000));
    assert_eq!(ask(&client, "GET", &long, &[], b"").await.unwrap().0, StatusCode::URI_TOO_LONG);
    let large = "x".repeat(17_000);
    let refused = ask(&client, "GET", "/v1/states", &[("x-large", &large)], b"").await.unwrap();
    assert_eq!(refused.0, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
    let many: Vec<String> = (0..101).map(|number| format!("x-{number}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|name| (name.as_str(), "")).collect();
    assert_eq!(ask(&client, "GET", "/v1/states", &many[1..], b"").await.unwrap().0, StatusCode::OK);
    let (status, _, body) = ask(&client, "GET", "/v1/states", &many, b"").await.unwrap();
    let json: serde_json::Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status.as_u16(), &json["code"]), (431, &"HEADERS_TOO_LARGE".into()));
    // Two Hosts are refused. The connection stays open: frames delimit its requests.
    let other = ask(&client, "GET", "/v1/states", &[("host", "a"), ("host", "b")], b"").await.unwrap();
    assert_eq!(other.0, StatusCode::BAD_REQUEST);
    for (host, expected) in [("evil.example", StatusCode::BAD_REQUEST), ("LocalHost", StatusCode::OK)] {
        let (status, ..) = ask(&client, "GET", "/v1/states", &[("host", host)], b"").await.unwrap();
        assert_eq!(status, expected, "{host} besides :authority localhost");
    }
    assert_eq!(ask(&client, "GET", "/v1/states", &[], b"").await.unwrap().0, StatusCode::OK);
}

#[tokio::test]
async fn batches_on_one_connection_are_all_answered() {
    let server = Server::start(options()).await;
    let client = connect(server.address).await;
    let fields = [("content-type", "application/json"), ("accept", "application/json")];
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let batch = format!("[{}]", [ping; 20].join(","));
    let asked: Vec<_> = (0..60)
        .map(|_| {
            let (client, batch) = (client.clone(), batch.clone());
            tokio::spawn(async move { ask(&client, "POST", "/api/mcp", &fields, batch.as_bytes()).await })
        })
        .collect();
    let one = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    for answer in asked {
        let (status, _, body) = answer.await.unwrap().unwrap();
        assert_eq!((status, body), (StatusCode::OK, format!("[{}]", [one; 20].join(",")).into_bytes()));
    }
}

#[tokio::test]
async fn http_2_multiplexes_requests_and_a_stop_does_not_wait_for_idle_connections() {
    let server = Server::start(options()).await;
    let client = connect(server.address).await;
    let asked: Vec<_> = (0..60)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { ask(&client, "GET", "/v1/states", &[], b"").await.unwrap() })
        })
        .collect();
    let expected = body_of("/v1/states");
    for answer in asked {
        let (status, _, body) = answer.await.unwrap();
        assert_eq!((status, &body), (StatusCode::OK, &expected));
    }
    assert_eq!(server.stop().await.cut, 0);
    assert!(ask(&client, "GET", "/v1/states", &[], b"").await.is_err());
}

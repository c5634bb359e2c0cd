use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::FeedMode;
use futures_util::FutureExt;
use tokio::sync::oneshot;
use warp::http::StatusCode;

use super::{Admin, answer_with, to_its_end};
use crate::testing::{Reply, Server, edited, now, options, snapshot, store};
use crate::{Access, Clock, Limits, Options, Service, Vitals};
use feed::{FeedOptions, Feeds, Polled};

fn clock() -> Clock {
    Clock::frozen(now())
}

#[tokio::test]
async fn a_service_is_ready_from_its_content_to_its_end() {
    let vitals = Arc::new(Vitals::new());
    let admin =
        Server::around(Admin::service(Arc::clone(&vitals), clock(), Limits::default(), Access::loopback()))
            .await;
    let loading = admin.get("/readyz").await;
    assert_eq!((loading.status, &loading.json()["status"]), (503, &"loading".into()));
    assert_eq!(admin.get("/healthz").await.status, 200);

    let store = store();
    vitals.loaded(Arc::clone(&store), Feeds::default());
    let ready = admin.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["status"]), (200, &"ready".into()));
    assert_eq!(ready.json()["generation"], snapshot().directory().generation().as_str());
    assert_eq!(ready.json()["feed"], serde_json::Value::Null);
    assert_eq!(
        ready.header("access-control-allow-origin"),
        None,
        "pages from elsewhere have no business here"
    );

    // Broken content is reported, and the served content is still right.
    vitals.content_refused("error: x\n --> y:1:2".to_owned());
    let broken = admin.get("/readyz").await;
    assert_eq!(
        (broken.status, &broken.json()["content"]["lastError"]["what"]),
        (200, &"error: x\n --> y:1:2".into())
    );
    assert!(admin.get("/metrics").await.text().contains("nameplate_content_refused 1\n"));
    vitals.content_taken();
    assert!(admin.get("/readyz").await.json()["content"]["lastError"].is_null());

    // /readyz shows held content until an operator accepts it.
    store.hold(Some(snapshot()));
    let generation = snapshot().directory().generation().clone();
    vitals.content_held("9 of 12 clinicians are gone".to_owned(), generation.clone());
    let held = admin.get("/readyz").await;
    assert_eq!(
        (held.status, &held.json()["content"]["held"]["what"]),
        (200, &"9 of 12 clinicians are gone".into())
    );
    assert!(admin.get("/metrics").await.text().contains("nameplate_content_held 1\n"));
    // A later edit that is broken takes nothing away from it, and is broken still when it is accepted.
    vitals.content_refused("error: z".to_owned());
    assert!(admin.get("/readyz").await.json()["content"]["held"].is_object());
    let seen = [&*format!("if-match: {generation}")];
    let accepted = admin.request("POST", "/content/accept", &seen, "").await;
    assert_eq!((accepted.status, &accepted.json()["code"]), (200, &"APPLIED".into()));
    let ready = admin.get("/readyz").await.json();
    assert!(ready["content"]["held"].is_null() && ready["content"]["lastError"].is_object(), "{ready}");
    assert!(admin.get("/metrics").await.text().contains("nameplate_content_held 0\n"));

    let service =
        Service::new(store, Clock::frozen(now()), Options { vitals: Arc::clone(&vitals), ..options() });
    let server = Server::around(service).await;
    for target in ["/v1/states", "/v1/states/", "/v1/providers/nobody"] {
        server.get(target).await;
    }
    let metrics = admin.get("/metrics").await;
    assert!(metrics.header("content-type").unwrap().starts_with("text/plain; version=0.0.4"));
    for line in [
        "nameplate_requests_total{route=\"/v1/states\",status=\"200\"} 2",
        "nameplate_requests_total{route=\"/v1/providers/{slug}\",status=\"404\"} 1",
        "nameplate_requests_in_flight 0",
        "nameplate_connections_total 3",
        "nameplate_reloads_total{outcome=\"taken\"} 2",
        "nameplate_reloads_total{outcome=\"held\"} 1",
        "nameplate_providers 2",
        "nameplate_reloads_total{outcome=\"refused\"} 2",
    ] {
        assert!(metrics.text().lines().any(|known| known == line), "{line}\n{}", metrics.text());
    }
    server.stop().await;
    let stopping = admin.get("/readyz").await;
    assert_eq!((stopping.status, &stopping.json()["status"]), (503, &"stopping".into()));
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the test edits content")]
async fn an_operator_accepts_only_the_content_that_was_seen() {
    let (vitals, store) = (Arc::new(Vitals::new()), store());
    vitals.loaded(Arc::clone(&store), Feeds::default());
    let limits = Limits::default();
    let admin =
        Server::around(Admin::service(Arc::clone(&vitals), clock(), limits, Access::loopback())).await;
    let hold = |line: &str, what: &str| {
        let held = edited(|folder| {
            let file = folder.join("providers/sam-roe.toml");
            std::fs::write(&file, std::fs::read_to_string(&file).unwrap() + line).unwrap();
        });
        let generation = held.directory().generation().clone();
        vitals.content_held(what.to_owned(), generation.clone());
        store.hold(Some(held));
        generation.to_string()
    };
    let accept = async |headers: &[&str]| {
        let reply = admin.request("POST", "/content/accept", headers, "").await;
        (reply.status, reply.json()["message"].as_str().unwrap().to_owned())
    };
    let served = || store.current().directory().generation().to_string();
    let first = served();
    let seen = hold("# one\n", "8 of 24 clinicians are gone");
    assert_eq!(admin.get("/readyz").await.json()["content"]["held"]["generation"], seen.as_str());
    let now = hold("# another\n", "22 of 24 clinicians are gone");
    assert_ne!(seen, now);
    for (headers, status) in [
        (&[][..], 428),
        (&[&*format!("if-match: \"{seen}\"")], 412),
        (&["if-match: *"], 412),
        (&["if-match: \u{e9}"], 412),
    ] {
        let (answered, message) = accept(headers).await;
        assert_eq!(answered, status, "{headers:?}: {message}");
        let shown = format!("send the header If-Match: {now} (held: 22 of 24 clinicians are gone)");
        assert!(message.contains(&shown), "{message}");
        assert_eq!(served(), first);
    }
    assert_eq!(accept(&[&format!("if-match: \"{now}\"")]).await.0, 200);
    assert_eq!(served(), now);
}

#[tokio::test]
async fn no_page_of_another_site_reads_the_operators_address_under_its_own_name() {
    let access = Access::public().with_hosts(["Prometheus.internal".to_owned()]);
    let service = Admin::service(Arc::default(), clock(), Limits::default(), access);
    let admin = Server::around(service).await;
    for host in [
        "localhost",
        "LOCALHOST:9090",
        "127.0.0.1:9090",
        "10.1.2.3:9090",
        "[fd00::7]:9090",
        "prometheus.internal:9090",
    ] {
        assert_eq!(admin.get_as(host, "/metrics").await.status, 200, "{host}");
    }
    for host in [
        "evil.example",
        "evil.example:9090",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "api.fixture.example",
    ] {
        for target in ["/metrics", "/readyz", "/healthz", "/nothing"] {
            let refused = admin.get_as(host, target).await;
            assert_eq!((refused.status, &refused.json()["code"]), (403, &"FORBIDDEN".into()), "{host}");
            assert!(refused.text().contains("add it to mcp.hosts"), "{}", refused.text());
        }
    }
    let order = "POST /content/accept HTTP/1.1\r\nhost: evil.example\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let refused = Reply::parse(&admin.raw(order.as_bytes()).await);
    assert_eq!(refused.status, 403);
}

#[tokio::test]
async fn an_order_is_carried_out_although_its_client_goes_away() {
    let (done, is_done) = oneshot::channel();
    let order = async {
        tokio::task::yield_now().await;
        done.send(()).unwrap();
        answer_with(StatusCode::OK, "APPLIED", "")
    };
    assert!(to_its_end(order).now_or_never().is_none(), "the request is dropped before the end");
    is_done.await.unwrap();
}

#[tokio::test]
async fn operators_get_only_the_operators_paths() {
    let admin =
        Server::around(Admin::service(Arc::default(), clock(), Limits::default(), Access::loopback())).await;
    for target in ["/", "/v1/states", "/metrics/x", "/readyz?x"] {
        let reply = admin.get(target).await;
        assert_eq!(reply.status, if target == "/readyz?x" { 503 } else { 404 }, "{target}");
    }
    for method in ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"] {
        for target in ["/feed/accept", "/content/accept"] {
            let refused = admin.request(method, target, &[], "").await;
            assert_eq!((refused.status, refused.header("allow")), (405, Some("POST")), "{method} {target}");
        }
    }
    let nothing = admin.request("POST", "/content/accept", &[], "").await;
    assert_eq!((nothing.status, &nothing.json()["code"]), (409, &"NOTHING_HELD".into()));
    let page = ["origin: https://elsewhere.example"];
    assert_eq!(admin.request("POST", "/content/accept", &page, "").await.status, 403);
    let browser = ["sec-fetch-site: cross-site"];
    assert_eq!(admin.request("POST", "/feed/end", &browser, "").await.status, 403);
    let nothing = admin.request("POST", "/feed/accept", &[], "").await;
    assert_eq!((nothing.status, &nothing.json()["code"]), (409, &"NO_FEED".into()));
    let refused = admin.request("POST", "/metrics", &[], "").await;
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));
}

#[expect(clippy::disallowed_methods, reason = "the test needs a feed's file")]
fn write(file: &Path, text: &str) {
    let new = file.with_extension("new");
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, file).unwrap();
}

#[tokio::test]
async fn an_operator_accepts_a_held_feed_over_http() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("open.ndjson");
    let slots = |days: std::ops::Range<u32>| -> String {
        let slot = |day| {
            format!(
                "{{\"provider\":\"jane-doe\",\"start\":\"2026-03-{day:02}T17:00:00Z\",\
                 \"end\":\"2026-03-{day:02}T17:30:00Z\",\"status\":\"free\"}}\n"
            )
        };
        days.map(slot).collect()
    };
    write(&file, &slots(3..23));
    let (vitals, store, feeds) = (Arc::new(Vitals::new()), store(), Feeds::default());
    let every = Duration::from_millis(100);
    let options = FeedOptions::file(file.clone(), FeedMode::Open).with_poll(every);
    let source = Polled::of(&options).unwrap();
    feeds.listen(options, source, &store, Clock::frozen(now())).await;
    vitals.loaded(store, feeds);
    let admin =
        Server::around(Admin::service(Arc::clone(&vitals), clock(), Limits::default(), Access::loopback()))
            .await;
    let accept = async |headers: &[&str]| {
        let reply = admin.request("POST", "/feed/accept", headers, "").await;
        (reply.status, reply.json()["code"].as_str().unwrap().to_owned())
    };
    let feed = async || admin.get("/readyz").await.json()["feed"].clone();
    assert_eq!(feed().await["providers"], 1);
    assert_eq!(accept(&[]).await, (409, "NOTHING_HELD".to_owned()));

    let is_held = async |lost: &str| {
        let waiting = async {
            while !feed().await["held"].as_str().is_some_and(|why| why.contains(lost)) {
                tokio::time::sleep(every / 10).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), waiting).await.expect("the feed is held");
        format!("if-match: \"{}\"", feed().await["heldToken"].as_str().unwrap())
    };
    write(&file, &slots(3..12));
    let seen = is_held("lost 11 of the 20").await;
    write(&file, &slots(3..5));
    let token = is_held("lost 18 of the 20").await;
    // A page that makes an operator's browser ask changes nothing.
    assert_eq!(accept(&["origin: https://elsewhere.example"]).await, (403, "FORBIDDEN".to_owned()));
    let held = feed().await;
    assert!(held["held"].as_str().unwrap().contains("/feed/accept"), "{held}");
    assert_eq!(accept(&[]).await, (428, "PRECONDITION_REQUIRED".to_owned()));
    // What was seen was a smaller loss.
    assert_eq!(accept(&[&seen]).await, (412, "PRECONDITION_FAILED".to_owned()));
    assert_eq!(feed().await["held"], held["held"]);
    assert_eq!(accept(&[&token]).await, (200, "APPLIED".to_owned()));
    let applied = feed().await;
    assert!(applied["held"].is_null() && applied["heldToken"].is_null(), "{applied}");
    assert_eq!(accept(&[&token]).await, (409, "NOTHING_HELD".to_owned()));
}

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::FeedMode;
use futures_util::FutureExt;
use tokio::sync::oneshot;
use warp::http::StatusCode;

use super::{Admin, answer_with, to_its_end};
use crate::feed::{FeedOptions, Feeds};
use crate::testing::{Server, now, options, snapshot, store};
use crate::{Clock, Limits, Service, Vitals};

fn clock() -> Clock {
    Clock::frozen(now())
}

#[tokio::test]
async fn a_service_is_ready_from_its_content_to_its_end() {
    let vitals = Arc::new(Vitals::new());
    let admin = Server::around(Admin::service(Arc::clone(&vitals), clock(), Limits::default())).await;
    let loading = admin.get("/readyz").await;
    assert_eq!((loading.status, &loading.json()["status"]), (503, &"loading".into()));
    assert_eq!(admin.get("/healthz").await.status, 200);

    let store = store();
    vitals.loaded(Arc::clone(&store), Feeds::none());
    let ready = admin.get("/readyz").await;
    assert_eq!((ready.status, &ready.json()["status"]), (200, &"ready".into()));
    assert_eq!(ready.json()["generation"], snapshot().directory().generation().as_str());
    assert_eq!(ready.json()["feed"], serde_json::Value::Null);
    assert_eq!(
        ready.header("access-control-allow-origin"),
        None,
        "pages from elsewhere have no business here"
    );

    // Broken content is told, and what is served is still right.
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
    vitals.content_held("9 of 12 clinicians are gone".to_owned());
    let held = admin.get("/readyz").await;
    assert_eq!(
        (held.status, &held.json()["content"]["held"]["what"]),
        (200, &"9 of 12 clinicians are gone".into())
    );
    assert!(admin.get("/metrics").await.text().contains("nameplate_content_held 1\n"));
    // A later edit that is broken takes nothing away from it, and is broken still when it is accepted.
    vitals.content_refused("error: z".to_owned());
    assert!(admin.get("/readyz").await.json()["content"]["held"].is_object());
    let accepted = admin.request("POST", "/content/accept", &[], "").await;
    assert_eq!((accepted.status, &accepted.json()["code"]), (200, &"APPLIED".into()));
    let ready = admin.get("/readyz").await.json();
    assert!(ready["content"]["held"].is_null() && ready["content"]["lastError"].is_object(), "{ready}");
    assert!(admin.get("/metrics").await.text().contains("nameplate_content_held 0\n"));

    let service = Service::new(store, Clock::frozen(now()), options().with_vitals(Arc::clone(&vitals)));
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
    let admin = Server::around(Admin::service(Arc::default(), clock(), Limits::default())).await;
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
    let slot = |provider| {
        format!(
            "{{\"provider\":\"{provider}\",\"start\":\"2026-03-02T17:00:00Z\",\
             \"end\":\"2026-03-02T17:30:00Z\",\"status\":\"free\"}}\n"
        )
    };
    write(&file, &(slot("jane-doe") + &slot("sam-roe")));
    let (vitals, store, feeds) = (Arc::new(Vitals::new()), store(), Feeds::none());
    let every = Duration::from_millis(100);
    let options = FeedOptions::file(file.clone(), FeedMode::Open).with_poll(every).unwrap();
    feeds.listen(options, &store, Clock::frozen(now())).await.unwrap();
    vitals.loaded(store, feeds);
    let admin = Server::around(Admin::service(Arc::clone(&vitals), clock(), Limits::default())).await;
    let accept = async |headers: &[&str]| {
        let reply = admin.request("POST", "/feed/accept", headers, "").await;
        (reply.status, reply.json()["code"].as_str().unwrap().to_owned())
    };
    let feed = async || admin.get("/readyz").await.json()["feed"].clone();
    assert_eq!(feed().await["providers"], 2);
    assert_eq!(accept(&[]).await, (409, "NOTHING_HELD".to_owned()));

    write(&file, "");
    let held = async {
        while feed().await["held"].is_null() {
            tokio::time::sleep(every / 10).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), held).await.expect("the feed is held");
    // A page that makes an operator's browser ask changes nothing.
    assert_eq!(accept(&["origin: https://elsewhere.example"]).await, (403, "FORBIDDEN".to_owned()));
    let held = feed().await;
    assert!(held["held"].as_str().unwrap().contains("/feed/accept"), "{held}");
    assert_eq!(held["providers"], 2);
    assert_eq!(accept(&[]).await, (200, "APPLIED".to_owned()));
    let applied = feed().await;
    assert_eq!((&applied["held"], &applied["providers"]), (&serde_json::Value::Null, &0.into()));
    assert_eq!(accept(&[]).await, (409, "NOTHING_HELD".to_owned()));
}

use std::sync::Arc;

use super::Admin;
use crate::feed::Feeds;
use crate::testing::{Server, now, options, snapshot, store};
use crate::{Clock, Limits, Service, Vitals};

#[tokio::test]
async fn a_service_is_ready_from_its_content_to_its_end() {
    let vitals = Arc::new(Vitals::new());
    let admin = Server::around(Admin::service(Arc::clone(&vitals), Limits::default())).await;
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
        "nameplate_reloads_total{outcome=\"taken\"} 1",
        "nameplate_reloads_total{outcome=\"refused\"} 1",
    ] {
        assert!(metrics.text().lines().any(|known| known == line), "{line}\n{}", metrics.text());
    }
    server.stop().await;
    let stopping = admin.get("/readyz").await;
    assert_eq!((stopping.status, &stopping.json()["status"]), (503, &"stopping".into()));
}

#[tokio::test]
async fn operators_are_answered_what_they_ask_and_nothing_else() {
    let admin = Server::around(Admin::service(Arc::default(), Limits::default())).await;
    for target in ["/", "/v1/states", "/metrics/x", "/readyz?x"] {
        let reply = admin.get(target).await;
        assert_eq!(reply.status, if target == "/readyz?x" { 503 } else { 404 }, "{target}");
    }
    let refused = admin.request("POST", "/metrics", &[], "").await;
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD")));
}

//! A feed that cannot be mapped, in a running service: taken time is never offered, and operators see why.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use directory::api::Snapshot;
use directory::calendar::{Calendar, FeedMode, Instant};

use super::publisher::{Answer, Publisher};
use super::{Accepted, FeedOptions, Feeds, PATIENCE, accept, clock, lines, listen, real_now};
use crate::testing::{Reply, Server, now, options, snapshot};
use crate::{Admin, Limits, Service, Store, Vitals};

pub(super) const SCHEDULES: &str = "/feed/schedules.ndjson";

/// A service that polls a publisher of busy time, and its operators.
pub(super) struct Clinic {
    pub(super) publisher: Publisher,
    pub(super) store: Arc<Store>,
    pub(super) feeds: Feeds,
    public: Server,
    pub(super) admin: Server,
}

impl Clinic {
    /// Starts with what the publisher has by now.
    async fn start(publisher: Publisher, mode: FeedMode) -> Self {
        Self::with_content(&snapshot(), publisher, mode).await
    }

    /// The same with other content.
    pub(super) async fn with_content(content: &Snapshot, publisher: Publisher, mode: FeedMode) -> Self {
        let (feeds, vitals) = (Feeds::default(), Arc::new(Vitals::new()));
        let feed = FeedOptions::smart(&publisher.url("/feed/manifest.json"), mode).unwrap();
        let feed = feed.with_poll(Duration::from_millis(20));
        // As `serve` begins: until the feed has been read nothing is known.
        let store = Arc::new(Store::new(unread(content, mode)));
        listen(&feeds, feed, &store).await;
        vitals.loaded(Arc::clone(&store), feeds.clone());
        let public = Server::around(Service::new(Arc::clone(&store), clock(), options())).await;
        let admin = Server::around(Admin::service(
            vitals,
            crate::Clock::system(),
            Limits::default(),
            crate::Access::loopback(),
        ))
        .await;
        Self { publisher, store, feeds, public, admin }
    }

    /// Accepts the held reading, as an operator who has just seen it.
    pub(super) async fn accept(&self) -> Reply {
        let token = self.ready().await["heldToken"].as_str().unwrap_or_default().to_owned();
        self.admin.request("POST", "/feed/accept", &[&format!("if-match: \"{token}\"")], "").await
    }

    /// The status of an answer about a provider's open times, and how many there are.
    pub(super) async fn open(&self, provider: &str) -> (u16, usize) {
        let target = format!("/v1/availability?state=CA&provider={provider}&horizonDays=7&limit=200");
        let reply = self.public.get(&target).await;
        (reply.status, reply.text().matches("startTime").count())
    }

    pub(super) async fn ready(&self) -> serde_json::Value {
        self.admin.get("/readyz").await.json()["feed"].clone()
    }

    /// Waits until operators see something.
    pub(super) async fn until(&self, what: impl Fn(&serde_json::Value) -> bool) -> serde_json::Value {
        let waiting = async {
            loop {
                self.feeds.judge(&self.store);
                let ready = self.ready().await;
                if what(&ready) {
                    return ready;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let Ok(ready) = tokio::time::timeout(PATIENCE, waiting).await else {
            panic!("{}", self.ready().await);
        };
        ready
    }
}

fn unread(snapshot: &Snapshot, mode: FeedMode) -> Snapshot {
    let calendar = Calendar::with_feed(snapshot.directory(), mode, Instant::ceil(now()));
    snapshot.with_calendar(calendar)
}

pub(super) fn schedules(jane: &str, sam: &str) -> String {
    let schedule = |id: &str, practitioner: &str| {
        format!(
            "{{\"resourceType\":\"Schedule\",\"id\":\"{id}\",\"actor\":[{{\"reference\":\"Practitioner/{practitioner}\"}}]}}\n"
        )
    };
    schedule("jane", jane) + &schedule("sam", sam)
}

/// Busy Slots of a Schedule: each hour of these days from the 2nd of March on.
pub(super) fn busy(schedule: &str, days: std::ops::Range<u32>) -> String {
    let mut text = String::new();
    for day in days {
        for hour in 12..22 {
            let (day, next) = (day + 2, hour + 1);
            writeln!(
                text,
                "{{\"resourceType\":\"Slot\",\"schedule\":{{\"reference\":\"Schedule/{schedule}\"}},\"status\":\"busy\",\
                 \"start\":\"2026-03-{day:02}T{hour}:00:00Z\",\"end\":\"2026-03-{day:02}T{next}:00:00Z\"}}"
            )
            .unwrap();
        }
    }
    text
}

/// A publisher with a file of Schedules and a file of Slots for each of the two, all of whose week is taken.
pub(super) async fn publisher() -> Publisher {
    let publisher = Publisher::start().await;
    publisher.lists(&["schedules.ndjson", "jane.ndjson", "sam.ndjson"]);
    publisher.answers(SCHEDULES, Answer::ok(schedules("prov-0001", "prov-0002")));
    publisher.answers("/feed/jane.ndjson", Answer::ok(busy("jane", 0..7)));
    publisher.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..7)));
    publisher
}

pub(super) async fn fully_booked() -> Clinic {
    let clinic = Clinic::start(publisher().await, FeedMode::Busy).await;
    assert_eq!((clinic.open("jane-doe").await, clinic.open("sam-roe").await), ((200, 0), (200, 0)));
    let ready = clinic.ready().await;
    assert_eq!((&ready["status"], &ready["skipped"]), (&"fresh".into(), &serde_json::json!({})), "{ready}");
    clinic
}

#[tokio::test]
async fn a_busy_feed_without_a_known_provider_at_the_start_is_expired_and_offers_nothing() {
    let nowhere = busy("unknown", 0..1);
    let misspelt = lines(&["jane-deo"]).replace("free", "busy");
    for (path, text, why) in [
        (SCHEDULES, "", "no file of the feed describes the Schedule"),
        ("/feed/jane.ndjson", &nowhere, "no file of the feed describes the Schedule unknown"),
        ("/feed/jane.ndjson", &misspelt, "did you mean \"jane-doe\"?"),
    ] {
        let publisher = publisher().await;
        publisher.answers(path, Answer::ok(text));
        let clinic = Clinic::start(publisher, FeedMode::Busy).await;
        assert_eq!(
            (clinic.open("jane-doe").await, clinic.open("sam-roe").await),
            ((503, 0), (503, 0)),
            "{why}"
        );
        let ready = clinic.ready().await;
        assert_eq!(ready["status"], "expired", "{why}");
        let told = format!("{} {}", ready["lastError"], ready["skippedLines"]).replace("\\\"", "\"");
        assert!(told.contains(why), "{ready}");
        let failures = clinic.admin.get("/metrics").await;
        assert!(!failures.text().contains("nameplate_feed_failures_total 0"), "{}", failures.text());
    }
}

#[tokio::test]
async fn empty_slot_files_at_the_start_are_not_an_empty_calendar() {
    let empty = publisher().await;
    empty.answers("/feed/jane.ndjson", Answer::ok(""));
    let clinic = Clinic::start(empty.clone(), FeedMode::Busy).await;
    // Her Schedule describes Jane, but no entry of hers is read.
    assert_eq!((clinic.open("jane-doe").await, clinic.open("sam-roe").await), ((503, 0), (200, 0)));
    assert_eq!(clinic.ready().await["withheldProviders"], serde_json::json!(["jane-doe"]));
    empty.answers("/feed/sam.ndjson", Answer::ok(""));
    let clinic = Clinic::start(empty, FeedMode::Busy).await;
    assert_eq!((clinic.open("jane-doe").await, clinic.open("sam-roe").await), ((503, 0), (503, 0)));
    let ready = clinic.ready().await;
    assert_eq!(ready["status"], "expired", "{ready}");
    assert!(ready["held"].as_str().unwrap().contains("/feed/accept"), "{ready}");
}

#[tokio::test]
async fn a_schedule_whose_practitioner_becomes_unknown_withholds_its_former_provider() {
    let clinic = fully_booked().await;
    clinic.publisher.answers(SCHEDULES, Answer::ok(schedules("prov-0001-new", "prov-0002")));
    let ready = clinic.until(|feed| feed["withheldProviders"] == serde_json::json!(["jane-doe"])).await;
    assert_eq!(ready["skipped"], serde_json::json!({"notPublished": 70}), "{ready}");
    assert_eq!((clinic.open("jane-doe").await, clinic.open("sam-roe").await), ((503, 0), (200, 0)));
    let metrics = clinic.admin.get("/metrics").await;
    for line in [
        "nameplate_feed_skipped_entries{reason=\"notPublished\"} 70",
        "nameplate_feed_skipped_entries{reason=\"unresolved\"} 0",
        "nameplate_feed_withheld_providers 1",
    ] {
        assert!(metrics.text().lines().any(|known| known == line), "{line}\n{}", metrics.text());
    }
    clinic.publisher.answers(SCHEDULES, Answer::ok(schedules("prov-0001", "prov-0002")));
    clinic.until(|feed| feed["withheldProviders"] == serde_json::json!([])).await;
    assert_eq!(clinic.open("jane-doe").await, (200, 0));
}

/// The time of an unknown clinician may be Sam's.
#[tokio::test]
async fn accept_with_nothing_held_is_409_and_keeps_withholding() {
    let publisher = publisher().await;
    publisher.answers(SCHEDULES, Answer::ok(schedules("prov-0001", "prov-9999")));
    let clinic = Clinic::start(publisher, FeedMode::Busy).await;
    let ready = clinic.until(|feed| feed["withheldProviders"] == serde_json::json!(["sam-roe"])).await;
    assert_eq!(ready["held"], serde_json::Value::Null, "{ready}");
    let accepted = clinic.accept().await;
    assert_eq!((accepted.status, accepted.json()["code"].as_str()), (409, Some("NOTHING_HELD")));
    assert_eq!(clinic.open("sam-roe").await, (503, 0));
}

#[tokio::test]
async fn a_slot_file_that_leaves_the_manifest_keeps_its_time_taken() {
    let clinic = fully_booked().await;
    clinic.publisher.lists(&["schedules.ndjson", "sam.ndjson"]);
    let ready = clinic.until(|feed| feed["held"].is_string()).await;
    assert!(ready["held"].as_str().unwrap().contains("jane.ndjson has lost 66 of the 66"), "{ready}");
    assert_eq!(clinic.open("jane-doe").await, (200, 0));
    // The same time in a file of another name is the same time.
    clinic.publisher.answers("/feed/jane-2.ndjson", Answer::ok(busy("jane", 0..7)));
    clinic.publisher.lists(&["schedules.ndjson", "sam.ndjson", "jane-2.ndjson"]);
    clinic.until(|feed| feed["held"].is_null()).await;
    assert_eq!(clinic.open("jane-doe").await, (200, 0));
    // An operator accepts the loss that was seen, and no further one.
    clinic.publisher.lists(&["schedules.ndjson", "sam.ndjson"]);
    let seen = clinic.until(|feed| feed["held"].is_string()).await["heldToken"].clone();
    clinic.publisher.lists(&["schedules.ndjson"]);
    clinic.until(|feed| feed["held"].as_str().is_some_and(|why| why.contains("sam.ndjson"))).await;
    let order = format!("if-match: {seen}");
    assert_eq!(clinic.admin.request("POST", "/feed/accept", &[&order], "").await.status, 412);
    assert_eq!(clinic.open("sam-roe").await, (200, 0));
    clinic.publisher.lists(&["schedules.ndjson", "sam.ndjson"]);
    clinic.until(|feed| feed["held"].as_str().is_some_and(|why| !why.contains("sam.ndjson"))).await;
    let accepted = clinic.accept().await;
    let message = accepted.json()["message"].as_str().unwrap().to_owned();
    assert_eq!(accepted.status, 200);
    let freed = "all hours of 1 provider are offered, as no file has an entry for them: jane-doe";
    assert!(message.ends_with(freed), "{message}");
    clinic.until(|feed| feed["held"].is_null()).await;
    assert!(clinic.open("jane-doe").await.1 > 0);
}

#[tokio::test]
async fn accepting_a_file_without_a_line_withholds_its_clinicians_and_says_why() {
    let clinic = fully_booked().await;
    clinic.publisher.answers("/feed/jane.ndjson", Answer::ok(""));
    clinic.publisher.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..4)));
    clinic.until(|feed| feed["held"].is_string()).await;
    let accepted = clinic.accept().await;
    let message = accepted.json()["message"].as_str().unwrap().to_owned();
    assert_eq!(
        message,
        "accepted: fewer times of 1 provider are taken: sam-roe; no times of 1 provider are offered now: jane-doe"
    );
    assert_eq!((clinic.open("jane-doe").await.0, clinic.open("sam-roe").await.0), (503, 200));
    let ready = clinic.ready().await;
    assert_eq!(
        (&ready["skipped"], &ready["skippedEntries"]),
        (&serde_json::json!({"emptyFile": 1}), &1.into())
    );
    let line = &ready["skippedLines"][0];
    assert!(line["file"].as_str().unwrap().ends_with("jane.ndjson"), "{line}");
    assert!(
        line["what"].as_str().unwrap().ends_with("whom no file lists have no openings: jane-doe"),
        "{line}"
    );
}

#[tokio::test]
async fn a_busy_feed_that_loses_most_of_its_days_is_held() {
    let clinic = fully_booked().await;
    // Each clinician loses six of seven days.
    clinic.publisher.answers("/feed/jane.ndjson", Answer::ok(busy("jane", 0..1)));
    clinic.publisher.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..1)));
    let ready = clinic.until(|feed| feed["held"].is_string()).await;
    assert!(ready["held"].as_str().unwrap().contains("future entries"), "{ready}");
    assert_eq!((clinic.open("jane-doe").await, clinic.open("sam-roe").await), ((200, 0), (200, 0)));
}

#[tokio::test]
async fn an_open_feed_all_of_whose_ids_change_offers_nothing_and_says_why() {
    let start = async |schedules: &str| {
        let publisher = publisher().await;
        publisher.answers(SCHEDULES, Answer::ok(schedules));
        for name in ["jane", "sam"] {
            let free = busy(name, 0..7).replace("\"busy\"", "\"free\"");
            publisher.answers(&format!("/feed/{name}.ndjson"), Answer::ok(free));
        }
        Clinic::start(publisher, FeedMode::Open).await
    };
    let changed = schedules("x-1", "x-2");
    let clinic = start(&changed).await;
    assert_eq!((clinic.open("jane-doe").await.0, &clinic.ready().await["status"]), (503, &"expired".into()));
    let clinic = start(&schedules("prov-0001", "prov-0002")).await;
    let before = clinic.open("jane-doe").await;
    assert!(before.1 > 0, "{before:?}");
    clinic.publisher.answers(SCHEDULES, Answer::ok(changed));
    let ready = clinic.until(|feed| feed["skipped"]["notPublished"] == 140).await;
    assert!(
        ready["skippedLines"][0]["what"].as_str().unwrap().contains("that isn't in the content"),
        "{ready}"
    );
    // Operators see it first.
    let emptied = async {
        while clinic.open("jane-doe").await != (200, 0) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    assert!(tokio::time::timeout(PATIENCE, emptied).await.is_ok());
}

#[tokio::test]
async fn an_empty_feed_that_is_accepted_offers_no_hours() {
    let publisher = Publisher::start().await;
    publisher.lists(&["all.ndjson"]);
    publisher.answers("/feed/all.ndjson", Answer::ok(""));
    let clinic = Clinic::start(publisher, FeedMode::Busy).await;
    assert!(clinic.ready().await["held"].is_string());
    assert!(matches!(accept(&clinic.feeds.current().unwrap()).await, Accepted::Applied(_)));
    assert_eq!((clinic.open("jane-doe").await.0, clinic.open("sam-roe").await.0), (503, 503));
    // As the message advises: a taken time that has passed, for each clinician.
    let passed = lines(&["jane-doe", "sam-roe"]).replace("free", "busy").replace("2026-03", "2025-03");
    clinic.publisher.answers("/feed/all.ndjson", Answer::ok(passed));
    clinic.until(|feed| feed["skipped"] == serde_json::json!({}) && feed["held"].is_null()).await;
    for slug in ["jane-doe", "sam-roe"] {
        let (status, times) = clinic.open(slug).await;
        assert_eq!((status, times > 0), (200, true), "{slug}");
    }
}

#[tokio::test]
async fn a_feed_without_an_entry_that_its_mode_counts_is_held() {
    // A week of taken time in an open feed, and a week of free slots in a busy feed.
    let free = |name: &str| Answer::ok(busy(name, 0..7).replace("\"busy\"", "\"free\""));
    for (mode, other) in [(FeedMode::Open, "busy"), (FeedMode::Busy, "open")] {
        let publisher = publisher().await;
        if mode == FeedMode::Busy {
            for name in ["jane", "sam"] {
                publisher.answers(&format!("/feed/{name}.ndjson"), free(name));
            }
        }
        let clinic = Clinic::start(publisher, mode).await;
        let ready = clinic.ready().await;
        assert!(ready["held"].as_str().unwrap().contains(&format!("set its mode to {other}")), "{ready}");
        assert_eq!((clinic.open("jane-doe").await.0, &ready["status"]), (503, &"expired".into()), "{ready}");
        assert!(matches!(accept(&clinic.feeds.current().unwrap()).await, Accepted::Applied(_)));
        assert_eq!(clinic.open("jane-doe").await.0, 200);
    }
}

#[tokio::test]
async fn a_manifest_of_next_year_or_with_errors_is_not_fresh() {
    let files = ["schedules.ndjson", "jane.ndjson", "sam.ndjson"];
    let clinic = fully_booked().await;
    clinic.publisher.lists_as_of(real_now() + TimeDelta::days(365), &files, "");
    let ready = clinic.until(|feed| feed["lastError"].is_string()).await;
    assert!(ready["lastError"].as_str().unwrap().contains("ahead of this machine's clock"), "{ready}");
    // The reason stays the same when the transactionTime changes.
    clinic.publisher.lists_as_of(real_now() + TimeDelta::days(366), &files, "");
    let failures = clinic.feeds.current().unwrap().status().failures;
    clinic.until(|_| clinic.feeds.current().unwrap().status().failures > failures + 1).await;
    assert_eq!(clinic.ready().await["lastError"], ready["lastError"]);
    let error = r#"{"type":"OperationOutcome","url":"errors.ndjson"}"#;
    clinic.publisher.lists_as_of(real_now(), &files, error);
    clinic
        .until(|feed| feed["lastError"].as_str().is_some_and(|why| why.contains("its error list has 1")))
        .await;
    for (ahead, errors, why) in
        [(365, "", "ahead of"), (0, error, "error list"), (-1, "", "is older than max-stale")]
    {
        let publisher = publisher().await;
        publisher.lists_as_of(real_now() + TimeDelta::days(ahead), &files, errors);
        let clinic = Clinic::start(publisher, FeedMode::Busy).await;
        let ready = clinic.until(|feed| feed["lastError"].is_string()).await;
        assert!(ready["lastError"].as_str().unwrap().contains(why), "{ready}");
        assert_eq!(
            (clinic.open("jane-doe").await.0, &clinic.ready().await["status"]),
            (503, &"expired".into())
        );
    }
}

#[tokio::test]
async fn operators_never_see_a_fresh_feed_while_answers_are_503() {
    let publisher = publisher().await;
    publisher.answers(SCHEDULES, Answer::ok(""));
    let clinic = Clinic::start(publisher, FeedMode::Busy).await;
    clinic.publisher.answers(SCHEDULES, Answer::ok(schedules("prov-0001", "prov-0002")));
    // The verdict stays that of the first good reading.
    let waiting = async {
        while clinic.ready().await["status"] != "fresh" {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the feed is read");
    assert_eq!(clinic.open("jane-doe").await, (200, 0));
}

//! New content beside a feed, and a loss that is accepted: taken time is never offered in the meantime.

#![expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]

use std::fs;

use directory::api::Snapshot;
use directory::calendar::{FeedMode, Instant};
use serde_json::json;

use super::closed::{Clinic, SCHEDULES, busy, fully_booked, publisher, schedules};
use super::lines;
use super::publisher::Answer;
use crate::testing::{edited, now, snapshot};

/// The content where Sam was called Ann Lee before.
pub(super) fn with_former_slug() -> Snapshot {
    edited(|folder| {
        let path = folder.join("providers/sam-roe.toml");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("former-slugs = [\"ann-lee\"]\n{text}")).unwrap();
    })
}

impl Clinic {
    fn serve(&self, content: &Snapshot) {
        self.store.replace(content, Instant::ceil(now()));
    }

    /// Waits for some further looks at the publisher.
    async fn until_looked_at(&self) {
        self.publisher.asked();
        let requests = std::cell::Cell::new(0);
        self.until(|_| requests.replace(requests.get() + self.publisher.asked().len()) > 12).await;
    }

    async fn apply_again(&self) {
        self.feeds.current().unwrap().apply_again().await;
    }
}

#[tokio::test]
async fn a_clinician_who_is_new_in_the_content_is_withheld_until_the_feed_was_read_after_that() {
    let without_sam = edited(|folder| {
        fs::remove_file(folder.join("providers/sam-roe.toml")).unwrap();
        fs::remove_file(folder.join("availability/sam-roe.toml")).unwrap();
    });
    let clinic = Clinic::with_content(&without_sam, publisher().await, FeedMode::Busy).await;
    assert_eq!(clinic.open("jane-doe").await, (200, 0));
    // No look succeeds until the end of this test says so.
    clinic.publisher.answers("/feed/manifest.json", Answer::status("500 Internal Server Error"));
    clinic.until(|feed| feed["lastError"].is_string()).await;
    clinic.serve(&snapshot());
    assert_eq!((clinic.open("sam-roe").await, clinic.open("jane-doe").await), ((503, 0), (200, 0)));
    // Judging the feed again changes nothing.
    let ready = clinic.until(|_| true).await;
    assert_eq!(ready["withheldProviders"], json!(["sam-roe"]), "{ready}");
    assert_eq!(clinic.open("sam-roe").await, (503, 0));
    // Nor does content that is new again.
    clinic.serve(&with_former_slug());
    clinic.apply_again().await;
    assert_eq!(clinic.open("sam-roe").await, (503, 0));
    clinic.publisher.lists(&["schedules.ndjson", "jane.ndjson", "sam.ndjson"]);
    clinic.until(|feed| feed["withheldProviders"] == json!([])).await;
    assert_eq!(clinic.open("sam-roe").await, (200, 0));
}

#[tokio::test]
async fn a_clinician_who_is_new_while_the_feed_cannot_be_read_stays_withheld() {
    let without_sam = edited(|folder| {
        fs::remove_file(folder.join("providers/sam-roe.toml")).unwrap();
        fs::remove_file(folder.join("availability/sam-roe.toml")).unwrap();
    });
    let clinic = Clinic::with_content(&without_sam, publisher().await, FeedMode::Busy).await;
    clinic.publisher.answers("/feed/jane.ndjson", Answer::ok("{"));
    clinic.until(|feed| feed["lastError"].is_string()).await;
    clinic.serve(&snapshot());
    clinic.apply_again().await;
    // Neither the reading before she was added nor looks at the other files release her.
    clinic.until_looked_at().await;
    assert_eq!(clinic.open("sam-roe").await, (503, 0));
    clinic.publisher.answers("/feed/jane.ndjson", Answer::ok(busy("jane", 0..7)));
    clinic.until(|feed| feed["withheldProviders"] == json!([])).await;
    assert_eq!(clinic.open("sam-roe").await, (200, 0));
}

#[tokio::test]
async fn a_clinician_renamed_without_a_former_slug_is_withheld() {
    let text = lines(&["sam-roe"]).replace("free", "busy");
    let first = publisher().await;
    first.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..7) + &text));
    let clinic = Clinic::with_content(&snapshot(), first, FeedMode::Busy).await;
    assert_eq!(clinic.open("sam-roe").await.0, 200);
    clinic.serve(&edited(|folder| {
        for part in ["providers", "availability"] {
            fs::rename(folder.join(part).join("sam-roe.toml"), folder.join(part).join("sam-r.toml")).unwrap();
        }
    }));
    clinic.apply_again().await;
    clinic.until(|feed| feed["withheldProviders"] == json!(["sam-r"])).await;
    assert_eq!(clinic.open("sam-r").await, (503, 0));
    // Further looks, and another reading with the old slug, release no provider.
    clinic.publisher.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..8) + &text));
    clinic.until_looked_at().await;
    assert_eq!(clinic.open("sam-r").await, (503, 0));
}

#[tokio::test]
async fn a_refused_reading_is_used_once_the_content_is_corrected() {
    let renamed = lines(&["ann-lee"]).replace("free", "busy");
    // At the start, when nothing is applied yet.
    let first = publisher().await;
    first.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..7) + &renamed));
    let clinic = Clinic::with_content(&snapshot(), first, FeedMode::Busy).await;
    assert_eq!(clinic.ready().await["status"], "expired");
    clinic.serve(&with_former_slug());
    clinic.apply_again().await;
    clinic.until(|feed| feed["status"] == "fresh" && feed["lastError"].is_null()).await;
    assert_eq!(clinic.open("sam-roe").await, (200, 0));
    // While an older reading is served.
    let clinic = fully_booked().await;
    clinic.publisher.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..8) + &renamed));
    clinic.until(|feed| feed["lastError"].is_string()).await;
    clinic.serve(&with_former_slug());
    clinic.apply_again().await;
    clinic.until(|feed| feed["lastError"].is_null()).await;
    assert_eq!(clinic.open("sam-roe").await, (200, 0));
}

#[tokio::test]
async fn accepting_a_loss_keeps_those_withheld_whose_schedule_has_changed() {
    let clinic = fully_booked().await;
    // A line of her own describes Jane, so only what her Schedule meant before withholds her.
    clinic.publisher.answers("/feed/jane.ndjson", Answer::ok(busy("jane", 0..7) + &lines(&["jane-doe"])));
    clinic.publisher.answers(SCHEDULES, Answer::ok(schedules("prov-0001-new", "prov-0002")));
    clinic.until(|feed| feed["withheldProviders"] == json!(["jane-doe"])).await;
    clinic.publisher.answers("/feed/sam.ndjson", Answer::ok(busy("sam", 0..1)));
    clinic.until(|feed| feed["held"].is_string()).await;
    let accepted = clinic.accept().await;
    assert_eq!((accepted.status, accepted.json()["code"].as_str()), (200, Some("APPLIED")));
    clinic.until(|feed| feed["held"].is_null()).await;
    assert_eq!(clinic.open("jane-doe").await, (503, 0));
    assert!(clinic.open("sam-roe").await.1 > 0);
}

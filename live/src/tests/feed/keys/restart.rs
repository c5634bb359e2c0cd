//! A feed of keys after a restart: what a site lost while no replica ran stays taken, and ages.

use directory::calendar::FeedMode;
use tempfile::TempDir;

use super::super::{Accepted, FeedOptions};
use super::{Clinic, Site, accept, open};

/// The settings of a feed that remembers. With `is_open`, a provider without a key is free.
fn options(folder: &TempDir, is_open: bool) -> FeedOptions {
    let file = folder.path().join("feed.json");
    let options = FeedOptions::file("unused".into(), FeedMode::Busy);
    let mut options = FeedOptions { memory: Some(file), ..options };
    options.rules.unlisted_is_open = is_open;
    options
}

#[tokio::test]
async fn after_a_restart_a_site_that_lost_too_much_is_withheld_and_others_continue() {
    let folder = tempfile::tempdir().unwrap();
    let start = async |jane: std::ops::Range<i64>| {
        let mut clinic = Clinic::start_with(options(&folder, false));
        clinic.beat("a");
        clinic.beat("b");
        clinic.tell(true, &[("a.p.jane-doe", Some(jane)), ("b.p.sam-roe", Some(0..40))]).await;
        clinic
    };
    let clinic = start(0..40).await;
    assert_eq!((clinic.unknown(), clinic.feed.status().held), (vec![], None));
    let before = open(&clinic, "jane-doe");
    drop(clinic);
    let mut clinic = start(0..0).await;
    let held = clinic.feed.status().held.unwrap();
    assert!(held.starts_with("a.p.jane-doe has lost 40 of the 40 future entries"), "{held}");
    assert_eq!((clinic.unknown(), open(&clinic, "jane-doe")), (vec![], before));
    assert!(open(&clinic, "sam-roe") > 0);
    // Reading everything again does not release it; growing back does.
    clinic.tell(true, &[("a.p.jane-doe", Some(0..1)), ("b.p.sam-roe", Some(0..40))]).await;
    assert!(clinic.feed.status().held.is_some());
    assert_eq!(open(&clinic, "jane-doe"), before);
    clinic.tell(false, &[("a.p.jane-doe", Some(0..39))]).await;
    assert_eq!((clinic.unknown(), clinic.feed.status().held), (vec![], None));
    drop(clinic);
    // So does an operator, which is remembered.
    let clinic = start(0..3).await;
    assert_eq!(open(&clinic, "jane-doe"), before);
    assert!(matches!(accept(&clinic.feed).await, Accepted::Applied(_)));
    assert!(open(&clinic, "jane-doe") > before);
    drop(clinic);
    let clinic = start(0..3).await;
    assert_eq!((clinic.unknown(), clinic.feed.status().held), (vec![], None));
}

#[tokio::test]
async fn after_a_restart_a_site_without_keys_stays_held_until_an_operator_accepts() {
    for is_open in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let mut clinic = Clinic::start_with(options(&folder, is_open));
        clinic.beat("a");
        clinic.beat("b");
        clinic.tell(true, &[("a.p.jane-doe", Some(0..40)), ("b.p.sam-roe", Some(0..40))]).await;
        assert_eq!((clinic.unknown(), clinic.feed.status().held), (vec![], None));
        let before = open(&clinic, "jane-doe");
        drop(clinic);
        let mut clinic = Clinic::start_with(options(&folder, is_open));
        clinic.beat("a");
        clinic.beat("b");
        let others = [("b.p.sam-roe", Some(0..40))];
        clinic.tell(true, &others).await;
        let is_held = |clinic: &Clinic| {
            let held = clinic.feed.status().held.unwrap();
            assert!(held.starts_with("a.p.jane-doe has lost 40 of the 40 future entries"), "{held}");
            assert_eq!((clinic.unknown(), open(clinic, "jane-doe")), (vec![], before), "{is_open}");
            assert!(open(clinic, "sam-roe") > 0);
        };
        is_held(&clinic);
        // Reading everything again does not release it, nor does the loss of its beat.
        clinic.tell(true, &others).await;
        is_held(&clinic);
        clinic.sites.insert("a".into(), Site::Unconfirmed);
        clinic.tell(true, &others).await;
        is_held(&clinic);
        assert!(clinic.feed.status().parts().iter().any(|(site, _)| &**site == "a"));
        assert!(matches!(accept(&clinic.feed).await, Accepted::Applied(_)));
        clinic.tell(false, &[]).await;
        let unknown = if is_open { vec![] } else { vec!["jane-doe".to_owned()] };
        assert_eq!((clinic.unknown(), clinic.feed.status().held), (unknown, None));
    }
}

#[tokio::test]
async fn sizes_that_cannot_be_remembered_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    // A folder in the place of the file.
    #[expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]
    std::fs::create_dir(folder.path().join("feed.json")).unwrap();
    let mut clinic = Clinic::start_with(options(&folder, false));
    clinic.beat("a");
    clinic.tell(true, &[("a.p.jane-doe", Some(0..4))]).await;
    assert!(clinic.feed.status().memory_write_error.is_some());
}

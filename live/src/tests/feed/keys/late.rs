//! Keys that are late or refused.

use super::*;

#[tokio::test]
async fn only_a_late_key_ages_and_it_keeps_its_data() {
    let mut clinic = Clinic::with_both().await;
    let jane = open(&clinic, "jane-doe");
    let late = |clinic: &mut Clinic, minutes: i64| {
        clinic.sites.insert("a".into(), Site::Confirmed(real_now(), vec![("a.p.jane-doe", minutes)]));
    };
    late(&mut clinic, 10);
    clinic.tell(false, &[]).await;
    assert!(matches!(clinic.judgment().freshness, Freshness::Stale { .. }));
    assert_eq!((open(&clinic, "jane-doe"), clinic.unknown()), (jane, vec![]));
    assert_eq!(clinic.feed.status().last_error.unwrap(), "a.p.jane-doe is late");
    late(&mut clinic, 31);
    clinic.tell(false, &[]).await;
    assert_eq!(
        (clinic.unknown(), clinic.judgment().freshness),
        (vec!["jane-doe".to_owned()], Freshness::Fresh)
    );
    clinic.beat("a");
    clinic.tell(false, &[]).await;
    assert_eq!((clinic.unknown(), clinic.feed.status().last_error), (vec![], None));
}

#[tokio::test]
async fn a_refused_value_leaves_the_last_one_which_is_as_old_as_the_beat_before_it() {
    let mut clinic = Clinic::start();
    clinic.beat_at("a", real_now() - TimeDelta::minutes(31));
    clinic.tell(true, &[("a.p.jane-doe", Some(0..40)), ("a.p.sam-roe", Some(0..40))]).await;
    clinic.send(vec![refused("it isn't JSON")]).await;
    clinic.beat("a");
    clinic.tell(false, &[]).await;
    assert_eq!(clinic.unknown(), ["jane-doe"]);
    assert_eq!(clinic.feed.status().last_error.unwrap(), "a.p.jane-doe: it isn't JSON");
    clinic.tell(false, &[("a.p.jane-doe", Some(0..40))]).await;
    assert_eq!((clinic.unknown(), clinic.feed.status().last_error), (vec![], None));
}

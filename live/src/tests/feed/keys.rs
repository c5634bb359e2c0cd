//! A feed of keys: what is applied, what is held, who is withheld, and how old each site is.

mod late;
mod restart;

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use directory::api::Snapshot;
use directory::calendar::{
    AsOf, BadText, Calendar, Event, FeedLimits, FeedMode, Freshness, Instant, Judgment, Late, PartId,
    SlotFilter,
};
use tokio::sync::mpsc;

use super::{
    Accepted, Feed, FeedOptions, Scripted, SourceError, Told, accept, clock, moment, real_now, until,
};
use crate::Store;
use crate::testing::{now, snapshot};
use feed::Target;

/// A service with a busy feed of keys.
struct Clinic {
    feed: Feed,
    store: Arc<Store>,
    source: mpsc::Sender<Told>,
    sites: BTreeMap<Arc<str>, Site>,
}

/// What the writer of a site says besides its keys.
#[derive(Clone)]
enum Site {
    Confirmed(DateTime<Utc>, Vec<(&'static str, i64)>),
    Unconfirmed,
    OfAnotherMode,
}

impl Clinic {
    fn start() -> Self {
        Self::start_with(options())
    }

    fn start_with(options: FeedOptions) -> Self {
        let content = snapshot();
        let calendar = Calendar::with_feed(content.directory(), FeedMode::Busy, Instant::ceil(now()));
        let store = Arc::new(Store::new(content.with_calendar(calendar)));
        let (source, told) = mpsc::channel(1);
        let feed = Feed::start(Scripted(told), options, Arc::clone(&store), clock());
        Self { feed, store, source, sites: BTreeMap::new() }
    }

    /// With a site that has a week of each of the two clinicians.
    async fn with_both() -> Self {
        let mut clinic = Self::start();
        clinic.beat("a");
        clinic.tell(true, &[("a.p.jane-doe", Some(0..40)), ("a.p.sam-roe", Some(0..40))]).await;
        assert_eq!(clinic.unknown(), [""; 0]);
        clinic
    }

    /// A site is confirmed now.
    fn beat(&mut self, site: &str) {
        self.beat_at(site, real_now());
    }

    fn beat_at(&mut self, site: &str, at: DateTime<Utc>) {
        self.sites.insert(site.into(), Site::Confirmed(at, Vec::new()));
    }

    /// Changes keys: each has a visit in each of these hours, or is deleted.
    async fn tell(&mut self, is_whole: bool, keys: &[(&str, Option<std::ops::Range<i64>>)]) {
        let text = |(name, hours): &(&str, Option<std::ops::Range<i64>>)| {
            let part = PartId::key(name).unwrap();
            let Some(hours) = hours.clone() else { return Event::PartGone { part } };
            let text = part.read(&busy(name.rsplit('.').next().unwrap(), hours), &FeedLimits::default());
            Event::PartChanged { part, text }
        };
        let mut events: Vec<_> = keys.iter().map(text).collect();
        if is_whole {
            let mut sites: BTreeMap<Arc<str>, std::collections::BTreeSet<Arc<str>>> =
                self.sites.keys().map(|site| (Arc::clone(site), std::collections::BTreeSet::new())).collect();
            for (name, _) in keys {
                let part = PartId::key(name).unwrap();
                sites.entry(Arc::clone(part.writer())).or_default().insert(Arc::clone(part.name()));
            }
            events.extend(sites.into_iter().map(|(writer, parts)| Event::Complete { writer, parts }));
        }
        self.send(events).await;
    }

    /// Sends these events and what the sites say, and waits until they are taken.
    async fn send(&mut self, mut events: Vec<Event>) {
        let of_sites: Vec<_> = self.sites.iter().map(|(site, said)| said.event(site)).collect();
        events.extend(of_sites.clone());
        self.source.send(Ok(events)).await.unwrap();
        // Three events wait on the way, so once four more are sent the first has been taken.
        for _ in 0..4 {
            self.source.send(Ok(of_sites.clone())).await.unwrap();
        }
        // As each second in a service.
        self.store.judge_feed(|| self.feed.judgment());
    }

    fn judgment(&self) -> Judgment {
        self.feed.judgment()
    }

    /// The providers without open times.
    fn unknown(&self) -> Vec<String> {
        self.judgment().unknown.iter().map(ToString::to_string).collect()
    }
}

impl Site {
    fn event(&self, site: &Arc<str>) -> Event {
        let writer = Arc::clone(site);
        match self {
            Self::Confirmed(at, late) => {
                let as_of = AsOf::stored(Some(Instant::floor(*at)), *at, moment());
                let late = late.iter().map(|(part, minutes)| Late {
                    part: (*part).into(),
                    as_of: Some(Instant::floor(real_now() - TimeDelta::minutes(*minutes))),
                    why: format!("{part} is late"),
                });
                Event::Beat { writer, as_of, late: late.collect() }
            }
            Self::Unconfirmed => Event::Failed { writer, why: format!("the site {site} is not confirmed") },
            Self::OfAnotherMode => {
                Event::Unusable { writer, why: format!("the site {site} writes for another mode") }
            }
        }
    }
}

/// A provider without a key is withheld.
fn options() -> FeedOptions {
    let mut options = FeedOptions::file("unused".into(), FeedMode::Busy);
    options.rules.unlisted_is_open = false;
    options
}

/// Busy hours of a provider from the second of March on, of which each is five hours after the one before.
fn busy(slug: &str, hours: std::ops::Range<i64>) -> String {
    let line = |hour: i64| {
        let start = now() + TimeDelta::hours(2 + hour * 5);
        let (start, end) = (Instant::floor(start), Instant::floor(start + TimeDelta::hours(1)));
        format!("{{\"provider\":\"{slug}\",\"start\":\"{start}\",\"end\":\"{end}\",\"status\":\"busy\"}}\n")
    };
    hours.map(line).collect()
}

/// The open slots of a provider in a fortnight.
fn open(clinic: &Clinic, slug: &str) -> usize {
    let served = clinic.store.current();
    let directory = served.directory();
    let number = directory.provider_numbers().find(|it| directory.provider(*it).slug.as_str() == slug);
    let state = directory.provider(number.unwrap()).accepting.iter().next().unwrap();
    let filter =
        SlotFilter { provider: number, ..SlotFilter::new(state, Instant::ceil(now()), 14 * 86_400, 1_000) };
    let calendar = served.calendar();
    if calendar.is_unknown(directory, &filter) { 0 } else { calendar.open(directory, &filter).len() }
}

#[tokio::test]
async fn a_changed_key_changes_its_provider_and_a_beat_confirms_the_site() {
    let mut clinic = Clinic::with_both().await;
    let (jane, sam) = (open(&clinic, "jane-doe"), open(&clinic, "sam-roe"));
    assert!(jane > 0 && sam > 0);
    let status = clinic.feed.status();
    assert_eq!((status.ages.listed(), status.applied, status.parts().len()), (2, 1, 1));
    clinic.tell(false, &[("a.p.jane-doe", Some(0..39))]).await;
    assert!(open(&clinic, "jane-doe") >= jane);
    assert_eq!(open(&clinic, "sam-roe"), sam);
    let before = clinic.feed.status();
    clinic.beat("a");
    clinic.tell(false, &[]).await;
    let after = clinic.feed.status();
    assert_eq!(after.applied, before.applied);
    assert!(
        after.ages.as_of() >= before.ages.as_of()
            && after.ages.oldest(moment()) <= before.ages.oldest(moment())
    );
}

#[tokio::test]
async fn a_provider_without_a_key_is_withheld_and_an_empty_key_frees_all_hours() {
    let mut clinic = Clinic::start();
    clinic.beat("a");
    clinic.tell(true, &[("a.p.jane-doe", Some(0..40))]).await;
    assert_eq!((clinic.unknown(), open(&clinic, "sam-roe")), (vec!["sam-roe".to_owned()], 0));
    clinic.tell(false, &[("a.p.sam-roe", Some(0..0))]).await;
    assert_eq!(clinic.unknown(), [""; 0]);
    assert!(open(&clinic, "sam-roe") > 0);
}

#[tokio::test]
async fn an_emptied_bucket_is_held_until_it_has_grown_back() {
    let mut clinic = Clinic::with_both().await;
    let (jane, age) = (open(&clinic, "jane-doe"), clinic.feed.status().ages.as_of());
    clinic.beat_at("a", real_now() + TimeDelta::seconds(5));
    clinic.tell(true, &[]).await;
    let status = clinic.feed.status();
    let held = status.held.clone().unwrap();
    assert!(held.contains("the site a has lost 80 of the 80 future entries"), "{held}");
    assert_eq!((open(&clinic, "jane-doe"), status.ages.as_of(), status.failures), (jane, age, 1));
    // What is taken in the meantime counts at once, and nothing is given back.
    clinic.tell(false, &[("a.p.jane-doe", Some(0..1))]).await;
    assert_eq!(open(&clinic, "jane-doe"), jane);
    clinic.tell(false, &[("a.p.jane-doe", Some(0..38)), ("a.p.sam-roe", Some(0..40))]).await;
    assert_eq!(clinic.feed.status().held, None);
    assert!(open(&clinic, "jane-doe") >= jane && clinic.feed.status().ages.as_of() > age);
}

#[tokio::test]
async fn an_operator_accepts_what_a_site_has_lost() {
    let mut clinic = Clinic::with_both().await;
    let jane = open(&clinic, "jane-doe");
    assert_eq!(accept(&clinic.feed).await, Accepted::NothingHeld);
    clinic.tell(false, &[("a.p.jane-doe", Some(0..0)), ("a.p.sam-roe", Some(0..1))]).await;
    let held = clinic.feed.status().held.unwrap();
    assert!(held.contains("the site a has lost") && held.contains("future entries"), "{held}");
    assert_eq!(open(&clinic, "jane-doe"), jane);
    // What other keys gain in the meantime changes nothing of what was seen; a further loss does.
    let seen = clinic.feed.status().token.unwrap();
    clinic.beat("b");
    clinic.tell(false, &[("b.p.jane-doe", Some(50..51))]).await;
    assert_eq!(clinic.feed.status().token.as_ref(), Some(&seen));
    clinic.tell(false, &[("a.p.sam-roe", None)]).await;
    until(&clinic.feed, |status| status.token.as_ref() != Some(&seen)).await;
    let Accepted::Other { token, what } = clinic.feed.accept_held(Some(seen)).await else {
        panic!("{:?}", clinic.feed.status())
    };
    assert_eq!((clinic.feed.status().token, clinic.feed.status().held), (Some(token), Some(what)));
    assert_eq!(open(&clinic, "jane-doe"), jane);
    clinic.tell(false, &[("a.p.sam-roe", Some(0..1))]).await;
    let accepted = accept(&clinic.feed).await;
    assert_eq!(
        accepted,
        Accepted::Applied("fewer times of 2 providers are taken: jane-doe, sam-roe".to_owned())
    );
    assert!(open(&clinic, "jane-doe") > jane);
    assert_eq!(clinic.feed.status().held, None);
}

#[tokio::test]
async fn losses_of_a_day_add_up() {
    let mut clinic = Clinic::with_both().await;
    let mut kept = 40;
    while kept > 0 && clinic.feed.status().held.is_none() {
        kept -= 2;
        clinic.tell(false, &[("a.p.jane-doe", Some(0..kept)), ("a.p.sam-roe", Some(0..kept))]).await;
    }
    // A tenth of what there was is forgotten in an hour; more than half of the rest is too much.
    assert!((10..24).contains(&kept), "{kept}");
}

#[tokio::test]
async fn a_held_site_does_not_stop_another() {
    let mut clinic = Clinic::start();
    clinic.beat("a");
    clinic.beat("b");
    clinic.tell(true, &[("a.p.sam-roe", Some(0..40)), ("b.p.jane-doe", Some(0..40))]).await;
    let jane = open(&clinic, "jane-doe");
    clinic.tell(false, &[("a.p.sam-roe", None), ("b.p.jane-doe", Some(12..40))]).await;
    assert!(clinic.feed.status().held.unwrap().starts_with("a.p.sam-roe has lost"));
    assert!(open(&clinic, "jane-doe") > jane);
}

#[tokio::test]
async fn an_expired_site_withholds_only_its_providers() {
    let mut clinic = Clinic::start();
    let old = real_now() - TimeDelta::minutes(31);
    clinic.beat_at("a", old);
    clinic.beat("b");
    let both = [("a.p.jane-doe", Some(0..40)), ("b.p.sam-roe", Some(0..40))];
    clinic.tell(true, &both).await;
    assert_eq!(
        (clinic.unknown(), clinic.judgment().freshness),
        (vec!["jane-doe".to_owned()], Freshness::Fresh)
    );
    // A stale site says when its data was true.
    clinic.beat_at("a", real_now() - TimeDelta::minutes(10));
    clinic.tell(false, &[]).await;
    assert!(matches!(clinic.judgment().freshness, Freshness::Stale { .. }));
    assert_eq!(clinic.unknown(), [""; 0]);
    // Both sites have times of sam-roe: he is withheld as soon as one of them is too old.
    clinic.beat_at("a", old);
    clinic.tell(false, &[("a.p.sam-roe", Some(0..2))]).await;
    assert_eq!(
        (clinic.unknown(), open(&clinic, "sam-roe")),
        (vec!["jane-doe".to_owned(), "sam-roe".to_owned()], 0)
    );
    // A site that writes for another mode is expired, and so is one that was never confirmed.
    clinic.beat("a");
    clinic.beat("b");
    clinic.tell(false, &[("a.p.sam-roe", None)]).await;
    assert_eq!(clinic.unknown(), [""; 0]);
    clinic.sites.insert("a".into(), Site::OfAnotherMode);
    clinic.tell(false, &[]).await;
    assert_eq!(clinic.unknown(), ["jane-doe"]);
    assert!(clinic.feed.status().last_error.unwrap().contains("the site a"));
    clinic.beat("a");
    clinic.tell(false, &[]).await;
    assert_eq!((clinic.unknown(), clinic.feed.status().last_error), (vec![], None));
    clinic.sites.insert("c".into(), Site::Unconfirmed);
    clinic.tell(false, &[("c.p.sam-roe", Some(3..4))]).await;
    assert_eq!(clinic.unknown(), ["sam-roe"]);
    assert!(clinic.feed.status().last_error.unwrap().contains("the site c"));
    // A site that is gone withholds no one, and a clinician listed only there has no key.
    clinic.sites.remove("c");
    clinic.send(vec![Event::Writers { all: ["a".into(), "b".into()].into() }]).await;
    assert_eq!(clinic.unknown(), [""; 0]);
}

fn refused(why: &str) -> Event {
    let part = PartId::key("a.p.jane-doe").unwrap();
    Event::PartChanged { part, text: Err(BadText::Other(why.to_owned())) }
}

#[tokio::test]
async fn a_reason_with_a_control_character_counts_as_one_failure() {
    let mut clinic = Clinic::with_both().await;
    clinic.send(vec![refused("it has a \u{1b}")]).await;
    let before = clinic.feed.status();
    assert_eq!(before.last_error.as_deref(), Some("a.p.jane-doe: it has a \u{fffd}"));
    clinic.tell(false, &[]).await;
    assert_eq!(clinic.feed.status().failures, before.failures);
}

#[tokio::test]
async fn a_first_snapshot_without_entries_is_held() {
    let mut clinic = Clinic::start();
    clinic.beat("a");
    clinic.tell(true, &[]).await;
    let held = clinic.feed.status().held.unwrap();
    assert!(held.contains("the feed has no lines"), "{held}");
    clinic.tell(false, &[("a.p.jane-doe", Some(0..0)), ("a.p.sam-roe", Some(0..0))]).await;
    let held = clinic.feed.status().held.unwrap();
    assert!(held.contains("the mode is busy"), "{held}");
    assert_eq!(clinic.judgment().freshness, Freshness::Expired);
    assert_eq!(clinic.store.current().calendar().freshness(), Freshness::Expired);
    // The first visit ends it; or an operator does.
    let mut other = Clinic::start();
    other.beat("a");
    other.tell(true, &[("a.p.jane-doe", Some(0..0)), ("a.p.sam-roe", Some(0..0))]).await;
    assert!(matches!(accept(&other.feed).await, Accepted::Applied(_)));
    clinic.tell(false, &[("a.p.jane-doe", Some(0..1))]).await;
    for clinic in [clinic, other] {
        assert_eq!((clinic.feed.status().held, clinic.judgment().freshness), (None, Freshness::Fresh));
        assert!(open(&clinic, "sam-roe") > 0);
    }
}

#[tokio::test]
async fn what_is_held_stays_so_while_the_bucket_cannot_be_reached() {
    let mut clinic = Clinic::with_both().await;
    let jane = open(&clinic, "jane-doe");
    clinic.tell(false, &[("a.p.jane-doe", None), ("a.p.sam-roe", None)]).await;
    let token = clinic.feed.status().token;
    clinic.source.send(Err(SourceError::Unreadable("no server".to_owned()))).await.unwrap();
    until(&clinic.feed, |status| status.last_error.is_some()).await;
    assert_eq!(clinic.feed.status().token, token);
    clinic.tell(true, &[("a.p.sam-roe", Some(0..2))]).await;
    assert!(clinic.feed.status().held.is_some());
    assert_eq!(open(&clinic, "jane-doe"), jane);
}

#[tokio::test]
async fn keys_are_applied_to_new_content() {
    let mut clinic = Clinic::with_both().await;
    let jane = open(&clinic, "jane-doe");
    let content: Snapshot = super::content::with_former_slug();
    clinic.store.replace(&content, Instant::ceil(now()));
    clinic.feed.apply_again().await;
    clinic.tell(false, &[]).await;
    assert_eq!((open(&clinic, "jane-doe"), clinic.unknown()), (jane, vec![]));
    clinic.tell(false, &[("b.p.ann-lee", Some(50..60))]).await;
    // The site b was never confirmed, so whom it names is withheld.
    clinic.sites.insert("b".into(), Site::Unconfirmed);
    clinic.tell(false, &[]).await;
    assert_eq!((clinic.unknown(), open(&clinic, "sam-roe")), (vec!["sam-roe".to_owned()], 0));
    clinic.beat("b");
    clinic.tell(false, &[]).await;
    clinic.feed.apply_again().await;
    assert_eq!(clinic.unknown(), [""; 0]);
}

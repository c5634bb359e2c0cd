//! A simulated day: edits, booked and canceled visits and a silent feed, in any order, while the hours pass. After each
//! quarter of an hour the service answers as one that was just started with the same content and the same busy time.

#![expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use directory::api::Snapshot;
use directory::calendar::{
    Busy, Calendar, FeedEntries, FeedMode, Freshness, Instant, Judgment, ProviderFeed,
};
use proptest::prelude::*;

use crate::testing::{Server, edited, options, snapshot};
use crate::{Clock, Service, Store};
use feed::Target as _;

const SLUGS: [&str; 2] = ["jane-doe", "sam-roe"];
const QUARTERS: usize = 24 * 4;
const TARGETS: [&str; 6] = [
    "/v1/availability?state=CA&limit=50",
    "/v1/availability?state=NY&limit=200&horizonDays=30",
    "/v1/availability?state=CA&onePer=provider&insurance=Goldenrod%20PPO",
    "/v1/states",
    "/v1/providers?state=NY&limit=5",
    "/v1/providers/jane-doe",
];
const MCP: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check_availability","arguments":{"state":"CA","limit":50}}}"#;

/// What happens in a quarter of an hour.
#[derive(Debug, Clone)]
enum Event {
    /// Another of the contents is served.
    Edit(usize),
    /// A clinician is busy in these hours, and in no others.
    Book {
        who: usize,
        hours: Vec<Range<i64>>,
    },
    /// The feed is as late as that.
    Late(usize),
    Nothing,
}

fn event() -> impl Strategy<Value = Event> {
    let hours = (0_i64..24 * 20, 1_i64..9).prop_map(|(from, length)| from..from + length);
    let book = (0..SLUGS.len(), prop::collection::vec(hours, 0..6));
    prop_oneof![
        2 => (0..3_usize).prop_map(Event::Edit),
        4 => book.prop_map(|(who, hours)| Event::Book { who, hours }),
        1 => (0..3_usize).prop_map(Event::Late),
        3 => Just(Event::Nothing),
    ]
}

/// The content, and two edits of it.
fn contents() -> [Snapshot; 3] {
    let replaced = |file: &'static str, from: &'static str, to: &'static str| {
        edited(|folder: &Path| {
            let path = folder.join(file);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.contains(from));
            std::fs::write(path, text.replace(from, to)).unwrap();
        })
    };
    [
        snapshot(),
        replaced("availability/jane-doe.toml", "09:00-12:00", "13:00-18:00"),
        replaced("providers/sam-roe.toml", "accepting = [\"CA\", \"NY\"]", "accepting = [\"NY\"]"),
    ]
}

/// What the simulation knows: the content, the busy hours of each clinician, and how late the feed is.
struct World {
    contents: [Snapshot; 3],
    begin: DateTime<Utc>,
    content: usize,
    busy: [Vec<Range<i64>>; 2],
    late: usize,
}

impl World {
    fn feed(&self, who: usize) -> ProviderFeed {
        let at = |hour: i64| Instant::floor(self.begin + TimeDelta::hours(hour));
        let mut busy: Vec<_> =
            self.busy[who].iter().map(|hours| Busy { start: at(hours.start), end: at(hours.end) }).collect();
        busy.sort();
        busy.dedup();
        ProviderFeed { provider: SLUGS[who].parse().unwrap(), entries: FeedEntries::Busy(busy) }
    }

    fn judgment(&self) -> Judgment {
        let as_of = Instant::floor(self.begin);
        let freshness = [Freshness::Fresh, Freshness::Stale { as_of }, Freshness::Expired][self.late];
        Judgment { freshness, unknown: Arc::default(), withheld: Arc::default() }
    }

    /// A store that was just started.
    fn started(&self, now: DateTime<Utc>) -> Arc<Store> {
        let content = &self.contents[self.content];
        let calendar = Calendar::with_feed(content.directory(), FeedMode::Busy, Instant::ceil(now));
        let store = Store::new(content.with_calendar(calendar));
        let judgment = Judgment { freshness: Freshness::Fresh, ..self.judgment() };
        store.apply_feed(&[self.feed(0), self.feed(1)], || judgment);
        store.judge_feed(|| self.judgment());
        Arc::new(store)
    }

    fn happen(&mut self, event: &Event, store: &Store, now: DateTime<Utc>) {
        match event {
            Event::Edit(content) => {
                self.content = *content;
                store.replace(&self.contents[self.content], Instant::ceil(now));
            }
            Event::Book { who, hours } => {
                self.busy[*who].clone_from(hours);
                store.apply_feed(&[self.feed(*who)], || self.judgment());
            }
            Event::Late(late) => {
                self.late = *late;
                store.judge_feed(|| self.judgment());
            }
            Event::Nothing => {}
        }
        store.roll(Instant::ceil(now));
    }

    /// Compares the service with one that was just started, and open times with what is booked. Returns how many open
    /// times it shows.
    async fn ask(&self, store: &Arc<Store>, now: DateTime<Utc>) -> usize {
        let mut shown = 0;
        let serve = |store| Server::around(Service::new(store, Clock::frozen(now), options()));
        let (server, fresh) = (serve(Arc::clone(store)).await, serve(self.started(now)).await);
        for target in TARGETS {
            let (reply, expected) = (server.get(target).await, fresh.get(target).await);
            assert_eq!((reply.status, reply.text()), (expected.status, expected.text()), "{target} at {now}");
            if target.starts_with("/v1/availability") {
                assert_eq!(reply.status, if self.late == 2 { 503 } else { 200 }, "{target} at {now}");
                let is_stale = reply.header("availability-status") == Some("stale");
                assert_eq!(is_stale, self.late == 1, "{target} at {now}");
                shown += self.offered(&reply.body, now);
            }
        }
        let headers = ["content-type: application/json", "accept: application/json, text/event-stream"];
        let call = async |server: &Server| server.request("POST", "/api/mcp", &headers, MCP).await;
        let (reply, expected) = (call(&server).await, call(&fresh).await);
        assert_eq!((reply.status, reply.text()), (200, expected.text()), "MCP at {now}");
        server.stop().await;
        fresh.stop().await;
        shown
    }

    /// How many open times a body has, of which none may be booked.
    fn offered(&self, body: &[u8], now: DateTime<Utc>) -> usize {
        let body: serde_json::Value = serde_json::from_slice(body).unwrap();
        let slots = body["slots"].as_array().map_or(&[][..], Vec::as_slice);
        for slot in slots {
            let start: DateTime<Utc> = slot["startTime"].as_str().unwrap().parse().unwrap();
            let who = SLUGS.iter().position(|slug| *slug == slot["providerSlug"]).unwrap();
            for hours in &self.busy[who] {
                let hour = |hour: i64| self.begin + TimeDelta::hours(hour);
                let is_booked = hour(hours.start) <= start && start < hour(hours.end);
                assert!(!is_booked, "{slot} is offered at {now}, and {hours:?} are booked");
            }
        }
        slots.len()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    fn a_day_of_edits_bookings_and_a_silent_feed_equals_a_fresh_service_at_each_step(
        events in prop::collection::vec(event(), QUARTERS),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            // From Sunday to Monday: most of Monday's times pass.
            let begin: DateTime<Utc> = "2026-03-01T20:00:00Z".parse().unwrap();
            let mut world =
                World { contents: contents(), begin, content: 0, busy: Default::default(), late: 0 };
            let store = world.started(begin);
            for (quarter, event) in events.iter().enumerate() {
                let now = begin + TimeDelta::minutes(15 * i64::try_from(quarter).unwrap()) + TimeDelta::seconds(1);
                world.happen(event, &store, now);
                world.ask(&store, now).await;
            }
            let end = begin + TimeDelta::hours(24);
            world.happen(&Event::Late(0), &store, end);
            assert!(world.ask(&store, end).await > 0, "nothing was ever shown");
        });
    }
}

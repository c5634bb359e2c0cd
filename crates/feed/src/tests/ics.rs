//! Calendars of a publisher with every fault. No message, event or state has a secret address.

#![expect(clippy::disallowed_methods, reason = "tests prepare files of their own")]

mod hosts;

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{Event, FeedEntries, Freshness, Instant, Tz};
use tempfile::TempDir;

use super::super::ics::{CalendarList, IcsOptions, IcsSource, Zones, inspect};
use super::super::nats_options::Unlisted;
use super::super::options::{FeedKind, SharedOptions};
use super::super::{Clock, Feed, FeedOptions, FeedStatus, Polled, SourceError, moment, real_now};
use super::publisher::{Answer, Publisher};
use super::support::PATIENCE;
use super::{Recorder, until};

const SECRET: &str = "c4n4ry";

/// A calendar with one hour a day, without end.
fn daily(hour: u32) -> String {
    wrapped(&format!(
        "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260101T{hour:02}0000Z\r\nDURATION:PT1H\r\nSUMMARY:{SECRET} therapy\r\n\
         RRULE:FREQ=DAILY\r\nEND:VEVENT\r\n"
    ))
}

fn wrapped(events: &str) -> String {
    format!("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{events}END:VCALENDAR\r\n")
}

/// A publisher, and a file with lines: an address that begins with a slash is the publisher's.
struct World {
    publisher: Publisher,
    folder: TempDir,
}

impl World {
    async fn of(lines: &[(&str, &str)]) -> Self {
        let world = Self { publisher: Publisher::start().await, folder: TempDir::new().unwrap() };
        world.list(lines);
        world
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("calendars")
    }

    fn list(&self, lines: &[(&str, &str)]) {
        let line = |&(slug, path): &(&str, &str)| format!("{slug} {}\n", self.publisher.url(path));
        self.write(&lines.iter().map(line).collect::<String>());
    }

    fn write(&self, text: &str) {
        fs::write(self.file(), text).unwrap();
        fs::set_permissions(self.file(), Permissions::from_mode(0o600)).unwrap();
    }

    fn source(&self) -> IcsSource {
        IcsSource::new(CalendarList::File(self.file()), zones(), Duration::from_hours(2))
    }

    fn start(&self, target: &Arc<Recorder>, unlisted: Unlisted) -> Feed {
        let poll = Duration::from_millis(10);
        let kind = FeedKind::Ics(IcsOptions { calendars: CalendarList::File(self.file()), poll, unlisted });
        let options = FeedOptions::new(kind, SharedOptions::default()).unwrap();
        let polled = Polled::of(&options).unwrap().with_zones(zones());
        Feed::start(polled, options, Arc::clone(target), Clock::frozen(real_now()))
    }
}

fn zones() -> Zones {
    Zones(Arc::new(|_| Some(Tz::America__Los_Angeles)))
}

/// What a look reports: one word per event, and the full reasons of faults.
async fn look(source: &mut IcsSource) -> Vec<String> {
    let events = match source.look(PATIENCE).await {
        Ok(events) => events,
        Err(error) => return vec![format!("error: {error}")],
    };
    let shown = format!("{events:?} {source:?}");
    assert!(!shown.contains("therapy") && !shown.contains(SECRET), "{shown}");
    let told = events.iter().filter_map(|event| match event {
        Event::Writers { .. } | Event::Beat { .. } => None,
        Event::PartChanged { part, text: Ok(_) } => Some(format!("{} changed", first_word(part.name()))),
        Event::PartChanged { text: Err(why), .. } => Some(format!("{why:?}")),
        Event::Failed { why, .. } => Some(why.clone()),
        other => Some(format!("{other:?}")),
    });
    let mut told: Vec<String> = told.collect();
    // Whichever answers first comes first.
    told.sort();
    told
}

fn first_word(name: &str) -> &str {
    name.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').next().unwrap()
}

#[tokio::test]
async fn calendars_are_asked_for_by_their_own_tags_and_read_when_they_change() {
    let world = World::of(&[("jane-doe", "/c4n4ry/jane.ics"), ("sam-roe", "/c4n4ry/sam.ics")]).await;
    world.publisher.answers("/c4n4ry/jane.ics", Answer::ok(daily(9)).tagged("j1"));
    world.publisher.answers("/c4n4ry/sam.ics", Answer::ok(daily(9)).gzip().tagged("s1"));
    let mut source = world.source();
    assert_eq!(look(&mut source).await, ["jane-doe changed", "sam-roe changed"]);
    assert!(world.publisher.asked().iter().all(|(_, tag)| tag.is_none()));

    assert!(look(&mut source).await.is_empty());
    let mut tags: Vec<_> = world.publisher.asked().into_iter().map(|(_, tag)| tag.unwrap()).collect();
    tags.sort();
    assert_eq!(tags, ["\"j1\"", "\"s1\""]);

    world.publisher.answers("/c4n4ry/sam.ics", Answer::ok(daily(10)).tagged("s2"));
    assert_eq!(look(&mut source).await, ["sam-roe changed"]);
    // A line that is removed and comes back is read again.
    world.list(&[("sam-roe", "/c4n4ry/sam.ics")]);
    assert!(look(&mut source).await.is_empty());
    world.list(&[("jane-doe", "/c4n4ry/jane.ics"), ("sam-roe", "/c4n4ry/sam.ics")]);
    assert_eq!(look(&mut source).await, ["jane-doe changed"]);
}

#[tokio::test]
async fn each_fault_affects_only_that_calendar_and_no_message_has_its_address() {
    let world = World::of(&[("jane-doe", "/c4n4ry/jane.ics"), ("sam-roe", "/c4n4ry/sam.ics")]).await;
    world.publisher.answers("/c4n4ry/sam.ics", Answer::ok(daily(9)).tagged("s1"));
    let whole = daily(9);
    let cut = whole[..whole.len() - 20].to_owned();
    let login = "<!doctype html><title>c4n4ry sign in</title>";
    let drip = Answer { drip: Some(Duration::from_millis(50)), ..Answer::ok(daily(9)) };
    let short = Answer { length: Some(whole.len() + 10), ..Answer::ok(daily(9)) };
    let cases = [
        (
            Answer::status("404 Not Found"),
            "404 Not Found: the address was reset or is no longer shared; copy it again",
        ),
        (Answer::status("410 Gone"), "copy it again"),
        (Answer::status("403 Forbidden"), "copy it again"),
        (Answer::status("503 Service Unavailable"), "it answers 503 Service Unavailable"),
        (Answer::ok(login), "This isn't a calendar"),
        (Answer::to("/login?c4n4ry"), "404"),
        (Answer::to("ftp://c4n4ry.example/"), "a redirect isn't followed"),
        (Answer::ok(cut), "The calendar is cut off"),
        (short, "the response ended early"),
        (drip, "it takes too long"),
        (Answer::ok(vec![b' '; 9 << 20]).gzip(), "more than 8388608 bytes"),
        (Answer::ok(vec![0xff, 0xfe, 0x00]), "it isn't UTF-8 text"),
    ];
    let mut source = world.source();
    world.publisher.answers("/c4n4ry/jane.ics", Answer::ok(daily(9)));
    look(&mut source).await;
    source.whole = Duration::from_secs(2);
    for (answer, expected) in cases {
        world.publisher.answers("/c4n4ry/jane.ics", answer);
        let told = look(&mut source).await;
        assert_eq!(told.len(), 1, "{expected}: {told:?}");
        assert!(told[0].starts_with("jane-doe, calendar 1, at 127.0.0.1: "), "{told:?}");
        assert!(told[0].contains(expected), "{expected}: {told:?}");
        assert!(!told[0].contains(SECRET), "{told:?}");
    }
    world.publisher.answers("/c4n4ry/jane.ics", Answer::ok(daily(9)));
    assert_eq!(look(&mut source).await, ["jane-doe changed"]);
}

#[tokio::test]
async fn a_server_that_asks_for_a_pause_gets_it_up_to_max_stale() {
    let world = World::of(&[("jane-doe", "/c4n4ry/jane.ics"), ("sam-roe", "/c4n4ry/sam.ics")]).await;
    world.publisher.answers("/c4n4ry/sam.ics", Answer::ok(daily(9)).tagged("s1"));
    let busy = Answer::status("429 Too Many Requests");
    let busy = Answer { headers: vec!["retry-after: 86400".to_owned()], ..busy };
    world.publisher.answers("/c4n4ry/jane.ics", busy);
    let mut patient = world.source();
    let mut hasty = IcsSource::new(CalendarList::File(world.file()), zones(), Duration::ZERO);
    let was_asked = || {
        let asked = world.publisher.asked();
        asked.iter().map(|(path, _)| path.trim_start_matches("/c4n4ry/").to_owned()).collect::<BTreeSet<_>>()
    };
    let both = BTreeSet::from(["jane.ics".to_owned(), "sam.ics".to_owned()]);
    for source in [&mut patient, &mut hasty] {
        assert!(look(source).await.iter().any(|told| told.contains("it answers 429 Too Many Requests")));
        assert_eq!(was_asked(), both);
    }
    // It still says why, and asks for the others.
    assert!(look(&mut patient).await.iter().any(|told| told.contains("it answers 429 Too Many Requests")));
    assert_eq!(was_asked(), BTreeSet::from(["sam.ics".to_owned()]));
    world.publisher.answers("/c4n4ry/jane.ics", Answer::ok(daily(9)));
    assert_eq!(look(&mut hasty).await, ["jane-doe changed"]);
    assert_eq!(was_asked(), both);
}

#[tokio::test]
async fn a_calendar_that_was_never_read_withholds_only_its_clinician() {
    let world = World::of(&[("jane-doe", "/gone.ics"), ("sam-roe", "/sam.ics")]).await;
    world.publisher.answers("/sam.ics", Answer::ok(daily(9)));
    let feed = world.start(&Recorder::new(), Unlisted::Open);
    feed.first_look().await;
    until(&feed, |status| status.judgment().unknown.iter().any(|slug| slug.as_str() == "jane-doe")).await;
    assert_eq!(feed.judgment().unknown.len(), 1, "{:?}", feed.judgment());
    let expected = "jane-doe, calendar 1, at 127.0.0.1: it answers 404 Not Found";
    assert!(feed.status().last_error.is_some_and(|why| why.starts_with(expected)), "{:?}", feed.status());
}

#[tokio::test]
async fn a_calendar_without_events_or_with_an_unclear_one_is_in_doubt() {
    let world = World::of(&[("jane-doe", "/c4n4ry/jane.ics")]).await;
    let today = real_now().format("%Y%m%dT090000");
    let unclear = &format!("BEGIN:VEVENT\r\nDTSTART;TZID=Nowhere c4n4ry:{today}\r\nEND:VEVENT\r\n");
    let mut source = world.source();
    for (text, expected) in
        [(wrapped(""), "add one event, even a past one"), (wrapped(unclear), "unknown time zone")]
    {
        world.publisher.answers("/c4n4ry/jane.ics", Answer::ok(text));
        let told = look(&mut source).await;
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told.iter().any(|what| what.contains(expected)), "{told:?}");
        assert!(!told.concat().contains(SECRET), "{told:?}");
    }
}

#[tokio::test]
async fn a_calendar_of_an_unknown_clinician_is_named() {
    let world = World::of(&[("june-doe", "/june.ics"), ("sam-roe", "/sam.ics")]).await;
    world.publisher.answers("/june.ics", Answer::ok(daily(9)));
    world.publisher.answers("/sam.ics", Answer::ok(daily(9)));
    let feed = world.start(&Recorder::new(), Unlisted::Withheld);
    until(&feed, |status| status.held.is_some()).await;
    let held = feed.status().held.clone().unwrap_or_default();
    assert!(
        held.starts_with("june-doe, calendar 1, at 127.0.0.1: no line of the feed is about a clinician"),
        "{held}"
    );
}

#[tokio::test]
async fn a_slug_that_is_corrected_frees_everyone_again_and_a_dead_calendar_its_clinician_alone() {
    let world = World::of(&[("jane-doe", "/jane.ics")]).await;
    world.publisher.answers("/jane.ics", Answer::ok(daily(9)));
    let feed = world.start(&Recorder::new(), Unlisted::Open);
    let unknown = |status: &FeedStatus| status.judgment().unknown.len();
    let is_fresh = |status: &FeedStatus| status.judgment().freshness == Freshness::Fresh;
    until(&feed, |status| is_fresh(status) && unknown(status) == 0).await;
    world.list(&[("june-doe", "/jane.ics")]);
    // Its time may be anyone's.
    until(&feed, |status| status.held.is_some() && !is_fresh(status)).await;
    world.list(&[("jane-doe", "/jane.ics")]);
    until(&feed, |status| status.held.is_none() && is_fresh(status) && unknown(status) == 0).await;
    drop(feed);

    world
        .publisher
        .answers("/jane.ics", Answer { status: "500 Internal Server Error", ..Answer::ok(String::new()) });
    let feed = world.start(&Recorder::new(), Unlisted::Open);
    until(&feed, |status| is_fresh(status) && unknown(status) == 1).await;
    assert_eq!(feed.judgment().expired()[0].as_str(), "jane-doe");
}

#[tokio::test]
async fn a_calendar_in_doubt_is_shown_as_old_as_its_last_clear_reading() {
    let world = World::of(&[("jane-doe", "/jane.ics"), ("sam-roe", "/sam.ics")]).await;
    world.publisher.answers("/jane.ics", Answer::ok(daily(9)));
    world.publisher.answers("/sam.ics", Answer::ok(daily(9)));
    let feed = world.start(&Recorder::new(), Unlisted::Withheld);
    until(&feed, |status| status.parts().len() == 2).await;
    world.publisher.answers("/jane.ics", Answer::ok(wrapped("")));
    // It is looked at every ten milliseconds.
    let janes =
        |status: &FeedStatus| status.parts().into_iter().find(|(name, _)| name.starts_with("jane-doe"));
    until(&feed, |status| janes(status).is_some_and(|(_, age)| age > Duration::from_secs(1))).await;
}

#[tokio::test]
async fn every_wrong_line_of_the_file_is_named_at_once_and_none_is_quoted() {
    let world = World::of(&[]).await;
    world.write(
        "# Calendars\n\njane-doe webcal://calendar.example/c4n4ry\nJane https://calendar.example/c4n4ry\n\
         jane-doe https://calendar.example/c4n4ry more\nc4n4ry\nsam-roe http://calendar.example/c4n4ry\n\
         sam-roe ftp://calendar.example/c4n4ry\nsam-roe c4n4ry\n\
         sam-roe https://calendar.example/c4n4ry https://calendar.example/c4n4ry/2\n\
         https://calendar.example/c4n4ry.ics, sam-roe\nSam https://calendar.example/c4n4ry, roe https://calendar.example/2\n",
    );
    let refused = look(&mut world.source()).await.concat();
    for (line, what) in [
        (4, "slug"),
        (5, "write"),
        (6, "write"),
        (7, "https://"),
        (8, "webcal://"),
        (9, "Secret address"),
        (10, "write"),
        (11, "slug"),
        (12, "write"),
    ] {
        let (_, rest) =
            refused.split_once(&format!("line {line}: ")).unwrap_or_else(|| panic!("{line}: {refused}"));
        assert!(rest.split(';').next().unwrap().contains(what), "{line}: {refused}");
    }
    assert!(!refused.contains("line 3") && !refused.contains(SECRET), "{refused}");
}

#[tokio::test]
async fn a_file_that_others_may_read_is_refused() {
    let world = World::of(&[("jane-doe", "/c4n4ry/jane.ics")]).await;
    fs::set_permissions(world.file(), Permissions::from_mode(0o644)).unwrap();
    let refused = look(&mut world.source()).await.concat();
    assert!(refused.contains("chmod 600") && !refused.contains(SECRET), "{refused}");
    // The advice heals.
    fs::set_permissions(world.file(), Permissions::from_mode(0o600)).unwrap();
    world.publisher.answers("/c4n4ry/jane.ics", Answer::ok(daily(9)));
    assert_eq!(look(&mut world.source()).await, ["jane-doe changed"]);
    fs::remove_file(world.file()).unwrap();
    assert!(matches!(world.source().look(PATIENCE).await, Err(SourceError::Unreadable(_))));
}

#[tokio::test]
async fn a_calendar_is_as_old_as_the_request_for_it_and_a_list_is_reported_when_it_changes() {
    let world = World::of(&[("jane-doe", "/jane.ics")]).await;
    let drip = Some(Duration::from_millis(5));
    world.publisher.answers("/jane.ics", Answer { drip, ..Answer::ok(daily(9)) });
    let mut source = world.source();
    for look in 0..2 {
        let asked_at = async {
            while world.publisher.asked().is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            moment()
        };
        let (events, asked_at) = tokio::join!(source.look(PATIENCE), asked_at);
        let events = events.unwrap();
        let Some(Event::Beat { as_of, .. }) = events.last() else { panic!("{events:?}") };
        assert!(as_of.heard <= asked_at.tick, "{as_of:?} {asked_at:?}");
        assert_eq!(events.iter().any(|event| matches!(event, Event::Writers { .. })), look == 0);
    }
}

#[tokio::test]
async fn calendars_of_one_clinician_add_up_and_who_has_none_is_withheld() {
    let world = World::of(&[("jane-doe", "/a.ics"), ("jane-doe", "/b.ics")]).await;
    world.publisher.answers("/a.ics", Answer::ok(daily(16)));
    world.publisher.answers("/b.ics", Answer::ok(daily(17)));
    let target = Recorder::new();
    let feed = world.start(&target, Unlisted::Withheld);
    feed.first_look().await;
    until(&feed, |status| status.parts().len() == 2).await;
    let judgment = feed.judgment();
    let is_withheld = |slug: &str| judgment.unknown.iter().any(|unknown| unknown.as_str() == slug);
    assert!(is_withheld("sam-roe") && !is_withheld("jane-doe"), "{judgment:?}");
    let applied = target.applied.lock().unwrap().last().unwrap().clone();
    let jane = applied.into_iter().find(|feed| feed.provider.as_str() == "jane-doe").unwrap();
    let FeedEntries::Busy(busy) = jane.entries else { panic!("{jane:?}") };
    let start = |hour: u32| -> Instant {
        let day = real_now().date_naive().succ_opt().unwrap();
        Instant::floor(day.and_hms_opt(hour, 0, 0).unwrap().and_utc())
    };
    for hour in [16, 17] {
        let is_taken = busy.iter().any(|entry| entry.start <= start(hour) && start(hour) < entry.end);
        assert!(is_taken, "{hour}: {busy:?}");
    }
    drop(feed);

    let feed = world.start(&Recorder::new(), Unlisted::Open);
    feed.first_look().await;
    until(&feed, |status| status.parts().len() == 2 && status.judgment().unknown.is_empty()).await;
    assert_eq!(feed.judgment().freshness, Freshness::Fresh);
}

#[tokio::test]
async fn an_inspection_has_a_row_for_each_calendar() {
    let world = World::of(&[("jane-doe", "/a.ics"), ("sam-roe", "/gone.ics")]).await;
    world.publisher.answers("/a.ics", Answer::ok(daily(16)));
    let options = IcsOptions {
        calendars: CalendarList::File(world.file()),
        poll: Duration::from_mins(5),
        unlisted: Unlisted::Withheld,
    };
    let mut rows = inspect(&options, zones()).await.unwrap();
    rows.sort_by(|one, other| one.slug.cmp(&other.slug));
    let [jane, sam] = &rows[..] else { panic!("{rows:?}") };
    let read = jane.read.as_ref().unwrap();
    assert_eq!((jane.slug.as_str(), read.events, read.busy.is_empty()), ("jane-doe", 1, false));
    assert!(sam.read.as_ref().unwrap_err().contains("copy it again"));
}

//! What calendars cost: a poll of 1,000 that have not changed, and one with 20,000 events.
//!
//! `cargo run --profile dist -p benches --bin calendars [POLLS]`
//!
//! The publisher runs in a process of its own, on loopback, so that its work isn't counted. It answers 304 to each request with
//! its tag. The calendars are polled once a second instead of every five minutes, and the processor time of this process is
//! divided by the polls. Connections are kept, and nothing is encrypted: a real poll has a handshake for each host as well.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a measurement prints, writes files of its own, and stops where it cannot go on"
)]

use std::fmt::Write as _;
use std::fs::Permissions;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use benches::chance::Chance;
use benches::clinic::Clinic;
use benches::measure::processor_seconds;
use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::calendar::{Calendar, FeedMode, Instant as Moment, Tz, read_calendar};
use directory::content::load_and_check;
use feed::{Clock, FeedKind, FeedOptions, Feeds, IcsOptions, Polled, SharedOptions, Zones};
use live::Store;
use tokio::runtime::Runtime;

const CALENDARS: u16 = 1_000;
const POLL: Duration = Duration::from_mins(5);
const NOW: &str = "2026-10-20T00:00:00Z";
/// The longest time to wait for all polls.
const PATIENCE: Duration = Duration::from_mins(10);

fn main() {
    let mut arguments = std::env::args().skip(1);
    let first = arguments.next();
    if first.as_deref() == Some("publisher") {
        return publish();
    }
    let polls = first.map_or(10, |polls| polls.parse().expect("a number of polls"));
    unchanged(polls);
    large();
}

/// The processor time of a poll of all calendars.
fn unchanged(polls: usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let content = folder.path().join("content");
    Clinic { providers: CALENDARS.into(), seed: 1, with_hours: false }
        .write(&content)
        .expect("the clinic is written");
    let now: DateTime<Utc> = "2026-06-01T12:00:00Z".parse().expect("a moment");
    let directory = load_and_check(&content, now.date_naive()).expect("the clinic is valid").directory;
    let publisher = Publisher::start();
    let line = |(number, slug): (usize, &str)| format!("{slug} http://{}/{number}.ics\n", publisher.address);
    let slugs = directory.providers().iter().map(|provider| provider.slug.as_str()).enumerate();
    let calendars = folder.path().join("calendars");
    std::fs::write(&calendars, slugs.map(line).collect::<String>()).expect("the list is written");
    std::fs::set_permissions(&calendars, Permissions::from_mode(0o600)).expect("the list is ours alone");

    let listed = format!("calendars = {:?}", calendars.display().to_string());
    let listed: IcsOptions = toml::from_str(&listed).expect("the settings");
    let kind = FeedKind::Ics(IcsOptions { poll: Duration::from_secs(1), ..listed });
    let options = FeedOptions::new(kind, SharedOptions::default()).expect("the settings");
    let options = FeedOptions { memory: Some(folder.path().join("memory")), ..options };
    let source = Polled::of(&options).expect("a source");
    let source = source.with_zones(Zones(Arc::new(|_| Some(Tz::America__Los_Angeles))));

    let runtime = Runtime::new().expect("a runtime");
    let snapshot = Snapshot::new(directory);
    let calendar = Calendar::with_feed(snapshot.directory(), FeedMode::Busy, Moment::ceil(now));
    let store = Arc::new(Store::new(snapshot.with_calendar(calendar)));
    let feeds = Feeds::default();
    runtime.block_on(feeds.listen(options, source, &store, Clock::frozen(now)));
    // The first poll reads them all; the second one is warm.
    let all = usize::from(CALENDARS);
    let begin = publisher.wait_for(2 * all);
    let before = processor_seconds().expect("the system tells it");
    let end = publisher.wait_for(begin + polls * all);
    let spent = processor_seconds().expect("the system tells it") - before;
    let withheld = feeds.current().expect("a feed").judgment().unknown.len();
    assert_eq!(withheld, 0, "each calendar is read");
    let asked = u32::try_from(end - begin).expect("a number of requests");
    let each = spent / f64::from(asked) * f64::from(CALENDARS);
    println!(
        "{CALENDARS} calendars that have not changed: {:.0} ms of a processor a poll; every five minutes, {:.3}% of a core \
         (at most 1%)",
        each * 1e3,
        each / POLL.as_secs_f64() * 100.0
    );
}

/// The processor time of reading a large calendar, from its text to its busy time: the least of some rounds.
fn large() {
    const ROUNDS: u32 = 9;
    for (events, calls, most) in [(2_000, 50, 5), (20_000, 5, 50)] {
        let text = calendar(events);
        let (now, zones) = (NOW.parse().expect("a moment"), [Tz::America__Chicago]);
        let round = |_| {
            let before = processor_seconds().expect("the system tells it");
            for _ in 0..calls {
                let reading = read_calendar(text.as_bytes(), &zones, now).expect("a calendar");
                assert_eq!((reading.events, reading.unplaced_count), (events, 0));
            }
            (processor_seconds().expect("the system tells it") - before) / f64::from(calls)
        };
        let least = (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min);
        println!(
            "{events} events of ten years, a quarter of them series, {:.1} MiB: {:.1} ms of a processor for the next month \
             (at most {most} ms)",
            mebibytes(text.len()),
            least * 1e3
        );
    }
}

#[expect(clippy::cast_precision_loss, reason = "a size to print")]
fn mebibytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// A calendar of ten years as Google exports it: one event of four is a series, half of them with an end.
fn calendar(events: usize) -> String {
    let mut text = String::from(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nX-WR-TIMEZONE:America/New_York\r\nBEGIN:VTIMEZONE\r\nTZID:America/New_York\r\n\
         BEGIN:DAYLIGHT\r\nTZOFFSETFROM:-0500\r\nTZOFFSETTO:-0400\r\nDTSTART:19700308T020000\r\n\
         RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU\r\nEND:DAYLIGHT\r\nBEGIN:STANDARD\r\nTZOFFSETFROM:-0400\r\nTZOFFSETTO:-0500\r\n\
         DTSTART:19701101T020000\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n",
    );
    let mut chance = Chance::new(u64::try_from(events).expect("a number"));
    for event in 0..events {
        let (year, month, day) = (2017 + chance.below(10), 1 + chance.below(12), 1 + chance.below(28));
        let (date, hour) = (format!("{year}{month:02}{day:02}"), 8 + chance.below(10));
        let zone = ";TZID=America/New_York";
        _ = write!(
            text,
            "BEGIN:VEVENT\r\nDTSTART{zone}:{date}T{hour:02}0000\r\nDTEND{zone}:{date}T{hour:02}5000\r\n"
        );
        if event % 4 == 0 {
            let rule =
                ["WEEKLY;BYDAY=MO,WE", "WEEKLY", "MONTHLY;BYDAY=2TU", "DAILY", "YEARLY"][event / 4 % 5];
            let end = if event % 8 == 0 { ";COUNT=900" } else { "" };
            _ = write!(text, "RRULE:FREQ={rule}{end}\r\nEXDATE{zone}:{date}T{hour:02}0000\r\n");
        }
        _ = write!(
            text,
            "DTSTAMP:20261001T000000Z\r\nUID:{event:026x}@google.com\r\nDESCRIPTION:A line about the visit\r\n  that is folded.\r\n\
             LAST-MODIFIED:20200101T000000Z\r\nSEQUENCE:0\r\nSTATUS:CONFIRMED\r\nSUMMARY:Visit {event}\r\n\
             TRANSP:OPAQUE\r\nEND:VEVENT\r\n"
        );
    }
    text + "END:VCALENDAR\r\n"
}

/// The publisher, in a process of its own. It ends with this one.
struct Publisher {
    address: SocketAddr,
    process: Child,
}

impl Publisher {
    fn start() -> Self {
        let program = std::env::current_exe().expect("this program");
        let mut process =
            Command::new(program).arg("publisher").stdout(Stdio::piped()).spawn().expect("a publisher");
        let mut address = String::new();
        let mut told = BufReader::new(process.stdout.take().expect("a pipe"));
        told.read_line(&mut address).expect("an address");
        Self { address: address.trim().parse().expect("an address"), process }
    }

    /// Waits until this many calendars were requested. Returns their number.
    fn wait_for(&self, calendars: usize) -> usize {
        let began = Instant::now();
        loop {
            let mut stream = TcpStream::connect(self.address).expect("the publisher listens");
            stream.write_all(b"GET /count HTTP/1.1\r\nconnection: close\r\n\r\n").expect("a request");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).expect("an answer");
            let (_, count) = answer.split_once("\r\n\r\n").expect("a body");
            let count = count.parse().expect("a number");
            if count >= calendars {
                return count;
            }
            assert!(began.elapsed() < PATIENCE, "the calendars are not polled: {count} requests");
            thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for Publisher {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

/// Answers on a free port of loopback until this process is killed.
fn publish() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    println!("{}", listener.local_addr().expect("an address"));
    let (asked, text) = (Arc::new(AtomicUsize::new(0)), Arc::new(calendar(20)));
    for stream in listener.incoming().flatten() {
        let (asked, text) = (Arc::clone(&asked), Arc::clone(&text));
        thread::spawn(move || answer(&stream, &asked, &text));
    }
}

/// Answers on one connection until the client closes it.
fn answer(stream: &TcpStream, asked: &AtomicUsize, text: &str) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let target = lines.next()?.ok()?;
        let mut is_known = false;
        for line in lines.by_ref().map_while(Result::ok).take_while(|line| !line.is_empty()) {
            is_known |= line.to_ascii_lowercase().starts_with("if-none-match:");
        }
        let (status, body) = if target.starts_with("GET /count ") {
            ("200 OK", asked.load(Ordering::Relaxed).to_string())
        } else if is_known {
            asked.fetch_add(1, Ordering::Relaxed);
            ("304 Not Modified", String::new())
        } else {
            asked.fetch_add(1, Ordering::Relaxed);
            ("200 OK", text.to_owned())
        };
        let length = if is_known { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        let head = format!("HTTP/1.1 {status}\r\netag: \"1\"\r\n{length}\r\n");
        { stream }.write_all((head + &body).as_bytes()).ok()?;
        if target.starts_with("GET /count ") {
            return None;
        }
    }
}

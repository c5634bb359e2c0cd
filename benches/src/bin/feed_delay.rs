//! How long a change in a feed takes to become a changed body, over loopback, as a client sees it.
//!
//! `cargo run --profile dist -p benches --bin feed-delay [FILE-CHANGES] [PUBLISHER-CHANGES]`
//!
//! A service of 1,000, 10,000 and 100,000 clinicians runs in this process, with a feed of five slots each. One slot
//! moves; the clock runs from the finished write to the last byte of the first changed answer of a client that asks
//! without a pause. Both kinds of feed are looked at as often as is allowed: a file each 100 ms, a publisher each 5 s, a
//! tenth more or less. Most of each figure is waiting for the next look, half of it on the average: the floor is printed
//! beside it. The rest is reading the whole feed, which grows with the clinic; a publisher is asked by the smallest alone.
#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a measurement prints, writes files of its own, and stops where it cannot go on"
)]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use benches::clinic::Clinic;
use chrono::{DateTime, TimeDelta, Utc};
use directory::Snapshot;
use directory::calendar::{Calendar, FeedMode, Instant as Moment};
use directory::content::load_and_check;
use feed::{Clock, FeedOptions, Feeds, Polled};
use live::{Access, Limits, Listener, Options, Service, Store};
use tokio::runtime::Runtime;

const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
const SLOTS: i64 = 5;
const FILE_POLL: Duration = Duration::from_millis(100);
const SMART_POLL: Duration = Duration::from_secs(5);

fn main() {
    let mut counts = std::env::args().skip(1).map(|count| count.parse().expect("a number of changes"));
    let (of_file, of_publisher) = (counts.next().unwrap_or(100), counts.next().unwrap_or(30));
    for providers in SIZES {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let content = folder.path().join("content");
        Clinic { providers, seed: 1, with_hours: false }.write(&content).expect("the clinic is written");
        println!("{providers} clinicians with {SLOTS} slots each");
        through_file(folder.path(), &content, of_file);
        if providers == SIZES[0] {
            through_publisher(&content, of_publisher);
        }
    }
}

fn through_file(folder: &Path, content: &Path, changes: u32) {
    let path = folder.join("open.ndjson");
    let options = FeedOptions::file(path.clone(), FeedMode::Open).with_poll(FILE_POLL);
    let write = |text: &str| {
        let new = path.with_extension("new");
        std::fs::write(&new, text).expect("the feed is written");
        std::fs::rename(&new, &path).expect("the feed is renamed");
    };
    tell("file", FILE_POLL, measure(content, options, &write, changes, FILE_POLL));
}

fn through_publisher(content: &Path, changes: u32) {
    let publisher = Publisher::start();
    let url = format!("http://{}/manifest", publisher.address);
    let options = FeedOptions::smart(&url, FeedMode::Open).map(|options| options.with_poll(SMART_POLL));
    let write = |text: &str| publisher.publish(text);
    tell("smart", SMART_POLL, measure(content, options.expect("a poll"), &write, changes, SMART_POLL));
}

fn tell(kind: &str, poll: Duration, mut delays: Vec<Duration>) {
    delays.sort_unstable();
    let at =
        |percent: usize| delays[(delays.len() * percent / 100).min(delays.len() - 1)].as_secs_f64() * 1e3;
    println!(
        "{kind:<6} {:>4} changes: p50 {:>8.1} ms, p99 {:>8.1} ms, worst {:>8.1} ms (looked at each {:.1} s: the floor is p50 {:.0} ms, worst {:.0} ms)",
        delays.len(),
        at(50),
        at(99),
        at(100),
        poll.as_secs_f64(),
        poll.as_secs_f64() * 500.0,
        poll.as_secs_f64() * 1100.0,
    );
}

/// The delays of `changes` changes, each begun at another moment between two looks.
fn measure(
    content: &Path,
    options: FeedOptions,
    write: &dyn Fn(&str),
    changes: u32,
    poll: Duration,
) -> Vec<Duration> {
    // One for each, which ends with it: no service goes on looking while the next one is measured.
    let runtime = Runtime::new().expect("a runtime");
    let now: DateTime<Utc> = "2026-06-01T12:00:00Z".parse().expect("a moment");
    let directory = load_and_check(content, now.date_naive()).expect("the clinic is valid").directory;
    let slugs: Vec<_> = directory.providers().iter().map(|provider| provider.slug.to_string()).collect();
    let home = directory.providers()[0].accepting.iter().next().expect("a state");
    let snapshot = Snapshot::new(directory);
    let calendar = Calendar::with_feed(snapshot.directory(), FeedMode::Open, Moment::ceil(now));
    let store = Arc::new(Store::new(snapshot.with_calendar(calendar)));
    write(&feed(&slugs, now, 0));
    let feeds = Feeds::default();
    let source = Polled::of(&options).expect("a source");
    runtime.block_on(feeds.listen(options, source, &store, Clock::frozen(now)));
    runtime.spawn(live::keep_true(Arc::clone(&store), Clock::frozen(now), feeds));
    let listener =
        runtime.block_on(async { Listener::bind(([127, 0, 0, 1], 0).into(), false) }).expect("a free port");
    let address = listener.address();
    let options = Options::new(Access::loopback(), limits());
    let service = Service::new(store, Clock::frozen(now), options);
    runtime.spawn(listener.serve(service, std::future::pending()));

    let mut client = Client::connect(address);
    let target = format!("/v1/availability?state={home}&provider={}", slugs[0]);
    // The service listens before the first reading has arrived. Slots are as long as the longest visit.
    let backoff = Instant::now() + Duration::from_mins(2);
    while !client.get(&target).contains("startTime") {
        assert!(Instant::now() < backoff, "the first clinician's slots never come: {}", client.get(&target));
        thread::sleep(Duration::from_millis(5));
    }
    let mut before = client.get(&target);
    (1..=changes)
        .map(|change| {
            // Each begins at another moment between two looks: the golden section spreads them evenly.
            thread::sleep(poll.mul_f64((f64::from(change) * 0.618_034).fract()));
            let text = feed(&slugs, now, change);
            write(&text);
            let began = Instant::now();
            loop {
                let body = client.get(&target);
                if body != before {
                    before = body;
                    return began.elapsed();
                }
                thread::sleep(Duration::from_micros(200));
            }
        })
        .collect()
}

/// The feed in which the first clinician's first slot has been moved this many times.
fn feed(slugs: &[String], now: DateTime<Utc>, moved: u32) -> String {
    let mut text = String::new();
    for (number, slug) in slugs.iter().enumerate() {
        for slot in 0..SLOTS {
            let minute = if number == 0 && slot == 0 { moved % 400 } else { 500 };
            let start = now + TimeDelta::days(slot + 1) + TimeDelta::minutes(minute.into());
            let (start, end) = (start.timestamp(), (start + TimeDelta::minutes(60)).timestamp());
            let written = |at| DateTime::<Utc>::from_timestamp(at, 0).expect("a moment").format("%FT%TZ");
            let (start, end) = (written(start), written(end));
            // Writing into a string cannot fail.
            _ = writeln!(text, r#"{{"provider":"{slug}","start":"{start}","end":"{end}","status":"free"}}"#);
        }
    }
    text
}

/// A client that asks again and again on one connection.
struct Client {
    address: SocketAddr,
    stream: BufReader<TcpStream>,
}

impl Client {
    fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the service is there");
        stream.set_nodelay(true).expect("a socket");
        Self { address, stream: BufReader::new(stream) }
    }

    /// The body of an answer.
    fn get(&mut self, target: &str) -> String {
        let request = format!("GET {target} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        self.stream.get_mut().write_all(request.as_bytes()).expect("a request");
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).expect("a line");
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("a body");
        String::from_utf8(body).expect("text")
    }
}

/// A manifest and one file, with tags, on loopback.
struct Publisher {
    address: SocketAddr,
    published: Arc<Mutex<(u64, String)>>,
}

impl Publisher {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let published = Arc::new(Mutex::new((0, String::new())));
        let shared = Arc::clone(&published);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (version, text) = shared.lock().expect("a lock").clone();
                // A client that goes away has seen enough.
                _ = answer(stream, version, &text);
            }
        });
        Self { address, published }
    }

    fn publish(&self, text: &str) {
        let mut published = self.published.lock().expect("a lock");
        published.0 += 1;
        text.clone_into(&mut published.1);
    }
}

fn answer(mut stream: TcpStream, version: u64, text: &str) -> std::io::Result<()> {
    let (mut first, mut known) = (String::new(), String::new());
    let mut lines = BufReader::new(stream.try_clone()?);
    lines.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        lines.read_line(&mut line)?;
        if let Some(tag) = line.to_lowercase().strip_prefix("if-none-match:") {
            tag.trim().clone_into(&mut known);
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let is_manifest = first.contains("/manifest");
    let tag = format!("\"{version}\"");
    let (status, body) = if is_manifest {
        let at = Clock::system().now().format("%FT%TZ");
        let manifest = format!(
            r#"{{"transactionTime":"{at}","request":"x","output":[{{"type":"Slot","url":"slots.ndjson"}}]}}"#
        );
        ("200 OK", manifest)
    } else if known == tag {
        ("304 Not Modified", String::new())
    } else {
        ("200 OK", text.to_owned())
    };
    let tag = if is_manifest { String::new() } else { format!("ETag: {tag}\r\n") };
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{tag}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// The limits of a service without settings.
fn limits() -> Limits {
    let settings: toml::Table = include_str!("../../../src/settings/defaults.toml").parse().expect("TOML");
    settings["limits"].clone().try_into().expect("the limits are valid")
}

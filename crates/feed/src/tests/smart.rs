//! The smart source with a publisher that is slow or broken, redirects, sends too much, and recovers.

use std::time::Duration;

use directory::calendar::{Event, FeedLimits, FeedMode, FeedRules};

use super::super::smart::{SmartLimits, SmartOptions, SmartSource};
use super::lines;
use super::publisher::{Answer, Publisher, gzip};

const MANIFEST: &str = "/feed/manifest.json";

fn limits() -> SmartLimits {
    SmartLimits {
        connect: Duration::from_millis(500),
        quiet: Duration::from_millis(300),
        manifest: Duration::from_millis(900),
        whole: Duration::from_millis(900),
        ahead: Duration::from_mins(5),
        wire_bytes: 64 << 10,
        manifest_bytes: 16 << 10,
        total_bytes: 96 << 10,
        file: FeedLimits { bytes: 64 << 10, ..FeedLimits::default() },
    }
}

fn source(publisher: &Publisher) -> SmartSource {
    source_at(&publisher.url(MANIFEST), limits())
}

fn source_at(url: &str, limits: SmartLimits) -> SmartSource {
    let publisher = SmartOptions { url: url.parse().unwrap(), poll: Duration::from_mins(1), limits };
    SmartSource::new(&publisher, &FeedRules::new(FeedMode::Open)).unwrap()
}

/// The names of the reported files, or the error. A part that is late is an error, too.
async fn look(source: &mut SmartSource) -> String {
    let events = match source.look(Duration::from_secs(20)).await {
        Ok(events) => events,
        Err(error) => return format!("error: {error}"),
    };
    let Some(Event::Beat { as_of, late, .. }) = events.last() else { panic!("{events:?}") };
    assert!(as_of.told.is_some());
    if let Some(first) = late.first() {
        assert_eq!(late.len(), 1);
        return format!("error: {}", first.why);
    }
    let name = |event: &Event| match event {
        Event::PartChanged { part, .. } => Some(part.name().rsplit('/').next().unwrap().to_owned()),
        _ => None,
    };
    let names: Vec<_> = events.iter().filter_map(name).collect();
    if events.len() == 1 { "unchanged".to_owned() } else { names.join(" ") }
}

#[tokio::test]
async fn files_are_asked_for_by_their_own_tags_and_read_when_they_change() {
    let publisher = Publisher::start().await;
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])).tagged("a1"));
    publisher.answers("/b.ndjson", Answer::ok(lines(&["sam-roe"])).gzip().tagged("b1"));
    publisher.lists(&["a.ndjson", &publisher.url("/b.ndjson")]);
    let mut source = source(&publisher);
    assert_eq!(look(&mut source).await, "b.ndjson a.ndjson");
    assert!(publisher.asked().iter().all(|(_, tag)| tag.is_none()));

    assert_eq!(look(&mut source).await, "unchanged");
    let mut tags: Vec<_> = publisher.asked().into_iter().map(|(_, tag)| tag.unwrap()).collect();
    // The manifest comes first, and then whichever connects first.
    tags[1..].sort();
    assert_eq!(tags[1..], ["\"a1\"", "\"b1\""]);

    publisher.answers("/b.ndjson", Answer::ok(lines(&["jane-doe"])).tagged("b2"));
    assert_eq!(look(&mut source).await, "b.ndjson a.ndjson");
    assert_eq!(look(&mut source).await, "unchanged");
    // The same text from a publisher without tags isn't a change.
    publisher.answers("/b.ndjson", Answer::ok(lines(&["jane-doe"])));
    assert_eq!(look(&mut source).await, "unchanged");
    publisher.lists(&["a.ndjson"]);
    assert_eq!(look(&mut source).await, "a.ndjson");
}

#[tokio::test]
async fn redirects_are_followed_and_relative_addresses_start_where_they_end() {
    let publisher = Publisher::start().await;
    publisher.lists(&["a.ndjson"]);
    publisher.answers("/feed/a.ndjson", Answer::to("/elsewhere/a.ndjson"));
    publisher.answers("/elsewhere/a.ndjson", Answer::ok(gzip(lines(&["jane-doe"]).as_bytes())));
    publisher.answers("/moved", Answer::to("/feed/manifest.json"));
    publisher.answers("/moved?secret=1", Answer::to("/feed/manifest.json"));
    let mut source = source_at(&publisher.url("/moved?secret=1"), limits());
    assert!(!source.name().contains("secret"));
    assert_eq!(look(&mut source).await, "a.ndjson");
}

#[tokio::test]
async fn each_fault_is_an_error_and_recovery_is_noticed() {
    let good = || Answer::ok(lines(&["jane-doe"])).tagged("good");
    // Without the tag, or the publisher would rightly answer 304.
    let wrong = || Answer { tag: None, ..good() };
    let drip = |wait| Answer { drip: Some(Duration::from_millis(wait)), ..wrong() };
    let chunked =
        |body: Vec<u8>| Answer { headers: vec!["transfer-encoding: chunked".to_owned()], ..Answer::ok(body) };
    let bomb = Answer::ok(vec![b' '; 8 << 20]).gzip();
    assert!(bomb.body.len() < 64 << 10);
    let mut broken_gzip = Answer::ok(lines(&["jane-doe"; 50])).gzip();
    broken_gzip.body.truncate(broken_gzip.body.len() - 12);
    let long_chunk = [b"20000\r\n".to_vec(), vec![b' '; 0x20000], b"\r\n0\r\n\r\n".to_vec()].concat();
    let cases = [
        (Answer::status("404 Not Found"), "404"),
        (Answer::status("500 Internal Server Error"), "500"),
        (Answer::status("304 Not Modified"), "304"),
        (Answer::status("206 Partial Content"), "206"),
        (Answer::ok("{\"provider\":\"jane-doe\"\n"), "a.ndjson:1:"),
        (
            Answer::ok([lines(&["jane-doe"]), "nonsense".to_owned()].concat()),
            "a.ndjson:2:1: this isn't a JSON object",
        ),
        (Answer { length: Some(9_000), ..wrong() }, "the response ended early"),
        (chunked(b"5\r\n{\"pro".to_vec()), "the response ended early"),
        (Answer { length: Some(100 << 10), ..wrong() }, "more than 65536 bytes"),
        (chunked(long_chunk), "more than 65536 bytes"),
        (bomb, "expands to more than 65536 bytes"),
        (broken_gzip, "its gzip is broken"),
        (
            Answer { headers: vec!["content-encoding: br".to_owned()], ..wrong() },
            "an encoding that wasn't requested",
        ),
        (Answer::ok(b"\xff\xfe".to_vec()), "isn't UTF-8"),
        (Answer::to("/feed/a.ndjson"), "redirects too often"),
        (Answer::to("file:///etc/passwd"), "it answers 302"),
        (Answer::to("ftp://127.0.0.1/"), "redirects to"),
        (Answer::to("//[broken"), "it answers 302"),
        (drip(400), "it takes too long"),
        (drip(20), "it takes too long"),
        (Answer { status: "garbage", ..wrong() }, "the response ended early"),
    ];
    for (answer, reason) in cases {
        let publisher = Publisher::start().await;
        publisher.lists(&["a.ndjson", "b.ndjson"]);
        publisher.answers("/feed/b.ndjson", Answer::ok(lines(&["sam-roe"])).tagged("b"));
        let mut source = source(&publisher);
        // First as the first answer, then after a good one.
        for expected in ["a.ndjson b.ndjson", "unchanged"] {
            publisher.answers("/feed/a.ndjson", answer.clone());
            let error = look(&mut source).await;
            // The one answer that is right where something is known already.
            if expected == "unchanged" && reason == "304" {
                assert_eq!(error, "unchanged");
                continue;
            }
            assert!(error.starts_with("error: ") && error.contains(reason), "{reason}: {error}");
            assert!(error.contains(&publisher.address.to_string()), "{error}");
            publisher.answers("/feed/a.ndjson", good());
            assert_eq!(look(&mut source).await, expected, "{reason}");
        }
    }
}

#[tokio::test]
async fn a_wrong_manifest_is_an_error() {
    let publisher = Publisher::start().await;
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])));
    let mut source = source(&publisher);
    assert!(look(&mut source).await.contains("it answers 404"));
    for (files, reason) in [
        (&["file:///etc/passwd"][..], "file addresses aren't supported"),
        (&["http://"], "isn't a valid address"),
        (&["data:,x"], "data addresses aren't supported"),
    ] {
        publisher.lists(files);
        let error = look(&mut source).await;
        assert!(error.contains(reason), "{error}");
    }
    publisher.answers(MANIFEST, Answer::ok("{}"));
    assert!(look(&mut source).await.contains("isn't a $bulk-publish manifest"));
    publisher.answers(MANIFEST, Answer::ok(" ".repeat(20 << 10)));
    assert!(look(&mut source).await.contains("more than 16384 bytes"));
    publisher.lists(&["a.ndjson"]);
    assert_eq!(look(&mut source).await, "a.ndjson");
}

#[tokio::test]
async fn a_publisher_cannot_lead_into_other_networks() {
    let publisher = Publisher::start().await;
    let mut source = source(&publisher);
    publisher.lists(&["http://10.0.0.1/metrics"]);
    let error = look(&mut source).await;
    assert!(error.contains("10.0.0.1, an address of a private or reserved network"), "{error}");
    publisher.lists(&["a.ndjson"]);
    publisher.answers("/feed/a.ndjson", Answer::to("http://169.254.169.254/latest"));
    let error = look(&mut source).await;
    assert!(error.contains("169.254.169.254, an address of the local link"), "{error}");
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])));
    assert_eq!(look(&mut source).await, "a.ndjson");
}

#[tokio::test]
async fn all_files_together_have_a_bound() {
    let publisher = Publisher::start().await;
    let large = |text: &str| Answer::ok([text, &" ".repeat(50 << 10)].concat()).gzip();
    publisher.lists(&["a.ndjson", "b.ndjson"]);
    publisher.answers("/feed/a.ndjson", large(&lines(&["jane-doe"])));
    publisher.answers("/feed/b.ndjson", large(&lines(&["sam-roe"])));
    let error = look(&mut source(&publisher)).await;
    // Whichever comes second.
    assert!(error.contains(".ndjson: all files together expand to more than 98304 bytes"), "{error}");
}

#[tokio::test]
async fn files_within_the_common_limit_are_read_again_and_again() {
    let publisher = Publisher::start().await;
    let names: Vec<_> = (0..6).map(|number| format!("{number}.ndjson")).collect();
    publisher.lists(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let mut source = source(&publisher);
    // Six files of 15 KiB within a limit of 96. The second round is read while the first one is kept.
    for slug in ["jane-doe", "sam-roe"] {
        for name in &names {
            let text = lines(&[slug]) + &" ".repeat(15 << 10);
            publisher.answers(&format!("/feed/{name}"), Answer::ok(text).gzip());
        }
        assert_eq!(look(&mut source).await, names.join(" "));
    }
}

#[tokio::test]
async fn a_few_files_are_requested_at_once_and_taken_in_the_manifests_order() {
    let publisher = Publisher::start().await;
    let names: Vec<_> = (0..9).map(|number| format!("{number}.ndjson")).collect();
    for name in &names {
        let slow = Answer { drip: Some(Duration::from_millis(2)), ..Answer::ok(lines(&["jane-doe"])) };
        publisher.answers(&format!("/feed/{name}"), slow);
    }
    publisher.lists(&names.iter().map(String::as_str).collect::<Vec<_>>());
    // A busy machine may take its time: what counts is how many files are asked for at once.
    let patient = SmartLimits { whole: Duration::from_mins(1), quiet: Duration::from_mins(1), ..limits() };
    let mut source = source_at(&publisher.url(MANIFEST), patient);
    assert_eq!(look(&mut source).await, names.join(" "));
    assert_eq!(publisher.most_at_once(), 4);
}

#[tokio::test]
async fn a_publisher_that_does_not_answer_is_an_error() {
    let publisher = Publisher::start().await;
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/m", free.local_addr().unwrap());
    drop(free);
    let mut source = source_at(&url, limits());
    assert!(look(&mut source).await.contains("no server answers there"));
    // Not TLS at all on that port: no answer, and no plain text instead.
    let url = format!("https://{}/m", publisher.address);
    let mut source = source_at(&url, limits());
    assert!(look(&mut source).await.starts_with("error: https://127.0.0.1:"));
}

#[tokio::test]
async fn a_manifest_that_drips_is_given_up_at_its_deadline_with_a_reason() {
    let publisher = Publisher::start().await;
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])));
    publisher.lists(&["a.ndjson"]);
    let slow = Answer { drip: Some(Duration::from_millis(100)), ..Answer::ok(" ".repeat(1000)) };
    publisher.answers(MANIFEST, slow);
    let error = look(&mut source(&publisher)).await;
    assert!(error.contains("it takes too long"), "{error}");
    // A service waits longer, and never for minutes.
    let SmartLimits { manifest, whole, .. } = SmartLimits::default();
    assert!(manifest <= Duration::from_secs(10) && whole <= Duration::from_mins(1));
}

#[tokio::test]
async fn a_publisher_says_how_long_to_wait() {
    let publisher = Publisher::start().await;
    let busy = |seconds| Answer {
        headers: vec![format!("retry-after: {seconds}")],
        ..Answer::status("503 Service Unavailable")
    };
    publisher.answers(MANIFEST, busy(120));
    let mut source = source(&publisher);
    look(&mut source).await;
    assert_eq!(source.pause, Some(Duration::from_mins(2)));
    publisher.answers("/feed/a.ndjson", Answer::ok(lines(&["jane-doe"])));
    publisher.answers("/feed/b.ndjson", Answer::ok(lines(&["sam-roe"])));
    publisher.lists(&["a.ndjson", "b.ndjson"]);
    look(&mut source).await;
    assert_eq!(source.pause, None);
    publisher.answers("/feed/a.ndjson", busy(30));
    look(&mut source).await;
    assert_eq!(source.pause, Some(Duration::from_secs(30)));
}

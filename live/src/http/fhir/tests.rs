use std::io::Read as _;

use super::*;
use crate::Service;
use crate::config::Limits;
use crate::testing::{self, LONG_FILE, Reply, Server, options, until_closed};
use directory::Snapshot;
use directory::calendar::{
    Busy, Calendar, FeedEntries, FeedMode, Freshness, Instant, Judgment, ProviderFeed,
};
use directory::content::{Entries, load_and_check_entries};
use feed::Target as _;
use flate2::read::GzDecoder;
use futures_util::FutureExt as _;
use tokio::io::AsyncWriteExt as _;
use warp::Filter as _;

const MANIFEST: &str = "/fhir/$bulk-publish";
const TODAY: &str = "/fhir/slots/2026-03-02.ndjson";

#[expect(clippy::disallowed_methods, reason = "a test reads its clinic")]
fn snapshot(standards: &str) -> Snapshot {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixture");
    let mut entries = Entries::default();
    let mut add = |path: &str| {
        let mut text = std::fs::read(folder.join(path)).unwrap();
        if path == "directory.toml" {
            text.extend_from_slice(standards.as_bytes());
        }
        entries.add(path, text.into()).unwrap();
    };
    for folder_of in ["", "providers", "availability"] {
        for entry in std::fs::read_dir(folder.join(folder_of)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                add(path.strip_prefix(&folder).unwrap().to_str().unwrap());
            }
        }
    }
    let checked = load_and_check_entries(entries, testing::now().date_naive());
    let snapshot = Snapshot::new(checked.unwrap_or_else(|error| panic!("{error:?}")).directory);
    let calendar = Calendar::from_hours(snapshot.directory(), Instant::ceil(testing::now()));
    snapshot.with_calendar(calendar)
}

async fn serving(snapshot: Snapshot) -> (Server, Arc<Store>) {
    let store = Arc::new(Store::new(snapshot));
    let service = Service::new(Arc::clone(&store), Clock::frozen(testing::now()), options());
    (Server::around(service).await, store)
}

fn targets(snapshot: &Snapshot) -> Vec<FhirTarget> {
    let export = FhirExport::new(snapshot.directory()).unwrap();
    let others = ["/fhir/metadata", "/fhir/Organization/organization"];
    export.files(testing::now()).chain(others.iter().filter_map(|path| FhirTarget::parse(path))).collect()
}

/// A service that answers only from this export.
fn answering(fhir: &Arc<Fhir>) -> Service {
    let fhir = Arc::clone(fhir);
    let store = Arc::clone(&fhir.store);
    let request = warp::path::full().and(warp::method()).and(warp::header::headers_cloned());
    let table = request.then(move |path: warp::path::FullPath, method: Method, headers: HeaderMap| {
        let fhir = Arc::clone(&fhir);
        async move { fhir.answer(&method, path.as_str(), &headers).await }
    });
    Service::around(store, Limits::default(), table)
}

fn fhir_of(snapshot: Snapshot) -> Arc<Fhir> {
    Arc::new(Fhir::new(Arc::new(Store::new(snapshot)), Clock::frozen(testing::now())))
}

fn asked(method: &Method) -> Asked<'_> {
    Asked::by(method, &HeaderMap::new())
}

fn unzipped(gzip: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut body).unwrap();
    body
}

fn expected(snapshot: &Snapshot, target: &FhirTarget) -> Vec<u8> {
    let export = FhirExport::new(snapshot.directory()).unwrap();
    export.answer(target, snapshot.calendar(), testing::now()).unwrap().unwrap().body
}

#[tokio::test]
async fn documents_have_the_directorys_bytes_and_their_own_types() {
    let snapshot = snapshot("[standards]\n");
    let (server, _) = serving(snapshot.clone()).await;
    let mut compressed = 0;
    for target in targets(&snapshot) {
        let path = target.path();
        let body = expected(&snapshot, &target);
        // The second time it is a kept one.
        for accept in ["", "accept: application/json", "accept: application/fhir+ndjson"] {
            let headers = if accept.is_empty() { &[][..] } else { &[accept][..] };
            let reply = server.request("GET", &path, headers, "").await;
            assert_eq!((reply.status, &reply.body), (200, &body), "{path}");
            assert_eq!(reply.header("content-type"), Some(target.media_type()), "{path}");
            assert_eq!(reply.header("cache-control"), Some(target.cache_control()), "{path}");
            assert_eq!(reply.header("access-control-allow-origin"), Some("*"), "{path}");
            assert_eq!(reply.header("vary"), Some("accept-encoding"), "{path}");
            assert_eq!(reply.header("content-encoding"), None);
            let tag = EntityTag::from_data(&body).to_string();
            assert_eq!(reply.header("etag"), Some(tag.as_str()), "{path}");
            let known = format!("if-none-match: {tag}");
            let again = server.request("GET", &path, &[&known], "").await;
            assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
            assert_eq!(again.header("cache-control"), Some(target.cache_control()), "{path}");
        }
        let reply = server.request("GET", &path, &["accept-encoding: gzip"], "").await;
        if reply.header("content-encoding") == Some("gzip") {
            assert_eq!(unzipped(&reply.body), body, "{path}");
            let tag = reply.header("etag").unwrap();
            assert!(tag.ends_with("-gz\""), "{tag}");
            let known = format!("if-none-match: {tag}");
            let again = server.request("GET", &path, &["accept-encoding: gzip", &known], "").await;
            assert_eq!(again.status, 304, "{path}");
            compressed += 1;
        } else {
            assert_eq!(reply.body, body, "{path}");
        }
        let head = server.request("HEAD", &path, &[], "").await;
        assert_eq!(head.header("content-length"), Some(body.len().to_string().as_str()), "{path}");
        let zipped = server.request("HEAD", &path, &["accept-encoding: gzip"], "").await;
        for field in ["content-length", "content-encoding", "etag", "vary"] {
            assert_eq!(zipped.header(field), reply.header(field), "{path} {field}");
        }
        assert_eq!(server.request("POST", &path, &[], "").await.status, 405);
        assert_eq!(server.request("OPTIONS", &path, &[], "").await.status, 204);
    }
    assert!(compressed > 5, "{compressed}");
    assert_eq!(server.get("/fhir/%24bulk-publish?_since=2020").await.status, 200);
    for path in
        ["/fhir", "/fhir/", "/fhir/Slot.ndjson", "/fhir/Practitioner/nobody", "/fhir/slots/2026-03-01.ndjson"]
    {
        let reply = server.get(path).await;
        assert_eq!((reply.status, reply.json()["code"].as_str()), (404, Some("NOT_FOUND")), "{path}");
    }
}

#[tokio::test]
async fn without_standards_there_is_no_such_path() {
    let (server, _) = serving(snapshot("")).await;
    let other = server.get("/nothing").await;
    for path in [MANIFEST, "/fhir/metadata", "/fhir/Organization.ndjson", TODAY, "/fhir"] {
        let reply = server.get(path).await;
        assert_eq!((reply.status, reply.text()), (404, other.text()), "{path}");
    }
}

#[tokio::test]
async fn new_content_and_a_late_feed_are_seen_at_once() {
    let (server, store) = serving(snapshot("[standards]\n")).await;
    let before = server.get(MANIFEST).await;
    assert_eq!(server.get("/fhir/Organization.ndjson").await.text().matches("9941339100").count(), 0);
    let now = Instant::ceil(testing::now());
    store.replace(&snapshot("[standards]\nnpi = \"9941339100\"\n"), now);
    assert_eq!(server.get("/fhir/Organization.ndjson").await.text().matches("9941339100").count(), 1);
    let generation = server.get(MANIFEST).await.header("nameplate-generation").map(str::to_owned);
    assert_ne!(before.header("nameplate-generation").map(str::to_owned), generation);
    // The feed was never read.
    let content = snapshot("[standards]\n");
    let calendar = Calendar::with_feed(content.directory(), FeedMode::Busy, now);
    let (server, _) = serving(content.with_calendar(calendar.clone())).await;
    for path in [MANIFEST, TODAY] {
        let reply = server.get(path).await;
        let code = reply.json()["code"].as_str().unwrap().to_owned();
        assert_eq!((reply.status, code.as_str()), (503, "AVAILABILITY_UNAVAILABLE"), "{path}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
    assert_eq!(server.get("/fhir/Schedule.ndjson").await.status, 200);
    // Once it was read, a file follows each booking.
    let (server, store) = serving(content.with_calendar(calendar.clone())).await;
    let busy = |from: &str, until: &str| {
        let taken = Busy { start: from.parse().unwrap(), end: until.parse().unwrap() };
        ["jane-doe", "sam-roe"].map(|slug| ProviderFeed {
            provider: slug.parse().unwrap(),
            entries: FeedEntries::Busy(vec![taken]),
        })
    };
    let fresh =
        || Judgment { freshness: Freshness::Fresh, unknown: Arc::default(), withheld: Arc::default() };
    store.apply_feed(&busy("2026-03-03T00:00:00Z", "2026-03-03T01:00:00Z"), fresh);
    assert!(!server.get(TODAY).await.body.is_empty());
    store.apply_feed(&busy("2026-03-02T00:00:00Z", "2026-03-04T00:00:00Z"), fresh);
    assert_eq!(server.get(TODAY).await.text(), "");
    let as_of = "2026-03-02T14:50:00Z".parse().unwrap();
    let late = calendar.with_freshness(content.directory(), Freshness::Stale { as_of }, &[]);
    let (server, _) = serving(content.with_calendar(late)).await;
    let reply = server.get(MANIFEST).await;
    assert_eq!(reply.json()["transactionTime"], "2026-03-02T14:50:00Z");
    assert_eq!(reply.header("availability-status"), Some("stale"));
    assert_eq!(reply.header("availability-as-of"), Some("2026-03-02T14:50:00Z"));
}

#[tokio::test]
async fn a_file_whose_client_has_gone_is_made_to_the_end_before_another_one() {
    let fhir = fhir_of(snapshot("[standards]\n"));
    let (target, asked) = (FhirTarget::parse(MANIFEST).unwrap(), asked(&Method::GET));
    // Asks, and goes away.
    _ = fhir.file(&target, &asked).now_or_never();
    drop(fhir.making.lock().await);
    assert!(fhir.kept_file(&target, &asked).is_some());
}

#[tokio::test]
async fn a_client_without_gzip_gets_a_long_file_as_it_is() {
    let snapshot = testing::crowd();
    let (server, _) = serving(snapshot.clone()).await;
    let body = expected(&snapshot, &FhirTarget::parse(LONG_FILE).unwrap());
    assert!(body.len() > 40 * unzip::PIECE, "{}", body.len());
    let reply = server.get(LONG_FILE).await;
    assert_eq!(reply.header("content-length"), Some(body.len().to_string().as_str()));
    assert_eq!(reply.header("transfer-encoding"), None);
    assert!(reply.body == body);
}

#[tokio::test]
async fn head_and_304_need_no_body() {
    let fhir = fhir_of(testing::crowd());
    let target = FhirTarget::parse(LONG_FILE).unwrap();
    let server = Server::around(answering(&fhir)).await;
    let whole = server.get(LONG_FILE).await;
    let zipped = server.request("GET", LONG_FILE, &["accept-encoding: gzip"], "").await;
    // What is unzipped after this breaks off.
    let file = fhir.kept_file(&target, &asked(&Method::GET)).unwrap();
    lock(&fhir.kept).insert(target, file, b"spoilt".to_vec(), |_, _| true);
    let alone = fhir.making.lock().await;
    let requests = |fields: &str| {
        let request = format!("HEAD {LONG_FILE} HTTP/1.1\r\nhost: localhost\r\n{fields}\r\n");
        let last = request.replacen("\r\n", "\r\nconnection: close\r\n", 1);
        request.repeat(199) + &last
    };
    let known = |reply: &Reply| format!("if-none-match: {}\r\n", reply.header("etag").unwrap());
    let gzip = "accept-encoding: gzip\r\n";
    for (fields, status, whole) in [
        (String::new(), 200, &whole),
        (gzip.to_owned(), 200, &zipped),
        (known(&whole), 304, &whole),
        (gzip.to_owned() + &known(&zipped), 304, &zipped),
    ] {
        let replies = server.raw(requests(&fields).as_bytes()).await;
        let replies = String::from_utf8(replies).unwrap();
        let replies: Vec<_> = replies.split_inclusive("\r\n\r\n").collect();
        assert_eq!(replies.len(), 200);
        for reply in replies.into_iter().map(|reply| Reply::parse(reply.as_bytes())) {
            assert_eq!((reply.status, reply.header("etag")), (status, whole.header("etag")));
            let length = whole.body.len().to_string();
            assert_eq!(reply.header("content-length"), (status == 200).then_some(length.as_str()));
        }
        if status == 304 {
            let field = fields.replace("\r\n", "\n");
            let fields: Vec<_> = field.lines().collect();
            let reply = server.request("GET", LONG_FILE, &fields, "").await;
            assert_eq!((reply.status, reply.header("etag")), (304, whole.header("etag")));
        }
    }
    drop(alone);
    let mut stream = server.connect().await;
    let get = format!("GET {LONG_FILE} HTTP/1.1\r\nhost: localhost\r\n\r\n");
    stream.write_all(get.as_bytes()).await.unwrap();
    let broken = Reply::parse(&until_closed(&mut stream).await);
    assert!(broken.body.len() < whole.body.len(), "the test spoils what is unzipped");
}

#[tokio::test]
async fn files_without_room_are_announced_and_the_last_one_is_made_once() {
    let fhir = fhir_of(testing::crowd());
    *lock(&fhir.kept) = KeptFiles::with_room(1);
    let files = ["/fhir/Organization.ndjson", LONG_FILE, "/fhir/slots/2026-03-04.ndjson"];
    let targets = files.map(|path| FhirTarget::parse(path).unwrap());
    for target in &targets {
        fhir.file(target, &asked(&Method::GET)).await.unwrap().unwrap();
    }
    let is_known = |target, method| fhir.kept_file(target, &asked(method)).is_some();
    assert!(targets.iter().all(|target| is_known(target, &Method::HEAD)));
    assert_eq!(targets.each_ref().map(|target| is_known(target, &Method::GET)), [true, false, true]);
}

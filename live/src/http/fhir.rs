//! The FHIR export over HTTP: files for healthcare's own readers, made when they are asked for.
//!
//! A file is kept compressed until its content, the feed or, where a notice matters, the minute is another; one version of
//! each file, within [`KEPT_BYTES`]. One file is made at a time, so that readers who ask together share the work. What a
//! client accepts decides about the encoding, never about the type.

use std::collections::{HashMap, VecDeque};
use std::io::Read as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use directory::api::Fault;
use directory::calendar::Instant;
use directory::fhir::{FHIR_ROOT, FhirChange, FhirDocument, FhirExport, FhirTarget};
use etag::EntityTag;
use flate2::read::GzDecoder;
use warp::http::Method;
use warp::http::header::{self, HeaderMap, HeaderValue};

use crate::clock::Clock;
use crate::http::encoding;
use crate::reply::{self, Response};
use crate::store::{Served, Store};

/// The most bytes of compressed files that are kept.
const KEPT_BYTES: usize = 64 << 20;

#[derive(Debug)]
pub(crate) struct Fhir {
    store: Arc<Store>,
    clock: Clock,
    kept: Arc<Mutex<KeptFiles>>,
    /// Held while a file is made, also if the client that asked for it has gone.
    making: Arc<tokio::sync::Mutex<()>>,
}

/// What a file was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Version {
    generation: HeaderValue,
    /// The number of the calendar, for files that depend on the feed.
    served: Option<u64>,
    change: FhirChange,
}

/// A file as it is kept.
#[derive(Debug, Clone)]
struct KeptFile {
    version: Version,
    body: KeptBody,
    /// The tag of the plain body.
    tag: HeaderValue,
    as_of: Option<Instant>,
}

#[derive(Debug, Clone)]
enum KeptBody {
    /// Too short to be compressed.
    Plain(Bytes),
    Gzip(Bytes),
}

#[derive(Debug, Default)]
struct KeptFiles {
    by_target: HashMap<FhirTarget, KeptFile>,
    oldest_first: VecDeque<FhirTarget>,
    bytes: usize,
}

impl Fhir {
    pub(crate) fn new(store: Arc<Store>, clock: Clock) -> Self {
        Self { store, clock, kept: Arc::default(), making: Arc::default() }
    }

    /// Whether the path is one of the export's, and the content has it.
    pub(crate) fn has(&self, path: &str) -> bool {
        let is_below =
            path.strip_prefix(FHIR_ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        is_below && self.store.current().directory().organisation().standards().is_some()
    }

    /// The response for a path of the export.
    pub(crate) async fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response {
        if let Some(response) = reply::for_other_methods(method) {
            return response;
        }
        let found = match FhirTarget::of(path) {
            Some(target) => self.file(target.clone()).await.map(|file| file.map(|file| (target, file))),
            None => Ok(None),
        };
        match found {
            Ok(Some((target, file))) => file.into_response(&target, encoding::accepts_gzip(headers)),
            Ok(None) => reply::fault(&Fault::not_found()),
            Err(fault) => reply::fault(&fault),
        }
    }

    async fn file(&self, target: FhirTarget) -> Result<Option<KeptFile>, Fault> {
        if matches!(target, FhirTarget::Metadata | FhirTarget::Resource(..)) {
            return make(&self.store.current(), &target, self.clock.now());
        }
        if let Some(file) = self.kept_file(&target) {
            return Ok(Some(file));
        }
        let alone = Arc::clone(&self.making).lock_owned().await;
        // Another request may have made it meanwhile.
        if let Some(file) = self.kept_file(&target) {
            return Ok(Some(file));
        }
        let (served, now, kept) = (self.store.current(), self.clock.now(), Arc::clone(&self.kept));
        let making = tokio::task::spawn_blocking(move || {
            let _alone = alone;
            let file = make(&served, &target, now)?;
            if let Some(file) = &file {
                lock(&kept).insert(target, file.clone());
            }
            Ok(file)
        });
        // A panic there is a panic of the request, which becomes a 500.
        making.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))
    }

    /// The kept file, if it is what would be made now.
    fn kept_file(&self, target: &FhirTarget) -> Option<KeptFile> {
        let (served, now) = (self.store.current(), self.clock.now());
        let version = Version::of(&served, &FhirExport::of(served.directory())?, target, now);
        lock(&self.kept).by_target.get(target).filter(|file| file.version == version).cloned()
    }
}

fn lock(kept: &Mutex<KeptFiles>) -> MutexGuard<'_, KeptFiles> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Version {
    fn of(served: &Served, export: &FhirExport<'_>, target: &FhirTarget, now: DateTime<Utc>) -> Self {
        let change = export.change(target, served.calendar(), now);
        Self {
            generation: served.header_templates().generation().clone(),
            served: (change != FhirChange::Content).then_some(served.number()),
            change,
        }
    }
}

fn make(served: &Served, target: &FhirTarget, now: DateTime<Utc>) -> Result<Option<KeptFile>, Fault> {
    let Some(export) = FhirExport::of(served.directory()) else { return Ok(None) };
    let version = Version::of(served, &export, target, now);
    let document = export.answer(target, served.calendar(), now)?;
    Ok(document.and_then(|FhirDocument { body, as_of }| {
        let tag = HeaderValue::try_from(EntityTag::from_data(&body).to_string()).ok()?;
        let gzip =
            if encoding::is_worth_compressing(body.len()) { encoding::gzip_quickly(&body) } else { None };
        let body = gzip.map_or_else(|| KeptBody::Plain(body.into()), KeptBody::Gzip);
        Some(KeptFile { version, body, tag, as_of })
    }))
}

impl KeptFile {
    fn bytes(&self) -> usize {
        match &self.body {
            KeptBody::Plain(body) | KeptBody::Gzip(body) => body.len(),
        }
    }

    fn into_response(self, target: &FhirTarget, accepts_gzip: bool) -> Response {
        let (body, is_gzip) = match self.body {
            KeptBody::Plain(body) => (body, false),
            KeptBody::Gzip(body) if accepts_gzip => (body, true),
            KeptBody::Gzip(body) => (unzipped(&body), false),
        };
        let mut response = Response::new(body.into());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(target.media_type()));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(target.cache_control()));
        headers.insert(header::ETAG, self.tag);
        headers.insert(reply::GENERATION, self.version.generation);
        if let Some(as_of) = self.as_of {
            reply::insert_age(headers, as_of.into());
        }
        encoding::vary(&mut response);
        if is_gzip {
            encoding::retag(&mut response);
        }
        response
    }
}

fn unzipped(gzip: &[u8]) -> Bytes {
    let mut body = Vec::new();
    // Memory holds what was written there.
    _ = GzDecoder::new(gzip).read_to_end(&mut body);
    body.into()
}

impl KeptFiles {
    fn insert(&mut self, target: FhirTarget, file: KeptFile) {
        if file.bytes() > KEPT_BYTES / 8 {
            return;
        }
        self.bytes += file.bytes();
        match self.by_target.insert(target.clone(), file) {
            Some(before) => self.bytes -= before.bytes(),
            None => self.oldest_first.push_back(target),
        }
        while self.bytes > KEPT_BYTES {
            let Some(oldest) = self.oldest_first.pop_front() else { break };
            self.bytes -= self.by_target.remove(&oldest).map_or(0, |file| file.bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Service;
    use crate::judgement::Judgement;
    use crate::testing::{self, Server, options};
    use directory::Snapshot;
    use directory::calendar::{Busy, Calendar, FeedEntries, FeedMode, Freshness, ProviderFeed};
    use directory::content::{Entries, load_and_check_entries};
    use futures_util::FutureExt as _;

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
        let calendar = Calendar::of(snapshot.directory(), Instant::ceil(testing::now()));
        snapshot.with_calendar(calendar)
    }

    async fn serving(snapshot: Snapshot) -> (Server, Arc<Store>) {
        let store = Arc::new(Store::new(snapshot));
        let service = Service::new(Arc::clone(&store), Clock::frozen(testing::now()), options());
        (Server::around(service).await, store)
    }

    fn targets(snapshot: &Snapshot) -> Vec<FhirTarget> {
        let export = FhirExport::of(snapshot.directory()).unwrap();
        let others = ["/fhir/metadata", "/fhir/Organization/organization"];
        export.files(testing::now()).chain(others.iter().filter_map(|path| FhirTarget::of(path))).collect()
    }

    fn expected(snapshot: &Snapshot, target: &FhirTarget) -> Vec<u8> {
        let export = FhirExport::of(snapshot.directory()).unwrap();
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
            assert_eq!(server.request("POST", &path, &[], "").await.status, 405);
            assert_eq!(server.request("OPTIONS", &path, &[], "").await.status, 204);
        }
        assert!(compressed > 5, "{compressed}");
        assert_eq!(server.get("/fhir/%24bulk-publish?_since=2020").await.status, 200);
        for path in [
            "/fhir",
            "/fhir/",
            "/fhir/Slot.ndjson",
            "/fhir/Practitioner/nobody",
            "/fhir/slots/2026-03-01.ndjson",
        ] {
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
            || Judgement { freshness: Freshness::Fresh, unknown: Arc::default(), withheld: Arc::default() };
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
        let store = Arc::new(Store::new(snapshot("[standards]\n")));
        let fhir = Fhir::new(store, Clock::frozen(testing::now()));
        let target = FhirTarget::of(MANIFEST).unwrap();
        // Asks, and goes away.
        _ = fhir.file(target.clone()).now_or_never();
        drop(fhir.making.lock().await);
        assert!(fhir.kept_file(&target).is_some());
    }

    #[test]
    fn kept_files_are_bounded() {
        let mut kept = KeptFiles::default();
        let version =
            Version { generation: HeaderValue::from_static("1"), served: None, change: FhirChange::Content };
        let file = |bytes: usize| KeptFile {
            version: version.clone(),
            body: KeptBody::Gzip(vec![0; bytes].into()),
            tag: HeaderValue::from_static("\"1\""),
            as_of: None,
        };
        let target = |day: usize| FhirTarget::of(&format!("/fhir/slots/2026-03-{day:02}.ndjson")).unwrap();
        for day in (1..=31).chain(1..=31) {
            kept.insert(target(day), file(KEPT_BYTES / 10));
            let bytes: usize = kept.by_target.values().map(KeptFile::bytes).sum();
            assert_eq!(kept.bytes, bytes);
            assert!(kept.bytes <= KEPT_BYTES && kept.by_target.len() == kept.oldest_first.len());
        }
        assert!(kept.by_target.contains_key(&target(31)) && !kept.by_target.contains_key(&target(1)));
        kept.insert(target(1), file(KEPT_BYTES / 4));
        assert!(!kept.by_target.contains_key(&target(1)));
    }
}

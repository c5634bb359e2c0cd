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
mod tests;

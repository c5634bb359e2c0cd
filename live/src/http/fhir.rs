//! The FHIR export over HTTP, made on request. A file is made once for its content, the feed and, where a notice matters,
//! the minute ([`kept`]), and only one at a time, so that readers who ask together share the work. Bodies are kept
//! compressed, and a client that takes no gzip gets pieces ([`unzip`]).

mod document;
mod kept;
mod unzip;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use directory::api::Fault;
use etag::EntityTag;
use standards::{FHIR_ROOT, FhirExport, FhirTarget};
use warp::http::Method;
use warp::http::header::{HeaderMap, HeaderValue};

use self::document::{Asked, Made, Version, described};
use self::kept::{KeptFile, KeptFiles};
use crate::reply::{self, Response};
use crate::store::{Served, Store};
use feed::{Clock, blocking};

#[derive(Debug)]
pub(crate) struct Fhir {
    store: Arc<Store>,
    clock: Clock,
    kept: Arc<Mutex<KeptFiles>>,
    /// Locked while a file is made, even if the client that asked for it has gone.
    making: Arc<tokio::sync::Mutex<()>>,
}

impl Fhir {
    pub(crate) fn new(store: Arc<Store>, clock: Clock) -> Self {
        Self { store, clock, kept: Arc::default(), making: Arc::default() }
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        let is_below =
            path.strip_prefix(FHIR_ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        is_below && self.store.current().directory().organization().standards.is_some()
    }

    pub(crate) async fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response {
        if let Some(response) = reply::for_other_methods(method) {
            return response;
        }
        let found = match FhirTarget::parse(path) {
            Some(target @ (FhirTarget::Metadata | FhirTarget::Resource(..))) => self.document(&target),
            Some(target) => self.file(&target, &Asked::by(method, headers)).await,
            None => Ok(None),
        };
        match found {
            Ok(Some(response)) => response,
            Ok(None) => reply::fault(&Fault::not_found()),
            Err(fault) => reply::fault(&fault),
        }
    }

    /// Short, so it is made for each request.
    fn document(&self, target: &FhirTarget) -> Result<Option<Response>, Fault> {
        let served = self.store.current();
        let Some(export) = FhirExport::new(served.directory()) else { return Ok(None) };
        let made = make(&served, &export, target, self.clock.now())?;
        Ok(made.map(|Made { version, body, tag, as_of }| {
            let response = Response::new(body.into());
            described(response, target, version.generation, tag, as_of)
        }))
    }

    async fn file(&self, target: &FhirTarget, asked: &Asked<'_>) -> Result<Option<Response>, Fault> {
        if let Some(file) = self.kept_file(target, asked) {
            return Ok(Some(file.response(target, asked)));
        }
        let alone = Arc::clone(&self.making).lock_owned().await;
        // Another request may have made it in the meantime.
        if let Some(file) = self.kept_file(target, asked) {
            return Ok(Some(file.response(target, asked)));
        }
        let (served, now, kept) = (self.store.current(), self.clock.now(), Arc::clone(&self.kept));
        let owned = target.clone();
        let made = blocking(move || {
            let _alone = alone;
            let Some(export) = FhirExport::new(served.directory()) else { return Ok(None) };
            let Some(made) = make(&served, &export, &owned, now)? else { return Ok(None) };
            let (file, body) = KeptFile::compress(made);
            let is_current = |target: &_, other: &_| *other == Version::new(&served, &export, target, now);
            Ok(Some(lock(&kept).insert(owned, file, body, is_current)))
        });
        Ok(made.await?.map(|file| file.response(target, asked)))
    }

    /// If it is current and has what the request asks for.
    fn kept_file(&self, target: &FhirTarget, asked: &Asked<'_>) -> Option<KeptFile> {
        let (served, now) = (self.store.current(), self.clock.now());
        let version = Version::new(&served, &FhirExport::new(served.directory())?, target, now);
        lock(&self.kept).get(target, &version).filter(|file| file.can_answer(asked)).cloned()
    }
}

fn lock(kept: &Mutex<KeptFiles>) -> MutexGuard<'_, KeptFiles> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

fn make(
    served: &Served,
    export: &FhirExport<'_>,
    target: &FhirTarget,
    now: DateTime<Utc>,
) -> Result<Option<Made>, Fault> {
    let version = Version::new(served, export, target, now);
    let document = export.answer(target, served.calendar(), now)?;
    Ok(document.and_then(|document| {
        let tag = HeaderValue::try_from(EntityTag::from_data(&document.body).to_string()).ok()?;
        Some(Made { version, body: document.body, tag, as_of: document.as_of })
    }))
}

#[cfg(test)]
mod tests;

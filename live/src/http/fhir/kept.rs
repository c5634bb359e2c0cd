//! The files that were made, and their bodies as far as there is room. Nothing current is evicted: readers fetch all files
//! in turn, and whatever left first would be asked for next. A body without room is kept until another one finds none, so
//! that repeated requests for one file make it once.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use directory::calendar::Instant;
use standards::FhirTarget;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError};
use warp::http::header::{self, HeaderValue};

use super::document::{Asked, Made, Version, described};
use super::unzip;
use crate::budget::{Occupied, holding};
use crate::http::encoding;
use crate::reply::Response;

/// In bytes, of all bodies that are kept or being sent. The files of 10,000 clinicians have 104 MiB.
const ROOM: usize = 128 << 20;
const UNIT: usize = 1024;

#[derive(Debug, Clone)]
pub(super) struct KeptFile {
    version: Version,
    as_of: Option<Instant>,
    plain: Form,
    /// `None` if the file is too short to be compressed.
    gzip: Option<Form>,
    /// Compressed, unless the file is too short.
    body: Option<Bytes>,
    /// The body's bytes that are not counted in the room.
    uncounted: usize,
}

#[derive(Debug, Clone)]
struct Form {
    tag: HeaderValue,
    bytes: usize,
}

#[derive(Debug)]
pub(super) struct KeptFiles {
    files: HashMap<FhirTarget, KeptFile>,
    room: Arc<Semaphore>,
    /// A body that is larger takes them all.
    units: u32,
}

impl Default for KeptFiles {
    fn default() -> Self {
        Self::with_room(ROOM)
    }
}

impl KeptFiles {
    pub(super) fn with_room(bytes: usize) -> Self {
        let units = units(bytes).max(1);
        Self { files: HashMap::new(), room: Arc::new(Semaphore::new(units as usize)), units }
    }

    pub(super) fn get(&self, target: &FhirTarget, version: &Version) -> Option<&KeptFile> {
        self.files.get(target).filter(|file| file.version == *version)
    }

    fn room_for(&self, bytes: usize) -> Result<OwnedSemaphorePermit, TryAcquireError> {
        Arc::clone(&self.room).try_acquire_many_owned(units(bytes).min(self.units))
    }

    /// Files that are not current any more make room.
    pub(super) fn insert(
        &mut self,
        target: FhirTarget,
        mut file: KeptFile,
        body: Vec<u8>,
        is_current: impl Fn(&FhirTarget, &Version) -> bool,
    ) -> KeptFile {
        self.files.retain(|target, file| is_current(target, &file.version));
        // Without the capacity that was not used.
        let bytes = body.into_boxed_slice();
        file.body = Some(if let Ok(room) = self.room_for(bytes.len()) {
            holding(bytes, room)
        } else {
            for other in self.files.values_mut().filter(|other| other.uncounted > 0) {
                (other.body, other.uncounted) = (None, 0);
            }
            file.uncounted = bytes.len();
            bytes.into()
        });
        self.files.insert(target, file.clone());
        file
    }
}

fn units(bytes: usize) -> u32 {
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX)
}

impl KeptFile {
    /// The file without its body, and the body.
    pub(super) fn compress(Made { version, body, tag, as_of }: Made) -> (Self, Vec<u8>) {
        let plain = Form { tag, bytes: body.len() };
        let long = Some(&body).filter(|body| encoding::is_worth_compressing(body.len()));
        let compressed =
            long.and_then(|body| Some((encoding::gzip_tag(&plain.tag)?, encoding::gzip_quickly(body)?)));
        let (gzip, body) = match compressed {
            Some((tag, body)) => (Some(Form { tag, bytes: body.len() }), body),
            None => (None, body),
        };
        (Self { version, as_of, plain, gzip, body: None, uncounted: 0 }, body)
    }

    pub(super) fn can_answer(&self, asked: &Asked<'_>) -> bool {
        self.body.is_some() || !asked.needs_body_of(&self.form(asked).tag)
    }

    fn form(&self, asked: &Asked<'_>) -> &Form {
        self.gzip.as_ref().filter(|_| asked.accepts_gzip).unwrap_or(&self.plain)
    }

    pub(super) fn response(&self, target: &FhirTarget, asked: &Asked<'_>) -> Response {
        let form = self.form(asked);
        let is_sent_zipped = self.gzip.is_some() && asked.accepts_gzip;
        let (mut response, occupied) = match self.body.clone().filter(|_| asked.needs_body_of(&form.tag)) {
            None => (Response::default(), 0),
            Some(body) if self.gzip.is_none() || is_sent_zipped => {
                (Response::new(body.into()), self.uncounted)
            }
            Some(body) => (unzip::response(body), self.uncounted + unzip::MEMORY),
        };
        response.extensions_mut().insert(Occupied(occupied));
        let (generation, tag) = (self.version.generation.clone(), form.tag.clone());
        let mut response = described(response, target, generation, tag, self.as_of);
        encoding::vary(&mut response);
        let headers = response.headers_mut();
        // hyper only knows it for whole bodies.
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(form.bytes));
        if is_sent_zipped {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

#[cfg(test)]
mod tests;

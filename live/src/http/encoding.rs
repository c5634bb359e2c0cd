//! Compresses responses with gzip. Every text response with a tag varies by Accept-Encoding, whatever its length: the next
//! body of the URL may be longer. A compressed body has its own strong tag, so If-None-Match is evaluated first.

use std::collections::{HashMap, VecDeque};
use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::FutureExt;
use http_body_util::BodyExt;
use hyper::body::Body as _;
use warp::http::header::{self, HeaderMap, HeaderValue};

use crate::quality::name_and_weight;
use crate::reply::{BY_ENCODING, Response};

const UNCOMPRESSED: u64 = 1024;
const CACHE_BYTES: usize = 8 << 20;
/// A larger body is not compressed: it is not kept either, so each request would compress it again.
pub(crate) const LARGE: usize = CACHE_BYTES / 8;
const TAG_SUFFIX: &[u8] = b"-gz\"";
/// Higher levels take twice the time and save a few percent.
const LEVEL: Compression = Compression::new(5);

/// RFC 9110 (12.5.3): whether gzip is accepted and the plain body is not preferred.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let (mut gzip, mut any, mut plain) = (None, None, None);
    for line in headers.get_all(header::ACCEPT_ENCODING) {
        for item in line.to_str().unwrap_or_default().split(',') {
            let (name, weight) = name_and_weight(item);
            match name.as_str() {
                "gzip" | "x-gzip" => gzip = Some(weight),
                "*" => any = Some(weight),
                "identity" => plain = Some(weight),
                _ => {}
            }
        }
    }
    let gzip = gzip.or(any).unwrap_or(0);
    gzip > 0 && gzip >= plain.unwrap_or(0)
}

pub(crate) fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    if headers.contains_key(header::CONTENT_ENCODING) {
        return false;
    }
    let media_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_text = media_type.starts_with("text/")
        || ["json", "xml", "yaml", "x-ndjson", "ndjson"]
            .iter()
            .any(|end| media_type.strip_suffix(end).is_some_and(|start| start.ends_with(['/', '+'])));
    is_text && headers.contains_key(header::ETAG)
}

pub(crate) fn vary(response: &mut Response) {
    response.headers_mut().insert(header::VARY, BY_ENCODING);
}

pub(crate) fn is_worth_compressing(bytes: usize) -> bool {
    bytes as u64 > UNCOMPRESSED
}

pub(crate) fn has_length_to_compress(response: &Response) -> bool {
    response.body().size_hint().exact().is_some_and(|bytes| bytes > UNCOMPRESSED && bytes <= LARGE as u64)
}

pub(crate) fn gzip_tag(plain: &HeaderValue) -> Option<HeaderValue> {
    let tag = plain.as_bytes().strip_suffix(b"\"")?;
    HeaderValue::from_bytes(&[tag, TAG_SUFFIX].concat()).ok()
}

pub(crate) fn retag(response: &mut Response) {
    if let Some(tag) = response.headers().get(header::ETAG).and_then(gzip_tag) {
        response.headers_mut().insert(header::ETAG, tag);
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

#[derive(Debug, Default)]
pub(crate) struct GzipCache {
    bodies: Mutex<Bodies>,
}

#[derive(Debug, Default)]
struct Bodies {
    by_tag: HashMap<HeaderValue, Bytes>,
    oldest_first: VecDeque<HeaderValue>,
    bytes: usize,
}

impl GzipCache {
    /// The response has its final tag already.
    pub(crate) fn compress(&self, response: &mut Response) {
        let Some(tag) = response.headers().get(header::ETAG).cloned() else { return };
        let cached = self.bodies().by_tag.get(&tag).cloned();
        let body = cached.or_else(|| {
            // A body with a tag is one complete frame, so this does not wait.
            let frame = response.body_mut().frame().now_or_never()??.ok()?;
            let body = Bytes::from(gzip(&frame.into_data().ok()?, LEVEL)?);
            self.bodies().insert(tag, body.clone());
            Some(body)
        });
        *response.body_mut() = body.unwrap_or_default().into();
    }

    fn bodies(&self) -> MutexGuard<'_, Bodies> {
        self.bodies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Bodies {
    fn insert(&mut self, tag: HeaderValue, body: Bytes) {
        if body.len() > LARGE || self.by_tag.contains_key(&tag) {
            return;
        }
        self.bytes += body.len();
        self.oldest_first.push_back(tag.clone());
        self.by_tag.insert(tag, body);
        while self.bytes > CACHE_BYTES {
            let Some(oldest) = self.oldest_first.pop_front() else { break };
            self.bytes -= self.by_tag.remove(&oldest).map_or(0, |body| body.len());
        }
    }
}

/// For a long body of lines that are much alike: a quarter of the time, and twice the bytes.
pub(crate) fn gzip_quickly(body: &[u8]) -> Option<Vec<u8>> {
    gzip(body, Compression::fast())
}

fn gzip(body: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), level);
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_growth::assert_grows_with_its_size;

    fn accepts(lines: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        accepts_gzip(&headers)
    }

    #[test]
    fn accept_encoding_follows_rfc_9110() {
        for lines in [
            &["gzip"][..],
            &["br, GZIP;q=0.5"],
            &["*"],
            &["deflate", "x-gzip"],
            &["gzip;q=0.001"],
            &["identity;q=0.5, gzip"],
            &["gzip ; q = 1.0"],
        ] {
            assert!(accepts(lines), "{lines:?}");
        }
        for lines in [
            &[][..],
            &[""],
            &["br"],
            &["gzip;q=0"],
            &["gzip;q=0.000, *"],
            &["*;q=0"],
            &["identity, gzip;q=0.5"],
            &["gzip;q=nan?"],
            &["gzipped"],
        ] {
            assert!(!accepts(lines), "{lines:?}");
        }
    }

    #[test]
    fn the_work_grows_with_the_length_of_the_lines() {
        for part in ["br,", ";", "a;q=", ";q=0.5", "identity;q=0,", " "] {
            assert_grows_with_its_size(part, 100_000, |line| {
                let mut headers = HeaderMap::new();
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_str(line).unwrap());
                assert!(!accepts_gzip(&headers));
            });
        }
    }

    #[test]
    fn the_cache_is_bounded_and_evicts_the_oldest_first() {
        let mut bodies = Bodies::default();
        let body = Bytes::from(vec![0; CACHE_BYTES / 10]);
        let tag = |number: usize| HeaderValue::from(number);
        for number in 0..25 {
            bodies.insert(tag(number), body.clone());
            assert!(bodies.bytes <= CACHE_BYTES && bodies.by_tag.len() == bodies.oldest_first.len());
        }
        assert_eq!((bodies.by_tag.len(), bodies.bytes), (10, 10 * body.len()));
        assert!(bodies.by_tag.contains_key(&tag(24)) && !bodies.by_tag.contains_key(&tag(14)));
        bodies.insert(tag(99), Bytes::from(vec![0; CACHE_BYTES / 4]));
        assert!(!bodies.by_tag.contains_key(&tag(99)));
    }
}

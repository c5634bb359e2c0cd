//! Answers in gzip, for who takes them so.
//!
//! 1. Whatever has a tag and is text may be compressed, so it says `Vary: Accept-Encoding`, long or short, compressed
//!    or not: the next body of the same address may be longer.
//! 2. A compressed answer is another representation, with a strong tag of its own: the plain one's with a mark at
//!    its end. So a condition is judged before anything is compressed.
//! 3. What was compressed is kept by its tag, in bounded memory, the oldest going first: slots change by the minute,
//!    and what is asked for again is compressed again soon enough.

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

use crate::reply::{BY_ENCODING, Response};

/// Bodies up to this are not worth it.
const WORTH_IT: u64 = 1024;
/// Bytes of compressed bodies that are kept.
const KEPT: usize = 8 << 20;
/// What a plain answer's tag gets before its closing quote.
const MARK: &[u8] = b"-gz\"";
/// Higher levels cost twice the time for some hundredths of the size.
const LEVEL: Compression = Compression::new(5);

/// Whether a request takes gzip: RFC 9110 (12.5.3). Whoever likes the plain body better gets that.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let (mut gzip, mut any, mut plain) = (None, None, None);
    for line in headers.get_all(header::ACCEPT_ENCODING) {
        for item in line.to_str().unwrap_or_default().split(',') {
            let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
            let weight = weight(parameters);
            match name.trim().to_ascii_lowercase().as_str() {
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

/// A weight in thousandths. What is none is none.
fn weight(parameters: &str) -> u16 {
    let value = parameters.trim().strip_prefix(['q', 'Q']).and_then(|rest| rest.trim().strip_prefix('='));
    match value.map(|value| value.trim().parse::<f32>()) {
        None => 1000,
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 1000")]
        Some(Ok(weight)) => (weight.clamp(0.0, 1.0) * 1000.0) as u16,
        Some(Err(_)) => 0,
    }
}

/// Whether an answer may be compressed for somebody.
pub(crate) fn may_vary(response: &Response) -> bool {
    let headers = response.headers();
    let media_type =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_text = media_type.starts_with("text/")
        || ["json", "xml", "yaml", "x-ndjson"]
            .iter()
            .any(|end| media_type.strip_suffix(end).is_some_and(|start| start.ends_with(['/', '+'])));
    is_text && headers.contains_key(header::ETAG)
}

/// Says that it may be.
pub(crate) fn vary(response: &mut Response) {
    response.headers_mut().insert(header::VARY, BY_ENCODING);
}

/// Whether it is long enough.
pub(crate) fn is_worth_it(response: &Response) -> bool {
    response.body().size_hint().exact().is_some_and(|bytes| bytes > WORTH_IT)
}

/// Gives it the tag of its compressed form.
pub(crate) fn retag(response: &mut Response) {
    let plain = response.headers().get(header::ETAG).map(HeaderValue::as_bytes);
    let marked = plain.and_then(|tag| tag.strip_suffix(b"\"")).map(|tag| [tag, MARK].concat());
    if let Some(Ok(tag)) = marked.map(|tag| HeaderValue::from_bytes(&tag)) {
        response.headers_mut().insert(header::ETAG, tag);
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
}

/// Compressed bodies by their tags.
#[derive(Debug, Default)]
pub(crate) struct Zipped {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    bodies: HashMap<HeaderValue, Bytes>,
    oldest_first: VecDeque<HeaderValue>,
    bytes: usize,
}

impl Zipped {
    /// Compresses the body of an answer that has its tag already.
    pub(crate) fn compress(&self, response: &mut Response) {
        let Some(tag) = response.headers().get(header::ETAG).cloned() else { return };
        let known = self.kept().bodies.get(&tag).cloned();
        let body = known.or_else(|| {
            // All bodies with a tag are whole: there is nothing to wait for.
            let frame = response.body_mut().frame().now_or_never()??.ok()?;
            let body = gzip(&frame.into_data().ok()?)?;
            self.kept().keep(tag, body.clone());
            Some(body)
        });
        *response.body_mut() = body.unwrap_or_default().into();
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn keep(&mut self, tag: HeaderValue, body: Bytes) {
        // One that would push out much of the rest is not kept.
        if body.len() > KEPT / 8 || self.bodies.contains_key(&tag) {
            return;
        }
        self.bytes += body.len();
        self.oldest_first.push_back(tag.clone());
        self.bodies.insert(tag, body);
        while self.bytes > KEPT {
            let Some(oldest) = self.oldest_first.pop_front() else { break };
            self.bytes -= self.bodies.remove(&oldest).map_or(0, |body| body.len());
        }
    }
}

fn gzip(body: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), LEVEL);
    encoder.write_all(body).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(lines: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(line));
        }
        takes_gzip(&headers)
    }

    #[test]
    fn who_takes_gzip_is_read_as_the_standard_has_it() {
        for lines in [
            &["gzip"][..],
            &["br, GZIP;q=0.5"],
            &["*"],
            &["deflate", "x-gzip"],
            &["gzip;q=0.001"],
            &["identity;q=0.5, gzip"],
            &["gzip ; q = 1.0"],
        ] {
            assert!(takes(lines), "{lines:?}");
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
            assert!(!takes(lines), "{lines:?}");
        }
    }

    #[test]
    fn what_is_kept_is_bounded_and_the_oldest_goes_first() {
        let mut kept = Kept::default();
        let body = Bytes::from(vec![0; KEPT / 10]);
        let tag = |number: usize| HeaderValue::from(number);
        for number in 0..25 {
            kept.keep(tag(number), body.clone());
            assert!(kept.bytes <= KEPT && kept.bodies.len() == kept.oldest_first.len());
        }
        assert_eq!((kept.bodies.len(), kept.bytes), (10, 10 * body.len()));
        assert!(kept.bodies.contains_key(&tag(24)) && !kept.bodies.contains_key(&tag(14)));
        kept.keep(tag(99), Bytes::from(vec![0; KEPT / 4]));
        assert!(!kept.bodies.contains_key(&tag(99)));
    }
}

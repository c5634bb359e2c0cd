//! Answers heads that hyper cannot parse. hyper sends a status and an empty body, and closes the connection; this stream
//! recognizes that among the written bytes and writes the API's error instead.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::{Buf, Bytes};
use directory::api::{Fault, FaultKind};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{mistake, plain};
use crate::vitals::{Route, Vitals};

/// A status line, `connection`, `content-length: 0` and `date`.
const MAX_BARE: usize = 256;
/// Of a head, to see what is wrong with it.
const MAX_KEPT: usize = 1 << 10;
/// After a refusal. Closing with unread bytes would reset the connection, and the client could lose the response.
const MAX_DISCARDED: usize = 1 << 20;

#[derive(Debug)]
pub(super) struct RefusalStream<S> {
    stream: S,
    pending: Bytes,
    has_refused: bool,
    is_shut: bool,
    discarded: usize,
    /// The next bytes read start a request, unless requests are pipelined.
    at_start: bool,
    /// What was read since the last response, up to a bound.
    kept: Vec<u8>,
    vitals: Arc<Vitals>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> RefusalStream<S> {
    pub(super) fn new(stream: S, vitals: Arc<Vitals>) -> Self {
        Self {
            stream,
            pending: Bytes::new(),
            has_refused: false,
            is_shut: false,
            discarded: 0,
            at_start: true,
            kept: Vec::new(),
            vitals,
        }
    }

    fn poll_pending(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.pending.has_remaining() {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, &self.pending))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.pending.advance(written);
        }
        Poll::Ready(Ok(()))
    }

    fn poll_discard(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let mut bytes = [0; 4096];
        while self.discarded < MAX_DISCARDED {
            let mut buffer = ReadBuf::new(&mut bytes);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => self.discarded += buffer.filled().len(),
                _ => break,
            }
        }
        Poll::Ready(())
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Bare<'a> {
    status: u16,
    date: &'a str,
    length: usize,
}

impl<'a> Bare<'a> {
    /// The service's own responses have other header fields, too.
    fn at_end_of(bytes: &'a [u8]) -> Option<Self> {
        if !bytes.ends_with(b"\r\n\r\n") {
            return None;
        }
        let end = &bytes[bytes.len().saturating_sub(MAX_BARE)..];
        let start = end.windows(7).rposition(|window| window == b"HTTP/1.")?;
        let head = std::str::from_utf8(&end[start..]).ok()?;
        let (status_line, mut fields) = head.strip_suffix("\r\n")?.split_once("\r\n")?;
        let status = status_line.split(' ').nth(1)?.parse().ok()?;
        let (mut date, mut is_empty) = ("", false);
        while let Some((field, rest)) = fields.split_once("\r\n") {
            match field {
                "content-length: 0" => is_empty = true,
                "connection: close" => {}
                _ if field.starts_with("date: ") => date = &fields[..field.len() + 2],
                _ => return None,
            }
            fields = rest;
        }
        (is_empty && matches!(status, 400 | 414 | 431)).then_some(Self { status, date, length: head.len() })
    }

    fn fault(&self, read: &[u8]) -> Fault {
        let (kind, message) = match self.status {
            414 => (FaultKind::UriTooLong, "the path with its query is too long"),
            431 => (FaultKind::HeadersTooLarge, "the header fields are too large, or more than 100"),
            _ => (FaultKind::BadRequest, mistake::of(read)),
        };
        Fault::of_transport(kind, message)
    }

    fn replacement(&self, read: &[u8]) -> Bytes {
        let fault = self.fault(read);
        let mut message = plain::response(&fault, self.date);
        if read.starts_with(b"HEAD ") {
            message.truncate(message.len() - fault.body().len());
        }
        message.into()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for RefusalStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = &buffer.filled()[before..];
        if self.at_start && !read.is_empty() {
            self.kept.clear();
            self.at_start = false;
        }
        let room = MAX_KEPT - self.kept.len();
        self.kept.extend_from_slice(&read[..read.len().min(room)]);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for RefusalStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        ready!(self.poll_pending(context))?;
        self.at_start = true;
        let bare = parts.iter().rfind(|part| !part.is_empty()).and_then(|last| Bare::at_end_of(last));
        let Some(bare) = bare else { return Pin::new(&mut self.stream).poll_write_vectored(context, parts) };
        // Earlier responses are written first; hyper then passes its own response again, alone.
        let before = parts.iter().map(|part| part.len()).sum::<usize>() - bare.length;
        if before > 0 {
            let first = parts.iter().find(|part| !part.is_empty()).map_or(&[][..], |part| part);
            let length = first.len().min(before);
            return Pin::new(&mut self.stream).poll_write(context, &first[..length]);
        }
        self.pending = bare.replacement(&self.kept);
        // Only its status is known.
        self.vitals.answered(Route::for_path(""), bare.status, Duration::ZERO);
        self.has_refused = true;
        Poll::Ready(Ok(bare.length))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_pending(context))?;
        if !self.is_shut {
            ready!(Pin::new(&mut self.stream).poll_shutdown(context))?;
            self.is_shut = true;
        }
        if self.has_refused {
            ready!(self.poll_discard(context));
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;
    use crate::testing::{Reply, Server, body_of, options, until_closed};

    fn is_json_error(bytes: &[u8], status: u16, code: &str, case: &str) {
        let reply = Reply::parse(bytes);
        assert_eq!(reply.status, status, "{case}");
        assert_eq!(reply.header("content-length"), Some(&*reply.body.len().to_string()), "{case}");
        let json = reply.json();
        assert_eq!(json["code"], code, "{case}");
        assert!(json["message"].as_str().is_some_and(|message| message.len() > 20), "{case}");
        for (name, value) in [
            ("content-type", "application/json"),
            ("access-control-allow-origin", "*"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "no-store"),
            ("connection", "close"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{case}");
        }
        assert!(reply.header("date").is_some(), "{case}");
    }

    #[tokio::test]
    async fn heads_that_hyper_cannot_parse_are_answered_in_json() {
        let server = Server::start(options()).await;
        for (head, status, code) in [
            ("GET /v1/providers?state=New York HTTP/1.1\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /v1/providers?state=<b> HTTP/1.1\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /v1/providers?state=> HTTP/1.1\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /<script> HTTP/1.1\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /v1/states HTTP/3.0\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /v1/states HTTQ/1.1\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /v1/states\r\nhost: a", 400, "BAD_REQUEST"),
            ("G<T /v1/states HTTP/1.1\r\nhost: a", 400, "BAD_REQUEST"),
            ("GET /v1/states HTTP/1.1\r\nhost: a\r\nno colon", 400, "BAD_REQUEST"),
            ("GET /v1/states HTTP/1.1\r\nhost: a\r\nx\0y: z", 400, "BAD_REQUEST"),
            ("GET /v1/states HTTP/1.1\r\nhost: a\r\nx : y", 400, "BAD_REQUEST"),
            ("GET /v1/states HTTP/1.1\r\nhost: a\r\ncontent-length: five", 400, "BAD_REQUEST"),
            ("GET http://a b/v1/states HTTP/1.1\r\nhost: a", 400, "BAD_REQUEST"),
        ] {
            let bytes = server.raw(format!("{head}\r\n\r\n").as_bytes()).await;
            is_json_error(&bytes, status, code, head);
        }
        let target = format!("/{}", "x".repeat(70_000));
        let long = server.raw(format!("GET {target} HTTP/1.1\r\nhost: a\r\n\r\n").as_bytes()).await;
        is_json_error(&long, 414, "URI_TOO_LONG", "a target beyond hyper's limit");
        let large = format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "x".repeat(500_000));
        is_json_error(
            &server.raw(large.as_bytes()).await,
            431,
            "HEADERS_TOO_LARGE",
            "a field beyond its buffer",
        );
        let many: String = (0..101).fold(String::new(), |text, number| text + &format!("x-{number}: y\r\n"));
        let many = server.raw(format!("GET / HTTP/1.1\r\n{many}\r\n").as_bytes()).await;
        is_json_error(&many, 431, "HEADERS_TOO_LARGE", "101 fields");
    }

    #[tokio::test]
    async fn a_refusal_says_what_is_wrong_and_is_counted() {
        let vitals = Arc::new(Vitals::new());
        let server = Server::start(crate::Options { vitals: Arc::clone(&vitals), ..options() }).await;
        let get = "GET /v1/states HTTP/1.1\r\nhost: a\r\n";
        for (head, expected) in [
            ("GET /v1/providers?state=New York HTTP/1.1\r\nhost: a\r\n", "percent-encode spaces"),
            ("\x16\x03\x01\x02\x00\x01\x00\x01\u{7c}\x03\x03", "no TLS"),
            (&format!("{get}content-length: five\r\n"), "Content-Length"),
            (&format!("{get}content-length: 5\r\ncontent-length: 6\r\n"), "breaks HTTP's rules"),
            (&format!("{get}transfer-encoding: gzip\r\n"), "Transfer-Encoding"),
            (&format!("{get}a: b\r\n c\r\n"), "continues"),
            (&format!("{get}a: b\0c\r\n"), "control character"),
            (&format!("{get}a : b\r\n"), "name: value"),
            (&format!("{get}a\r\n"), "no colon"),
        ] {
            let reply = Reply::parse(&server.raw(format!("{head}\r\n").as_bytes()).await);
            let message = reply.json()["message"].as_str().unwrap().to_owned();
            assert_eq!(reply.status, 400, "{head}");
            assert!(message.contains(expected), "{head}: {message}");
            assert_eq!(message.contains("percent-encode"), expected.contains("percent-encode"), "{head}");
        }
        let line = "nameplate_requests_total{route=\"other\",status=\"400\"} 9";
        let metrics = vitals.metrics();
        assert!(metrics.lines().any(|known| known == line), "{metrics}");
    }

    #[tokio::test]
    async fn a_raw_quotation_mark_is_answered_in_json() {
        let server = Server::start(options()).await;
        for target in ["/v1/providers?state=\"CA\"", "/v1/availability?state=\"", "/\"/x"] {
            let head = format!("GET {target} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
            let reply = Reply::parse(&server.raw(head.as_bytes()).await);
            assert!(reply.status == 400 || reply.status == 404, "{target}: {}", reply.status);
            assert!(reply.json()["code"].is_string(), "{target}");
        }
    }

    #[tokio::test]
    async fn responses_before_a_refusal_are_complete_and_none_follows_it() {
        let server = Server::start(options()).await;
        let good = "GET /v1/states HTTP/1.1\r\nhost: a\r\n\r\n";
        let bad = "GET /v1/providers?state=New York HTTP/1.1\r\nhost: a\r\n\r\n";
        let bytes = server.raw(format!("{good}{bad}{good}").as_bytes()).await;
        let states = body_of("/v1/states");
        let at = bytes.windows(states.len()).position(|window| window == states).expect("the first answer");
        is_json_error(&bytes[at + states.len()..], 400, "BAD_REQUEST", "the second");
        let heads = bytes.windows(9).filter(|window| *window == b"HTTP/1.1 ").count();
        assert_eq!(heads, 2, "{}", String::from_utf8_lossy(&bytes));
    }

    #[tokio::test]
    async fn a_refused_head_request_gets_no_body_and_a_304_is_not_replaced() {
        let server = Server::start(options()).await;
        let reply = Reply::parse(&server.raw(b"HEAD /v1/states?x=< HTTP/1.1\r\nhost: a\r\n\r\n").await);
        assert_eq!((reply.status, reply.body.len()), (400, 0));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        // The service's own response without a body is not replaced.
        let reply = server.request("GET", "/v1/states", &["if-none-match: *"], "").await;
        assert_eq!((reply.status, reply.body.len()), (304, 0));
    }

    #[tokio::test]
    async fn a_client_that_keeps_sending_still_gets_its_refusal() {
        let server = Server::start(options()).await;
        let mut stream = server.connect().await;
        stream.write_all(b"GET /a b HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        let more = vec![b'x'; 300_000];
        let _ = stream.write_all(&more).await;
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        let _ = stream.shutdown().await;
        is_json_error(&until_closed(&mut stream).await, 400, "BAD_REQUEST", "a flood after a bad head");
    }

    #[test]
    fn only_hypers_own_response_is_replaced() {
        let date = "date: Sun, 22 Nov 2026 07:00:00 GMT\r\n";
        let bare =
            format!("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n{date}\r\n");
        let expected = Bare { status: 400, date, length: bare.len() };
        assert_eq!(Bare::at_end_of(bare.as_bytes()), Some(expected));
        let after_another = format!("…}}{bare}");
        assert_eq!(Bare::at_end_of(after_another.as_bytes()).unwrap().length, bare.len());
        for other in [
            "HTTP/1.1 304 Not Modified\r\netag: \"x\"\r\n\r\n".to_owned(),
            "HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n".to_owned(),
            "{}".to_owned(),
            "\r\n\r\n".to_owned(),
            bare.replace("connection: close\r\n", "connection: close\r\nx-request-id: a\r\n"),
            bare.replace("content-length: 0\r\n", ""),
            bare.replace("400", "500"),
        ] {
            assert_eq!(Bare::at_end_of(other.as_bytes()), None, "{other}");
        }
    }
}

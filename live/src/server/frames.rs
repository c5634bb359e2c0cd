//! Counts an HTTP/2 client's frames by their heads: control frames cost the service work, and only requests pay for it. A
//! connection has points, which control frames take, and requests, bodies and written bytes bring. Trailers must be short,
//! because h2 decodes them beside their request's head, for which alone memory is reserved.

/// What a client sends first (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD: usize = 9;
// Types of frames (RFC 9113, 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const CONTINUATION: u8 = 9;

/// Each byte that is written to the client brings one point: that pays for the window updates of a long response, while the
/// answer to a ping, of 17 bytes, pays for nothing.
const CONTROL: i64 = 256;
/// For its reset, its priority, and some changes of its window.
const REQUEST: i64 = 10 * CONTROL;
/// Each byte of a body brings a point.
const BODY_PART: i64 = 64;
const FIRST: i64 = 1_000 * CONTROL;
/// It can be used up at once, in some milliseconds.
const MOST: i64 = 10_000 * CONTROL;
/// In bytes.
const TRAILERS: usize = 64;

/// Over HTTP/1, nothing.
#[derive(Debug)]
pub(super) struct Frames {
    cursor: Cursor,
    points: i64,
    newest_stream: u32,
    has_trailers: bool,
}

#[derive(Debug)]
enum Cursor {
    Preface(usize),
    Http1,
    Head([u8; HEAD], usize),
    Payload(usize),
}

impl Default for Frames {
    fn default() -> Self {
        Self { cursor: Cursor::Preface(0), points: FIRST, newest_stream: 0, has_trailers: false }
    }
}

impl Frames {
    /// Whether the connection may stay open.
    pub(super) fn bytes_read(&mut self, mut bytes: &[u8]) -> bool {
        let mut may_stay = true;
        while !bytes.is_empty() && may_stay {
            let passed = match &mut self.cursor {
                Cursor::Http1 => return true,
                Cursor::Preface(matched) => {
                    let expected = &PREFACE[*matched..];
                    let length = expected.len().min(bytes.len());
                    if bytes[..length] != expected[..length] {
                        self.cursor = Cursor::Http1;
                        return true;
                    }
                    *matched += length;
                    if *matched == PREFACE.len() {
                        self.cursor = Cursor::Payload(0);
                    }
                    length
                }
                Cursor::Payload(left) => {
                    let length = (*left).min(bytes.len());
                    *left -= length;
                    if *left == 0 {
                        self.cursor = Cursor::Head([0; HEAD], 0);
                    }
                    length
                }
                Cursor::Head(head, filled) => {
                    let length = (HEAD - *filled).min(bytes.len());
                    head[*filled..][..length].copy_from_slice(&bytes[..length]);
                    *filled += length;
                    if *filled == HEAD {
                        let head = *head;
                        may_stay = self.count(head);
                    }
                    length
                }
            };
            bytes = &bytes[passed..];
        }
        may_stay
    }

    pub(super) fn bytes_written(&mut self, count: usize) {
        self.bring(i64::try_from(count).unwrap_or(MOST));
    }

    /// Whether the connection may stay open.
    fn count(&mut self, head: [u8; HEAD]) -> bool {
        let kind = head[3];
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]) & (!0 >> 1);
        self.cursor = Cursor::Payload(length as usize);
        if kind == HEADERS {
            self.has_trailers = stream <= self.newest_stream;
            self.newest_stream = self.newest_stream.max(stream);
        }
        let is_of_trailers = self.has_trailers && matches!(kind, HEADERS | CONTINUATION);
        self.bring(match kind {
            HEADERS if !is_of_trailers => REQUEST,
            DATA => i64::from(length) - BODY_PART,
            _ => -CONTROL,
        });
        let is_short = kind == HEADERS && length as usize <= TRAILERS;
        self.points >= 0 && (is_short || !is_of_trailers)
    }

    fn bring(&mut self, points: i64) {
        self.points = self.points.saturating_add(points).min(MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::hostile_tests::frame;

    const PING: u8 = 6;

    fn over_http2() -> Frames {
        let mut frames = Frames::default();
        assert!(frames.bytes_read(PREFACE));
        frames
    }

    /// How many of a frame the connection takes, of at most 100,000.
    fn taken(frames: &mut Frames, frame: &[u8]) -> usize {
        (0..100_000).take_while(|_| frames.bytes_read(frame)).count()
    }

    #[test]
    fn control_frames_without_requests_are_few() {
        // PRIORITY, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION, and an unknown type.
        for kind in [2, 3, 4, PING, 8, 9, 200] {
            assert_eq!(taken(&mut over_http2(), &frame(kind, 0, 0, b"12345678")), 1_000, "{kind}");
        }
        assert_eq!(taken(&mut over_http2(), &frame(DATA, 0, 1, b"")), 4_000, "empty parts of a body");
    }

    #[test]
    fn requests_bodies_and_responses_pay_for_control_frames() {
        let mut frames = over_http2();
        let ping = frame(PING, 0, 0, b"12345678");
        assert_eq!(taken(&mut frames, &ping), 1_000);
        let mut frames = over_http2();
        for number in 0..20_000 {
            let mut bytes = frame(HEADERS, 5, 2 * number + 1, b"\x82\x86\x84");
            bytes.extend(ping.repeat(10));
            assert!(frames.bytes_read(&bytes), "ten for each request");
        }
        assert_eq!(taken(&mut frames, &ping), 1_000);
        frames = over_http2();
        assert_eq!(taken(&mut frames, &frame(DATA, 0, 1, &[0; 100])), 100_000, "a body");
        assert_eq!(taken(&mut frames, &ping), 10_000, "there is a maximum");
        frames = over_http2();
        frames.bytes_written(1_000 * 256);
        assert_eq!(taken(&mut frames, &ping), 2_000);
    }

    #[test]
    fn heads_are_found_however_the_bytes_are_cut() {
        let bytes =
            [PREFACE, &frame(HEADERS, 5, 1, &[0; 300]), &frame(PING, 0, 0, &[0; 8]).repeat(50)].concat();
        for length in [1, 2, 7, 9, 10, 16, 23, 25, 1_000] {
            let mut frames = Frames::default();
            assert!(bytes.chunks(length).all(|part| frames.bytes_read(part)));
            assert_eq!(frames.points, FIRST + REQUEST - 50 * CONTROL, "{length}");
        }
    }

    #[test]
    fn trailers_are_short() {
        let after_a_head = |trailers: &[Vec<u8>]| {
            let mut frames = over_http2();
            assert!(frames.bytes_read(&frame(HEADERS, 4, 3, &[0; 700])));
            frames.bytes_read(&trailers.concat())
        };
        assert!(after_a_head(&[frame(HEADERS, 5, 3, &[0; TRAILERS])]));
        assert!(!after_a_head(&[frame(HEADERS, 5, 3, &[0; TRAILERS + 1])]));
        assert!(!after_a_head(&[frame(HEADERS, 1, 3, b""), frame(CONTINUATION, 4, 3, &[0; 700])]));
        assert!(after_a_head(&[frame(HEADERS, 1, 5, b""), frame(CONTINUATION, 4, 5, &[0; 700])]), "a head");
    }

    #[test]
    fn http_1_has_no_frames() {
        for first in ["GET / HTTP/1.1\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\nx", "P"] {
            let mut frames = Frames::default();
            assert!(frames.bytes_read(first.as_bytes()) && frames.bytes_read(&[0; 9]));
            assert_eq!(taken(&mut frames, &frame(PING, 0, 0, b"12345678")), 100_000, "{first}");
        }
    }
}

//! Says which rule a head breaks that hyper cannot parse: hyper tells only that it breaks one.

/// Of the beginning of what the client sent.
pub(super) fn of(read: &[u8]) -> &'static str {
    const ANY: &str = "the request can't be read: its first line or a header field breaks HTTP's rules";
    if read.starts_with(&[0x16, 3]) {
        return "this address has no TLS: use http://, or the https:// address of the proxy in front of it";
    }
    let mut is_first = true;
    for line in read.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n")) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if std::mem::replace(&mut is_first, line.is_empty()) {
            let parts = line.split(|byte| *byte == b' ').count();
            if parts > 3 || line.iter().any(|byte| matches!(byte, b'"' | b'<' | b'>')) {
                return "the request's first line can't be read; in a path and a query, percent-encode spaces, \
                        quotation marks, < and >, as in state=New%20York";
            }
            continue;
        }
        if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
            return "a header field has a control character; remove it";
        }
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            return "a header field continues on a second line; write it on one line";
        }
        let Some(colon) = line.iter().position(|byte| *byte == b':') else {
            if line.is_empty() {
                continue;
            }
            return "a header field has no colon; write it as name: value";
        };
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.is_empty() || name.contains(&b' ') {
            return "a header field's name is empty or has a space; write it as name: value";
        }
        if name.eq_ignore_ascii_case(b"content-length") && !value.iter().all(u8::is_ascii_digit) {
            return "Content-Length must be one whole number";
        }
        if name.eq_ignore_ascii_case(b"transfer-encoding") && !value.eq_ignore_ascii_case(b"chunked") {
            return "Transfer-Encoding must be chunked, or be left out";
        }
    }
    ANY
}

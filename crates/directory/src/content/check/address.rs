//! Whether a text is a web address, and whose.

/// Whether a text is a web address with a host. `extra` are additional characters that it may contain.
pub(super) fn is_address(value: &str, extra: &str) -> bool {
    let rest = value.strip_prefix("https://").or_else(|| value.strip_prefix("http://"));
    rest.is_some_and(|rest| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/[]%".contains(c) || extra.contains(c);
        let host = rest.split('/').next().unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[')
            && rest.chars().all(is_plain)
            && !host.contains(',')
            && !host.ends_with(':')
    })
}

/// Whether the host of an address is this computer. `rest` is the address without its scheme.
pub(super) fn is_loopback(rest: &str) -> bool {
    let host = rest.split(['/', '?']).next().unwrap_or_default();
    let name = if host.starts_with('[') { host.split(']').next() } else { host.split(':').next() };
    name.is_some_and(|name| name == "localhost" || name == "[::1" || name.starts_with("127."))
}

//! The file with the addresses of calendars.

use std::fs::Metadata;
use std::path::Path;
use std::sync::Arc;

use directory::content::{open_linked, read_linked};
use directory::model::Slug;
use reqwest::Url;

/// The most bytes of the file.
const MOST: u64 = 4 << 20;

/// A clinician's calendar.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Line {
    pub(super) slug: Slug,
    /// Its name in messages, without the address.
    pub(super) name: Arc<str>,
    pub(super) url: Url,
}

/// Reads the file. Every wrong line is named at once; no message quotes one.
pub(super) fn read(path: &Path) -> Result<Vec<Line>, String> {
    use std::io::Read as _;
    let refused = |why: &dyn std::fmt::Display| format!("the calendars {}: {why}", path.display());
    let file = open_linked(path).map_err(|error| refused(&error))?;
    let metadata = file.metadata().map_err(|error| refused(&error))?;
    if is_open_to_others(&metadata) {
        return Err(refused(&"others may read this file, and each address in it is a password: chmod 600"));
    }
    let mut text = String::new();
    file.take(MOST + 1).read_to_string(&mut text).map_err(|error| refused(&error))?;
    if text.len() as u64 > MOST {
        return Err(refused(&format!("it has more than {MOST} bytes")));
    }
    parse(&text).map_err(|why| refused(&why))
}

/// Whether a file lists calendars: its first line that says something has an address after its first word.
#[must_use]
pub fn is_list(path: &Path) -> bool {
    let text = read_linked(path, MOST).ok().and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
    let first = text.trim_start_matches('\u{feff}').lines().map(str::trim);
    let mut first = first;
    let first = first.find(|line| !line.is_empty() && !line.starts_with('#'));
    let mut words = first.unwrap_or_default().split_whitespace();
    words.next().is_some_and(|word| word.parse::<Slug>().is_ok())
        && words.next().is_some_and(|word| word.contains("://"))
}

#[cfg(unix)]
fn is_open_to_others(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    metadata.mode() & 0o007 != 0
}

#[cfg(not(unix))]
fn is_open_to_others(_: &Metadata) -> bool {
    false
}

pub(super) fn parse(text: &str) -> Result<Vec<Line>, String> {
    let (mut lines, mut wrong): (Vec<Line>, Vec<String>) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line_of(line) {
            Err(why) => wrong.push(format!("line {number}: {why}")),
            Ok((slug, url)) if lines.iter().any(|other| other.slug == slug && other.url == url) => {}
            Ok((slug, url)) => {
                let nth = lines.iter().filter(|other| other.slug == slug).count() + 1;
                let host = url.host_str().unwrap_or_default();
                let name = format!("{slug}, calendar {nth}, at {host}").into();
                lines.push(Line { slug, name, url });
            }
        }
    }
    if wrong.is_empty() { Ok(lines) } else { Err(wrong.join("; ")) }
}

fn line_of(line: &str) -> Result<(Slug, Url), String> {
    let mut words = line.split_whitespace();
    let (Some(slug), Some(address), None) = (words.next(), words.next(), words.next()) else {
        return Err("write a clinician's slug and the secret address of her calendar: \
                    jane-doe https://calendar.example/…/basic.ics"
            .to_owned());
    };
    let slug = slug.parse().map_err(|rule| format!("the first word is not a valid slug: {rule}"))?;
    let address = match address.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("webcal") => format!("https:{rest}"),
        _ => address.to_owned(),
    };
    let url: Url = address.parse().map_err(|_| "the second word is not a whole address: https://…")?;
    let is_loopback = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme() {
        "https" => Ok((slug, url)),
        "http" if is_loopback => Ok((slug, url)),
        "http" => Err("the address is not encrypted: write https://".to_owned()),
        _ => Err("the address does not begin with https:// or webcal://".to_owned()),
    }
}

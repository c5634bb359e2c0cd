//! The lines with the addresses of calendars.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use directory::content::{open_linked, read_linked};
use directory::model::Slug;
use reqwest::Url;
use serde::Deserialize;

const MOST: u64 = 4 << 20;
/// How many invalid lines are named; all are counted.
const MOST_NAMED: usize = 20;
/// The environment variable that may have the lines, and how settings name it in the place of a file.
pub const CALENDARS_VARIABLE: &str = "NAMEPLATE_CALENDARS";

/// Where the lines are. They are secret, so they are not kept here.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "PathBuf")]
pub enum CalendarList {
    File(PathBuf),
    Environment,
}

impl TryFrom<PathBuf> for CalendarList {
    type Error = &'static str;

    /// The error does not quote an address, which is a password.
    fn try_from(path: PathBuf) -> Result<Self, Self::Error> {
        if path.to_string_lossy().contains("://") {
            return Err("write the address into a file, one line for each calendar, and name the file here");
        }
        Ok(if path.as_os_str() == CALENDARS_VARIABLE { Self::Environment } else { Self::File(path) })
    }
}

impl fmt::Display for CalendarList {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(formatter),
            Self::Environment => formatter.write_str(CALENDARS_VARIABLE),
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CalendarLine {
    pub(super) slug: Slug,
    /// Its name in messages, without the address.
    pub(super) name: Arc<str>,
    pub(super) url: Url,
}

impl fmt::Debug for CalendarLine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// Reads the lines. The first wrong ones are named at once; no message quotes one.
pub(super) fn read(list: &CalendarList) -> Result<Vec<CalendarLine>, String> {
    let text = match list {
        CalendarList::File(path) => {
            open_linked(path).map_err(|error| error.to_string()).and_then(|file| text_of(path, &file))
        }
        CalendarList::Environment => {
            std::env::var(CALENDARS_VARIABLE).map_err(|_| "it isn't set, or isn't UTF-8".to_owned())
        }
    };
    text.and_then(|text| parse(&text)).map_err(|why| format!("{list}, the list of calendars: {why}"))
}

fn text_of(path: &Path, file: &File) -> Result<String, String> {
    if file.metadata().map_err(|error| error.to_string())?.mode() & 0o007 != 0 {
        let path = path.display();
        return Err(format!(
            "other users can read this file, and each address in it is a password: chmod 600 {path}"
        ));
    }
    let mut text = String::new();
    file.take(MOST + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > MOST { Err(format!("it has more than {MOST} bytes")) } else { Ok(text) }
}

/// Also finds a list with mistakes: one without JSON that has an address, be it of email, or comments alone.
pub fn is_list(path: &Path) -> bool {
    let text = read_linked(path, MOST).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let lines = || text.trim_start_matches('\u{feff}').lines().map(str::trim).filter(|line| !line.is_empty());
    let has_address = |line: &str| ["://", "webcal:", ".ics", "@"].iter().any(|part| line.contains(part));
    lines().next().is_some()
        && !lines().any(|line| line.starts_with('{'))
        && (lines().any(has_address) || lines().all(|line| line.starts_with('#')))
}

pub(super) fn parse(text: &str) -> Result<Vec<CalendarLine>, String> {
    let (mut lines, mut wrong): (Vec<CalendarLine>, Vec<String>) = (Vec::new(), Vec::new());
    let mut known: HashMap<Slug, HashSet<Url>> = HashMap::new();
    let mut more = 0;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match line_of(line) {
            Err(_) if wrong.len() >= MOST_NAMED => more += 1,
            Err(why) => wrong.push(format!("line {number}: {why}")),
            Ok((slug, url)) => {
                let of_slug = known.entry(slug.clone()).or_default();
                if of_slug.insert(url.clone()) {
                    let (nth, host) = (of_slug.len(), url.host_str().unwrap_or_default());
                    let name = format!("{slug}, calendar {nth}, at {host}").into();
                    lines.push(CalendarLine { slug, name, url });
                }
            }
        }
    }
    if more > 0 {
        wrong.push(format!("and {more} more invalid lines"));
    }
    if wrong.is_empty() { Ok(lines) } else { Err(wrong.join("\n")) }
}

/// What is said of a line never quotes its addresses: anyone who knows one can read the calendar.
fn line_of(line: &str) -> Result<(Slug, Url), String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_address = |word: &str| word.contains("://");
    let (slug, address) = match words[..] {
        [address] if is_address(address) => {
            return Err(
                "this line has only an address: write the clinician's slug before it, on the same line"
                    .to_owned(),
            );
        }
        [slug] if slug.parse::<Slug>().is_ok() => {
            return Err("this line has only a slug: write the calendar's address after it, on the same line"
                .to_owned());
        }
        [ref name @ .., address]
            if name.len() > 1 && is_address(address) && !name.iter().any(|word| is_address(word)) =>
        {
            let name = name.join(" ");
            let name = name.trim_end_matches([':', ',', ';']);
            let slug = name.replace(' ', "-").to_lowercase();
            return Err(format!("write the clinician's slug in place of \"{name}\", perhaps {slug}"));
        }
        [slug, _] if slug.ends_with([',', ':', ';']) && !is_address(slug) => {
            let plain = slug.trim_end_matches([',', ':', ';']);
            return Err(format!("delete \"{}\" after {plain}", &slug[plain.len()..]));
        }
        [slug, address] => (slug, address),
        _ => {
            return Err("write a clinician's slug and the secret address of the calendar: \
                        jane-doe https://calendar.example/…/basic.ics"
                .to_owned());
        }
    };
    let slug = slug.parse().map_err(|rule| format!("the first word isn't a valid slug: {rule}"))?;
    let address = match address.split_once(':') {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("webcal") => format!("https:{rest}"),
        _ => address.to_owned(),
    };
    let url: Url = address.parse().map_err(|_| {
        "the second word isn't an address. In Google Calendar, copy \"Secret address in iCal format\": https://…"
    })?;
    let is_loopback = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme() {
        "https" => Ok((slug, url)),
        "http" if is_loopback => Ok((slug, url)),
        "http" => Err("the address isn't encrypted: write https://".to_owned()),
        _ => Err("the address doesn't begin with https:// or webcal://".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_only_invalid_lines_names_twenty_and_counts_the_others() {
        let why = parse(&"jane-doe\n".repeat(1_000)).unwrap_err();
        assert!(why.contains("line 20: ") && !why.contains("line 21: "), "{why}");
        assert!(why.ends_with("\nand 980 more invalid lines"), "{why}");
    }

    #[test]
    fn calendars_of_a_clinician_are_numbered_and_each_address_counts_once() {
        let text = "ann https://a.example/1\nbob https://a.example/1\nann https://b.example/2\nann https://a.example/1\n";
        let names = |line: &CalendarLine| line.name.to_string();
        assert_eq!(
            parse(text).unwrap().iter().map(names).collect::<Vec<_>>(),
            [
                "ann, calendar 1, at a.example",
                "bob, calendar 1, at a.example",
                "ann, calendar 2, at b.example"
            ]
        );
    }
}

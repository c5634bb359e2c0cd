//! Exceptions whose `[[exception]]` line was forgotten.

use std::ops::Range;

use super::super::lines::Lines;
use super::whole::lines;
use super::{Form, Mistake};

/// The keys with which an exception begins.
const FIRST: [&str; 4] = ["kind", "from", "to", "date"];
/// Its other keys, which weekly hours have, too.
const FURTHER: [&str; 3] = ["hours", "types", "step"];

/// The lines of one exception.
struct StrayException<'a> {
    keys: Vec<&'a str>,
    /// The first key.
    start: Range<usize>,
    /// The end of the last line.
    end: usize,
}

/// The exceptions of a file of hours that stand in another table, or at the top of the file. Each covers its lines.
pub(in super::super) fn exceptions_without_header(
    text: &str,
    places: &Lines,
    form: &Form<'_>,
) -> Vec<Mistake> {
    if !form.keys.contains(&"exception") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut entry: Option<StrayException<'_>> = None;
    // The table that the lines belong to: `None` where it can have an entry of its own.
    let mut table = Some("");
    for (at, line) in lines(text) {
        let content = line.trim_start();
        if content.starts_with('[') {
            found.extend(entry.take().and_then(|entry| entry.mistake(text, places, false)));
            let header = content.split('#').next().unwrap_or_default().trim_end();
            table = Some(header).filter(|header| ["[[weekly]]", "[effective]", "[buffer]"].contains(header));
            continue;
        }
        let Some(table) = table else { continue };
        let end = at + line.trim_end().len();
        let Some((key, _)) = content.split_once('=').filter(|_| !content.starts_with('#')) else {
            // A further line of a list.
            if let Some(entry) = entry.as_mut().filter(|_| !content.is_empty() && !content.starts_with('#')) {
                entry.end = end;
            }
            continue;
        };
        let key = key.trim_end();
        let begins = key == "kind" || FIRST.contains(&key) && table != "[effective]";
        let is_new = entry.as_ref().is_none_or(|entry| entry.keys.contains(&key));
        if is_new && begins {
            found.extend(entry.take().and_then(|entry| entry.mistake(text, places, false)));
            let start = at + line.len() - content.len();
            entry = Some(StrayException { keys: vec![key], start: start..start + key.len(), end });
        } else if let Some(entry) = entry.as_mut()
            && !is_new
            && (FIRST.contains(&key) || FURTHER.contains(&key))
        {
            entry.keys.push(key);
            entry.end = end;
        } else {
            found.extend(entry.take().and_then(|entry| entry.mistake(text, places, true)));
        }
    }
    found.extend(entry.and_then(|entry| entry.mistake(text, places, false)));
    found
}

impl StrayException<'_> {
    /// `is_followed`: lines of the table that it stands in come after it.
    fn mistake(self, text: &str, places: &Lines, is_followed: bool) -> Option<Mistake> {
        // Most entries are of another table, and the search below takes time.
        if !self.keys.contains(&"kind") {
            return None;
        }
        let (first, last) = (places.line(self.start.start) + 1, places.line(self.end) + 1);
        let hint = if is_followed {
            format!(
                "move lines {first} to {last} to the end of the file, and write [[exception]] on a line above them"
            )
        } else {
            format!("write [[exception]] on a line of its own above line {first}")
        };
        // The table's own keys of these names are repeated for the same reason.
        let is_repeated = is_followed && self.keys.iter().any(|key| FURTHER.contains(key));
        let end = match text[self.end..].find("\n[") {
            Some(at) if is_repeated => self.end + at,
            None if is_repeated => text.len(),
            _ => self.end,
        };
        let what = "these lines belong to an exception, and there is no [[exception]] above them";
        Some(Mistake::new(&self.start, what, hint).covering(end))
    }
}

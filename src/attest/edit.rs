//! Edits `[confirmed]` or `status` in a clinician's file. Every other byte stays.

use std::ops::Range;

use chrono::NaiveDate;
use directory::model::{Attester, FactHashes, Listing};
use toml::de::{DeTable, DeValue};

use crate::edit::text::{end_of_line, header_end, is_valid, line_end, quoted};

#[derive(Debug, Clone)]
pub(crate) struct NewConfirmation {
    pub(crate) on: NaiveDate,
    pub(crate) by: Attester,
    /// `None`: another system's date, which says nothing about single facts.
    pub(crate) facts: Option<FactHashes>,
    pub(crate) how: Option<String>,
}

impl NewConfirmation {
    /// The lines of the table, in their order.
    fn lines(&self) -> [(&'static str, Option<String>); 4] {
        [
            ("on", Some(self.on.to_string())),
            ("by", Some(format!("\"{}\"", self.by))),
            ("facts", self.facts.map(|facts| format!("\"{facts}\""))),
            ("how", self.how.as_ref().map(|how| quoted(how))),
        ]
    }
}

/// The file's text with the confirmation in it, or why that cannot be done.
pub(crate) fn confirm(text: &str, new: &NewConfirmation) -> Result<String, String> {
    if new.how.as_ref().is_some_and(|how| how.contains(char::is_control)) {
        return Err("the text of `how` has a line break, a tab or another control character: write it as one plain line"
            .to_owned());
    }
    let (file, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err("the file is not valid TOML any more".to_owned());
    }
    let end = line_end(text);
    let Some((key, table)) = file.get_ref().iter().find(|(key, _)| key.get_ref() == "confirmed") else {
        return valid(append(text, new, end));
    };
    let DeValue::Table(values) = table.get_ref() else {
        return Err("`confirmed` is not a table: write [confirmed] and its lines below".to_owned());
    };
    let header = header_end(text, &key.span()).ok_or("[confirmed] must stand on a line of its own")?;
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut added = String::new();
    for (name, value) in new.lines() {
        let present = values.iter().find(|(key, _)| key.get_ref() == name);
        match (present, value) {
            (Some((_, old)), Some(value)) => edits.push((old.span(), value)),
            (Some((key, old)), None) => {
                edits.push((lines(text, key.span().start..old.span().end), String::new()));
            }
            (None, Some(value)) => added.extend([end, name, " = ", &value]),
            (None, None) => {}
        }
    }
    // New keys go after the last value, or after the header.
    let behind = values.iter().map(|(_, value)| value.span().end).max().unwrap_or(header);
    let behind = end_of_line(text, behind);
    edits.push((behind..behind, added));
    // From the last to the first, so that the offsets of those before stay right.
    edits.sort_by_key(|(range, _)| std::cmp::Reverse((range.start, range.end)));
    let mut edited = text.to_owned();
    for (range, value) in edits {
        edited.replace_range(range, &value);
    }
    valid(edited)
}

/// The edited file, if it is still valid TOML.
fn valid(edited: String) -> Result<String, String> {
    if is_valid(&edited) {
        Ok(edited)
    } else {
        Err("the edit would break the file: write its [confirmed] and `status` by hand".to_owned())
    }
}

/// The file with another `status`.
pub(crate) fn status(text: &str, listing: Listing) -> Result<String, String> {
    let (file, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err("the file is not valid TOML any more".to_owned());
    }
    let mut edited = text.to_owned();
    let find = |name: &str| file.get_ref().iter().find(|(key, _)| key.get_ref() == name);
    if let Some((_, old)) = find("status") {
        edited.replace_range(old.span(), &format!("\"{listing}\""));
        return valid(edited);
    }
    // Added below the id, which every file has above its tables.
    let (_, id) = find("id").ok_or("the file has no id")?;
    let end = end_of_line(text, id.span().end);
    edited.insert_str(end, &format!("{}status = \"{listing}\"", line_end(text)));
    valid(edited)
}

fn append(text: &str, new: &NewConfirmation, end: &str) -> String {
    let mut edited = text.to_owned();
    if !edited.ends_with('\n') {
        edited.push_str(end);
    }
    edited.push_str(end);
    edited.push_str("[confirmed]");
    edited.push_str(end);
    for (name, value) in new.lines() {
        if let Some(value) = value {
            edited.extend([name, " = ", &value, end]);
        }
    }
    edited
}

/// The lines of a range, with the line break before them and without the one after, so that text added there stays.
fn lines(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text[..range.start].rfind('\n').unwrap_or(0);
    let start = if text[..start].ends_with('\r') { start - 1 } else { start };
    start..end_of_line(text, range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = "name:00000001 licences:00000002 accepting:00000003 plans:00000004 visits:00000005";

    fn new() -> NewConfirmation {
        NewConfirmation {
            on: NaiveDate::from_ymd_opt(2026, 11, 22).unwrap(),
            by: Attester::Clinician,
            facts: Some(FACTS.parse().unwrap()),
            how: None,
        }
    }

    #[test]
    fn a_table_is_added_at_the_end() {
        let table = format!("[confirmed]\non = 2026-11-22\nby = \"clinician\"\nfacts = \"{FACTS}\"\n");
        assert_eq!(confirm("id = \"a\"\n", &new()).unwrap(), format!("id = \"a\"\n\n{table}"));
        assert_eq!(
            confirm("id = \"a\" # no end", &new()).unwrap(),
            format!("id = \"a\" # no end\n\n{table}")
        );
        let windows = confirm("id = \"a\"\r\n", &new()).unwrap();
        assert_eq!(windows, format!("id = \"a\"\r\n\r\n{}", table.replace('\n', "\r\n")));
    }

    #[test]
    fn only_the_values_of_the_table_change() {
        let before = "# ä\nid = \"a\"\n\n  [confirmed] # by whom\n# the day\non=2025-01-01 # a day\nhow = \"by telephone\"\nby   = 'clinic'\n\n[insurance]\nall = [] # [confirmed]\n";
        let after = format!(
            "# ä\nid = \"a\"\n\n  [confirmed] # by whom\n# the day\non=2026-11-22 # a day\nby   = \"clinician\"\nfacts = \"{FACTS}\"\n\n[insurance]\nall = [] # [confirmed]\n"
        );
        assert_eq!(confirm(before, &new()).unwrap(), after);
        // Once more changes nothing.
        assert_eq!(confirm(&after, &new()).unwrap(), after);
        let windows = confirm(&before.replace('\n', "\r\n"), &new()).unwrap();
        assert_eq!(windows, after.replace('\n', "\r\n"));
    }

    #[test]
    fn what_was_said_is_escaped_and_control_characters_are_refused() {
        let with =
            |how: &str| confirm("id = \"a\"\n", &NewConfirmation { how: Some(how.to_owned()), ..new() });
        let file = with(r#"She said "yes" \o/"#).unwrap();
        assert!(file.ends_with("how = \"She said \\\"yes\\\" \\\\o/\"\n"), "{file}");
        for how in ["a\nid = 1", "a\tb", "a\u{7f}"] {
            assert!(with(how).unwrap_err().contains("one plain line"), "{how:?}");
        }
    }

    #[test]
    fn a_status_is_exchanged_or_added_below_the_id() {
        let edit = |text: &str| status(text, Listing::Unconfirmed).unwrap();
        assert_eq!(edit("status='listed' # so\nid = \"a\"\n"), "status=\"unconfirmed\" # so\nid = \"a\"\n");
        assert_eq!(
            edit("id = \"a\" # x\r\nb = 1\r\n"),
            "id = \"a\" # x\r\nstatus = \"unconfirmed\"\r\nb = 1\r\n"
        );
        assert!(status("b = 1", Listing::Paused).is_err());
    }

    #[test]
    fn other_forms_of_the_table_are_refused() {
        for text in
            ["confirmed = { on = 2025-01-01 }\n", "confirmed.on = 2025-01-01\n", "confirmed = 1\n", "a = [\n"]
        {
            assert!(confirm(text, &new()).is_err(), "{text}");
        }
        let empty = confirm("[confirmed]", &new()).unwrap();
        assert_eq!(empty, format!("[confirmed]\non = 2026-11-22\nby = \"clinician\"\nfacts = \"{FACTS}\""));
    }
}

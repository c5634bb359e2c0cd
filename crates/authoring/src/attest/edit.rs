//! Edits `[confirmed]` or `status` in a clinician's file. Every other byte stays.

use chrono::NaiveDate;
use directory::model::{Attester, FactHashes, Listing};

use crate::edit::NewValue;
use crate::edit::list::line_end;
use crate::edit::text::{has_key, set, set_in_table};

#[derive(Debug, Clone)]
pub struct NewConfirmation {
    pub on: NaiveDate,
    pub by: Attester,
    /// The confirmed facts. They are unknown if the confirmation comes from another system.
    pub facts: Option<FactHashes>,
    pub how: Option<String>,
}

pub(super) fn set_confirmation(text: &str, new: &NewConfirmation) -> Result<String, String> {
    if new.how.as_ref().is_some_and(|how| how.contains(char::is_control)) {
        return Err("`how` has a line break, a tab or another control character: write it as one plain line"
            .to_owned());
    }
    let mut edited = text.to_owned();
    if !has_key(text, "confirmed")? {
        let line_end = line_end(text);
        let last_line_end = if text.ends_with('\n') { "" } else { line_end };
        edited.extend([last_line_end, line_end, "[confirmed]", line_end]);
    }
    for (key, value) in [
        ("on", Some(NewValue::Date(new.on))),
        ("by", Some(NewValue::Text(new.by.to_string()))),
        ("facts", new.facts.map(|facts| NewValue::Text(facts.to_string()))),
        ("how", new.how.clone().map(NewValue::Text)),
    ] {
        edited = set_in_table(&edited, ("confirmed", key), value.as_ref(), |_| true, &[])?;
    }
    Ok(edited)
}

pub(super) fn set_status(text: &str, listing: Listing) -> Result<String, String> {
    set(text, "status", &NewValue::Text(listing.to_string()), &["id"])
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = "name:00000001 licenses:00000002 accepting:00000003 plans:00000004 visits:00000005";

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
        assert_eq!(set_confirmation("id = \"a\"\n", &new()).unwrap(), format!("id = \"a\"\n\n{table}"));
        assert_eq!(
            set_confirmation("id = \"a\" # no end", &new()).unwrap(),
            format!("id = \"a\" # no end\n\n{table}")
        );
        let windows = set_confirmation("id = \"a\"\r\n", &new()).unwrap();
        assert_eq!(windows, format!("id = \"a\"\r\n\r\n{}", table.replace('\n', "\r\n")));
    }

    #[test]
    fn only_the_values_of_the_table_change() {
        let before = "# ä\nid = \"a\"\n\n  [confirmed] # by whom\n# the day\non=2025-01-01 # a day\nhow = \"by phone\"\nby   = 'clinic'\n\n[insurance]\nall = [] # [confirmed]\n";
        let after = format!(
            "# ä\nid = \"a\"\n\n  [confirmed] # by whom\n# the day\non=2026-11-22 # a day\nby   = \"clinician\"\nfacts = \"{FACTS}\"\n\n[insurance]\nall = [] # [confirmed]\n"
        );
        assert_eq!(set_confirmation(before, &new()).unwrap(), after);
        // A second time changes nothing.
        assert_eq!(set_confirmation(&after, &new()).unwrap(), after);
        let windows = set_confirmation(&before.replace('\n', "\r\n"), &new()).unwrap();
        assert_eq!(windows, after.replace('\n', "\r\n"));
    }

    #[test]
    fn how_is_escaped_and_cannot_have_control_characters() {
        let with = |how: &str| {
            set_confirmation("id = \"a\"\n", &NewConfirmation { how: Some(how.to_owned()), ..new() })
        };
        let file = with(r#"She said "yes" \o/"#).unwrap();
        assert!(file.ends_with("how = \"She said \\\"yes\\\" \\\\o/\"\n"), "{file}");
        for how in ["a\nid = 1", "a\tb", "a\u{7f}"] {
            assert!(with(how).unwrap_err().contains("one plain line"), "{how:?}");
        }
    }

    #[test]
    fn a_status_is_replaced_or_added_below_the_id() {
        let edit = |text: &str| set_status(text, Listing::Unconfirmed).unwrap();
        assert_eq!(edit("status='listed' # so\nid = \"a\"\n"), "status=\"unconfirmed\" # so\nid = \"a\"\n");
        assert_eq!(
            edit("id = \"a\" # x\r\nb = 1\r\n"),
            "id = \"a\" # x\r\nstatus = \"unconfirmed\"\r\nb = 1\r\n"
        );
        assert!(set_status("b = 1", Listing::Paused).is_err());
    }

    #[test]
    fn unusual_tables_are_edited_or_refused() {
        for text in ["confirmed.on = 2025-01-01\n", "confirmed = 1\n", "a = [\n"] {
            assert!(set_confirmation(text, &new()).is_err(), "{text}");
        }
        let braces = set_confirmation("confirmed = { on = 2025-01-01 } # so\n", &new()).unwrap();
        let table = format!("{{ on = 2026-11-22, by = \"clinician\", facts = \"{FACTS}\" }}");
        assert_eq!(braces, format!("confirmed = {table} # so\n"));
        let empty = set_confirmation("[confirmed]", &new()).unwrap();
        assert_eq!(empty, format!("[confirmed]\non = 2026-11-22\nby = \"clinician\"\nfacts = \"{FACTS}\""));
    }
}

//! The names of a bucket's keys. Those of lines of a feed are read by [`PartId`](directory::calendar::PartId).
//!
//! | key | what its value is |
//! |---|---|
//! | `<site>.p.<slug>` | the lines of one provider |
//! | `<site>.s.<id>` | a FHIR Schedule and the Slots that name it; other bytes than letters, digits, `-` and `_` as `=XX` |
//! | `<site>.beat` | what the site's writer confirms |

use std::fmt::Write as _;

use directory::calendar::is_site;

const BEAT: &str = "beat";

#[must_use]
pub fn provider_key(site: &str, slug: &str) -> String {
    format!("{site}.p.{slug}")
}

#[must_use]
pub fn schedule_key(site: &str, id: &str) -> String {
    let mut key = format!("{site}.s.");
    for byte in id.bytes() {
        if is_plain(byte) {
            key.push(char::from(byte));
        } else {
            // Writing into a String cannot fail.
            _ = write!(key, "={byte:02X}");
        }
    }
    key
}

#[must_use]
pub fn beat_key(site: &str) -> String {
    format!("{site}.{BEAT}")
}

/// The site that a key belongs to, also if the rest of its name is wrong.
pub(super) fn site_of(key: &str) -> Option<&str> {
    key.split_once('.').map(|(site, _)| site).filter(|site| is_site(site))
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use directory::calendar::{FeedLimits, PartId};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_key_outside_the_layout_is_none_of_a_site() {
        for (key, site) in
            [("ehr.beat", Some("ehr")), ("ehr.x.a", Some("ehr")), ("Ehr.beat", None), ("ehr", None)]
        {
            assert_eq!(site_of(key), site, "{key}");
        }
        for key in ["", "_content", "ehr", "Ehr.p.a", "ehr._content", "ehr.x.a", "ehr.beat", "ehr.beat.a"] {
            assert!(PartId::key(key).is_err(), "{key}");
        }
    }

    proptest! {
        #[test]
        fn any_id_of_a_schedule_is_read_back(id in "\\PC{1,40}") {
            let key = schedule_key("ehr", &id);
            prop_assert!(key.bytes().all(|byte| is_plain(byte) || matches!(byte, b'=' | b'.')));
            // A value about this Schedule is right for the key.
            let line = serde_json::json!({"resourceType": "Schedule", "id": id}).to_string();
            let value = PartId::key(&key).unwrap().read(&line, &FeedLimits::default());
            prop_assert!(value.is_ok(), "{:?}", value);
        }
    }
}

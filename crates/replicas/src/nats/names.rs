//! The names of a bucket's keys. Those of lines of a feed are read by [`PartId`](directory::calendar::PartId).
//!
//! | key | what its value is |
//! |---|---|
//! | `<site>.p.<slug>` | the lines of one provider |
//! | `<site>.s.<id>` | a FHIR Schedule and the Slots that name it; other bytes than letters, digits, `-` and `_` as `=XX` |
//! | `<site>.beat` | what the site's writer confirms |

use directory::calendar::is_site;

const BEAT: &str = "beat";

#[must_use]
pub fn beat_key(site: &str) -> String {
    format!("{site}.{BEAT}")
}

/// The site that a key belongs to, also if the rest of its name is wrong.
pub(super) fn site_of(key: &str) -> Option<&str> {
    key.split_once('.').map(|(site, _)| site).filter(|site| is_site(site))
}

#[cfg(test)]
mod tests {
    use directory::calendar::PartId;

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
}

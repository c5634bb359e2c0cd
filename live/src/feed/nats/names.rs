//! The names of a bucket's keys.
//!
//! | key | what its value is |
//! |---|---|
//! | `<site>.p.<slug>` | the lines of one provider |
//! | `<site>.s.<id>` | a FHIR Schedule and the Slots that name it; other bytes than letters, digits, `-` and `_` as `=XX` |
//! | `<site>.beat` | what the site's writer confirms |
//! | `_content` | the number of the newest release of the content |

use std::fmt::Write as _;

use directory::model::Slug;

use crate::feed::nats_options::is_site;

/// The key of the content's newest release.
pub(super) const CONTENT: &str = "_content";
const BEAT: &str = "beat";

/// What a key is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum KeyName<'a> {
    Provider { site: &'a str, slug: &'a str },
    Schedule { site: &'a str, id: String },
    Beat { site: &'a str },
    Content,
}

impl<'a> KeyName<'a> {
    /// Reads a key's name, or says why it is none of the layout's.
    pub(super) fn of(key: &'a str) -> Result<Self, &'static str> {
        if key == CONTENT {
            return Ok(Self::Content);
        }
        let (site, rest) = key.split_once('.').ok_or("it does not begin with a site and a dot")?;
        if !is_site(site) {
            return Err("it does not begin with the name of a site");
        }
        match rest.split_once('.') {
            None if rest == BEAT => Ok(Self::Beat { site }),
            Some(("p", slug)) if slug.parse::<Slug>().is_ok() => Ok(Self::Provider { site, slug }),
            Some(("p", _)) => Err("what follows p. is not a valid slug"),
            Some(("s", id)) => unescape(id).map(|id| Self::Schedule { site, id }).ok_or(
                "what follows s. is not a Schedule's id with = and two hexadecimal digits for other bytes",
            ),
            _ => Err("after the site it has neither p. nor s. nor beat"),
        }
    }
}

/// The key of a provider's lines.
#[must_use]
pub fn provider_key(site: &str, slug: &str) -> String {
    format!("{site}.p.{slug}")
}

/// The key of a Schedule and its Slots.
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

/// The key of a site's beat.
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

fn unescape(text: &str) -> Option<String> {
    let mut id = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'=' {
            let digits = [bytes.next()?, bytes.next()?];
            if !digits.iter().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F')) {
                return None;
            }
            id.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else if is_plain(byte) {
            id.push(byte);
        } else {
            return None;
        }
    }
    String::from_utf8(id).ok().filter(|id| !id.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_kind_of_key_is_read() {
        let schedule = |id: &str| Ok(KeyName::Schedule { site: "ehr", id: id.to_owned() });
        for (key, is) in [
            ("_content", Ok(KeyName::Content)),
            ("ehr.beat", Ok(KeyName::Beat { site: "ehr" })),
            ("ehr.p.jane-doe", Ok(KeyName::Provider { site: "ehr", slug: "jane-doe" })),
            ("ehr.s.17", schedule("17")),
            ("ehr.s.a=2Eb=C3=A4", schedule("a.bä")),
        ] {
            assert_eq!(KeyName::of(key), is, "{key}");
        }
        for key in [
            "",
            "ehr",
            "Ehr.beat",
            "ehr.p.",
            "ehr.p.Jane",
            "ehr.s.",
            "ehr.s.=2e",
            "ehr.s.=2",
            "ehr.s.=FF",
            "ehr.x.a",
            "ehr.beat.a",
        ] {
            assert!(KeyName::of(key).is_err(), "{key}");
        }
    }

    proptest! {
        #[test]
        fn any_id_of_a_schedule_is_read_back(id in "\\PC{1,40}") {
            let key = schedule_key("ehr", &id);
            prop_assert!(key.bytes().all(|byte| is_plain(byte) || matches!(byte, b'=' | b'.')));
            prop_assert_eq!(KeyName::of(&key), Ok(KeyName::Schedule { site: "ehr", id }));
        }
    }
}

//! The parts of a feed (files, the keys of a bucket, calendars), and what a source says about them. A key is named
//! `<site>.p.<slug>` or `<site>.s.<Schedule id>`.

use std::collections::BTreeSet;
use std::sync::Arc;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use super::super::FeedLimits;
use super::super::error::FeedError;
use super::super::file::FeedFile;
use super::super::line::Owner;
use super::age::AsOf;
use crate::calendar::Instant;
use crate::model::Slug;

const MAX_SITE: usize = 32;

/// A part of a feed. Its name is unique in the feed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PartId {
    pub(super) name: Arc<str>,
    pub(super) writer: Arc<str>,
    /// Whose time alone a key or a calendar has; a file may have anyone's.
    owner: Option<Owner<'static>>,
}

/// What a source says. It judges nothing.
#[derive(Debug, Clone)]
pub enum Event {
    /// A part has another text, or one that cannot be read.
    PartChanged {
        part: PartId,
        text: Result<Arc<FeedFile>, BadText>,
    },
    PartGone {
        part: PartId,
    },
    /// There are these writers alone; all others are gone.
    Writers {
        all: BTreeSet<Arc<str>>,
    },
    /// A writer has these parts alone; all others are gone.
    Complete {
        writer: Arc<str>,
        parts: BTreeSet<Arc<str>>,
    },
    /// The writer's parts were true at this time, except for those that are late.
    Beat {
        writer: Arc<str>,
        as_of: AsOf,
        late: Vec<Late>,
    },
    /// The writer's parts could not be looked at, and grow old.
    Failed {
        writer: Arc<str>,
        why: String,
    },
    /// The writer's parts cannot be used, whatever their age.
    Unusable {
        writer: Arc<str>,
        why: String,
    },
}

/// A part whose data is older than the beat that names it, or a fault of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    pub part: Arc<str>,
    /// The time of its data; left out, that of the last beat that did not name it.
    pub as_of: Option<Instant>,
    pub why: String,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum BadText {
    #[error(transparent)]
    Lines(#[from] FeedError),
    #[error("{0}")]
    Other(String),
}

impl From<String> for BadText {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

impl From<BadText> for String {
    fn from(why: BadText) -> Self {
        why.to_string()
    }
}

impl PartId {
    pub fn file(writer: &Arc<str>, name: Arc<str>) -> Self {
        Self { name, writer: Arc::clone(writer), owner: None }
    }

    pub fn calendar(slug: &Slug, name: Arc<str>) -> Self {
        let owner = Owner::Provider(slug.to_string().into());
        Self { writer: Arc::clone(&name), name, owner: Some(owner) }
    }

    /// Reads the name of a key. In the id of a Schedule, `=XX` stands for another byte than a letter, a digit, `-` or `_`.
    /// These four are never written as `=XX`, so each id has one name: of two names, one key would replace the other's busy
    /// time.
    pub fn key(name: &str) -> Result<Self, &'static str> {
        let (site, rest) = name.split_once('.').ok_or("it doesn't begin with a site and a dot")?;
        if !is_site(site) {
            return Err("it doesn't begin with the name of a site");
        }
        let owner = match rest.split_once('.') {
            Some(("p", slug)) if slug.parse::<Slug>().is_ok() => Owner::Provider(slug.to_owned().into()),
            Some(("p", _)) => return Err("what follows p. isn't a valid slug"),
            Some(("s", id)) => {
                let why = "what follows s. isn't a Schedule's id with = and two hexadecimal digits for each byte \
                    other than a letter, a digit, - or _";
                Owner::Schedule(unescaped(id).ok_or(why)?.into())
            }
            _ => return Err("after the site, it has neither p. nor s. nor beat"),
        };
        Ok(Self { name: name.into(), writer: site.into(), owner: Some(owner) })
    }

    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub fn writer(&self) -> &Arc<str> {
        &self.writer
    }

    /// Whether it may be about anyone.
    pub fn is_file(&self) -> bool {
        self.owner.is_none()
    }

    pub fn calendar_of(&self) -> Option<&str> {
        match self.owner() {
            Some(Owner::Provider(slug)) if self.is_calendar() => Some(slug),
            _ => None,
        }
    }

    /// Whether it is its own writer, about one clinician alone.
    pub(super) fn is_calendar(&self) -> bool {
        self.owner.is_some() && self.name == self.writer
    }

    pub(super) fn owner(&self) -> Option<&Owner<'static>> {
        self.owner.as_ref()
    }

    /// Reads its text. A part about one owner alone may name no other.
    pub fn read(&self, text: &str, limits: &FeedLimits) -> Result<Arc<FeedFile>, BadText> {
        let file = FeedFile::read(&self.name, text, limits)?;
        let Some(own) = self.owner() else { return Ok(Arc::new(file)) };
        let described = file.schedules.keys().map(|id| Owner::Schedule(id.as_str().into()));
        let named = file.owners.iter().map(|named| named.owner.clone());
        match named.chain(described).find(|owner| owner != own).map(|other| other.to_string()) {
            None => Ok(Arc::new(file)),
            Some(other) => Err(BadText::Other(format!(
                "a line is about {other}, which this key doesn't hold: write the line to the key of {other}"
            ))),
        }
    }
}

pub fn is_site(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_SITE).contains(&text.len()) && text.bytes().all(is_letter)
}

pub fn not_a_site(text: &str) -> String {
    format!("\"{text}\" isn't a valid site: use 1 to {MAX_SITE} lowercase letters, digits and hyphens")
}

impl Owner<'_> {
    /// The name of its key, without the site: `p.<slug>` or `s.<Schedule id>`.
    pub(in super::super) fn key(&self) -> String {
        match self {
            Self::Provider(slug) => format!("p.{slug}"),
            Self::Schedule(id) => format!("s.{}", escaped(id)),
        }
    }
}

fn escaped(id: &str) -> String {
    const SPECIAL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');
    utf8_percent_encode(id, SPECIAL).to_string().replace('%', "=")
}

fn unescaped(text: &str) -> Option<String> {
    let encoded = text.replace('=', "%");
    let id = percent_decode_str(&encoded).decode_utf8().ok()?;
    (!id.is_empty() && escaped(&id) == text).then(|| id.into_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::FeedMode;
    use super::*;

    #[test]
    fn both_kinds_of_keys_are_read() {
        for (name, site, owner) in [
            ("a-1.p.jane-doe", "a-1", Owner::Provider("jane-doe".into())),
            ("a.s.17", "a", Owner::Schedule("17".into())),
            ("a.s.1=2E5=C3=A9_-", "a", Owner::Schedule("1.5é_-".into())),
        ] {
            let key = PartId::key(name).unwrap();
            assert_eq!((&**key.name(), &**key.writer(), key.owner()), (name, site, Some(&owner)));
        }
    }

    #[test]
    fn other_names_are_refused_with_the_reason() {
        for (name, why) in [
            ("", "it doesn't begin with a site and a dot"),
            ("a", "it doesn't begin with a site and a dot"),
            ("_content", "it doesn't begin with a site and a dot"),
            (".p.b", "it doesn't begin with the name of a site"),
            ("A.p.b", "it doesn't begin with the name of a site"),
            ("a.beat", "after the site, it has neither p. nor s. nor beat"),
            ("a.x.b", "after the site, it has neither p. nor s. nor beat"),
            ("a.p.", "what follows p. isn't a valid slug"),
            ("a.p.Jane", "what follows p. isn't a valid slug"),
            ("a.s.", "what follows s. isn't"),
            ("a.s.b.c", "what follows s. isn't"),
            ("a.s.=2", "what follows s. isn't"),
            ("a.s.=2e", "what follows s. isn't"),
            ("a.s.=+1", "what follows s. isn't"),
            ("a.s.=FF", "what follows s. isn't"),
            // The Schedule A has the name a.s.A alone.
            ("a.s.=41", "what follows s. isn't"),
            ("a.s.1=2D", "what follows s. isn't"),
            ("a.s.=5F", "what follows s. isn't"),
        ] {
            let refused = PartId::key(name).unwrap_err();
            assert!(refused.starts_with(why), "{name}: {refused}");
        }
    }

    #[test]
    fn a_site_has_up_to_32_plain_letters() {
        for site in ["a", "larkspur", "ehr-2", &"a".repeat(32)] {
            assert!(is_site(site), "{site}");
        }
        for site in ["", "A", "a.b", "a_b", "ä", &"a".repeat(33)] {
            assert!(!is_site(site), "{site}");
        }
    }

    const BUSY: &str = r#""start": "2026-12-01T16:00:00Z", "end": "2026-12-01T16:30:00Z", "status": "busy"}"#;

    fn line(slug: &str) -> String {
        format!(r#"{{"provider": "{slug}", {BUSY}"#)
    }

    fn slot(id: &str) -> String {
        format!(r#"{{"resourceType": "Slot", "schedule": {{"reference": "Schedule/{id}"}}, {BUSY}"#)
    }

    fn schedule(id: &str) -> String {
        format!(
            r#"{{"resourceType": "Schedule", "id": "{id}", "actor": [{{"reference": "Practitioner/1"}}]}}"#
        )
    }

    fn read(key: &str, text: &str) -> Result<usize, String> {
        let file = PartId::key(key).unwrap().read(text, &FeedLimits::default());
        file.map(|file| file.starts(FeedMode::Busy).count()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_value_is_about_its_keys_owner_alone() {
        assert_eq!(read("a.p.jane-doe", &line("jane-doe")), Ok(1));
        assert_eq!(read("a.p.jane-doe", ""), Ok(0));
        assert_eq!(read("a.s.b=2E1", &format!("{}\n{}", schedule("b.1"), slot("b.1"))), Ok(1));
        for (key, text, other) in [
            ("a.p.sam-roe", line("jane-doe"), "provider jane-doe"),
            ("a.p.jane-doe", format!("{}\n{}", line("jane-doe"), slot("17")), "Schedule 17"),
            ("a.p.jane-doe", schedule("17"), "Schedule 17"),
            ("a.s.18", slot("17"), "Schedule 17"),
            ("a.s.18", schedule("17"), "Schedule 17"),
            ("a.s.17", line("jane-doe"), "provider jane-doe"),
        ] {
            let why = format!(
                "a line is about {other}, which this key doesn't hold: write the line to the key of {other}"
            );
            assert_eq!(read(key, &text), Err(why), "{key}");
        }
    }

    proptest! {
        #[test]
        fn any_id_of_a_schedule_is_read_back(id in "\\PC{1,40}") {
            let key = format!("ehr.{}", Owner::Schedule(id.as_str().into()).key());
            prop_assert!(key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'=' | b'.')));
            // A value about this Schedule is right for the key.
            let line = serde_json::json!({"resourceType": "Schedule", "id": id}).to_string();
            let value = PartId::key(&key).unwrap().read(&line, &FeedLimits::default());
            prop_assert!(value.is_ok(), "{:?}", value);
        }
    }

    #[test]
    fn a_bad_line_is_named_with_the_key() {
        let error = read("a.p.jane-doe", "nonsense").unwrap_err();
        assert!(error.starts_with("a.p.jane-doe:1:1: this isn't a JSON object"), "{error}");
    }
}

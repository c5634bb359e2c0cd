//! A key's value, and what happens to a key.

use std::sync::Arc;

use super::super::super::instant::Instant;
use super::super::file::FeedFile;
use super::super::line::Owner;
use super::super::{FeedLimits, FeedMode};
use super::key::SlotKey;

/// A key with its value: lines that are all about the key's provider or Schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyValue {
    key: SlotKey,
    file: Arc<FeedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyChange {
    Put(KeyValue),
    Delete(SlotKey),
}

impl KeyValue {
    pub fn read(key: SlotKey, text: &str, limits: &FeedLimits) -> Result<Self, String> {
        let file = FeedFile::read(key.name(), text, limits).map_err(|error| error.to_string())?;
        let other = file.owners.iter().map(|named| &named.owner).find(|owner| **owner != key.owner);
        let described = file.schedules.keys().map(|id| Owner::Schedule(id.into()));
        if let Some(other) = other.cloned().or_else(|| described.into_iter().find(|it| *it != key.owner)) {
            return Err(format!(
                "a line is about {other}, which this key does not hold: write the line into the key of {other}"
            ));
        }
        // An entry has the number of its list in 16 bits.
        if file.type_lists.len() >= usize::from(u16::MAX) {
            return Err("its slots name too many different lists of types: list fewer months".to_owned());
        }
        Ok(Self { key, file: Arc::new(file) })
    }

    #[must_use]
    pub fn key(&self) -> &SlotKey {
        &self.key
    }

    #[must_use]
    pub fn file(&self) -> &Arc<FeedFile> {
        &self.file
    }
}

impl KeyChange {
    #[must_use]
    pub fn key(&self) -> &SlotKey {
        match self {
            Self::Put(value) => &value.key,
            Self::Delete(key) => key,
        }
    }

    /// The lines of its new value; none if it is deleted.
    #[must_use]
    pub fn file(&self) -> Option<&Arc<FeedFile>> {
        match self {
            Self::Put(value) => Some(&value.file),
            Self::Delete(_) => None,
        }
    }

    /// The starts of its entries that count in a mode; `None` if it is deleted.
    #[must_use]
    pub fn starts(&self, mode: FeedMode) -> Option<impl Iterator<Item = Instant>> {
        self.file().map(|file| file.starts(mode))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let value = KeyValue::read(SlotKey::parse(key).unwrap(), text, &FeedLimits::default())?;
        Ok(value.file().starts(FeedMode::Busy).count())
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
                "a line is about {other}, which this key does not hold: write the line into the key of {other}"
            );
            assert_eq!(read(key, &text), Err(why), "{key}");
        }
    }

    #[test]
    fn a_bad_line_is_named_with_the_key() {
        let error = read("a.p.jane-doe", "nonsense").unwrap_err();
        assert!(error.starts_with("a.p.jane-doe:1:1: this is not a JSON object"), "{error}");
    }
}

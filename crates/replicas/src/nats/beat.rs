//! A site's beat: what its writer confirms.

use std::collections::BTreeMap;

use directory::calendar::{FeedMode, Instant};
use serde::{Deserialize, Serialize};

use super::keys::Sum;

/// The value of `<site>.beat`. `asOf` and `mode` are required; the other fields are optional.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Beat {
    /// When the site's data was true.
    pub as_of: Instant,
    /// `busy` or `open`.
    pub mode: String,
    /// The seconds between two beats.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<u64>,
    /// The XOR of their hashes, as 16 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sum: Option<String>,
    /// Keys without the site, such as `p.jane-doe`, whose data is older.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub late: BTreeMap<String, Instant>,
}

impl Beat {
    pub fn read(value: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(value).map_err(|error| format!("this isn't a valid beat: {error}"))
    }

    pub fn text(&self) -> String {
        // A map of texts always has a text in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn is_of(&self, mode: FeedMode) -> bool {
        self.mode == mode.word()
    }

    /// Whether the writer has these keys, as far as the beat says.
    pub(super) fn agrees_with(&self, sum: Sum) -> bool {
        self.keys.is_none_or(|keys| keys == sum.keys)
            && self.sum.as_ref().is_none_or(|text| text.eq_ignore_ascii_case(&sum.hex()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::busy_beat;
    use super::*;

    #[test]
    fn a_beat_is_read_back() {
        let mut sum = Sum::default();
        sum.change(None, Some(0xabc));
        let late = [("p.jane-doe".to_owned(), "2026-11-22T11:00:00Z".parse().unwrap())].into();
        let beat = Beat { late, ..busy_beat(sum) };
        assert_eq!(
            beat.text(),
            "{\"asOf\":\"2026-11-22T12:00:00Z\",\"mode\":\"busy\",\"every\":10,\"keys\":1,\"sum\":\"0000000000000abc\",\
             \"late\":{\"p.jane-doe\":\"2026-11-22T11:00:00Z\"}}"
        );
        assert_eq!(Beat::read(beat.text().as_bytes()), Ok(beat.clone()));
        assert!(beat.agrees_with(sum) && beat.is_of(FeedMode::Busy) && !beat.is_of(FeedMode::Open));
        sum.change(None, Some(1));
        assert!(!beat.agrees_with(sum));
    }

    #[test]
    fn a_short_beat_says_nothing_of_the_keys() {
        let beat = Beat::read(br#"{"asOf": "2026-11-22T12:00:00.5Z", "mode": "open"}"#).unwrap();
        assert!(beat.agrees_with(Sum { keys: 7, xor: 7 }));
        for wrong in
            ["", "[]", "{}", r#"{"asOf": "today", "mode": "open"}"#, r#"{"asOf": "2026-11-22T12:00:00Z"}"#]
        {
            let error = Beat::read(wrong.as_bytes()).unwrap_err();
            assert!(error.starts_with("this isn't a valid beat: "), "{error}");
        }
    }
}

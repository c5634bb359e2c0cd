//! A release: the file that gives a bundle its number.

use chrono::{DateTime, Utc};
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::signature::{Mistrust, PublicKey, Seed, Signature};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    pub number: u64,
    pub generation: String,
    pub sha256: String,
    pub bytes: u64,
    /// The size of the bundle without compression.
    pub unpacked: u64,
    pub by: String,
    pub at: DateTime<Utc>,
    #[serde(skip)]
    pub signed: Option<Box<Signed>>,
}

/// The signature of a release, and the line of the file that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signed {
    line: String,
    signature: Signature,
}

impl Release {
    pub fn file(number: u64) -> String {
        format!("releases/{number:020}.json")
    }

    pub fn number_in(name: &str) -> Option<u64> {
        let number = name.strip_suffix(".json")?.parse().ok()?;
        (Self::file(number) == format!("releases/{name}")).then_some(number)
    }

    pub fn bundle(&self) -> String {
        format!("bundles/{}.tar.gz", self.sha256)
    }

    pub fn has_content_of(&self, other: &Self) -> bool {
        let content = |release: &Self| {
            (release.generation.clone(), release.sha256.clone(), release.bytes, release.unpacked)
        };
        content(self) == content(other)
    }

    /// The file: the release in JSON, and its signature in a second line if it is signed.
    pub fn to_text(&self) -> String {
        match self.signed.as_deref() {
            Some(Signed { line, signature }) => format!("{line}\n{signature}\n"),
            None => format!("{}\n", self.to_json()),
        }
    }

    pub fn sign(mut self, seed: &Seed) -> Result<Self, String> {
        let line = self.to_json();
        let signature = seed.sign(&line)?;
        self.signed = Some(Box::new(Signed { line, signature }));
        Ok(self)
    }

    /// Returns the release if one of `keys` signed it, or if `keys` is empty.
    pub fn trusted(self, keys: &[PublicKey]) -> Result<Self, String> {
        let (number, all) =
            (self.number, keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
        match self.signed.as_deref() {
            _ if keys.is_empty() => Ok(self),
            None => Err(format!(
                "release {number} isn't signed, but content-key requires a signature by {all}: publish the content again \
                 with --sign-key"
            )),
            Some(Signed { line, signature }) => match signature.verify(line, keys) {
                Ok(()) => Ok(self),
                Err(Mistrust::OtherKey(key)) => Err(format!(
                    "release {number} is signed with {key}, but content-key requires {all}: publish the content again with the \
                     seed of that key, or correct content-key"
                )),
                Err(Mistrust::OtherText) => Err(format!(
                    "the signature of release {number} is invalid: its file was changed after it was signed. Find out who \
                     changed it, then publish the content again"
                )),
            },
        }
    }

    fn to_json(&self) -> String {
        json!(self).to_string()
    }

    pub fn refused(number: u64, what: &str) -> String {
        format!("{} isn't a nameplate release: {what}", Self::file(number))
    }

    pub fn read(number: u64, bytes: &[u8]) -> Result<Self, String> {
        let wrong = |what: &str| Self::refused(number, what);
        let text_of_file = std::str::from_utf8(bytes).map_err(|_| wrong("it isn't UTF-8 text"))?;
        let (line, second) = text_of_file.split_once('\n').unwrap_or((text_of_file, ""));
        let mut release: Self = serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
        if release.number != number {
            return Err(wrong("it has the number of another release"));
        }
        let is_hex = |text: &str, digits| text.len() == digits && HEXLOWER.decode(text.as_bytes()).is_ok();
        if !is_hex(&release.generation, 16) {
            return Err(wrong("\"generation\" isn't 16 hexadecimal digits"));
        }
        if !is_hex(&release.sha256, 64) {
            return Err(wrong("\"sha256\" isn't 64 hexadecimal digits"));
        }
        if !second.trim_end().is_empty() {
            let signature = Signature::read(second.trim_end())
                .map_err(|why| wrong(&format!("its second line isn't a signature: {why}")))?;
            release.signed = Some(Box::new(Signed { line: line.to_owned(), signature }));
        }
        Ok(release)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_read_as_it_was_written_and_other_files_are_refused() {
        let release = Release {
            number: 7,
            generation: "0123456789abcdef".to_owned(),
            sha256: "ab".repeat(32),
            bytes: 10,
            unpacked: 100,
            by: "ann".to_owned(),
            at: "2026-11-26T08:59:50.250Z".parse().unwrap(),
            signed: None,
        };
        let json = release.to_text();
        assert_eq!(Release::read(7, json.as_bytes()).unwrap(), release);
        let older = json.replace('{', "{\"from\":\"2026-11-26T09:00:00Z\",\"previous\":null,");
        assert_eq!(Release::read(7, older.as_bytes()).unwrap(), release, "keys that are no longer written");
        assert_eq!(Release::file(7), "releases/00000000000000000007.json");
        assert_eq!(Release::number_in("00000000000000000007.json"), Some(7));
        for name in [
            "7.json",
            "0000000000000000000a.json",
            "00000000000000000007.json#1",
            "+0000000000000000007.json",
        ] {
            assert_eq!(Release::number_in(name), None, "{name}");
        }
        for (from, to, why) in [
            ("{", "", "isn't a nameplate release"),
            ("\"number\":7", "\"number\":8", "the number of another release"),
            ("0123456789abcdef", "0123456789ABCDEF", "16 hexadecimal digits"),
            ("abab", "../a", "64 hexadecimal digits"),
            ("\"bytes\"", "\"size\"", "missing field `bytes`"),
            ("\"bytes\":10", "\"bytes\":-10", "invalid value: integer `-10`"),
            ("2026-11-26T08", "tomorrow", "isn't a nameplate release"),
        ] {
            let refused = Release::read(7, json.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
    }
}

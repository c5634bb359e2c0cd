//! Codes by which a clinician without an account confirms: `jane-doe.20261122.4AJG66WQD5HHKJV4`.
//!
//! The last part is 80 bits of an HMAC over the slug, the day and the facts. Only the clinic can make a code, so a code
//! that comes back was sent to the clinician. Other facts or another day give another code.

use std::sync::LazyLock;

use chrono::{Days, NaiveDate};
use data_encoding::{BASE32, Encoding, Specification};
use directory::model::FactHashes;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub const KEY: &str = "NAMEPLATE_CONFIRM_KEY";
/// The shortest secret, in bytes.
const SHORTEST: usize = 16;
/// How long a code is accepted.
const VALID: Days = Days::new(30);
/// The bytes of the HMAC in a code.
const BYTES: usize = 10;
/// Crockford's digits: without I, L, O and U. Letters that look like a digit count as that digit.
static DIGITS: LazyLock<Encoding> = LazyLock::new(|| {
    let mut digits = Specification::new();
    digits.symbols.push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    digits.translate.from.push_str("abcdefghjkmnpqrstvwxyzOoIiLl");
    digits.translate.to.push_str("ABCDEFGHJKMNPQRSTVWXYZ001111");
    digits.encoding().unwrap_or(BASE32)
});

pub struct Key(Hmac<Sha256>);

impl Key {
    /// Reads the secret from the environment; `None` if it is not set.
    pub fn from_environment() -> Result<Option<Self>, String> {
        let secret = std::env::var(KEY).ok();
        // A workflow without the secret sets an empty variable.
        secret.filter(|secret| !secret.is_empty()).map(|secret| Self::of(&secret)).transpose()
    }

    fn of(secret: &str) -> Result<Self, String> {
        if secret.len() < SHORTEST {
            return Err(format!(
                "{KEY} has {} bytes, and needs at least {SHORTEST}: `openssl rand -hex 20` makes one",
                secret.len()
            ));
        }
        Hmac::new_from_slice(secret.as_bytes()).map(Self).map_err(|error| error.to_string())
    }

    fn mac(&self, slug: &str, on: NaiveDate, facts: &FactHashes) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(format!("{slug}\n{on}\n{facts}").as_bytes());
        mac
    }

    pub fn code(&self, slug: &str, on: NaiveDate, facts: &FactHashes) -> String {
        let mac = self.mac(slug, on, facts).finalize().into_bytes();
        format!("{slug}.{}.{}", on.format("%Y%m%d"), DIGITS.encode(&mac[..BYTES]))
    }
}

/// A code as it came back, not yet verified.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub slug: String,
    pub on: NaiveDate,
    mac: [u8; BYTES],
    /// The beginning of the HMAC's digits, which the clinician's file records.
    pub short: String,
}

impl Answer {
    /// The codes in a text. An error is a word that looks like a code but is incomplete.
    pub(super) fn in_text(text: &str) -> impl Iterator<Item = Result<Self, &str>> {
        text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.'))
            .filter_map(|word| Self::of(word.trim_matches('.')))
    }

    fn of(word: &str) -> Option<Result<Self, &str>> {
        let mut parts = word.rsplitn(3, '.');
        let (mac, day, slug) = (parts.next()?, parts.next()?, parts.next()?);
        let on = (day.len() == 8).then(|| NaiveDate::parse_from_str(day, "%Y%m%d").ok())??;
        if slug.is_empty() {
            return None;
        }
        let decoded = DIGITS.decode(mac.as_bytes()).ok();
        let Some(mac): Option<[u8; BYTES]> = decoded.and_then(|mac| mac.try_into().ok()) else {
            return Some(Err(word));
        };
        let short = DIGITS.encode(&mac).chars().take(8).collect();
        Some(Ok(Self { slug: slug.to_lowercase(), on, mac, short }))
    }

    /// Why the code is refused; `None` if it is accepted.
    pub(super) fn refusal(&self, key: &Key, facts: &FactHashes, today: NaiveDate) -> Option<String> {
        let is_genuine = key.mac(&self.slug, self.on, facts).verify_truncated_left(&self.mac).is_ok();
        if !is_genuine {
            Some(
                "it is forged, its facts have changed since, or it was made with another key: ask again"
                    .to_owned(),
            )
        } else if self.on > today {
            Some(format!("it is of {}, and today is {today}: correct this machine's clock", self.on))
        } else if self.on.checked_add_days(VALID).is_some_and(|until| until < today) {
            Some(format!("it is of {}, more than 30 days ago: ask again", self.on))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: &str = "name:569a913d licences:e72ced97 accepting:0b2da66a plans:24caf1f7 visits:07720cc2";

    fn day(day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
    }

    /// The digits were computed with Python's hmac and base64 modules.
    #[test]
    fn a_code_is_an_hmac_of_slug_day_and_facts() {
        let key = Key::of("an example secret").unwrap();
        let code = key.code("jane-doe", day(22), &FACTS.parse().unwrap());
        assert_eq!(code, "jane-doe.20261122.V099NFDWY35VDJGV");
    }

    #[test]
    fn a_code_is_accepted_for_its_facts_and_for_thirty_days() {
        let (key, facts) = (Key::of("an example secret").unwrap(), FACTS.parse().unwrap());
        let code = key.code("jane-doe", day(2), &facts);
        let one = |text: &str| Answer::in_text(text).next().unwrap().map_err(str::to_owned).unwrap();
        let answer = one(&format!("Re: Yes {code}."));
        assert_eq!((answer.slug.as_str(), answer.on), ("jane-doe", day(2)));
        assert_eq!(answer.refusal(&key, &facts, day(2)), None);
        assert_eq!(answer.refusal(&key, &facts, NaiveDate::from_ymd_opt(2026, 12, 2).unwrap()), None);
        let late = answer.refusal(&key, &facts, NaiveDate::from_ymd_opt(2026, 12, 3).unwrap());
        assert!(late.unwrap().contains("30 days ago"));
        assert!(answer.refusal(&key, &facts, day(1)).unwrap().contains("clock"));
        let others = FACTS.replace("24caf1f7", "24caf1f8").parse().unwrap();
        assert!(answer.refusal(&key, &others, day(2)).unwrap().contains("forged"));
        let other = Key::of("an example sekret").unwrap();
        assert!(answer.refusal(&other, &facts, day(2)).is_some());
        // Of another clinician.
        let moved = one(&code.replace("jane-doe", "ann-lee"));
        assert!(moved.refusal(&key, &facts, day(2)).is_some());
        assert_eq!(one(&code.to_lowercase()), one(&code));
    }

    #[test]
    fn other_texts_are_no_codes() {
        for text in [
            "",
            "yes",
            "jane-doe.20261122",
            "jane-doe.20261322.4AJG66WQD5HHKJV4",
            ".20261122.4AJG66WQD5HHKJV4",
        ] {
            assert_eq!(Answer::in_text(text).count(), 0, "{text}");
        }
        // One with a letter that no code has, and one that was cut.
        for word in ["jane-doe.20261122.4AJG66WQD5HHKJVU", "jane-doe.20261122.4AJG66WQD5HHKJV"] {
            let text = format!("yes {word}, and jane-doe.20261122.4AJG66WQD5HHKJV4");
            let found: Vec<_> =
                Answer::in_text(&text).map(|answer| answer.map(|answer| answer.slug)).collect();
            assert_eq!(found, [Err(word), Ok("jane-doe".to_owned())]);
        }
        assert!(Key::of("short").is_err());
    }
}

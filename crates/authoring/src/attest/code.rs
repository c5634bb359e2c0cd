//! Codes with which a clinician without an account can confirm, such as `jane-doe.20261122.4AJG66WQD5HHKJV4`. The last part
//! is 80 bits of an HMAC over the slug, the date and the facts. Only the clinic can create it.

use std::sync::LazyLock;

use chrono::{Days, NaiveDate};
use data_encoding::{BASE32, Encoding, Specification};
use directory::model::FactHashes;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

pub const KEY_VARIABLE: &str = "NAMEPLATE_CONFIRM_KEY";
const SHORTEST_SECRET: usize = 16;
const VALIDITY: Days = Days::new(30);
const MAC_LENGTH: usize = 10;
/// Crockford's digits, which leave out I, L, O and U. Letters that look like a digit are read as that digit.
static DIGITS: LazyLock<Encoding> = LazyLock::new(|| {
    let mut digits = Specification::new();
    digits.symbols.push_str("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
    digits.translate.from.push_str("abcdefghjkmnpqrstvwxyzOoIiLl");
    digits.translate.to.push_str("ABCDEFGHJKMNPQRSTVWXYZ001111");
    digits.encoding().unwrap_or(BASE32)
});

pub struct CodeKey(Hmac<Sha256>);

impl CodeKey {
    pub fn from_environment() -> Result<Option<Self>, String> {
        let secret = std::env::var(KEY_VARIABLE).ok();
        // A workflow without the secret sets an empty variable.
        secret.filter(|secret| !secret.is_empty()).map(|secret| Self::new(&secret)).transpose()
    }

    fn new(secret: &str) -> Result<Self, String> {
        if secret.len() < SHORTEST_SECRET {
            return Err(format!(
                "{KEY_VARIABLE} has {} bytes, but needs at least {SHORTEST_SECRET}: create one with `openssl rand -hex 20`",
                secret.len()
            ));
        }
        Hmac::new_from_slice(secret.as_bytes()).map(Self).map_err(|error| error.to_string())
    }

    fn mac(&self, slug: &str, on: NaiveDate, facts: &FactHashes) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        // Codes are made with the facts' first spelling, so that those already sent stay valid.
        let facts = facts.to_string().replace("licenses:", "licences:");
        mac.update(format!("{slug}\n{on}\n{facts}").as_bytes());
        mac
    }

    pub fn code(&self, slug: &str, on: NaiveDate, facts: &FactHashes) -> String {
        let mac = self.mac(slug, on, facts).finalize().into_bytes();
        format!("{slug}.{}.{}", on.format("%Y%m%d"), DIGITS.encode(&mac[..MAC_LENGTH]))
    }
}

/// A code in an answer. It is not verified yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Code {
    pub slug: String,
    pub on: NaiveDate,
    mac: [u8; MAC_LENGTH],
    /// The first digits of the HMAC, which are recorded in the clinician's file.
    pub short: String,
}

impl Code {
    /// Returns the codes in a text. An error is a part of the text that looks like a code but is incomplete.
    pub(super) fn find_all(text: &str) -> impl Iterator<Item = Result<Self, &str>> {
        let is_in_code = |letter: char| letter.is_ascii_alphanumeric() || ['-', '.'].contains(&letter);
        text.split(move |letter| !is_in_code(letter)).filter_map(|word| Self::parse(word.trim_matches('.')))
    }

    fn parse(word: &str) -> Option<Result<Self, &str>> {
        // A code has two dots. So if there is a third dot before them, as in "Yes.jane-doe.2026…", another word ends there.
        let start = word.rmatch_indices('.').nth(2).map_or(0, |(dot, _)| dot + 1);
        let code = &word[start..];
        let mut parts = code.split('.');
        let (slug, day, mac) = (parts.next()?, parts.next()?, parts.next()?);
        if slug.is_empty() || day.len() != 8 {
            return None;
        }
        let on = NaiveDate::parse_from_str(day, "%Y%m%d").ok()?;
        let decoded = DIGITS.decode(mac.as_bytes()).ok();
        let Some(mac): Option<[u8; MAC_LENGTH]> = decoded.and_then(|mac| mac.try_into().ok()) else {
            return Some(Err(code));
        };
        let short = DIGITS.encode(&mac).chars().take(8).collect();
        Some(Ok(Self { slug: slug.to_lowercase(), on, mac, short }))
    }

    pub(super) fn verify(&self, key: &CodeKey, facts: &FactHashes, today: NaiveDate) -> Result<(), String> {
        let is_genuine = key.mac(&self.slug, self.on, facts).verify_truncated_left(&self.mac).is_ok();
        if !is_genuine {
            return Err(
                "it is forged, the facts have changed, or another key created it: ask again".to_owned()
            );
        }
        if self.on > today {
            return Err(format!(
                "its date is {}, but today is {today}: correct this machine's clock",
                self.on
            ));
        }
        if self.on.checked_add_days(VALIDITY).is_some_and(|until| until < today) {
            return Err(format!("its date is {}, more than 30 days ago: ask again", self.on));
        }
        Ok(())
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
        let key = CodeKey::new("an example secret").unwrap();
        let code = key.code("jane-doe", day(22), &FACTS.parse().unwrap());
        assert_eq!(code, "jane-doe.20261122.V099NFDWY35VDJGV");
    }

    #[test]
    fn a_code_is_accepted_for_its_facts_and_for_thirty_days() {
        let (key, facts) = (CodeKey::new("an example secret").unwrap(), FACTS.parse().unwrap());
        let sent = key.code("jane-doe", day(2), &facts);
        let find = |text: &str| Code::find_all(text).next().unwrap().map_err(str::to_owned).unwrap();
        let code = find(&format!("Re: Yes {sent}."));
        assert_eq!((code.slug.as_str(), code.on), ("jane-doe", day(2)));
        assert_eq!(code.verify(&key, &facts, day(2)), Ok(()));
        assert_eq!(code.verify(&key, &facts, NaiveDate::from_ymd_opt(2026, 12, 2).unwrap()), Ok(()));
        let late = code.verify(&key, &facts, NaiveDate::from_ymd_opt(2026, 12, 3).unwrap());
        assert!(late.unwrap_err().contains("30 days ago"));
        assert!(code.verify(&key, &facts, day(1)).unwrap_err().contains("clock"));
        let others = FACTS.replace("24caf1f7", "24caf1f8").parse().unwrap();
        assert!(code.verify(&key, &others, day(2)).unwrap_err().contains("forged"));
        let other = CodeKey::new("an example sekret").unwrap();
        assert!(code.verify(&other, &facts, day(2)).is_err());
        // The code of another clinician.
        let moved = find(&sent.replace("jane-doe", "ann-lee"));
        assert!(moved.verify(&key, &facts, day(2)).is_err());
        assert_eq!(find(&sent.to_lowercase()), find(&sent));
        // A space before the code is missing.
        assert_eq!(find(&format!("Thanks.Yes.{sent}")), find(&sent));
        let incomplete = format!("Yes.{}", &sent[..sent.len() - 1]);
        assert_eq!(Code::find_all(&incomplete).next(), Some(Err(&incomplete[4..])));
    }

    #[test]
    fn other_texts_are_not_codes() {
        for text in [
            "",
            "yes",
            "jane-doe.20261122",
            "jane-doe.20261322.4AJG66WQD5HHKJV4",
            ".20261122.4AJG66WQD5HHKJV4",
            "Yes..20261122.4AJG66WQD5HHKJV4",
        ] {
            assert_eq!(Code::find_all(text).count(), 0, "{text}");
        }
        // One code has a letter that is not a digit, and one is cut off.
        for word in ["jane-doe.20261122.4AJG66WQD5HHKJVU", "jane-doe.20261122.4AJG66WQD5HHKJV"] {
            let text = format!("yes {word}, and jane-doe.20261122.4AJG66WQD5HHKJV4");
            let found: Vec<_> = Code::find_all(&text).map(|code| code.map(|code| code.slug)).collect();
            assert_eq!(found, [Err(word), Ok("jane-doe".to_owned())]);
        }
        assert!(CodeKey::new("short").is_err());
    }
}

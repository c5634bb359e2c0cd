//! Signs and verifies releases with nkeys. A service with a public key serves only signed releases, so write access to the
//! store is not enough to change what is served. A seed (`SA…`) signs and is a secret in a file; its public key (`A…`) may be
//! shown. Both are those of an account: the seed of a user (`SU…`) signs whatever a NATS server sends it at the beginning of
//! a connection, even a release.

use std::fmt;
use std::path::Path;

use data_encoding::BASE64;
use nkeys::{KeyPair, KeyPairType};
use serde::Deserialize;
use serde_json::{Value, json};

const MAKE_ONE: &str = "make a key just for releases: nsc generate nkey --account";

pub struct Seed(KeyPair);

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicKey(String);

/// A signature, and whose it says that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    key: PublicKey,
    bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mistrust {
    /// It names this key, which is not accepted.
    OtherKey(String),
    /// Its key is accepted, but it does not match the text.
    OtherText,
}

impl Seed {
    /// Reads the first seed in a file.
    pub fn read(file: &Path) -> Result<Self, String> {
        let text = crate::read_secret(file).map_err(|why| format!("--sign-key {why}"))?;
        let pair = text.lines().find_map(|line| KeyPair::from_seed(line.trim()).ok());
        let why = match pair {
            Some(pair) if pair.key_pair_type() == KeyPairType::Account => return Ok(Self(pair)),
            Some(pair) if pair.key_pair_type() == KeyPairType::User => {
                "it has the seed of a NATS user, and a NATS server can make that user sign anything, even a release"
            }
            Some(_) => "its seed isn't an account's, which begins with SA",
            None => "it has no nkey seed, which begins with SA",
        };
        Err(format!("--sign-key {}: {why}; {MAKE_ONE}", file.display()))
    }

    pub fn public_key(&self) -> PublicKey {
        PublicKey(self.0.public_key())
    }

    pub fn sign(&self, text: &str) -> Result<Signature, String> {
        let bytes = self.0.sign(text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(Signature { key: self.public_key(), bytes })
    }
}

impl TryFrom<String> for PublicKey {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let is_key = |letter| text.starts_with(letter) && KeyPair::from_public_key(&text).is_ok();
        if is_key('A') {
            return Ok(Self(text));
        }
        if is_key('U') {
            return Err(format!("\"{text}\" is the public key of a NATS user; {MAKE_ONE}"));
        }
        // A seed is a secret, and may stand here by mistake.
        if text.starts_with('S') {
            return Err(
                "this isn't a public key, which begins with A; a seed, which begins with S, is a secret: keep it in a \
                 file, and name that file with `nameplate publish --sign-key`"
                    .to_owned(),
            );
        }
        Err(format!(
            "\"{text}\" isn't a public key of an account's nkey, which has 56 letters and begins with A"
        ))
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Signature {
    pub fn read(line: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |name: &str| value[name].as_str().ok_or_else(|| format!("it has no \"{name}\""));
        let bytes = BASE64.decode(text("signature")?.as_bytes()).map_err(|error| error.to_string())?;
        Ok(Self { key: text("key")?.to_owned().try_into()?, bytes })
    }

    pub fn verify(&self, text: &str, keys: &[PublicKey]) -> Result<(), Mistrust> {
        if !keys.contains(&self.key) {
            return Err(Mistrust::OtherKey(self.key.to_string()));
        }
        let pair = KeyPair::from_public_key(&self.key.0);
        let verified = pair.and_then(|pair| pair.verify(text.as_bytes(), &self.bytes));
        verified.map_err(|_| Mistrust::OtherText)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = json!({"key": self.key.0, "signature": BASE64.encode(&self.bytes)});
        write!(formatter, "{value}")
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    /// A pair as NATS writes it, and what OpenSSL signed with it (by Python's `cryptography`).
    const SEED: &str = "SAAJ5CPUYIHXGTHA4AA4WLIAF5CM7REZ3TSZAWDCR6LQT2SC2433AUIR6Y";
    const KEY: &str = "ADL6BDLKF5L52VZFZ6GTKVCTQJBVWUOBFY5WWWUTRNY5O5OCBFQOASHA";
    const SIGNED: &str =
        "aAqloXfFL+sibTJrogz92rSkdtrQIY8qgIWVp7eOxHuDEl8XQsN3j58ghcG5LrRUF3PjWt7Rm1r1uFaor9NQAQ==";

    /// The same key as that of a user and of an operator.
    const USERS_SEED: &str = "SUAJ5CPUYIHXGTHA4AA4WLIAF5CM7REZ3TSZAWDCR6LQT2SC2433AUPCHI";
    const USERS_KEY: &str = "UDL6BDLKF5L52VZFZ6GTKVCTQJBVWUOBFY5WWWUTRNY5O5OCBFQOBWU7";
    const OPERATORS_SEED: &str = "SOAJ5CPUYIHXGTHA4AA4WLIAF5CM7REZ3TSZAWDCR6LQT2SC2433AUK5QQ";

    fn file(text: &str) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    fn seed() -> Seed {
        Seed::read(file(&format!("Seed of the clinic\n{SEED}\n")).path()).unwrap()
    }

    fn public(text: &str) -> Result<PublicKey, String> {
        text.to_owned().try_into()
    }

    #[test]
    fn the_signature_equals_the_one_of_openssl() {
        let signature = seed().sign("a release").unwrap();
        assert_eq!(signature.to_string(), format!("{{\"key\":\"{KEY}\",\"signature\":\"{SIGNED}\"}}"));
        let read = Signature::read(&signature.to_string()).unwrap();
        assert_eq!(read.verify("a release", &[public(KEY).unwrap()]), Ok(()));
    }

    #[test]
    fn a_wrong_key_and_a_changed_text_give_different_errors() {
        let key = public(KEY).unwrap();
        let signature = seed().sign("a release").unwrap();
        assert_eq!(signature.verify("another release", &[key]), Err(Mistrust::OtherText));
        assert_eq!(signature.verify("a release", &[]), Err(Mistrust::OtherKey(KEY.to_owned())));
        for line in ["", "{}", "{\"key\":\"U\",\"signature\":\"\"}", "{\"signature\":\"?\"}"] {
            assert!(Signature::read(line).is_err(), "{line}");
        }
        for wrong in ["", "A", &KEY.to_lowercase(), USERS_KEY] {
            assert!(public(wrong).is_err(), "{wrong}");
        }
        assert!(!public(SEED).unwrap_err().contains(SEED), "a seed is a secret");
    }

    #[test]
    fn a_file_without_a_seed_is_named() {
        let file = file(KEY);
        let shown = file.path().display().to_string();
        let missing = format!("{shown}.missing");
        for (path, says) in [(shown, "it has no nkey seed"), (missing, "it can't be read")] {
            let refused = Seed::read(Path::new(&path)).err().unwrap();
            assert!(refused.contains(says) && refused.contains(&path), "{refused}");
        }
    }

    #[test]
    fn the_seed_of_a_user_or_an_operator_of_nats_is_refused_with_advice() {
        for (seed, says) in [(USERS_SEED, "a NATS user"), (OPERATORS_SEED, "isn't an account's")] {
            let file = file(seed);
            let refused = Seed::read(file.path()).err().unwrap();
            assert!(refused.contains(says) && refused.contains("nsc generate nkey --account"), "{refused}");
            assert!(!refused.contains(seed), "a seed is a secret");
        }
        let refused = public(USERS_KEY).unwrap_err();
        assert!(
            refused.contains("a NATS user") && refused.contains("nsc generate nkey --account"),
            "{refused}"
        );
    }
}

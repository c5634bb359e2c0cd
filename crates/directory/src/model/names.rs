//! Validated names and ids.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::fold::folded;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    #[error(
        "a slug is lowercase letters and digits, in words joined by single hyphens, at most 64 characters"
    )]
    Slug,
    #[error("an id is 1 to 64 letters, digits, dots, or hyphens")]
    ProviderId,
    #[error("a plan's name is 1 to 100 characters, without surrounding spaces or control characters")]
    PlanName,
    #[error("a visit type's id is a whole number from 1 to 2147483647")]
    VisitTypeId,
}

macro_rules! text_name {
    ($(#[$doc:meta])* $name:ident, $rule:path) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                if $rule(text) { Ok(Self(text.into())) } else { Err(NameError::$name) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, formatter)
            }
        }

        // Maps with this key can be searched by text.
        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

text_name! {
    /// A provider's name in paths, filters and slots: `jane-doe`.
    Slug, is_slug
}
text_name! {
    /// A provider's opaque, immutable identifier. Without underscores, which FHIR ids cannot contain.
    ProviderId, is_provider_id
}
text_name! {
    /// The name of an insurance plan, as in the catalog.
    PlanName, is_plan_name
}

/// A slug for the path of a page: the ASCII letters and digits of a name in lower case, words joined by `-`. Empty if
/// the name has none.
pub fn address_words(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// A slug for a person's name: as [`address_words`], with the letters that accents stand on.
pub fn slug_words(name: &str) -> String {
    address_words(&folded(name))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64")]
pub struct VisitTypeId(i32);

impl VisitTypeId {
    pub fn get(self) -> i32 {
        self.0
    }
}

impl TryFrom<i64> for VisitTypeId {
    type Error = NameError;

    fn try_from(number: i64) -> Result<Self, NameError> {
        match i32::try_from(number) {
            Ok(number @ 1..) => Ok(Self(number)),
            _ => Err(NameError::VisitTypeId),
        }
    }
}

impl FromStr for VisitTypeId {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        text.parse().map_err(|_| NameError::VisitTypeId).and_then(|number: i64| Self::try_from(number))
    }
}

impl fmt::Display for VisitTypeId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

fn is_slug(text: &str) -> bool {
    text.len() <= 64
        && text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
}

fn is_provider_id(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
}

fn is_plan_name(text: &str) -> bool {
    (1..=100).contains(&text.chars().count()) && text.trim() == text && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_follow_their_rule() {
        for text in ["a", "jane-doe", "dr-2", "x1", &"a".repeat(64)] {
            assert_eq!(text.parse::<Slug>().unwrap().as_str(), text);
        }
        for text in
            ["", "-", "a-", "-a", "a--b", "Jane", "jané", "jane_doe", "jane doe", "a/b", ".", &"a".repeat(65)]
        {
            assert_eq!(text.parse::<Slug>(), Err(NameError::Slug), "{text:?}");
        }
    }

    #[test]
    fn provider_ids_follow_their_rule() {
        for text in ["prov-0001", "A.b-9", &"9".repeat(64)] {
            assert!(text.parse::<ProviderId>().is_ok(), "{text:?}");
        }
        for text in ["", "a_b", "a b", "é", &"9".repeat(65)] {
            assert_eq!(text.parse::<ProviderId>(), Err(NameError::ProviderId), "{text:?}");
        }
    }

    #[test]
    fn plan_names_follow_their_rule() {
        assert!("Blue Shield of CA".parse::<PlanName>().is_ok());
        for text in ["", " Aetna", "Aetna ", "Aet\nna", &"x".repeat(101)] {
            assert_eq!(text.parse::<PlanName>(), Err(NameError::PlanName), "{text:?}");
        }
    }

    #[test]
    fn visit_type_ids_follow_their_rule() {
        assert_eq!("101".parse::<VisitTypeId>().unwrap().get(), 101);
        for text in ["0", "-1", "2147483648", "1.0", "", "x"] {
            assert_eq!(text.parse::<VisitTypeId>(), Err(NameError::VisitTypeId), "{text:?}");
        }
    }
}

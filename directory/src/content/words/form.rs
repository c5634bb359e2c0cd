//! The keys of a kind of file, and the tables of one file.

use std::fmt;

use serde::de::value::{MapDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned};

use super::Headers;

#[derive(Debug)]
pub(in super::super) struct Form<'a> {
    /// The keys at the top of a file.
    pub(super) keys: Vec<&'static str>,
    pub(super) headers: Headers<'a>,
}

impl<'a> Form<'a> {
    /// The form of one text of a kind of file.
    pub(in super::super) fn of<T: DeserializeOwned>(text: &'a str) -> Self {
        Self { keys: keys_of::<T>(), headers: Headers::of(text) }
    }
}

fn keys_of<T: DeserializeOwned>() -> Vec<&'static str> {
    let nobodys_key = std::iter::once((StrDeserializer::<Keys>::new("\0"), ""));
    match T::deserialize(MapDeserializer::new(nobodys_key)) {
        Err(Keys(keys)) => keys,
        Ok(_) => Vec::new(),
    }
}

/// An error that keeps only the expected keys.
#[derive(Debug)]
struct Keys(Vec<&'static str>);

impl fmt::Display for Keys {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Keys {}

impl de::Error for Keys {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(Vec::new())
    }

    fn unknown_field(_: &str, expected: &'static [&'static str]) -> Self {
        Self(expected.to_vec())
    }
}

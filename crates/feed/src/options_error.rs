//! A wrong setting of a feed.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct OptionsError {
    pub key: String,
    pub what: String,
}

impl OptionsError {
    pub(crate) fn new(key: &str, what: impl Into<String>) -> Self {
        Self { key: key.to_owned(), what: what.into() }
    }
}

//! A wrong setting of a feed.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}")]
pub struct OptionsError {
    key: String,
    what: String,
}

impl OptionsError {
    pub(crate) fn new(key: &str, what: impl Into<String>) -> Self {
        Self { key: key.to_owned(), what: what.into() }
    }

    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    #[must_use]
    pub fn what(&self) -> &str {
        &self.what
    }
}

//! The result of a change.

use std::sync::Arc;

use super::super::ProviderFeed;
use super::super::skipped::Skipped;
use crate::model::Slug;

/// What differs after some keys have changed.
#[derive(Debug, Clone, Default)]
pub struct KeyedChange {
    /// Whether it is about all providers of the directory, because the directory is another one than before.
    pub is_complete: bool,
    /// The new sets of the providers whose keys have changed.
    pub providers: Vec<ProviderFeed>,
    /// The sites that list each of these providers now; none if no key does.
    pub listed: Vec<(Slug, Vec<Arc<str>>)>,
    /// The providers who are withheld now, or no longer.
    pub withheld: Vec<(Slug, bool)>,
    /// What is not used, if that has changed.
    pub skipped: Option<Skipped>,
}

//! Reads a feed once, as a service does at its start: for `nameplate check --feed`.

use directory::Directory;
use directory::calendar::{FeedSet, Instant, LedTo};

use super::any_source::AnySource;
use super::first::{PAST, hold_of_first};
use super::options::FeedOptions;
use super::source::{Event, Source, SourceError, real_now};

/// The result of a first reading.
#[derive(Debug)]
pub struct Reading {
    /// The feed's name: a path, or an address without secrets.
    pub name: String,
    /// What is used of it, and what is skipped.
    pub set: FeedSet,
    /// Why a service would not use it, and what to do.
    pub unused: Option<(&'static str, &'static str)>,
    /// Warnings.
    pub notes: Vec<String>,
}

/// Reads a feed once. Must be run inside a tokio runtime.
///
/// # Errors
/// It cannot be read, or a service would refuse it.
pub async fn read_once(options: FeedOptions, directory: &Directory) -> Result<Reading, SourceError> {
    let (parts, late) = match AnySource::of(&options)?.next().await? {
        Event::Snapshot { parts, late, .. } => (parts, late),
        Event::Unchanged { late, .. } => (Vec::new(), late),
    };
    let set = FeedSet::of(&parts, &options.rules, directory, &LedTo::default())?;
    let unused = hold_of_first(&parts, &set, options.mode());
    let mut notes: Vec<_> = late.into_iter().map(|late| late.why).collect();
    if unused.is_none() && set.is_past(Instant::floor(real_now())) {
        notes.push(PAST.to_owned());
    }
    Ok(Reading { name: options.name(), set, unused, notes })
}

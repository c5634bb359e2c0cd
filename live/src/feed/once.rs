//! A feed that is read once, as a service reads it at its start: for `nameplate check --feed`.

use directory::Directory;
use directory::calendar::{FeedMode, FeedSet, LedTo};

use super::any_source::AnySource;
use super::driver::NOBODY;
use super::options::FeedOptions;
use super::source::{Event, Source, SourceError};

/// What a service would take from a first reading.
#[derive(Debug)]
pub struct Reading {
    /// What the feed is called: a path, or an address without what may be secret.
    pub name: String,
    /// What each provider has by it, and what is left out.
    pub set: FeedSet,
    /// Why a service would not use it, if it would not.
    pub unused: Option<String>,
    /// What is not complete in it.
    pub notes: Vec<String>,
}

/// Reads a feed once; where the mode of a file is not known, its lines tell: free slots are an open feed. Must be run
/// inside a tokio runtime.
///
/// # Errors
/// It cannot be read, or a service would refuse what it says.
pub async fn read_once(
    mut options: FeedOptions,
    is_mode_known: bool,
    directory: &Directory,
) -> Result<(FeedMode, Reading), (FeedMode, SourceError)> {
    let mode = options.rules.mode;
    let read = async {
        let mut source = AnySource::of(&options)?;
        source.next().await
    };
    let (parts, late) = match read.await.map_err(|error| (mode, error))? {
        Event::Snapshot { parts, late, .. } => (parts, late),
        Event::Part(part) => (vec![part], Vec::new()),
        Event::Unchanged { late, .. } => (Vec::new(), late),
    };
    if !is_mode_known {
        let is_open = parts.iter().any(|part| part.has_free_slots());
        options.rules.mode = if is_open { FeedMode::Open } else { FeedMode::Busy };
    }
    let mode = options.rules.mode;
    let set = FeedSet::of(&parts, &options.rules, directory, &LedTo::default())
        .map_err(|error| (mode, SourceError::Lines(error)))?;
    let unused = (!set.lists_any()).then(|| NOBODY.to_owned());
    let notes = late.into_iter().map(|late| late.why).collect();
    Ok((mode, Reading { name: options.name(), set, unused, notes }))
}

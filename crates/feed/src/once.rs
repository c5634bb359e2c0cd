//! Reads a feed once, as a service does at its start: for `nameplate check --feed`.

use std::sync::Arc;

use directory::Directory;
use directory::calendar::{BadText, Engine, Event, FeedSet, Instant};

use crate::event::{SourceError, real_now};
use crate::options::FeedOptions;
use crate::source::Source;

/// The result of a first reading.
#[derive(Debug)]
pub struct Reading {
    /// The feed's name: a path, or an address without secrets.
    pub name: String,
    /// What is used of it, and what is skipped, held or wrong.
    pub set: FeedSet,
    pub notes: Vec<String>,
}

/// Reads a feed once. Must be run inside a tokio runtime.
pub async fn read_once(
    mut source: impl Source,
    options: &FeedOptions,
    directory: &Directory,
) -> Result<Reading, SourceError> {
    let (events, now) = (source.next().await?, Instant::floor(real_now()));
    let bad_lines = events.iter().find_map(|event| match event {
        Event::PartChanged { part, text: Err(BadText::Lines(error)) } if part.is_file() => Some(error),
        _ => None,
    });
    if let Some(error) = bad_lines {
        return Err(SourceError::Lines(error.clone()));
    }
    let mut engine = Engine::new(Arc::new(options.rules.clone()));
    engine.take(events, directory.generation(), directory, now);
    let set = engine.set(directory);
    let mut notes: Vec<_> = set.trouble.iter().cloned().collect();
    if set.held.is_none() && engine.is_past(now) {
        notes.push(
            "all entries of the feed are in the past: check whether the program that writes it still runs"
                .to_owned(),
        );
    }
    Ok(Reading { name: options.name(), set, notes })
}

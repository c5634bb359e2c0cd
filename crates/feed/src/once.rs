//! Reads a feed once, as a service does at its start: for `nameplate check --feed`.

use std::sync::Arc;

use directory::Directory;
use directory::calendar::{FeedSet, Instant, KeyChange, KeyedSet, LedTo};

use crate::event::{Event, Late, SiteRead, SourceError, real_now};
use crate::first::{PAST, hold_of_first};
use crate::options::FeedOptions;
use crate::source::Source;

/// The result of a first reading.
#[derive(Debug)]
pub struct Reading {
    /// The feed's name: a path, or an address without secrets.
    pub name: String,
    /// What is used of it, and what is skipped.
    pub set: FeedSet,
    /// Why a service would not use it, and what to do.
    pub unused: Option<(&'static str, &'static str)>,
    pub notes: Vec<String>,
}

/// Reads a feed once. Must be run inside a tokio runtime.
pub async fn read_once(
    mut source: impl Source,
    options: &FeedOptions,
    directory: &Directory,
) -> Result<Reading, SourceError> {
    let (set, parts, late) = match source.next().await? {
        Event::Snapshot { parts, late, .. } => {
            (FeedSet::resolve(&parts, &options.rules, directory, &LedTo::default())?, parts, late)
        }
        Event::Unchanged { late, .. } => {
            (FeedSet::resolve(&[], &options.rules, directory, &LedTo::default())?, Vec::new(), late)
        }
        Event::Keys { changed, sites, .. } => {
            let mut keys = KeyedSet::new(Arc::new(options.rules.clone()));
            keys.apply(directory, &changed);
            let parts = changed.iter().filter_map(KeyChange::file).cloned().collect();
            (
                keys.feed_set(directory),
                parts,
                sites.iter().flat_map(|(name, site)| faults(name, site)).collect(),
            )
        }
    };
    let unused = hold_of_first(&parts, &set, options.mode());
    let mut notes: Vec<_> = late.into_iter().map(|late| late.why).collect();
    if unused.is_none() && set.is_past(Instant::floor(real_now())) {
        notes.push(PAST.to_owned());
    }
    Ok(Reading { name: options.name(), set, unused, notes })
}

/// What is wrong with a site, and with its keys.
fn faults(name: &Arc<str>, site: &SiteRead) -> Vec<Late> {
    let of_site = |why: &str| Late { part: Arc::clone(name), why: format!("the site {name}: {why}") };
    let mut faults = Vec::new();
    if site.is_of_another_mode {
        faults.push(of_site(
            "its beat is of another mode: nothing of it is used; correct the mode here or there",
        ));
    } else if site.confirmed.is_none() {
        faults.push(of_site(
            "it has no beat, so the age of its data is unknown and nothing of it is used: run its writer",
        ));
    }
    if site.is_diverged {
        faults.push(of_site(
            "its keys are not those that its beat confirms: it grows old until its writer beats again",
        ));
    }
    let keys = site.late.iter().filter_map(|(key, late)| Some((key, late.why.as_ref()?)));
    faults.extend(
        keys.map(|(key, why)| Late { part: Arc::clone(key), why: format!("{key} is not used: {why}") }),
    );
    faults
}

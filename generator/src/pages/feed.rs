//! Makes the Atom feed of changes. A step has no time, so times are read back from the previous feed. Names are those of
//! today: who left is named by the slug alone, and what was said of that slug before is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use chrono::{DateTime, Datelike as _, Utc};
use directory::changes::History;
use directory::model::{Directory, SlugMatch};
use directory::told::rfc3339;
use directory::web::FEED_PATH;

use super::machines::{XML, escaped};
use super::routes;

const MOST_ENTRIES: usize = 100;

/// By the generation and the slug. The time of the feed itself has no name.
pub(crate) fn feed_times(feed: &str) -> BTreeMap<String, DateTime<Utc>> {
    let entry = |line: &str| {
        let between = |start: &str, end: &str| Some(line.split_once(start)?.1.split_once(end)?.0);
        let key = between("<id>tag:", "</id>").map_or(Some(""), |id| Some(id.rsplit_once(':')?.1))?;
        Some((key.to_owned(), between("<updated>", "</updated>")?.parse().ok()?))
    };
    feed.lines().filter_map(entry).collect()
}

/// A step without a known time has no entries. `since` is the time of a feed without entries.
pub(crate) fn feed(
    directory: &Directory,
    history: &History,
    since: DateTime<Utc>,
    time: impl Fn(usize, &str) -> Option<DateTime<Utc>>,
) -> String {
    let organization = directory.organization();
    let site = escaped(&organization.site_url);
    let host =
        site.split_once("://").map_or("", |(_, rest)| rest).split(['/', ':']).next().unwrap_or_default();
    let (mut entries, mut newest) = (String::new(), None);
    let (mut left, mut told) = (BTreeSet::new(), BTreeSet::new());
    for (number, step) in history.steps().iter().enumerate() {
        let added = step.added.iter().map(|slug| (slug, "New clinician: ", ""));
        let changed = step.changed.iter().map(|slug| (slug, "", "'s profile changed"));
        let removed = step.removed.iter().map(|slug| (slug, "No longer listed: ", ""));
        for (slug, before, after) in added.chain(changed).chain(removed) {
            let key = format!("{}/{slug}", step.to);
            let (name, page) = match directory.find(slug) {
                _ if step.removed.binary_search(slug).is_ok() => (slug, "/clinicians".to_owned()),
                Some(SlugMatch::Current(number)) if !left.contains(slug) => {
                    let provider = directory.provider(number);
                    (&provider.display_name, routes::profile(&provider.slug))
                }
                _ => continue,
            };
            let Some(at) = time(number, &key).filter(|_| told.len() < MOST_ENTRIES) else { continue };
            newest = newest.max(Some(at));
            if told.insert(key.clone()) {
                let (year, at, key, name) = (at.year(), rfc3339(at), escaped(&key), escaped(name));
                _ = writeln!(
                    entries,
                    "<entry><id>tag:{host},{year}:{key}</id><title>{before}{name}{after}</title><updated>{at}</updated>\
                     <link href=\"{site}{page}\"/></entry>"
                );
            }
        }
        left.extend(&step.removed);
    }
    format!(
        "{XML}<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>{site}{FEED_PATH}</id>\n<title>{name}: changes</title>\n\
         <updated>{}</updated>\n<author><name>{name}</name></author>\n<link rel=\"self\" href=\"{site}{FEED_PATH}\"/>\n\
         <link href=\"{site}/clinicians\"/>\n{entries}</feed>\n",
        rfc3339(newest.unwrap_or(since)),
        name = escaped(&organization.name),
    )
}

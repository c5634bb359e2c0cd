//! Reads what the version before this one remembered of files. It kept the times of each provider, and which files listed
//! them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;

use super::memory::{Memory, SavedEntries, SavedMark, SavedPart, SavedWriter};

#[derive(Debug, Deserialize)]
pub struct Memory1 {
    feed: Arc<str>,
    is_busy: bool,
    parts: BTreeMap<Arc<str>, Part1>,
    listed: BTreeMap<String, Vec<Arc<str>>>,
    sets: BTreeMap<String, Vec<Entry1>>,
}

#[derive(Debug, Deserialize)]
struct Part1 {
    at: i64,
    as_of: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
struct Entry1(i64, i64, #[serde(default)] Option<Vec<i64>>);

impl Memory1 {
    #[must_use]
    pub fn feed(&self) -> &str {
        &self.feed
    }

    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.is_busy
    }

    /// As this version remembers it. A time of a provider whom several files listed is one of each of them.
    #[must_use]
    pub fn upgraded(self) -> Memory {
        let part = |(name, read): (&Arc<str>, &Part1)| {
            let of_part = self.listed.iter().filter(|(_, files)| files.contains(name));
            let good = of_part.map(|(slug, _)| {
                let entries = self.sets.get(slug).map(|entries| self.entries(entries)).unwrap_or_default();
                ((false, slug.clone()), entries)
            });
            SavedPart {
                name: Arc::clone(name),
                writer: Arc::clone(&self.feed),
                about: None,
                own: Some((Some((read.as_of, read.at)),)),
                is_blank: false,
                good: good.collect(),
                doubt: None,
                mark: SavedMark::default(),
            }
        };
        let writer = SavedWriter {
            name: Arc::clone(&self.feed),
            as_of: None,
            was_read: true,
            mark: SavedMark::default(),
        };
        Memory {
            generation: None,
            writers: vec![writer],
            parts: self.parts.iter().map(part).collect(),
            led_to: Vec::new(),
        }
    }

    fn entries(&self, entries: &[Entry1]) -> SavedEntries {
        let mut types: Vec<Vec<i64>> = Vec::new();
        let all = entries.iter().map(|Entry1(start, end, named)| {
            let number = named.as_ref().map_or(0, |named| {
                let known = types.iter().position(|list| list == named);
                known.unwrap_or_else(|| {
                    types.push(named.clone());
                    types.len() - 1
                }) + 1
            });
            (*start, *end, u8::from(self.is_busy), u32::try_from(number).unwrap_or_default())
        });
        let all: Vec<_> = all.collect();
        let of_list = |list: &Vec<i64>| list.iter().map(|id| (None, id.to_string())).collect();
        let until = entries.iter().map(|Entry1(_, end, _)| *end).max().unwrap_or_default();
        SavedEntries {
            line: 1,
            lists: true,
            is_emptied: false,
            until,
            schedules: Vec::new(),
            types: types.iter().map(of_list).collect(),
            all,
        }
    }
}

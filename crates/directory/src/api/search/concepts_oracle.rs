//! What the table of concepts means in a directory, read from its text: the search for words is compared with it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::model::Directory;

/// A directory, and the interests that phrases mean in it: as they stand, and as beginnings.
pub(super) struct Seen<'d> {
    directory: &'d Directory,
    exact: BTreeMap<String, Vec<String>>,
    begun: Vec<(String, Vec<String>)>,
    /// Of words that count as one, how many letters the last has.
    pub(super) last: RefCell<BTreeMap<String, usize>>,
}

impl std::ops::Deref for Seen<'_> {
    type Target = Directory;

    fn deref(&self) -> &Directory {
        self.directory
    }
}

/// Reads the table's text: its rows in alphabetical order, of each the phrases and then, if no comma is in it, its first name.
pub(super) fn seen(directory: &Directory) -> Seen<'_> {
    let table: BTreeMap<String, String> = toml::from_str(include_str!("concepts.toml")).unwrap();
    let plain = |text: &str| text.trim().to_lowercase().replace("'s", "").replace([' ', '\''], "-");
    let mut known: Vec<(String, &String)> = Vec::new();
    for name in directory.providers().iter().flat_map(|provider| &provider.clinical_interests) {
        if known.iter().all(|(_, other)| *other != name) {
            known.push((format!("-{}-", plain(name)), name));
        }
    }
    let called = |name: &str| {
        let wanted = format!("-{}-", plain(name));
        let fitting = known.iter().filter(|(plain, _)| plain.contains(&wanted));
        let count =
            |(plain, _): &&(String, &String)| plain.split('-').filter(|part| !part.is_empty()).count();
        fitting.min_by_key(count).map(|(_, name)| (*name).clone())
    };
    let mut seen = Seen { directory, exact: BTreeMap::new(), begun: Vec::new(), last: RefCell::default() };
    for (names, phrases) in &table {
        let interests: Vec<String> =
            names.split(',').filter_map(|names| names.split('|').find_map(called)).collect();
        let own = (!names.contains(',')).then(|| names.split('|').next().unwrap().to_owned());
        for phrase in phrases.split(',').map(str::to_owned).chain(own).filter(|_| !interests.is_empty()) {
            let joined = plain(&phrase).replace('-', "");
            match joined.strip_suffix('*') {
                Some(beginning) => seen.begun.push((beginning.to_owned(), interests.clone())),
                None => _ = seen.exact.entry(joined).or_insert_with(|| interests.clone()),
            }
        }
    }
    seen
}

/// The interests that joined words mean, if they name no group. A star stands for the ending of the last word.
pub(super) fn concept(word: &str, seen: &Seen<'_>) -> Vec<String> {
    let is_own = seen.organization().search_words.iter().any(|entry| entry.typed == word);
    if is_own {
        return Vec::new();
    }
    let last = seen.last.borrow().get(word).copied().unwrap_or(word.len());
    let is_begun = |beginning: &str| word.starts_with(beginning) && beginning.len() + last > word.len();
    let begun = seen.begun.iter().filter(|(beginning, _)| is_begun(beginning));
    let begun = begun.max_by_key(|(beginning, _)| beginning.len()).map(|(_, interests)| interests);
    seen.exact.get(word).or(begun).cloned().unwrap_or_default()
}

//! Concepts: what patients type for a clinician's interest, such as "hot flashes" for menopause. The head of
//! `concepts.toml` has the rules. The clinic's own `[search-words]` go before it.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::LazyLock;

use super::super::search_text::words_of;
use crate::model::{Directory, folded};

/// The interests that some phrases mean in this clinic. A phrase that ends with a star begins words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concept<'a> {
    pub interests: Vec<&'a str>,
    pub phrases: Vec<&'a str>,
}

#[derive(Debug)]
struct Row {
    /// Of each list of names, the first that the clinic has is meant.
    meant: Vec<Vec<&'static str>>,
    phrases: Vec<&'static str>,
}

/// A test shows that the file can be read.
static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    static FILE: LazyLock<toml::Table> =
        LazyLock::new(|| toml::from_str(include_str!("concepts.toml")).unwrap_or_default());
    let rows = FILE.iter().map(|(names, phrases)| {
        let meant: Vec<Vec<_>> = names.split(',').map(|names| split(names, '|')).collect();
        // Where all of several are meant, the first name alone is not the row.
        let own = (meant.len() == 1).then(|| meant[0][0]);
        let phrases = split(phrases.as_str().unwrap_or_default(), ',').into_iter().chain(own).collect();
        Row { meant, phrases }
    });
    rows.collect()
});

fn split(text: &'static str, mark: char) -> Vec<&'static str> {
    text.split(mark).map(str::trim).collect()
}

/// The concepts that lead to interests of this directory's clinicians.
pub fn concepts(directory: &Directory) -> Vec<Concept<'_>> {
    let mut known = HashSet::new();
    let names = directory.providers().iter().flat_map(|provider| &provider.clinical_interests);
    let names = names.map(|name| &**name).filter(|name| known.insert(*name));
    let interests: Vec<(Vec<String>, &str)> = names.map(|name| (words_of(name), name)).collect();
    let own = directory.organization().search_words.iter().map(|entry| {
        let begins = |word: &String| entry.others.iter().any(|other| word.starts_with(other));
        let found = interests.iter().filter(|(words, _)| words.iter().any(begins));
        Concept { interests: found.map(|(_, name)| *name).collect(), phrases: vec![&*entry.typed] }
    });
    let built_in = TABLE.iter().map(|row| {
        let mut found = Vec::new();
        for names in &row.meant {
            let first = names.iter().find_map(|name| called(&interests, name));
            found.extend(first.filter(|name| !found.contains(name)));
        }
        Concept { interests: found, phrases: row.phrases.clone() }
    });
    own.chain(built_in).filter(|concept| !concept.interests.is_empty()).collect()
}

/// The interest of this name, or else the shortest one that has its words.
fn called<'d>(interests: &[(Vec<String>, &'d str)], name: &str) -> Option<&'d str> {
    let wanted = words_of(name);
    let has = |words: &Vec<String>| words.windows(wanted.len()).any(|run| run == wanted);
    let fitting = interests.iter().filter(|(words, _)| has(words));
    fitting.min_by_key(|(words, _)| words.len()).map(|(_, name)| *name)
}

#[derive(Debug, Default)]
pub(super) struct ConceptIndex {
    meanings: Vec<Meaning>,
    /// By the joined words of a phrase, and for those with a star by their beginning.
    exact: HashMap<String, usize>,
    beginnings: HashMap<String, usize>,
    /// The clinic's own words mean what their lines say, in `typed`.
    own: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Meaning {
    pub(super) interests: Vec<String>,
    /// Those who have one of them or a narrower one, ascending.
    pub(super) numbers: Vec<u32>,
}

impl ConceptIndex {
    pub(super) fn build(directory: &Directory) -> Self {
        let mut having: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (number, provider) in (0..).zip(directory.providers()) {
            for name in &provider.clinical_interests {
                having.entry(folded(name)).or_default().push(number);
            }
        }
        let own = directory.organization().search_words.iter().map(|entry| entry.typed.clone()).collect();
        let mut index = Self { own, ..Self::default() };
        for Concept { interests, phrases } in concepts(directory) {
            // A clinician with a narrower interest has this one: early menopause, perimenopause.
            let wanted: Vec<String> = interests.iter().map(|name| folded(name)).collect();
            let is_meant = |name: &String| wanted.iter().any(|wanted| name.contains(wanted));
            let having = having.iter().filter(|(name, _)| is_meant(name));
            let mut numbers: Vec<u32> = having.flat_map(|(_, numbers)| numbers).copied().collect();
            numbers.sort_unstable();
            numbers.dedup();
            for phrase in phrases {
                let (table, phrase) = match phrase.strip_suffix('*') {
                    Some(beginning) => (&mut index.beginnings, beginning),
                    None => (&mut index.exact, phrase),
                };
                table.entry(words_of(phrase).concat()).or_insert(index.meanings.len());
            }
            let interests = interests.into_iter().map(str::to_owned).collect();
            index.meanings.push(Meaning { interests, numbers });
        }
        index
    }

    pub(super) fn of(&self, words: &[String]) -> Option<&Meaning> {
        let joined = words.concat();
        if self.own.contains(&joined) {
            return None;
        }
        // A star stands for an ending, not for further words.
        let last = words.last().map_or(0, String::len);
        let ends = joined.char_indices().map(|(at, _)| at).chain([joined.len()]);
        let mut beginnings = ends.rev().take_while(|end| end + last > joined.len());
        let beginning = || beginnings.find_map(|end| self.beginnings.get(&joined[..end]));
        let number = self.exact.get(&joined).or_else(beginning)?;
        self.meanings.get(*number)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::tests::{directory_with, provider};
    use super::*;
    use crate::model::{Provider, SearchWord};

    fn clinic(interests: &[&str], search_words: Vec<SearchWord>) -> Directory {
        let plain = provider(0, crate::model::StateSet::EMPTY, &[], 0, 0);
        let clinical_interests = interests.iter().map(|&name| name.to_owned()).collect();
        directory_with(vec![Provider { clinical_interests, ..plain }], search_words)
    }

    fn meant(interests: &[&str], typed: &str) -> Vec<String> {
        let index = ConceptIndex::build(&clinic(interests, Vec::new()));
        index.of(&words_of(typed)).map(|meaning| meaning.interests.clone()).unwrap_or_default()
    }

    #[test]
    fn each_phrase_of_the_table_stands_in_it_once() {
        assert!(TABLE.len() >= 140, "{}", TABLE.len());
        let mut known = BTreeSet::new();
        for row in &*TABLE {
            for phrase in &row.phrases[..row.phrases.len() - usize::from(row.meant.len() == 1)] {
                assert_eq!(folded(phrase), **phrase, "without accents and capitals");
                assert!(!phrase.is_empty() && known.insert(*phrase), "{phrase}");
            }
        }
    }

    #[test]
    fn a_phrase_means_the_first_interest_that_the_clinic_has() {
        assert_eq!(meant(&["Menopause", "Perimenopause", "Sleep"], "hot flashes"), ["Menopause"]);
        assert_eq!(meant(&["Women's health", "Sleep"], "hot flashes"), ["Women's health"]);
        assert_eq!(meant(&["Sleep"], "hot flashes"), [""; 0]);
        assert_eq!(meant(&["Migraine and hormones"], "headache"), ["Migraine and hormones"]);
        assert_eq!(
            meant(&["Black women's health", "Women's health", "Menopause"], "gynecologist"),
            ["Women's health", "Menopause"]
        );
        assert_eq!(meant(&["Sleep"], "insomnio"), ["Sleep"]);
        assert_eq!(meant(&["Menopause"], "sofocos"), ["Menopause"], "a star stands for an ending");
        assert_eq!(meant(&["Menopause"], "sofocos doctor"), [""; 0]);
    }

    #[test]
    fn the_clinics_own_words_go_before_the_table() {
        let own = SearchWord { typed: "hotflashes".to_owned(), others: vec!["sleep".to_owned()] };
        let directory = clinic(&["Menopause", "Sleep"], vec![own]);
        assert_eq!(
            concepts(&directory)[0],
            Concept { interests: vec!["Sleep"], phrases: vec!["hotflashes"] }
        );
        // What the clinic wrote is looked for, and the table's meaning is not.
        assert!(ConceptIndex::build(&directory).of(&words_of("hot flashes")).is_none());
    }
}

//! Suggests names for a wrong name: an index of words, and a search with bounded work.

use std::collections::{BTreeSet, HashMap};

use super::folded;

/// If more names match equally well, none is suggested.
const MOST_SUGGESTIONS: usize = 3;
/// The number of characters of a text that are read.
const LONGEST_TEXT: usize = 64;
/// A word that occurs in more names is ignored.
const MOST_NAMES: usize = 1_000;
/// The maximum number of words of a text that are compared by edit distance.
const MOST_MISSPELT: usize = 4;
/// The maximum number of index entries with which a misspelt word is compared.
const MOST_COMPARED: usize = 512;
/// The similarity from which two words count as equal with a typing mistake.
const MIN_SIMILARITY: f64 = 0.75;
/// Words that do not identify a plan or a clinician.
const COMMON: [&str; 12] = [
    "and",
    "care",
    "clinician",
    "doctor",
    "health",
    "insurance",
    "medical",
    "nurse",
    "plan",
    "prof",
    "professor",
    "the",
];

/// The words of numbered names.
#[derive(Debug)]
pub(crate) struct NameIndex {
    /// The keys of each name with the name's number, sorted.
    words: Vec<(Box<str>, u32)>,
}

/// The number of matching words, then their rarity.
type Score = (usize, usize);

impl NameIndex {
    /// Indexes names by number. A number may occur with several names.
    pub(crate) fn new<'a>(names: impl Iterator<Item = (u32, &'a str)>) -> Self {
        let mut words: Vec<_> =
            names.flat_map(|(number, name)| keys(name).map(move |key| (key, number))).collect();
        words.sort_unstable();
        words.dedup();
        Self { words }
    }

    /// The numbers of the names that match best, at most three. Half of the text's words must match.
    pub(crate) fn nearest(&self, text: &str) -> Vec<u32> {
        let text: String = text.chars().take(LONGEST_TEXT).collect();
        let wanted: BTreeSet<_> = keys(&text).collect();
        let joined = words(&text).concat();
        let mut scores: HashMap<u32, Score> = HashMap::new();
        let (mut counted, mut misspelt) = (0, 0);
        for word in &wanted {
            let letters = word.chars().count();
            let is_joined = **word == *joined && wanted.len() > 1;
            let mut found = self.entries(word);
            if found.is_empty() && letters >= 4 && misspelt < MOST_MISSPELT {
                misspelt += 1;
                found = self.most_similar(word).map_or(&[], |word| self.entries(word));
            }
            // Short unknown words are mostly titles or credentials and do not count.
            counted += usize::from(!is_joined && (letters >= 4 || !found.is_empty()));
            if found.len() <= MOST_NAMES {
                for (_, number) in found {
                    let (words, rarity) = scores.entry(*number).or_default();
                    *words += 1;
                    *rarity += MOST_NAMES / found.len();
                }
            }
        }
        let Some(best) = scores.values().copied().max().filter(|(words, _)| words * 2 >= counted) else {
            return Vec::new();
        };
        let mut nearest: Vec<_> =
            scores.into_iter().filter(|(_, score)| *score == best).map(|(at, _)| at).collect();
        nearest.sort_unstable();
        if nearest.len() > MOST_SUGGESTIONS { Vec::new() } else { nearest }
    }

    /// The entries of a word: one for each name that has it.
    fn entries(&self, word: &str) -> &[(Box<str>, u32)] {
        let begin = self.words.partition_point(|(other, _)| **other < *word);
        let length = self.words[begin..].partition_point(|(other, _)| **other == *word);
        &self.words[begin..begin + length]
    }

    /// The most similar word of the index; in a large index, among those with the same first two letters.
    fn most_similar(&self, word: &str) -> Option<&str> {
        let candidates = if self.words.len() <= MOST_COMPARED {
            &self.words[..]
        } else {
            let prefix: String = word.chars().take(2).collect();
            let begin = self.words.partition_point(|(other, _)| **other < *prefix);
            let length = self.words[begin..].partition_point(|(other, _)| other.starts_with(&prefix));
            &self.words[begin..begin + length.min(MOST_COMPARED)]
        };
        let scored = candidates.iter().filter(|(other, _)| other.len().abs_diff(word.len()) <= 3);
        let scored = scored.map(|(other, _)| (strsim::normalized_damerau_levenshtein(word, other), &**other));
        let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
        best.filter(|(score, _)| *score >= MIN_SIMILARITY).map(|(_, other)| other)
    }
}

/// The keys of a name: its words of at least three letters, and all its words joined.
fn keys(name: &str) -> impl Iterator<Item = Box<str>> + use<> {
    let words = words(name);
    let joined = words.concat();
    let long = words.into_iter().filter(|word| word.chars().count() >= 3);
    long.chain(std::iter::once(joined)).filter(|word| !word.is_empty()).map(String::into_boxed_str)
}

fn words(text: &str) -> Vec<String> {
    let folded = folded(text);
    let words = folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.filter(|word| !COMMON.contains(word)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANS: [&str; 5] =
        ["Juniper Advantage", "Goldenrod PPO", "Amberline Choice PPO", "Puget Fern Health", "Mangrove PPO"];

    fn near<'a>(names: &[&'a str], text: &str) -> Vec<&'a str> {
        let index = NameIndex::new((0..).zip(names.iter().copied()));
        index.nearest(text).into_iter().map(|at| names[at as usize]).collect()
    }

    #[test]
    fn a_plan_is_found_by_part_of_its_name_or_with_a_typing_mistake() {
        for text in [
            "Juniper",
            "juniper advantage ppo",
            "Junper Advantage",
            "JuniperAdvantage",
            "Juniper Advantge plan",
        ] {
            assert_eq!(near(&PLANS, text), ["Juniper Advantage"], "{text}");
        }
        assert_eq!(near(&PLANS, "Goldenrod Health HMO"), ["Goldenrod PPO"]);
        for text in ["Aetna", "United Health", "health plan", "", "…", "x", &"a b ".repeat(5000)] {
            assert_eq!(near(&PLANS, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn title_case_accents_and_credentials_do_not_matter() {
        let names =
            ["Amara Okonkwo", "amara-okonkwo", "Siobhán O'Reilly", "siobhan-oreilly", "María de la Vega"];
        for text in [
            "Dr. Amara Okonkwo",
            "AMARA OKONKWO, MD, FACOG",
            "Prof. Okonkwo",
            "amara_okonkwo",
            "Amara Okonkow",
        ] {
            assert_eq!(near(&names, text), ["Amara Okonkwo", "amara-okonkwo"], "{text}");
        }
        assert_eq!(near(&names, "Doctor Siobhan O’Reilly"), ["Siobhán O'Reilly"]);
        assert_eq!(near(&names, "Siobhan Oreilly"), ["siobhan-oreilly"]);
        for text in ["Ana de la Cruz", "Amara Smithson Jones", "nobody", "John Smith"] {
            assert_eq!(near(&names, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_word_of_many_names_suggests_none() {
        let names: Vec<_> = (0..4).map(|number| format!("Jane Nr{number}")).collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        assert_eq!(near(&names[..3], "Jane").len(), 3);
        assert_eq!(near(&names, "Jane"), [""; 0]);
    }
}

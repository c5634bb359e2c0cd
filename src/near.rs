//! Suggests the name that was probably meant.

/// The known name that is most similar to a misspelt one in any case, if one is similar enough, or else the only one that
/// has it as a word.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    const MIN_SIMILARITY: f64 = 0.8;
    let name = name.to_lowercase();
    let scored = known.clone().map(|known| (strsim::jaro_winkler(&name, &known.to_lowercase()), known));
    let similar = scored.filter(|(score, _)| *score >= MIN_SIMILARITY);
    let best = similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known);
    best.or_else(|| {
        let has_it = |known: &&str| known.to_lowercase().split(['-', ' ']).any(|word| word == name);
        let mut with_it = known.filter(has_it);
        with_it.next().filter(|_| with_it.next().is_none())
    })
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_misspelt_name_and_one_of_its_words_are_enough() {
        let known = || ["amara-okonkwo", "li-wu", "ann-wu", "Goldenrod PPO"].into_iter();
        for (name, found) in [
            ("amara-okonkow", Some("amara-okonkwo")),
            ("Okonkwo", Some("amara-okonkwo")),
            ("ppo", Some("Goldenrod PPO")),
            ("wu", None),
            ("zoe", None),
        ] {
            assert_eq!(nearest(name, known()), found, "{name}");
        }
    }
}

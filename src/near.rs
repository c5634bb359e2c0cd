//! Suggests the name that was probably meant, or other names for one that is taken.

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

/// A slug with the numbers from `first` on. A long one is cut, because a slug has at most 64 characters.
pub(crate) fn numbered(slug: &str, first: u32) -> impl Iterator<Item = String> {
    (first..).map(move |number| {
        let end = format!("-{number}");
        let kept = slug.get(..slug.len().min(64 - end.len())).unwrap_or(slug);
        format!("{}{end}", kept.trim_end_matches('-'))
    })
}

#[cfg(test)]
mod tests {
    use super::{nearest, numbered};

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

    #[test]
    fn a_numbered_slug_is_no_longer_than_a_slug_may_be() {
        assert_eq!(numbered("jane-doe", 2).take(2).collect::<Vec<_>>(), ["jane-doe-2", "jane-doe-3"]);
        let long = format!("{}-b", "a".repeat(61));
        assert_eq!(numbered(&long, 2).next(), Some(format!("{}-2", "a".repeat(61))));
        assert_eq!(numbered(&"a".repeat(64), 10).next(), Some(format!("{}-10", "a".repeat(61))));
    }
}

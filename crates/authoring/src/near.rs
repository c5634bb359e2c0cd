//! Suggests names: the one probably meant, or a free one. Rewords serde's errors.

/// The known name most similar to `name`, or else the only one with `name` as one of its words.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    directory::nearest(name, known.clone()).or_else(|| {
        let has_it = |known: &&str| known.split(['-', ' ']).any(|word| word.eq_ignore_ascii_case(name));
        let mut with_it = known.filter(has_it);
        with_it.next().filter(|_| with_it.next().is_none())
    })
}

/// What to do about a wrong name: the nearest known one, or the other advice.
pub fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, otherwise: &str) -> String {
    nearest(name, known).map_or_else(|| otherwise.to_owned(), |near| format!("did you mean \"{near}\"?"))
}

/// What serde says of a wrong name or value, in plain words, and what to do. Nothing of the value is quoted: it may be a secret.
#[must_use]
pub fn explained(message: &str) -> (String, Option<String>) {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.split(' ').next(), quoted.as_slice()) {
        (Some("unknown"), [name, known @ ..]) => {
            let listed = known.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
            let listed =
                listed.rsplit_once(", ").map_or(listed.clone(), |(one, two)| format!("{one} or {two}"));
            let hint = hint(name, known.iter().copied(), &format!("write {listed}"));
            (format!("there is no \"{name}\""), Some(hint))
        }
        (Some("missing"), [name]) => (format!("\"{name}\" is missing"), None),
        (Some("invalid"), _) => {
            let what = match message.split_once(", expected ").map_or(message, |(_, expected)| expected) {
                "a boolean" => "write true or false",
                "a string" | "path string" | "string or table" => "write a text in quotes",
                "a sequence" => "write a list of texts, like [\"a\", \"b\"]",
                "usize" | "i64" => "write a whole number",
                "f64" => "write a number",
                "socket address" | "invalid socket address syntax" => {
                    "this is not a valid address: write an address and a port, like 127.0.0.1:8080 or [::1]:8080"
                }
                table if table == "a map" || table.starts_with("struct ") => "write a table",
                other => other,
            };
            (what.to_owned(), None)
        }
        _ => (message.to_owned(), None),
    }
}

/// A slug with a number added, from `first` up. A long slug is cut to keep within 64 characters.
pub fn numbered(slug: &str, first: u32) -> impl Iterator<Item = String> {
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

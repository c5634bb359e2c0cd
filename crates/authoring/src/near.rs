//! Suggests names, and rewords serde's errors.

/// Returns the known name most similar to `name`, or else the only one that has `name` as one of its words.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    directory::nearest(name, known.clone()).or_else(|| {
        let has_word = |known: &&str| known.split(['-', ' ']).any(|word| word.eq_ignore_ascii_case(name));
        let mut with_word = known.filter(has_word);
        if let (only, None) = (with_word.next(), with_word.next()) { only } else { None }
    })
}

pub fn hint<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone, otherwise: &str) -> String {
    nearest(name, known).map_or_else(|| otherwise.to_owned(), |near| format!("did you mean \"{near}\"?"))
}

/// Rewords serde's error, with advice for an unknown name. Names and choices are quoted, but no value: it may be a secret.
pub fn reword_serde_error(message: &str) -> (String, Option<String>) {
    let in_backticks: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match (message.split(' ').next(), in_backticks.as_slice()) {
        // Such as: unknown variant `jsn`, expected `json` or `text`
        (Some("unknown"), [name, known @ ..]) => {
            let listed = known.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
            let choices = match listed.rsplit_once(", ") {
                Some((others, last)) if others.contains(", ") => format!("{others}, or {last}"),
                Some((first, last)) => format!("{first} or {last}"),
                None => listed,
            };
            let hint = hint(name, known.iter().copied(), &format!("write {choices}"));
            (format!("there is no \"{name}\""), Some(hint))
        }
        (Some("missing"), [name]) => (format!("\"{name}\" is missing"), None),
        (Some("invalid"), _) if message.ends_with("map, expected a sequence") => {
            ("write two brackets on each side of the table's name, like [[name]]".to_owned(), None)
        }
        // Such as: invalid type: string "yes", expected a boolean
        (Some("invalid"), _) => {
            let expected = message.rsplit_once(", expected ").map_or(message, |(_, expected)| expected);
            (reword_expected(expected).to_owned(), None)
        }
        _ => (message.to_owned(), None),
    }
}

fn reword_expected(expected: &str) -> &str {
    match expected {
        "a boolean" => "write true or false",
        "a TOML datetime" => "write a date without quotes, like 2026-11-26",
        "columns" => "write a column's name in quotes, or a list of names",
        "a string" | "path string" | "string or table" => "write text in quotes",
        "a sequence" => "write a list of quoted text, like [\"a\", \"b\"]",
        "usize" | "i64" => "write a whole number",
        "f64" => "write a number",
        table if table == "a map" || table.starts_with("struct ") => "write a table",
        other => other,
    }
}

/// Returns the slug with a number after it, such as `jane-doe-2`, `jane-doe-3` and so on. Long slugs are cut to 64 characters.
pub fn numbered_slugs(slug: &str, first: u32) -> impl Iterator<Item = String> {
    (first..).map(move |number| {
        let suffix = format!("-{number}");
        let start = slug.get(..slug.len().min(64 - suffix.len())).unwrap_or(slug);
        format!("{}{suffix}", start.trim_end_matches('-'))
    })
}

#[cfg(test)]
mod tests {
    use super::{nearest, numbered_slugs, reword_serde_error};

    #[test]
    fn a_misspelled_name_or_one_of_its_words_finds_it() {
        let known = || ["amara-okonkwo", "li-wu", "ann-wu", "Goldenrod PPO"].into_iter();
        for (name, expected) in [
            ("amara-okonkow", Some("amara-okonkwo")),
            ("Okonkwo", Some("amara-okonkwo")),
            ("ppo", Some("Goldenrod PPO")),
            ("wu", None),
            ("zoe", None),
        ] {
            assert_eq!(nearest(name, known()), expected, "{name}");
        }
    }

    #[test]
    fn a_value_is_not_quoted() {
        let message = "invalid type: string \"a, expected b\", expected a boolean";
        assert_eq!(reword_serde_error(message), ("write true or false".to_owned(), None));
    }

    #[test]
    fn what_was_expected_is_said_without_rusts_words() {
        for (expected, said) in [
            ("a map", "write a table"),
            ("struct Practice", "write a table"),
            ("a sequence", "write a list of quoted text, like [\"a\", \"b\"]"),
            ("a number from 1 to 9", "a number from 1 to 9"),
        ] {
            let message = format!("invalid type: integer `3`, expected {expected}");
            assert_eq!(reword_serde_error(&message), (said.to_owned(), None));
        }
    }

    #[test]
    fn a_numbered_slug_is_not_too_long() {
        assert_eq!(numbered_slugs("jane-doe", 2).take(2).collect::<Vec<_>>(), ["jane-doe-2", "jane-doe-3"]);
        let long = format!("{}-b", "a".repeat(61));
        assert_eq!(numbered_slugs(&long, 2).next(), Some(format!("{}-2", "a".repeat(61))));
        assert_eq!(numbered_slugs(&"a".repeat(64), 10).next(), Some(format!("{}-10", "a".repeat(61))));
    }
}

//! The parts of a person's name.

/// What follows the name of a parent or a child of the same name.
const GENERATIONS: [&str; 7] = ["Jr.", "Jr", "Sr.", "Sr", "II", "III", "IV"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameParts<'a> {
    pub family: &'a str,
    pub given: Vec<&'a str>,
    /// Such as "Jr.".
    pub generation: Option<&'a str>,
}

impl<'a> NameParts<'a> {
    /// The parts of a name. A sort name such as "de la Vega, María" tells them apart; without one, the last word is the
    /// family name. A single word is a family name.
    pub(super) fn split(name: &'a str, sort_name: Option<&'a str>) -> Self {
        let (rest, generation) = without_generation(name);
        let sorted = sort_name
            .and_then(|name| name.split_once(','))
            .map(|(family, given)| (without_generation(family.trim()).0, without_generation(given.trim()).0));
        let (family, given) = match sorted {
            Some(parts @ (family, _)) if !family.is_empty() => parts,
            _ => match rest.rsplit_once(char::is_whitespace) {
                Some((given, family)) => (family, given),
                None => (rest, ""),
            },
        };
        Self { family, given: given.split_whitespace().collect(), generation }
    }
}

/// A name without the generation at its end. A name that is nothing else stays as it is.
fn without_generation(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(char::is_whitespace) {
        Some((rest, last)) if GENERATIONS.contains(&last) => {
            (rest.trim_end().trim_end_matches(',').trim_end(), Some(last))
        }
        _ => (name, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        for (name, sort_name, family, given, generation) in [
            ("Jane Doe", None, "Doe", "Jane", None),
            ("Jane de la Doe", Some("de la Doe, Jane"), "de la Doe", "Jane", None),
            ("Mary Ann Doe", None, "Doe", "Mary Ann", None),
            ("Sol", None, "Sol", "", None),
            ("Le Thanh Mai", Some("Le, Thanh Mai"), "Le", "Thanh Mai", None),
            // Not in two parts.
            ("Jane Doe", Some("Doe"), "Doe", "Jane", None),
            ("Jane Doe", Some(", Jane"), "Doe", "Jane", None),
            ("John Doe Jr.", None, "Doe", "John", Some("Jr.")),
            ("John Doe, III", Some("Doe III, John"), "Doe", "John", Some("III")),
            ("Jr.", None, "Jr.", "", None),
        ] {
            let given: Vec<&str> = given.split_whitespace().collect();
            assert_eq!(NameParts::split(name, sort_name), NameParts { family, given, generation }, "{name}");
        }
    }
}

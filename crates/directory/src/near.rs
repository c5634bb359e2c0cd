//! Suggests a known name for a misspelled one.

pub fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    // Names of very different lengths are never similar enough, and computing the distance takes time.
    let could_be_near = |name: &&str| {
        let other = name.chars().count();
        length.min(other) * 10 >= length.max(other) * 6
    };
    let scored = names
        .filter(could_be_near)
        .map(|name| (strsim::normalized_damerau_levenshtein(&wanted, &name.to_lowercase()), name));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(score, _)| *score >= 0.6).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn what_is_near_is_found_and_what_is_far_is_not() {
        let names = ["display-name", "sort-name", "id", "bio"];
        assert_eq!(nearest("displayName", names.into_iter()), Some("display-name"));
        assert_eq!(nearest("languages", names.into_iter()), None);
        assert_eq!(nearest("", names.into_iter()), None);
    }
}

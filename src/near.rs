//! Suggests the name that was probably meant.

/// The known name that is most similar to a misspelt one in any case, if one is similar enough.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const MIN_SIMILARITY: f64 = 0.8;
    let name = name.to_lowercase();
    let scored = known.map(|known| (strsim::jaro_winkler(&name, &known.to_lowercase()), known));
    let similar = scored.filter(|(score, _)| *score >= MIN_SIMILARITY);
    similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, known)| known)
}

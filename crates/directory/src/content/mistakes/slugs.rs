//! Guesses slugs from names and file names.

use crate::model::slug_words;

pub fn slug_like(text: &str) -> Option<String> {
    // Of an address or a path, the last part.
    let (path, is_address) = text.split_once("://").map_or((text, false), |(_, rest)| (rest, true));
    let path = if is_address { path.split(['?', '#']).next().unwrap_or(path) } else { path };
    // "Owen Tarrant, MD"
    let is_credential = |word: &str| word == "PhD" || !word.contains(char::is_lowercase);
    let path = path
        .split_once(", ")
        .filter(|(_, rest)| rest.split([' ', ',']).all(is_credential))
        .map_or(path, |(name, _)| name);
    let path = path.trim_end_matches('/');
    let last = path.rsplit_once('/').map(|(_, last)| last).or((!is_address).then_some(path))?;
    let slug = slug_words(last.strip_suffix(".toml").unwrap_or(last));
    (!slug.is_empty() && slug.len() <= 64).then_some(slug)
}

/// The original's name, if a program named this file as a copy: "jane-doe (1)", "jane-doe copy 2", "Copy of jane-doe",
/// "jane-doe (Pat's conflicted copy 2026-11-30)", "jane-doe-DESKTOP-4F2K".
fn copied_from(stem: &str) -> Option<&str> {
    let stem = stem.trim();
    let is_numeral = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let numbered = stem.strip_suffix(')').and_then(|stem| stem.rsplit_once('('));
    if let Some(at) = ["-DESKTOP-", "-LAPTOP-"].iter().find_map(|computer| stem.find(computer)) {
        return stem.get(..at);
    }
    let is_of_copy = |text: &str| {
        let text = text.to_ascii_lowercase();
        is_numeral(&text) || text.ends_with("copy") || text.contains("conflict")
    };
    let numbered = numbered.filter(|(_, text)| is_of_copy(text)).map(|(name, _)| name);
    let base = numbered.or_else(|| Some(stem.rsplit_once(' ').filter(|(_, last)| is_numeral(last))?.0));
    let base = base.unwrap_or(stem).trim_end();
    let lower = base.to_ascii_lowercase();
    if let Some(name) = lower.strip_suffix("copy").filter(|name| name.ends_with([' ', '-', '_'])) {
        return base.get(..name.len()).map(|name| name.trim_end_matches([' ', '-', '_']));
    }
    if lower.starts_with("copy of ") {
        return base.get("copy of ".len()..).map(str::trim);
    }
    numbered.map(str::trim_end)
}

/// The slug that a file's name probably means. For a copy, this is the slug of the original.
pub(in super::super) fn slug_meant(stem: &str) -> Option<String> {
    slug_like(copied_from(stem).unwrap_or(stem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_recognized_by_their_names() {
        for (stem, original) in [
            ("jane-doe (1)", Some("jane-doe")),
            ("jane-doe (copy)", Some("jane-doe")),
            ("jane-doe (another copy)", Some("jane-doe")),
            ("jane-doe copy", Some("jane-doe")),
            ("jane-doe copy 2", Some("jane-doe")),
            ("jane-doe - Copy (3)", Some("jane-doe")),
            ("Copy of jane-doe", Some("jane-doe")),
            ("jane-doe (Front Desk's conflicted copy 2026-11-30)", Some("jane-doe")),
            ("jane-doe (Case Conflict)", Some("jane-doe")),
            ("jane-doe-DESKTOP-4F2K", Some("jane-doe")),
            ("jane-doe-2", None),
            ("Jane Doe", None),
            ("jane-copy", Some("jane")),
            ("photocopy", None),
        ] {
            assert_eq!(copied_from(stem), original, "{stem}");
        }
    }

    #[test]
    fn names_become_slugs() {
        assert_eq!(slug_like("Ann One").as_deref(), Some("ann-one"));
        assert_eq!(slug_like("Dr. O'Hara_2").as_deref(), Some("dr-o-hara-2"));
        assert_eq!(slug_like("providers/jane-smith.toml").as_deref(), Some("jane-smith"));
        for address in [
            "/providers/ann-one",
            "https://one.example/providers/ann-one/?state=CA",
            "one.example/providers/ann-one",
        ] {
            assert_eq!(slug_like(address).as_deref(), Some("ann-one"), "{address}");
        }
        assert_eq!(slug_like("https://one.example/"), None);
        assert_eq!(slug_like("Owen Tarrant, MD, PhD").as_deref(), Some("owen-tarrant"));
        assert_eq!(slug_like("Tarrant, Owen").as_deref(), Some("tarrant-owen"));
        assert_eq!(slug_like("José Peña").as_deref(), Some("jose-pena"));
        assert_eq!(slug_like("Jörg Großmann-Łoś").as_deref(), Some("jorg-grossmann-los"));
        assert_eq!(slug_like("…"), None);
    }
}

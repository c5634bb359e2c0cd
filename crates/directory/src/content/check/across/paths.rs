//! Guesses the right path of a file with a wrong name or in a wrong place.

use crate::content::mistakes::slug_meant;
use crate::content::sources::{Sources, has_text_ending};

/// The path that ends in .toml; `None` if this one does, or if that file exists and this one is a copy of it.
pub(super) fn meant_path(path: &str, sources: &Sources) -> Option<String> {
    if has_text_ending(path) {
        return None;
    }
    let (folder, _) = path.rsplit_once('/')?;
    let meant = format!("{folder}/{}.toml", slug_meant(&stem_of(path)?)?);
    sources.get(&meant).is_none().then_some(meant)
}

/// The folder in which a TOML file at the top of the content folder belongs.
pub(super) fn folder_meant<'a>(path: &str, sources: &Sources, folders: &[&'a str]) -> Option<&'a str> {
    let stem = path.strip_suffix(".toml").filter(|stem| !stem.contains('/'))?;
    let is_in = |folder: &str| sources.get(&format!("{folder}/{path}")).is_some();
    // If the provider has a file in one of the two folders, this file belongs in the other one.
    let lacks_it = |folder: &&&str| match **folder {
        "providers" => is_in("availability") && !is_in("providers"),
        "availability" => is_in("providers") && !is_in("availability"),
        _ => false,
    };
    let named = folders.iter().find(|folder| **folder == stem);
    named.or_else(|| folders.iter().find(lacks_it)).copied()
}

/// The file's name up to ".toml", also in "jane-doe.toml.txt" and "jane-doe.TOML".
pub(super) fn stem_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let at = name.to_ascii_lowercase().find(".toml")?;
    Some(name[..at].to_owned())
}

//! Which path a misnamed or misplaced file was probably meant to have.

use crate::content::load::{Sources, has_text_ending};
use crate::content::words::slug_meant;

/// The path with the right ending; `None` if the ending is right, or if that file exists and this one is a copy.
pub(super) fn meant_path(path: &str, sources: &Sources) -> Option<String> {
    if has_text_ending(path) {
        return None;
    }
    let (folder, _) = path.rsplit_once('/')?;
    let meant = format!("{folder}/{}.toml", slug_meant(&stem_of(path)?)?);
    sources.get(&meant).is_none().then_some(meant)
}

/// The folder that a file beside the folders belongs in.
pub(super) fn folder_meant<'a>(path: &str, sources: &Sources, folders: &[&'a str]) -> Option<&'a str> {
    let stem = path.strip_suffix(".toml").filter(|stem| !stem.contains('/'))?;
    let is_in = |folder: &str| sources.get(&format!("{folder}/{path}")).is_some();
    // The provider has a file in one of the two folders: this is the other one.
    let lacks_it = |folder: &&&str| match **folder {
        "providers" => is_in("availability") && !is_in("providers"),
        "availability" => is_in("providers") && !is_in("availability"),
        _ => false,
    };
    let named = folders.iter().find(|folder| **folder == stem);
    named.or_else(|| folders.iter().find(lacks_it)).copied()
}

/// The name before ".toml", also of "jane-doe.toml.txt" and "jane-doe.TOML".
pub(super) fn stem_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let at = name.to_ascii_lowercase().find(".toml")?;
    Some(name[..at].to_owned())
}

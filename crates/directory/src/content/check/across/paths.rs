//! Guesses the right path of a file with a wrong name or in a wrong place.

use crate::content::mistakes::{nearest, slug_meant};
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

/// The folder of clinicians or of hours whose name that of a file's folder resembles.
pub(super) fn folder_resembled(path: &str) -> Option<&'static str> {
    const FOLDERS: [&str; 2] = ["providers", "availability"];
    let (folder, _) = path.strip_suffix(".toml")?.rsplit_once('/')?;
    if FOLDERS.contains(&folder) { None } else { nearest(folder, FOLDERS.into_iter()) }
}

/// The file's name up to ".toml", also in "jane-doe.toml.txt" and "jane-doe.TOML".
pub(super) fn stem_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let at = name.to_ascii_lowercase().find(".toml")?;
    Some(name[..at].to_owned())
}

/// The endings of documents, what they are, and how to make plain text of them.
const DOCUMENTS: [(&[&str], &str, &str); 7] = [
    (&["docx", "doc", "docm"], "a Word document", "In Word: Save As > Plain Text (UTF-8)"),
    (
        &["rtf"],
        "a rich text document",
        "In TextEdit: Format > Make Plain Text, then save. In Word: Save As > Plain Text (UTF-8)",
    ),
    (&["odt"], "a LibreOffice document", "In LibreOffice: Save As > Text (UTF-8)"),
    (&["pages"], "a Pages document", "In Pages: File > Export To > Plain Text"),
    (&["gdoc"], "a link to a Google document", "In Google Docs: File > Download > Plain text"),
    (
        &["pdf", "html", "htm"],
        "a PDF or web page",
        "Copy its text into a plain text file, each line as key = value",
    ),
    (
        &["xlsx", "xls", "csv", "ods", "numbers", "gsheet"],
        "a spreadsheet",
        "Copy its cells into a plain text file, each as key = value",
    ),
];

/// The slug in the name of a document in a folder, what it is, and how to make plain text of it.
pub(super) fn document(path: &str) -> Option<(String, &'static str, &'static str)> {
    let (stem, ending) = path.rsplit_once('/')?.1.rsplit_once('.')?;
    let ending = ending.to_ascii_lowercase();
    let (_, what, how) = DOCUMENTS.iter().find(|(endings, ..)| endings.contains(&ending.as_str()))?;
    Some((slug_meant(stem.strip_suffix(".toml").unwrap_or(stem))?, what, how))
}

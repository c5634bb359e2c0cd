//! A clinician's biography.

use super::super::raw::Text;
use super::fields::File;
use super::starter;

const LONGEST_BIO: usize = 5000;

/// Reads the biography. Reports one that is too long.
pub(super) fn read(file: &mut File<'_>, bio: Text) -> Option<String> {
    let bio = file.required(bio, None, "bio", "\"\"\"…\"\"\"")?;
    let text = bio.value.replace("\r\n", "\n").trim().to_owned();
    let characters = text.chars().count();
    if characters > LONGEST_BIO {
        let what = format!("this biography has {characters} characters; at most {LONGEST_BIO} are published");
        file.error(&bio.span, what, "shorten it");
    }
    starter::warn_of_example(file, &bio);
    Some(text)
}

//! A clinician's biography.

use super::super::raw::Text;
use super::fields::File;
use super::{markdown, starter};

const LONGEST_BIO: usize = 5000;

/// Reads the biography. Reports one that is too long or has Markdown, because it is published as plain text.
pub(super) fn read(file: &mut File<'_>, bio: Text) -> Option<String> {
    let bio = file.required(bio, None, "bio", "\"\"\"…\"\"\"")?;
    let text = bio.value.replace("\r\n", "\n").trim().to_owned();
    let characters = text.chars().count();
    if characters > LONGEST_BIO {
        let what = format!("this biography has {characters} characters; at most {LONGEST_BIO} are published");
        file.error(&bio.span, what, "shorten it");
    }
    starter::warn_of_example(file, &bio);
    let mut from = bio.span.start;
    for mark in markdown::marks(&text) {
        let what =
            format!("there is Markdown in this text, and it is published as it is written: {}", mark.what);
        let part = file.part(&(from..bio.span.end), mark.text);
        // The whole rest is what is not found as it is written.
        if part.end < bio.span.end {
            from = part.end;
        }
        file.error(&part, what, mark.hint);
    }
    Some(text)
}

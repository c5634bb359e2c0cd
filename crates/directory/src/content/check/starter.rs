//! Texts of the example that `nameplate init` writes, and placeholders.

use std::sync::LazyLock;

use regex::Regex;

use super::super::problem::OF_EXAMPLE;
use super::super::raw::Located;
use super::fields::File;

const TEXTS: [&str; 7] = [
    "Your Clinic",
    "One sentence about what you do",
    "your-clinic.example",
    "Write a few sentences here",
    "Example Health PPO",
    "Example Mutual HMO",
    "Example Board",
];

/// What people write where a text is still missing. Content with one of these is warned of.
const PLACEHOLDERS: [&str; 4] = ["TODO", "TBD", "Lorem ipsum", "lorem ipsum"];

/// All of them at once, because each biography is searched.
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let texts: Vec<String> = TEXTS.iter().chain(&PLACEHOLDERS).map(|text| regex::escape(text)).collect();
    Regex::new(&texts.join("|")).ok()
});

/// Warns of a text of the example or a placeholder. It is not an error, so that the example can be tried unchanged.
pub(super) fn warn_of_example(file: &mut File<'_>, text: &Located<String>) {
    if ANY.as_ref().is_some_and(|any| !any.is_match(&text.value)) {
        return;
    }
    if TEXTS.iter().any(|known| text.value.contains(known)) {
        file.warn(&text.span, OF_EXAMPLE, "Replace it with your own before you publish.");
    } else if PLACEHOLDERS.iter().any(|known| text.value.contains(known)) {
        file.warn(&text.span, "This text is a placeholder.", "Replace it before you publish.");
    }
}

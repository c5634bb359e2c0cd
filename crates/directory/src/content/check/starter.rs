//! Texts of the example that `nameplate init` writes.

use std::sync::LazyLock;

use regex::Regex;

use super::super::problem::OF_EXAMPLE;
use super::super::raw::Located;
use super::fields::File;

/// A part of a name can be someone's.
const NAME: &str = "Jane Doe";
const TEXTS: [&str; 8] = [
    "Your Clinic",
    "One sentence about what you do",
    "your-clinic.example",
    "Write a few sentences here",
    "Example Health PPO",
    "Example Mutual HMO",
    "Example Board",
    "Example School of Medicine",
];

/// All of them at once, because each biography is searched.
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let texts: Vec<String> = TEXTS.iter().map(|text| regex::escape(text)).collect();
    Regex::new(&format!("^{NAME}$|{}", texts.join("|"))).ok()
});

pub fn is_of_example(text: &str) -> bool {
    text == NAME || TEXTS.iter().any(|known| text.contains(known))
}

/// Warns of a text of the example. It is not an error, so that the example can be tried unchanged.
pub(super) fn warn_of_example(file: &mut File<'_>, text: &Located<String>) {
    if ANY.as_ref().is_none_or(|any| any.is_match(&text.value)) && is_of_example(&text.value) {
        file.warn(&text.span, OF_EXAMPLE, "Replace it with your own before you publish.");
    }
}

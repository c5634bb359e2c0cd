//! Texts of the example of `nameplate init`, and placeholders.

use super::super::raw::Located;
use super::fields::File;

/// Texts of the example that no clinic has.
const TEXTS: [&str; 7] = [
    "Your Clinic",
    "One sentence about what you do",
    "your-clinic.example",
    "Write a few sentences here",
    "Example Health PPO",
    "Example Mutual HMO",
    "Example Board",
];

/// Words that editors leave where they mean to write something later.
const PLACEHOLDERS: [&str; 4] = ["TODO", "TBD", "Lorem ipsum", "lorem ipsum"];

/// Warns of a text of the example and of a placeholder. It is no error, so that the example can be tried as it is.
pub(super) fn look(file: &mut File<'_>, text: &Located<String>) {
    if TEXTS.iter().any(|known| text.value.contains(known)) {
        file.warn(
            &text.span,
            "this is still the text of the example",
            "write your own in its place before you publish",
        );
    } else if PLACEHOLDERS.iter().any(|known| text.value.contains(known)) {
        file.warn(&text.span, "this text is a placeholder", "write it before you publish");
    }
}

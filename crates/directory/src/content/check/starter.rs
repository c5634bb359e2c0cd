//! Texts of the example that `nameplate init` writes, and placeholders.

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

/// Warns of a text of the example or a placeholder. It is not an error, so that the example can be tried unchanged.
pub(super) fn warn_of_example(file: &mut File<'_>, text: &Located<String>) {
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

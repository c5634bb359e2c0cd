//! Texts that `nameplate init` wrote and that are still in the content.

use super::super::raw::Located;
use super::super::report::Problem;
use super::fields::File;

/// Texts of the starter that no real clinic has.
const TEXTS: [&str; 7] = [
    "Your Clinic",
    "One sentence about what you do",
    "your-clinic.example",
    "Write a few sentences here",
    "Example Health PPO",
    "Example Mutual HMO",
    "Example Board",
];

/// Warns of a text of the starter. It is no error, so that the starter can be tried as it is.
pub(super) fn look(file: &mut File<'_>, text: &Located<String>) {
    if TEXTS.iter().any(|known| text.value.contains(known)) {
        let warning = Problem::warning(file.place(&text.span), "this is still the text of the example");
        file.add(warning.hint("write your own in its place before you publish"));
    }
}

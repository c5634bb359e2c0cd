//! Dashes that a word processor or a phone writes in place of a hyphen.

const DASHES: [(char, &str); 7] = [
    ('\u{2010}', "a hyphen of another kind"),
    ('\u{2011}', "a hyphen of another kind"),
    ('\u{2012}', "a figure dash"),
    ('\u{2013}', "an en dash"),
    ('\u{2014}', "an em dash"),
    ('\u{2015}', "a long dash"),
    ('\u{2212}', "a minus sign"),
];

pub(super) fn is_dash(character: char) -> bool {
    DASHES.iter().any(|(dash, _)| *dash == character)
}

/// The first dash of a text, its place and its name.
pub(super) fn dash_in(text: &str) -> Option<(usize, char, &'static str)> {
    let (at, found) = text.char_indices().find(|&(_, character)| is_dash(character))?;
    let (_, name) = DASHES.iter().find(|(dash, _)| *dash == found)?;
    Some((at, found, name))
}

/// What to type in place of the dash in a text, as the end of a sentence.
pub(in super::super) fn hyphen_for_dash(text: &str) -> Option<String> {
    let (_, dash, name) = dash_in(text)?;
    Some(format!("; what you wrote has {name} ({dash}), so type a hyphen (-) in its place"))
}

//! Sort names, which say where a clinician stands in a list by last name.

use super::super::problem::Advice;
use super::super::raw::Located;
use super::fields::File;
use super::names::report_stray_marks;
use crate::model::slug_words;

/// Warns of a sort name of another name, and of one in the order of the display name, which files the clinician under the
/// first name.
pub(super) fn check(file: &mut File<'_>, sort: &Located<String>, name: &str) {
    report_stray_marks(file, sort);
    let letters = |text: &str| slug_words(text).replace('-', "");
    let known = letters(name);
    let other = sort.value.split([' ', ',']).find(|word| !known.contains(&letters(word)));
    if let Some(other) = other.filter(|_| !known.is_empty()) {
        let (last, first) = sort.value.split_once(", ").unwrap_or_default();
        let after = name.strip_prefix(first).and_then(|last| Some((last.strip_prefix(' ')?, first)));
        let before = || Some((last, name.strip_suffix(last)?.strip_suffix(' ')?));
        let of_two = || name.split_once(' ').map(|(first, last)| (last, first));
        let of_two = || of_two().filter(|(last, _)| !last.contains([' ', ',']));
        let mut words = sort.value.split([' ', ',']).map(letters).filter(|word| !word.is_empty());
        let what = if words.any(|word| known.contains(&word)) {
            format!("\"{other}\" in this sort name isn't in the name, \"{name}\".")
        } else {
            format!("No word of this sort name is in the name, \"{name}\".")
        };
        // The name of another clinician: the file's name and the sort name agree, and this name has no word of them.
        let slug = file.path.trim_start_matches("providers/").trim_end_matches(".toml");
        let is_shown = |word: &str| slug_words(name).split('-').any(|shown| shown == word);
        let own = [format!("{first} {last}"), format!("{last} {first}")];
        let is_own = |own: &&String| slug_words(own) == slug && !slug.split('-').any(is_shown);
        if let Some(own) = own.iter().find(is_own) {
            let hint = format!(
                "If this is {own}, write display-name = \"{own}\". If the name changed, correct the sort name, \
                 and rename the file."
            );
            return file.warn(&sort.span, what, hint);
        }
        let advice = match after.or_else(before).or_else(of_two) {
            Some((last, first)) => Advice::meant(format!("\"{last}, {first}\"")),
            None => "Write the last name of the display name, a comma, and the first name.".into(),
        };
        file.warn(&sort.span, what, advice);
    }
    let words: Vec<&str> = sort.value.split_whitespace().collect();
    if words.len() < 2 || !name.eq_ignore_ascii_case(&sort.value) {
        return;
    }
    let advice = match words[..] {
        [first, last] => Advice::meant(format!("\"{last}, {first}\"")),
        _ => "Write the last name, a comma, and the first name, such as \"Doe, Jane Ann\".".into(),
    };
    file.warn(&sort.span, "This sort name begins with the first name, so it sorts by that.", advice);
}

//! Letters that a spreadsheet lost when it saved a sheet in an encoding without them.

const REPLACED: char = '\u{fffd}';

/// The fault if `cell` lost letters of `now`, the file's text.
pub(super) fn lost_letters(now: &str, cell: &str) -> Option<String> {
    let advice = "and save the sheet as XLSX, or as \"CSV UTF-8\"";
    if cell.contains(REPLACED) && !now.contains(REPLACED) {
        return Some(format!(
            "letters were lost here (\u{fffd}) when the sheet was saved: write them again, {advice}"
        ));
    }
    let (word, lost) = now.split_whitespace().find_map(|word| Some((word, lost_in(word, cell)?)))?;
    Some(format!("\"{word}\" became \"{lost}\" when the sheet was saved: write {word} again, {advice}"))
}

/// A word without its letters beyond ASCII, if the cell has it so and not as it was. An encoding has a question mark for
/// each letter, or for each of its bytes.
fn lost_in(word: &str, cell: &str) -> Option<String> {
    if word.is_ascii() || !cell.contains('?') || cell.contains(word) {
        return None;
    }
    let marked = |marks: fn(char) -> usize| -> String {
        word.chars()
            .flat_map(|letter| {
                let (letter, times) = if letter.is_ascii() { (letter, 1) } else { ('?', marks(letter)) };
                std::iter::repeat_n(letter, times)
            })
            .collect()
    };
    // A lone question mark may be real.
    [marked(|_| 1), marked(char::len_utf8)]
        .into_iter()
        .find(|lost| lost.len() > 1 && cell.contains(lost.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_were_lost_are_told_from_questions() {
        for (now, cell, told) in [
            ("Lucía Ibáñez", "Luc?a Ib??ez", "\"Lucía\" became \"Luc?a\""),
            ("Lê Thanh Mai", "L? Thanh Mai, NP", "\"Lê\" became \"L?\""),
            ("She’s here – now.", "She???s here ??? now.", "\"She’s\" became \"She???s\""),
            ("李娜", "??", "\"李娜\" became \"??\""),
            ("Lucía", "Luc\u{fffd}a", "letters were lost here"),
            ("", "Luc\u{fffd}a", "letters were lost here"),
        ] {
            let what = lost_letters(now, cell);
            assert!(what.as_ref().is_some_and(|what| what.contains(told)), "{cell}: {what:?}");
        }
        for (now, cell) in [
            ("Lucía", "Lucia"),
            ("Lucía asks.", "Lucía asks. Why?"),
            ("Sleep – and rest", "Sleep? And rest"),
            ("Why", "Wh?"),
            ("a\u{fffd}", "b\u{fffd}"),
        ] {
            assert_eq!(lost_letters(now, cell), None, "{cell}");
        }
    }
}

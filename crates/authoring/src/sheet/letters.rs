//! Finds letters that a spreadsheet lost when it opened or saved a sheet in a wrong encoding, and digits that it lost when
//! it took a long number for a quantity.

use directory::misread;

use super::fault::{Faults, SheetFault};

const WHEN_SAVED: &str = "when the sheet was saved";
const REPLACEMENT: char = '\u{fffd}';

pub(super) fn lost_letters(file_text: &str, cell: &str) -> Option<String> {
    let advice = "and save the sheet as XLSX, or as \"CSV UTF-8\"";
    if cell.contains(REPLACEMENT) && !file_text.contains(REPLACEMENT) {
        return Some(format!(
            "letters were lost here ({REPLACEMENT}) {WHEN_SAVED}: write them again, {advice}"
        ));
    }
    if let Some((misread, word)) = find_misread_word(file_text, cell) {
        return Some(format!(
            "\"{misread}\" is \"{word}\" in a wrong encoding: open the file as UTF-8, write {word} again, {advice}"
        ));
    }
    let (word, damaged) =
        file_text.split_whitespace().find_map(|word| Some((word, find_damaged_word(word, cell)?)))?;
    Some(format!("\"{word}\" became \"{damaged}\" {WHEN_SAVED}: write {word} again, {advice}"))
}

/// Joins the faults of many cells whose letters were lost: all of them were lost when the sheet was saved.
pub(super) fn join_lost(faults: &mut Faults) {
    const MOST: usize = 2;
    let is_lost = |fault: &SheetFault| fault.message.contains(WHEN_SAVED);
    let Some(first) = faults.iter().position(is_lost) else { return };
    let lost = faults.iter().filter(|fault| is_lost(fault)).count();
    if lost <= MOST {
        return;
    }
    let example = faults[first].message.split(':').next().unwrap_or_default().to_owned();
    faults[first].message = format!(
        "{example}, and letters of {} more cells were lost, too: make your changes in a new export, and save it as XLSX, or as \
         \"CSV UTF-8\"",
        lost - 1
    );
    let mut at = 0;
    faults.retain(|fault| {
        at += 1;
        at == first + 1 || !is_lost(fault)
    });
}

/// Whether a cell is like `9.12E+09`, which is all that a CSV keeps of ten digits in a narrow column.
pub(super) fn is_shortened_number(cell: &str) -> bool {
    cell.split_once(['E', 'e']).is_some_and(|(number, exponent)| {
        exponent.starts_with('+') && number.replacen(',', ".", 1).parse::<f64>().is_ok()
    })
}

/// No-break spaces don't end a word here, because a misread letter can contain one.
fn find_misread_word<'a>(file_text: &str, cell: &'a str) -> Option<(&'a str, String)> {
    let mut words = cell.split([' ', '\n', '\t']).filter(|word| !file_text.contains(word));
    words.find_map(|word| Some((word, misread::original(word)?)))
}

/// Returns what a word became if its letters beyond ASCII were lost in the cell: `Luc?a` or `Luc??a` for `Lucía`.
fn find_damaged_word(word: &str, cell: &str) -> Option<String> {
    if word.is_ascii() || !cell.contains('?') || cell.contains(word) {
        return None;
    }
    // Some programs write a question mark for each letter, and others for each byte.
    let candidates =
        [with_question_marks(word, |_| 1), with_question_marks(word, char::len_utf8)].into_iter();
    // Question marks are part of these words: "Why???" is one word.
    let cell_words: Vec<_> = cell.split(|letter: char| letter != '?' && !letter.is_alphanumeric()).collect();
    // A single "?" may be what the author wrote.
    candidates.filter(|damaged| damaged != "?").find(|damaged| {
        // The "???" in "Why???" may be what the author wrote. So a damaged word that is only question marks must be a whole
        // word of the cell.
        let is_all_lost = damaged.bytes().all(|byte| byte == b'?');
        if is_all_lost { cell_words.contains(&damaged.as_str()) } else { cell.contains(damaged.as_str()) }
    })
}

fn with_question_marks(word: &str, marks_per_letter: fn(char) -> usize) -> String {
    let marks = |letter: char| "?".repeat(marks_per_letter(letter));
    word.chars().map(|letter| if letter.is_ascii() { letter.to_string() } else { marks(letter) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_letters_are_distinguished_from_question_marks() {
        for (file_text, cell, expected) in [
            ("Lucía Ibáñez", "Luc?a Ib??ez", "\"Lucía\" became \"Luc?a\""),
            ("Lê Thanh Mai", "L? Thanh Mai, NP", "\"Lê\" became \"L?\""),
            ("She’s here – now.", "She???s here ??? now.", "\"She’s\" became \"She???s\""),
            ("李娜", "??", "\"李娜\" became \"??\""),
            ("Hi – 李娜", "Hi ??? 李娜", "\"–\" became \"???\""),
            ("李娜", "Ann ??????", "\"李娜\" became \"??????\""),
            ("李娜", "Ann (??), NP", "\"李娜\" became \"??\""),
            ("Lucía", "Luc\u{fffd}a", "letters were lost here"),
            ("", "Luc\u{fffd}a", "letters were lost here"),
            (
                "Lucía Ibáñez",
                "LucÃ\u{ad}a IbÃ¡Ã±ez",
                "is \"Lucía\" in a wrong encoding: open the file as UTF-8",
            ),
            ("", "Hi, I’m JosÃ©.", "\"JosÃ©.\" is \"José.\" in a wrong encoding"),
            ("Sleep – and rest", "Sleep ‚Äì and rest", "\"‚Äì\" is \"–\" in a wrong encoding"),
        ] {
            let message = lost_letters(file_text, cell);
            assert!(
                message.as_ref().is_some_and(|message| message.contains(expected)),
                "{cell}: {message:?}"
            );
        }
        for (file_text, cell) in [
            ("Lucía", "Lucia"),
            ("Lucía asks.", "Lucía asks. Why?"),
            ("Sleep – and rest", "Sleep? And rest"),
            ("Sleep – and rest", "Sleep and rest. Why??? (Really???)"),
            ("Why", "Wh?"),
            ("a\u{fffd}", "b\u{fffd}"),
            ("JosÃ©", "JosÃ© Luis"),
            ("", "José: “Sí, señora”…"),
        ] {
            assert_eq!(lost_letters(file_text, cell), None, "{cell}");
        }
    }
}

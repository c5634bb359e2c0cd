//! Text that was saved as UTF-8 and read in another encoding, such as `MarÃ­a` for `María`.

/// The characters of the bytes 0x80 to 0xFF in the encodings in which spreadsheets and editors open UTF-8 by mistake.
const ENCODINGS: [&str; 2] = [
    // Windows-1252.
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ\u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
     ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ",
    // Mac OS Roman.
    "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\
     \u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ",
];

/// The longest text, in bytes, that is taken for a word.
const LONGEST_WORD: usize = 200;

/// Returns what a word was before it was read in a wrong encoding, or `None` if it is a word as it stands.
pub fn original(word: &str) -> Option<String> {
    if word.is_ascii() || word.len() > LONGEST_WORD {
        return None;
    }
    let decode = |encoding: &&str| String::from_utf8(bytes(word, encoding)?).ok();
    let original = ENCODINGS.iter().find_map(decode)?;
    // Some pairs of characters, such as a letter before a closing quote, are right as they stand and happen to be UTF-8.
    let is_in_capitals = word.chars().filter(char::is_ascii_uppercase).count() > 1
        && !word.contains(|character: char| character.is_ascii_lowercase());
    let changes_case = is_in_capitals && original.contains(char::is_lowercase);
    (original.chars().all(is_usual) && !changes_case).then_some(original)
}

fn bytes(word: &str, encoding: &str) -> Option<Vec<u8>> {
    let byte = |character: char| match u8::try_from(character) {
        Ok(byte) if byte.is_ascii() => Some(byte),
        _ => u8::try_from(0x80 + encoding.chars().position(|known| known == character)?).ok(),
    };
    word.chars().map(byte).collect()
}

/// Whether a character belongs to names and sentences in Latin letters.
fn is_usual(character: char) -> bool {
    matches!(character,
        '!'..='~' | '\u{a0}'..='\u{17f}' | 'Ơ' | 'ơ' | 'Ư' | 'ư' | '\u{1e00}'..='\u{1eff}' | '\u{2010}'..='\u{2026}' | '€' | '™')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misread_words_are_decoded_again() {
        // Written by Python: `word.encode("utf-8").decode("cp1252")`, and the same with "mac_roman".
        for (misread, word) in [
            ("Mar\u{c3}\u{ad}a", "María"),
            ("Ib\u{c3}\u{a1}\u{c3}\u{b1}ez,", "Ibáñez,"),
            ("L\u{c3}\u{aa}", "Lê"),
            ("Nguy\u{e1}\u{bb}\u{2026}n", "Nguyễn"),
            ("doesn\u{e2}\u{20ac}\u{2122}t", "doesn’t"),
            ("Bj\u{c3}\u{b6}rk\u{c2}\u{a0}", "Björk\u{a0}"),
            ("Wa\u{c5}\u{201a}\u{c4}\u{2122}sa", "Wałęsa"),
            ("Mar\u{221a}\u{2260}a", "María"),
            ("Ib\u{221a}\u{b0}\u{221a}\u{b1}ez", "Ibáñez"),
            ("doesn\u{201a}\u{c4}\u{f4}t", "doesn’t"),
        ] {
            assert_eq!(original(misread).as_deref(), Some(word), "{misread}");
        }
        for encoding in ENCODINGS {
            assert_eq!(encoding.chars().count(), 128);
        }
    }

    #[test]
    fn words_as_they_stand_stay() {
        for word in [
            "Maria",
            "María",
            "Lê",
            "JOSÉ’S",
            "CAFÉ…",
            "“café’”",
            "IRMÃ»",
            "JOÃO",
            "SÃO",
            "Â",
            "√2",
            "naïve",
            "Ångström",
            "李娜",
            "Zoë—and",
            "½",
            "10°",
            "",
        ] {
            assert_eq!(original(word), None, "{word}");
        }
    }
}

//! Reads days as people write them.

use super::super::check::day_names;
use super::hours::LETTERS;
use crate::model::folded;
use crate::near::nearest;

/// Days by their letters, in Spanish or French, or with a wrong letter, as short English names.
pub(in super::super) fn in_english(text: &str) -> String {
    const OTHERS: &str = "lunes martes miercoles jueves viernes sabado domingo \
                          lundi mardi mercredi jeudi vendredi samedi dimanche";
    let english = |word: &str| -> Option<&'static str> {
        let letters = |word: &str| {
            let mut letters: Vec<char> = word.chars().collect();
            letters.sort_unstable();
            letters
        };
        let other = || OTHERS.split(' ').position(|day| word.len() > 2 && day.starts_with(word));
        let swapped = || day_names().position(|day| letters(day) == letters(word));
        let at = LETTERS.iter().position(|letter| *letter == word).or_else(other).or_else(swapped);
        // Short names of days are too similar: `lun` would be Sunday.
        let near = || nearest(word, day_names()).filter(|_| word.len() > 3);
        at.and_then(|at| day_names().nth(at % 7)).or_else(near)
    };
    let folded = folded(text);
    let words = folded.split_inclusive(|sign: char| !sign.is_alphanumeric()).map(|piece| {
        let word = piece.trim_end_matches(|sign: char| !sign.is_alphanumeric());
        match word {
            "" => piece.to_owned(),
            "de" | "desde" => String::new(),
            "a" | "al" | "au" => "-".to_owned(),
            "y" | "e" | "et" => ",".to_owned(),
            _ => format!("{}{}", english(word).unwrap_or(word), &piece[word.len()..]),
        }
    });
    words.collect::<String>().replace(" -", "-")
}

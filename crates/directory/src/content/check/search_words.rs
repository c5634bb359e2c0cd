//! `[search-words]` of `directory.toml`: what a search looks for besides the words that patients type.

use super::super::problem::Advice;
use super::super::raw::{Located, SearchWordsTable};
use super::fields::File;
use crate::model::{SearchWord, folded};

const MOST_TYPED: usize = 64;
const MOST_OTHERS: usize = 8;

pub(super) fn read(file: &mut File<'_>, table: Option<Located<SearchWordsTable>>) -> Vec<SearchWord> {
    let mut words: Vec<SearchWord> = Vec::new();
    let mut table: Vec<_> = table.into_iter().flat_map(|table| table.value.0).collect();
    table.sort_by_key(|(typed, _)| typed.span.start);
    if let Some((typed, _)) = table.get(MOST_TYPED) {
        let what = format!("[search-words] has {} words; the limit is {MOST_TYPED}.", table.len());
        file.error(&typed.span, what, "Delete the lines that patients need least.");
    }
    for (typed, others) in table {
        let Some(word) = read_word(file, &typed, "hrt", joined) else { continue };
        if words.iter().any(|other| other.typed == word) {
            let what = format!("\"{word}\" is in [search-words] twice: case and accents don't count.");
            file.error(&typed.span, what, "Put all of its words on one line.");
            continue;
        }
        let others = read_others(file, &typed, others);
        words.push(SearchWord { typed: word, others });
    }
    words
}

fn read_others(file: &mut File<'_>, typed: &Located<String>, texts: Vec<Located<String>>) -> Vec<String> {
    if texts.len() > MOST_OTHERS {
        let what =
            format!("\"{}\" has {} other words; the limit is {MOST_OTHERS}.", typed.value, texts.len());
        file.error(&texts[MOST_OTHERS].span, what, "Delete those that patients need least.");
    }
    let mut others: Vec<String> = Vec::new();
    for text in file.lines(Some(texts)) {
        let Some(word) = read_word(file, &text, "\"hormone\"", each_in_quotes) else { continue };
        if others.contains(&word) {
            file.report_repeated(&text.span, format_args!("\"{word}\""));
        } else {
            others.push(word);
        }
    }
    others
}

/// A word without case and accents. Reports a text that is not one word of letters and digits.
fn read_word(
    file: &mut File<'_>,
    text: &Located<String>,
    example: &str,
    for_several: impl Fn(&[&str]) -> Advice,
) -> Option<String> {
    let folded = folded(text.value.trim());
    let parts: Vec<_> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    if parts.len() == 1 && parts[0].len() == folded.len() {
        return Some(folded);
    }
    let hint = match parts[..] {
        [] => format!("Write a word of letters and digits, such as {example}.").into(),
        [part] => Advice::write(format!("\"{part}\"")),
        _ => for_several(&parts),
    };
    file.refuse(&text.span, format!("\"{}\" isn't one word of letters and digits.", text.value), hint)
}

fn joined(parts: &[&str]) -> Advice {
    Advice::write(parts.concat()).and(": a search for the two words uses this line, too.")
}

fn each_in_quotes(parts: &[&str]) -> Advice {
    Advice::write(format!("\"{}\"", parts.join("\", \"")))
}

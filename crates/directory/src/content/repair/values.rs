//! Writes a whole value again from what stands in its place, which may be in any notation.

use super::super::mistakes::is_closed;
use super::super::offer::Class;
use super::super::shape::{Atom, Shape};
use super::super::statement::without_comment;
use super::atoms::read;
use super::written::{Written, quoted};

pub(super) const QUOTES: [char; 12] = ['"', '\'', '“', '”', '„', '‟', '‘', '’', '‚', '`', '«', '»'];
const DOUBLE_QUOTES: [char; 6] = ['"', '“', '”', '„', '«', '»'];
const THREE: &str = "\"\"\"";
const BRACKETS: [char; 8] = ['[', ']', '(', ')', '{', '}', '<', '>'];
/// How people write that a list has no entries.
const NOTHING: [&str; 20] = [
    "ninguno", "ninguna", "nada", "none", "n/a", "na", "-", "--", "–", "—", "null", "nothing", "empty",
    "tbd", "tba", "todo", "unknown", "never", "?", "???",
];
/// How people write that a list has every state.
pub(super) const EVERY: [&str; 9] = [
    "all",
    "any",
    "every",
    "everywhere",
    "all states",
    "any state",
    "every state",
    "nationwide",
    "all 50 states",
];

pub(super) fn rewritten(shape: &Shape, raw: &str) -> Vec<Written> {
    match shape {
        Shape::One(atom) => one(atom, raw),
        Shape::List(atom) => list(atom, raw),
        Shape::ListOr(atom, word) => {
            let text = bare(raw).to_lowercase();
            if EVERY.contains(&text.as_str()) {
                let class = if text == *word { Class::Certain } else { Class::Likely };
                return vec![Written { text: quoted(word), class }];
            }
            list(atom, raw)
        }
        Shape::Table | Shape::Tables => Vec::new(),
    }
}

pub(super) fn is_nothing(raw: &str) -> bool {
    NOTHING.contains(&bare(raw).to_lowercase().as_str())
}

fn one(atom: &Atom, raw: &str) -> Vec<Written> {
    if *atom == Atom::Text {
        return one_text(raw);
    }
    let inner = bare(raw);
    if inner.is_empty() {
        return Vec::new();
    }
    let thousands = inner.split(',').skip(1).all(|group| group.len() == 3);
    if *atom == Atom::Number && inner.contains(',') && thousands {
        return read(atom, &inner.replace(',', "")).into_iter().map(Written::guessed).collect();
    }
    read(atom, inner)
}

fn one_text(raw: &str) -> Vec<Written> {
    if raw.trim().starts_with('[') {
        let joined = entries(raw).into_iter().next().unwrap_or_default().join(", ");
        return if joined.is_empty() { Vec::new() } else { Written::likely(quoted(&joined)) };
    }
    // A text that can be read is right as it stands.
    if parsed(raw).is_some_and(|value| value.is_str()) {
        return Vec::new();
    }
    if let Some(texts) = several_texts(raw) {
        return texts.iter().flat_map(|text| Written::likely(quoted(text))).collect();
    }
    let mut text = text_of(raw);
    // "MD"" and "MD"x: the quote too many isn't part of the text.
    let is_within = text.matches('"').count() == 1 && !raw.trim_end().ends_with(QUOTES);
    if is_within {
        text.retain(|sign| sign != '"');
    } else if text.ends_with("\"\"") {
        text.truncate(text.trim_end_matches('"').len());
    }
    if text.is_empty() {
        return Vec::new();
    }
    // Where a text with such signs in it ends is a guess. Quotes would be published.
    let is_guess = is_within || is_nothing(raw) || text.contains(['\n', '\\', '"']);
    if is_guess { Written::likely(quoted(&text)) } else { Written::certain(quoted(&text)) }
}

/// What several texts in quotes may mean: all in one where commas part them, else each alone. `None` for one text, which
/// may have words in quotes in it.
fn several_texts(raw: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = raw.trim().split('"').collect();
    let [first, inner @ .., last] = &parts[..] else { return None };
    let between: Vec<&str> = inner.iter().skip(1).step_by(2).map(|part| part.trim()).collect();
    let is_between = |part: &&str| matches!(*part, "" | "," | ";" | "/" | "|" | "&" | "->" | "or" | "and");
    // Paragraphs are texts of one value.
    let is_several = !raw.trim().starts_with(THREE)
        && !raw.trim().contains('\n')
        && inner.len() > 2
        && inner.len() % 2 == 1
        && first.is_empty()
        && last.trim().is_empty();
    if !is_several || !between.iter().all(is_between) {
        return None;
    }
    let texts: Vec<String> = inner.iter().step_by(2).map(|text| text.trim().to_owned()).collect();
    let are_listed = between.iter().all(|part| matches!(*part, "," | ";"));
    Some(if are_listed { vec![texts.join(", ")] } else { texts })
}

fn list(atom: &Atom, raw: &str) -> Vec<Written> {
    let says_nothing = || matches!(raw, "\"\"" | "\" \"" | "''") || *atom == Atom::Hours && is_closed(raw);
    if is_nothing(raw) || says_nothing() {
        return Written::likely("[]".to_owned());
    }
    let is_text = |entry: &toml::Value| entry.as_str().is_some_and(|text| !text.trim().is_empty());
    if *atom == Atom::Text
        && parsed(raw).is_some_and(|list| list.as_array().is_some_and(|list| list.iter().all(is_text)))
    {
        return Vec::new();
    }
    let mut found: Vec<Written> = Vec::new();
    // ["tue" to "sat"] is one range.
    let is_range = matches!(atom, Atom::Day | Atom::Hours);
    let ranges = [" to ", " - ", "-", "–", " – ", " thru ", " through "].iter().filter(|_| is_range);
    let raw = &*ranges.fold(raw.to_owned(), |raw, to| raw.replace(&format!("\"{to}\""), to));
    // The words of one text aren't entries.
    let is_by_words = *atom == Atom::Text && !raw.contains(DOUBLE_QUOTES);
    for mut entries in entries(raw).into_iter().take(if is_by_words { 1 } else { usize::MAX }) {
        // "06:30", "09:30": where hours begin and end, as entries of their own.
        let has_pairs = *atom == Atom::Hours
            && entries.len() % 2 == 0
            && !entries.iter().any(|entry| entry.contains(['-', '–', ' ']));
        if has_pairs {
            entries = entries.chunks(2).map(|pair| pair.join("-")).collect();
        }
        // An empty entry is left out.
        let is_left_out = has_pairs || raw.contains("\"\"") || raw.contains(" and ") && *atom == Atom::Text;
        let mut class = if is_left_out { Class::Likely } else { Class::Certain };
        let written: Option<Vec<String>> = entries
            .iter()
            .map(|entry| {
                let first = read(atom, entry).into_iter().next()?;
                class = class.max(first.class);
                Some(first.text)
            })
            .collect();
        if let Some(written) = written.filter(|written| !written.is_empty()) {
            let written = Written { text: format!("[{}]", written.join(", ")), class };
            if !found.iter().any(|known| known.text == written.text) {
                found.push(written);
            }
        }
    }
    found
}

/// The entries of a list, in the ways in which they can be told apart: by quotes, by commas, by spaces.
fn entries(raw: &str) -> Vec<Vec<String>> {
    // An apostrophe within a word isn't a quote.
    let is_within_word = |at: usize| {
        let (before, after) = (raw[..at].chars().next_back(), raw[at..].chars().nth(1));
        before.zip(after).is_some_and(|(before, after)| before.is_alphanumeric() && after.is_alphanumeric())
    };
    let is_sign =
        |(at, sign): (usize, char)| BRACKETS.contains(&sign) || QUOTES.contains(&sign) && !is_within_word(at);
    let without_quotes: String =
        raw.char_indices().map(|found| if is_sign(found) { ' ' } else { found.1 }).collect();
    let split = |is_between: fn(char) -> bool| -> Vec<String> {
        let parts = without_quotes.split(is_between).map(str::trim).filter(|part| !part.is_empty());
        let parts = parts.map(|part| part.trim_start_matches(['-', '*', '•', '·']).trim_start());
        parts.flat_map(|part| part.split(" and ")).map(|part| part.trim().to_owned()).collect()
    };
    let by_commas = split(|sign| matches!(sign, ',' | ';' | '\n'));
    let by_spaces = split(|sign| sign.is_whitespace() || matches!(sign, ',' | ';'));
    let quotes = raw.matches(DOUBLE_QUOTES).count();
    let mut ways = Vec::new();
    if quotes > 0 && quotes.is_multiple_of(2) {
        ways.push(quoted_entries(raw));
    }
    // One text may hold several entries.
    let is_one = ways.first().is_some_and(|entries: &Vec<String>| entries.len() == 1);
    if quotes % 2 == 1 || quotes == 0 || is_one && by_commas.len() > 1 && !raw.trim().starts_with('[') {
        ways.insert(0, by_commas);
    }
    if quotes == 0 {
        ways.push(by_spaces);
    }
    ways
}

/// Entries in quotes, and what stands between these.
fn quoted_entries(raw: &str) -> Vec<String> {
    let mut entries = Vec::new();
    let lines: Vec<&str> = raw.lines().map(without_comment).collect();
    let raw = &*lines.join("\n");
    for (at, part) in raw.split(DOUBLE_QUOTES).enumerate() {
        if at % 2 == 1 {
            // “mon,” “tue”: a comma before the quote, as in a sentence.
            entries.push(part.trim().trim_end_matches([',', ';']).to_owned());
            continue;
        }
        let between = part.split([',', ';', '\n']).map(|bare| {
            bare.trim_matches(|sign: char| {
                sign.is_whitespace() || sign == '.' || BRACKETS.contains(&sign) || QUOTES.contains(&sign)
            })
        });
        // { start = "07:00", end = "11:00" }
        let is_entry = |bare: &&str| !bare.is_empty() && *bare != "and" && !bare.ends_with(['=', ':']);
        entries.extend(between.filter(is_entry).map(str::to_owned));
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

pub(super) fn listed(list: &str) -> Vec<String> {
    let entries = list.trim_matches(['[', ']']).split(", ").map(|entry| entry.trim_matches('"').to_owned());
    entries.filter(|entry| !entry.is_empty()).collect()
}

fn parsed(raw: &str) -> Option<toml::Value> {
    format!("a = {raw}").parse::<toml::Table>().ok()?.remove("a")
}

fn bare(raw: &str) -> &str {
    raw.trim_matches(|sign: char| {
        sign.is_whitespace()
            || QUOTES.contains(&sign)
            || BRACKETS.contains(&sign)
            || matches!(sign, ',' | ';')
    })
}

/// A text without its quotes. Each line may have its own.
fn text_of(raw: &str) -> String {
    let raw = raw.trim().trim_end_matches([',', ';']).trim_end();
    let lines: Vec<&str> = raw.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_quoted = |line: &&str| line.len() > 1 && line.starts_with(QUOTES) && line.ends_with(QUOTES);
    if lines.len() > 1 && lines.iter().all(is_quoted) {
        return lines.iter().map(|line| line.trim_matches(QUOTES)).collect::<Vec<_>>().join("\n\n");
    }
    let (mut text, opening) = match raw.strip_prefix(THREE) {
        Some(text) => (text, THREE),
        None => (raw.strip_prefix(QUOTES).unwrap_or(raw), "\""),
    };
    // "the Nurses’" ends with an apostrophe unless a quote was opened.
    if text.len() < raw.len() || text.ends_with('"') {
        let closed = match opening {
            THREE => text.trim_end_matches('"'),
            _ => text.strip_suffix(QUOTES).unwrap_or(text),
        };
        // He says "hi": the last quote is that of the words if these have none.
        let is_inside = closed.replace("\\\"", "").matches('"').count() % 2 == 1;
        let last = text[closed.len()..].chars().next().map_or(0, char::len_utf8);
        text = if is_inside { &text[..closed.len() + last] } else { closed };
    }
    // A quote on each side that is written twice.
    while let Some(inner) = text.strip_prefix(QUOTES).and_then(|text| text.strip_suffix(QUOTES)) {
        if inner.contains(QUOTES) && !inner.starts_with(QUOTES) {
            break;
        }
        text = inner;
    }
    // A word processor writes \\' for an apostrophe.
    text.trim().trim_end_matches('\\').replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_values_are_rewritten() {
        let states = Shape::List(Atom::State);
        let text = Shape::One(Atom::Text);
        let ids = Shape::List(Atom::Number);
        let interests = Shape::List(Atom::Text);
        for (shape, raw, expected) in [
            (&states, "(\"CA\",\"HI\")", "[\"CA\", \"HI\"]"),
            (&states, "[\"CA\" \"HI\"]", "[\"CA\", \"HI\"]"),
            (&states, "[\"CA\", \"HI\"", "[\"CA\", \"HI\"]"),
            (&states, "[\"CA, HI]", "[\"CA\", \"HI\"]"),
            (&states, "[“CA,” “HI”]", "[\"CA\", \"HI\"]"),
            (&states, "California; Hawaii", "[\"CA\", \"HI\"]"),
            (&states, "CA HI", "[\"CA\", \"HI\"]"),
            (&states, "\"CA, HI\"", "[\"CA\", \"HI\"]"),
            (&states, "none", "[]"),
            (&states, "\"ninguno\"", "[]"),
            (&Shape::List(Atom::Hours), "\"Cerrado\"", "[]"),
            (&Shape::List(Atom::Hours), "[\"closed all day\"]", "[]"),
            (&Shape::List(Atom::Hours), "\"\"", "[]"),
            (&states, "soon", ""),
            (&ids, "[\"101\", \"102\"]", "[101, 102]"),
            (&ids, "101,102", "[101, 102]"),
            (&ids, "101 and 102", "[101, 102]"),
            (&Shape::List(Atom::Day), "[\"Tuesday\", \"Wednesday\"]", "[\"tue\", \"wed\"]"),
            (&Shape::List(Atom::Hours), "7am-11am", "[\"07:00-11:00\"]"),
            (&Shape::List(Atom::Hours), "[\"06:30\", \"09:30\"]", "[\"06:30-09:30\"]"),
            (&interests, "[\"Sleep\", Heart health]", "[\"Sleep\", \"Heart health\"]"),
            (&Shape::ListOr(Atom::State, "all"), "any", "\"all\""),
            (&text, "\"Grace Kealoha”", "\"Grace Kealoha\""),
            (&text, "Grace Kealoha\"", "\"Grace Kealoha\""),
            (&text, "'Bo doesn't rush'", "\"Bo doesn't rush\""),
            (&text, "\"He says \"hi\" twice\"", "\"He says \\\"hi\\\" twice\""),
            (&text, "\"She says \"go slow.\"\"", "\"She says \\\"go slow.\\\"\""),
            (&text, "\"\"Go slow,\" she says.\"", "\"\\\"Go slow,\\\" she says.\""),
            (&text, "“He says “hi””", "\"He says “hi”\""),
            (&text, "''Two of them''", "\"Two of them\""),
            (&text, "\"\"\"Three and one\"", "\"Three and one\""),
            (&interests, "Sleep, Women's health", "[\"Sleep\", \"Women's health\"]"),
            (
                &Shape::List(Atom::Hours),
                "[[\"07:00\", \"11:00\"], [\"12:00\", \"15:00\"]]",
                "[\"07:00-11:00\", \"12:00-15:00\"]",
            ),
            (&text, "\"MSN\", \"APRN\"", "\"MSN, APRN\""),
            (&text, "\"Kavita Menon\" or \"Kavi Menon\"", "\"Kavita Menon\""),
            (&text, "\"Old\" -> \"New\"", "\"Old\""),
            (&text, "\"C:\\windows\"", "\"C:\\\\windows\""),
            (&text, "\"One.\"\n\n\"Two.\"", "\"\"\"One.\n\nTwo.\"\"\""),
            (&text, "\"One.\n\nTwo.\"", "\"\"\"One.\n\nTwo.\"\"\""),
            (&Shape::One(Atom::Number), "\"2009\"", "2009"),
            (&Shape::One(Atom::Number), "2,010", "2010"),
            (&text, "", ""),
        ] {
            let written = rewritten(shape, raw);
            let first = written.first().map_or("", |written| written.text.as_str());
            assert_eq!(first, expected, "{raw}");
        }
        for (raw, expected) in [
            ("\"MD\"\"", Written::certain("\"MD\"".to_owned())),
            ("\"MD\"x", Written::likely("\"MDx\"".to_owned())),
            ("\"Jane \"JD\" Doe\"", Written::likely("\"Jane \\\"JD\\\" Doe\"".to_owned())),
        ] {
            assert_eq!(rewritten(&text, raw), expected, "{raw}");
        }
    }
}

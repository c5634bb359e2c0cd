//! Writes a whole value again from what stands in its place, which may be in any notation.

use super::super::offer::Class;
use super::super::shape::{Atom, Shape};
use super::atoms::{Written, quoted, read};

pub(super) const QUOTES: [char; 12] = ['"', '\'', '“', '”', '„', '‟', '‘', '’', '‚', '`', '«', '»'];
const BRACKETS: [char; 6] = ['[', ']', '(', ')', '{', '}'];
/// How people write that a list has no entries.
const NOTHING: [&str; 10] = ["none", "n/a", "na", "-", "--", "–", "—", "null", "nothing", "empty"];
/// How people write that a list has every state.
const EVERY: [&str; 5] = ["all", "any", "every", "everywhere", "all states"];

/// What a value can mean as that of a key of this shape.
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

fn one(atom: &Atom, raw: &str) -> Vec<Written> {
    let text = text_of(raw);
    let is_list = raw.trim().starts_with('[');
    if *atom == Atom::Text && is_list {
        let joined = entries(raw).into_iter().next().unwrap_or_default().join(", ");
        return if joined.is_empty() {
            Vec::new()
        } else {
            vec![Written { text: quoted(&joined), class: Class::Likely }]
        };
    }
    // A text that can be read is right as it stands.
    if *atom == Atom::Text && parsed(raw).is_some_and(|value| value.is_str()) {
        return Vec::new();
    }
    if *atom == Atom::Text
        && let Some(texts) = several_texts(raw)
    {
        return texts.iter().map(|text| Written { text: quoted(text), class: Class::Likely }).collect();
    }
    let inner = if *atom == Atom::Text { text.as_str() } else { bare(raw) };
    if inner.is_empty() {
        return Vec::new();
    }
    if *atom == Atom::Text {
        // Where a text with such signs in it ends is a guess.
        let is_guess = text.contains(['\n', '\\']) || text.contains('"') && !raw.trim_end().ends_with(QUOTES);
        let class = if is_guess { Class::Likely } else { Class::Certain };
        return vec![Written { text: quoted(inner), class }];
    }
    let thousands = inner.split(',').skip(1).all(|group| group.len() == 3);
    if *atom == Atom::Number && inner.contains(',') && thousands {
        let written = read(atom, &inner.replace(',', ""));
        return written.into_iter().map(|written| Written { class: Class::Likely, ..written }).collect();
    }
    read(atom, inner)
}

/// What several texts in quotes may mean: all in one where commas part them, else each alone. `None` for one text, which
/// may have words in quotes in it.
fn several_texts(raw: &str) -> Option<Vec<String>> {
    let parts: Vec<&str> = raw.trim().split('"').collect();
    let [first, inner @ .., last] = &parts[..] else { return None };
    let between: Vec<&str> = inner.iter().skip(1).step_by(2).map(|part| part.trim()).collect();
    let is_between = |part: &&str| matches!(*part, "" | "," | ";" | "/" | "|" | "&" | "->" | "or" | "and");
    // Paragraphs are texts of one value.
    let is_several = !raw.trim().contains('\n')
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
    let text = bare(raw).to_lowercase();
    if NOTHING.contains(&text.as_str()) {
        return vec![Written { text: "[]".to_owned(), class: Class::Likely }];
    }
    let is_text = |entry: &toml::Value| entry.as_str().is_some_and(|text| !text.trim().is_empty());
    if *atom == Atom::Text
        && parsed(raw).is_some_and(|list| list.as_array().is_some_and(|list| list.iter().all(is_text)))
    {
        return Vec::new();
    }
    let mut found: Vec<Written> = Vec::new();
    // "06:30", "09:30": where hours begin and end, as two entries.
    if *atom == Atom::Hours
        && let [from, to] = &quoted_entries(raw)[..]
        && !format!("{from}{to}").contains('-')
        && let Some(hours) = read(atom, &format!("{from}-{to}")).into_iter().next()
    {
        return vec![Written { text: format!("[{}]", hours.text), class: Class::Likely }];
    }
    for entries in entries(raw) {
        // An empty entry is left out.
        let is_left_out = raw.contains("\"\"") || raw.contains(" and ") && *atom == Atom::Text;
        let mut class = if is_left_out { Class::Likely } else { Class::Certain };
        let written: Option<Vec<String>> = entries
            .iter()
            .map(|entry| {
                let mut alternatives = read(atom, entry);
                let first = if alternatives.is_empty() { None } else { Some(alternatives.remove(0)) };
                class = class.max(first.as_ref()?.class);
                first.map(|first| first.text)
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
    let without_quotes: String = raw
        .chars()
        .map(|sign| if QUOTES.contains(&sign) || BRACKETS.contains(&sign) { ' ' } else { sign })
        .collect();
    let split = |is_between: fn(char) -> bool| -> Vec<String> {
        let parts = without_quotes.split(is_between).map(str::trim).filter(|part| !part.is_empty());
        let parts = parts.map(|part| part.trim_start_matches(['-', '*', '•', '·']).trim_start());
        parts.flat_map(|part| part.split(" and ")).map(|part| part.trim().to_owned()).collect()
    };
    let by_commas = split(|sign| matches!(sign, ',' | ';' | '\n'));
    let by_spaces = split(|sign| sign.is_whitespace() || matches!(sign, ',' | ';'));
    // An apostrophe within a word isn't a quote.
    let quotes =
        raw.chars().filter(|sign| *sign == '"' || matches!(sign, '“' | '”' | '„' | '«' | '»')).count();
    let mut ways = Vec::new();
    if quotes > 0 && quotes % 2 == 0 {
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
    let is_quote = |sign: char| sign == '"' || matches!(sign, '“' | '”' | '„' | '«' | '»');
    let mut entries = Vec::new();
    for (at, part) in raw.split(is_quote).enumerate() {
        if at % 2 == 1 {
            entries.push(part.trim().to_owned());
            continue;
        }
        let between = part.split([',', ';', '\n']).map(|bare| bare.trim_matches(BRACKETS).trim());
        entries.extend(between.filter(|bare| !bare.is_empty() && *bare != "and").map(str::to_owned));
    }
    entries.retain(|entry| !entry.is_empty());
    entries
}

/// A value that can be read as it stands.
fn parsed(raw: &str) -> Option<toml::Value> {
    format!("a = {raw}").parse::<toml::Table>().ok()?.remove("a")
}

/// A value without what stands around it.
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
    let opened = raw.trim_start_matches(QUOTES);
    let has_opening = opened.len() < raw.len();
    let closed = opened.trim_end_matches(QUOTES);
    // "the Nurses’" ends with an apostrophe unless a quote was opened.
    let text = if has_opening || opened.ends_with('"') { closed } else { opened };
    text.trim().replace("\\\"", "\"")
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
            (&states, "California; Hawaii", "[\"CA\", \"HI\"]"),
            (&states, "CA HI", "[\"CA\", \"HI\"]"),
            (&states, "\"CA, HI\"", "[\"CA\", \"HI\"]"),
            (&states, "none", "[]"),
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
    }
}

//! Reads the lines of a broken file as people mean them: a key, a value, and what stands between.

use std::ops::Range;

use super::lines::{line_at, with_break};
use super::shape::{Atom, Form, Keys, Shape};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    /// From the beginning of its first line to the end of its last.
    pub(super) whole: Range<usize>,
    /// Where the key begins: behind spaces and a bullet.
    pub(super) key: Range<usize>,
    /// What joins both, with the spaces around it.
    pub(super) joint: Range<usize>,
    /// The value, without spaces around it and without a comment.
    pub(super) value: Range<usize>,
}

const BULLETS: [char; 6] = ['-', '*', '•', '–', '·', '>'];

impl Statement {
    /// The statement that begins on the line at an offset. `is_key` tells what can be a key there.
    pub(super) fn on_line(text: &str, at: usize, is_key: impl Fn(&str) -> bool) -> Option<Self> {
        let whole = line_at(text, at);
        let line = &text[whole.clone()];
        let body = line.trim_start().trim_start_matches(BULLETS).trim_start();
        let start = whole.start + line.len() - body.len();
        let key_end = body.find(['=', ':']).or_else(|| body.find(['—', '–'])).or_else(|| body.find(" - "));
        let joined = key_end.filter(|&end| is_key(body[..end].trim()));
        // "credentials MD" and "bio "…"": the joint is missing.
        let end = joined.or_else(|| body.find(char::is_whitespace).filter(|&end| is_key(&body[..end])))?;
        let key = body[..end].trim_end();
        let rest = &body[key.len()..];
        let is_joint = |sign: char| sign.is_whitespace() || "=:—–".contains(sign);
        let after = rest.trim_start_matches(is_joint);
        let after = if joined.is_some() { after.strip_prefix("- ").unwrap_or(after) } else { after };
        let value_start = start + key.len() + rest.len() - after.len();
        let value = without_comment(after).trim_end();
        let key = start..start + key.len();
        (!key.is_empty() && !body.starts_with('#')).then(|| Self {
            whole,
            joint: key.end..value_start,
            value: value_start..value_start + value.len(),
            key,
        })
    }

    /// The statement with the lines below it that begin no other one.
    pub(super) fn with_lines_below(&self, text: &str, is_key: impl Fn(&str) -> bool) -> Option<Self> {
        let mut end = with_break(text, &self.whole).end;
        for line in text[end..].split_inclusive('\n') {
            let content = line.trim();
            let begins = Self::on_line(text, end, &is_key).is_some();
            if begins || begins_table(content) || content.starts_with('#') {
                break;
            }
            end += line.len();
        }
        let block = text[self.whole.start..end].trim_end();
        let end = self.whole.start + block.len();
        (end > self.whole.end).then(|| Self {
            whole: self.whole.start..end,
            value: self.value.start..self.value.start.max(end),
            ..self.clone()
        })
    }

    pub(super) fn key<'t>(&self, text: &'t str) -> &'t str {
        &text[self.key.clone()]
    }

    pub(super) fn value<'t>(&self, text: &'t str) -> &'t str {
        &text[self.value.clone()]
    }
}

/// Whether a line is the header of a table, which may be broken.
pub(super) fn begins_table(line: &str) -> bool {
    let name = line.trim_start_matches('[');
    line.starts_with('[')
        && name.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && !name.contains(['"', ','])
}

/// The table that a place belongs to, by the last header above it. The top of the file has the empty name.
pub(super) fn table_above(text: &str, at: usize) -> &str {
    let above = text.get(..line_at(text, at).start).unwrap_or_default();
    let header = above.lines().rev().map(str::trim).find(|line| begins_table(line));
    header.map_or("", |header| name_of(header))
}

pub(super) fn name_of(header: &str) -> &str {
    let header = header.split('#').next().unwrap_or_default();
    header.trim_matches(|sign: char| sign == '[' || sign == ']' || sign.is_whitespace())
}

pub(super) fn keys_at<'f>(form: &'f Form, text: &str, at: usize) -> Option<&'f Keys> {
    let table = table_above(text, at);
    form.table(table).or_else(|| form.table(&table.to_lowercase())).or_else(|| form.top())
}

/// The values of the list at a place behind which a comma is missing. Any other mistake in the list hides them.
pub(super) fn values_without_comma(text: &str, place: usize) -> Vec<Range<usize>> {
    let head = text.get(..line_at(text, place).end).unwrap_or_default();
    let mut opened = head.rmatch_indices('[').map(|(at, _)| at);
    let Some(open) = opened.find(|&at| head[..at].trim_end().ends_with('=')) else { return Vec::new() };
    let (mut at, mut last, mut found) = (open + 1, None, Vec::new());
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = match first {
            ']' => return if at >= place { found } else { Vec::new() },
            ',' => {
                last = None;
                1
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            _ if first.is_whitespace() => first.len_utf8(),
            _ => {
                let is_sign = |sign: char| sign.is_alphanumeric() || "-:.".contains(sign);
                let length = match first {
                    '"' => rest[1..].find(['"', '\n']).filter(|&end| end > 0).map(|end| end + 2),
                    _ => rest.find(|sign| !is_sign(sign)).filter(|_| first.is_ascii_digit()),
                };
                let Some(length) = length.filter(|&end| !rest[..end].ends_with('\n')) else { break };
                found.extend(last.replace(at..at + length));
                length
            }
        };
        at += length;
    }
    Vec::new()
}

const THREE: &str = "\"\"\"";

/// The first text in three quotes that ends where another one begins, or never: where it begins, and where its end is
/// missing.
pub(super) fn text_without_end(form: &Form, text: &str) -> Option<Range<usize>> {
    let begins = |at: &usize| text[line_at(text, *at).start..*at].trim_end().ends_with('=');
    let mut at = 0;
    loop {
        let start = at + text[at..].find(THREE)?;
        let next = text[start + 3..].find(THREE).map(|next| start + 3 + next).filter(|next| !begins(next));
        if !begins(&start) || next.is_some() {
            at = next.filter(|_| begins(&start)).unwrap_or(start) + 3;
            continue;
        }
        let keys = keys_at(form, text, start);
        let is_key = |key: &str| keys.is_some_and(|keys| keys.get(key).is_some());
        let statement = Statement::on_line(text, start, is_key)?;
        let end =
            statement.with_lines_below(text, is_key).map_or(statement.whole.end, |block| block.whole.end);
        return Some(start..text[..end].trim_end().len());
    }
}

pub(super) const DATE: &str = "2026-11-26";

/// An example of what the key on a line holds. `None` for text, which needs quotes alone, and where no key is known.
pub(super) fn example_of(path: &str, text: &str, at: usize) -> Option<String> {
    let keys = keys_at(Form::of_file(path)?, text, at)?;
    let shape = |key: &str| keys.get(key).or_else(|| keys.get(keys.spelled(key)?));
    let statement = Statement::on_line(text, at, |key| shape(key).is_some())?;
    let (atom, is_list) = match shape(statement.key(text))? {
        Shape::One(atom) => (atom, false),
        Shape::List(atom) | Shape::ListOr(atom, _) => (atom, true),
        Shape::Table | Shape::Tables => return None,
    };
    let example = match (atom, is_list) {
        (Atom::Text, _) => return None,
        (Atom::Word(words), _) => return Some(format!("\"{}\"", words.join("\", \""))),
        (Atom::Flag, _) => "true or false, without quotes",
        (Atom::Number, false) => "2009: digits alone",
        (Atom::Number, true) => "[101, 102]",
        (Atom::Date, false) => DATE,
        (Atom::Date, true) => "[2026-11-26, 2026-12-25]",
        (Atom::Duration, _) => "\"30m\" or \"2h\"",
        (Atom::Zone, _) => "\"America/Chicago\"",
        (Atom::Day, _) => "[\"mon\", \"tue\"]",
        (Atom::Hours, _) => "[\"09:00-12:00\", \"13:00-17:00\"]",
        (Atom::State, false) => "\"CA\"",
        (Atom::State, true) => "[\"CA\", \"NY\"]",
        (Atom::Npi, _) => "ten digits in quotes",
        (Atom::Slug, _) => "\"jane-doe\"",
    };
    Some(example.to_owned())
}

/// A value without the comment behind it. A number sign within quotes doesn't begin one.
pub(super) fn without_comment(value: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, sign) in value.char_indices() {
        match quote {
            Some(open) if sign == open && before != '\\' => quote = None,
            None if sign == '"' || sign == '\'' && !before.is_alphanumeric() => quote = Some(sign),
            // "#1" is a number within words.
            None if sign == '#'
                && before.is_whitespace()
                && !value[at + 1..].starts_with(|sign: char| sign.is_ascii_digit()) =>
            {
                return &value[..at];
            }
            _ => {}
        }
        before = sign;
    }
    if quote.is_none() {
        return value;
    }
    // A quote is missing, so a note behind the value is found by its sign alone.
    value.rfind(" # ").map_or(value, |at| &value[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_key(text: &str) -> bool {
        ["gender", "bio", "licensed", "display name", "credentials"].contains(&text.to_lowercase().as_str())
    }

    #[test]
    fn a_line_is_read_as_it_is_meant() {
        for (line, key, value) in [
            ("gender = female # note", "gender", "female"),
            ("  - gender: \"female\"", "gender", "\"female\""),
            ("gender == \"female\"", "gender", "\"female\""),
            ("gender — \"female\"", "gender", "\"female\""),
            ("gender - female", "gender", "female"),
            ("gender \"female\"", "gender", "\"female\""),
            ("Display Name = \"A # b\"", "Display Name", "\"A # b\""),
            ("bio = \"Bo's. # not", "bio", "\"Bo's."),
            ("bio =", "bio", ""),
        ] {
            let found = Statement::on_line(line, 0, is_key).unwrap();
            assert_eq!((found.key(line), found.value(line)), (key, value), "{line}");
        }
        for line in ["# gender = female", "we see everyone", "= \"a\"", ""] {
            assert_eq!(Statement::on_line(line, 0, is_key), None, "{line}");
        }
    }

    #[test]
    fn lines_below_belong_to_a_value() {
        let text = "licensed = [\"CA\",\n  \"NY\"\n\ngender = \"x\"\n";
        let found = Statement::on_line(text, 0, is_key).unwrap();
        let block = found.with_lines_below(text, is_key).unwrap();
        assert_eq!(block.value(text), "[\"CA\",\n  \"NY\"");
        let last = Statement::on_line(text, text.len() - 2, is_key).unwrap();
        assert_eq!(last.with_lines_below(text, is_key), None);
        assert_eq!(table_above("[a]\nb = 1\n[[c]] # d\ne = [\n 2]\nf = 3", 26), "c");
        assert_eq!(table_above("a = 1\n", 3), "");
    }

    #[test]
    fn missing_commas_are_found_and_other_mistakes_of_a_list_are_not() {
        for (text, at, expected) in [
            ("a = [\"CA\" \"NY\"]", 9, &["\"CA\""][..]),
            ("a = [101, 102 103]", 14, &["102"]),
            ("a = [\n \"x y\" # z\n \"b\"\n \"c\",\n]\n", 20, &["\"x y\"", "\"b\""]),
            ("a = [2026-11-26 2026-12-25]", 16, &["2026-11-26"]),
            ("a = [\"CA\", \"NY\"]", 9, &[]),
            ("a = [\"CA, \"NY\"]", 9, &[]),
            ("a = [\"CA\" \"NY\"\nb = 1", 9, &[]),
            ("a = [\"CA\" \"NY\"]\nb = x", 20, &[]),
            ("a = [26 November]", 8, &[]),
            ("a = 1", 2, &[]),
        ] {
            let found: Vec<&str> =
                values_without_comma(text, at).into_iter().map(|value| &text[value]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_text_without_its_end_is_found_and_one_with_it_is_not() {
        let form = Form::of_file("providers/a.toml").unwrap();
        for (text, expected) in [
            ("bio = \"\"\"Ann.\ngender = \"female\"\n", Some("\"\"\"Ann.")),
            ("bio = \"\"\"Ann.\n\nShe runs.\n\n[insurance]\n", Some("\"\"\"Ann.\n\nShe runs.")),
            ("bio = \"\"\"Ann.\ngender = \"\"\"x\"\"\"\n", Some("\"\"\"Ann.")),
            ("bio = \"\"\"Ann.\nLanguages: two\"\"\"\ngender = x\n", None),
            ("bio = \"\"\"Ann.\"\"\"\ncredentials = \"\"\"MD\"\"\"\n", None),
            ("bio = \"Ann.\"\n", None),
        ] {
            let found = text_without_end(form, text).map(|open| &text[open]);
            assert_eq!(found, expected, "{text}");
        }
    }
}

//! Finds Markdown in texts. They are published as plain text, so readers would see the signs.

use std::ops::Range;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark<'a> {
    pub(super) text: &'a str,
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

/// More than anybody mends at once.
const MOST: usize = 20;
const NO_EFFECT: &str = "these signs have no effect";
const BOTH_SIDES: &str = "remove them on both sides of the words";
const LIST: &str = "these signs do not make a list";

/// The first signs of Markdown in a text, in order. A list is one.
pub(super) fn marks(text: &str) -> Vec<Mark<'_>> {
    let mut marks = Vec::new();
    let mut was_list = false;
    for line in text.lines() {
        let beginning = at_beginning(line);
        let is_list = beginning.as_ref().is_some_and(|mark| mark.what == LIST);
        let is_whole_line = beginning.as_ref().is_some_and(|mark| mark.what == NO_EFFECT);
        marks.extend(beginning.filter(|_| !(is_list && was_list)));
        was_list = is_list;
        let mut rest = if is_whole_line { "" } else { line };
        while marks.len() < MOST
            && let Some((end, mark)) = within(rest)
        {
            marks.push(mark);
            rest = &rest[end..];
        }
        if marks.len() >= MOST {
            break;
        }
    }
    marks
}

fn at_beginning(line: &str) -> Option<Mark<'_>> {
    let line = line.trim();
    let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_of = |character: char| !sign.is_empty() && sign.chars().all(|c| c == character);
    if is_of('#') && sign.len() <= 6 && !rest.is_empty() {
        return Some(Mark {
            text: line,
            what: "# does not make a heading",
            hint: "remove the #, or the whole line",
        });
    }
    if ["-", "*", "+", "•", "·", "1.", "1)"].contains(&sign) && !rest.is_empty() {
        let hint = "write the entries as a sentence, with commas between them";
        return Some(Mark { text: line, what: LIST, hint });
    }
    let is_line = sign.len() >= 3 && rest.is_empty() && ['-', '*', '_', '='].into_iter().any(is_of);
    if is_line || sign.starts_with("```") {
        return Some(Mark { text: line, what: NO_EFFECT, hint: "delete this line" });
    }
    None
}

/// The first sign in a line, and its end.
fn within(line: &str) -> Option<(usize, Mark<'_>)> {
    let found = |range: Range<usize>, what, hint| Some((range.end, Mark { text: &line[range], what, hint }));
    for sign in ["**", "__"] {
        let mut parts = line.splitn(3, sign);
        if let (Some(before), Some(bold), Some(_)) = (parts.next(), parts.next(), parts.next())
            && !bold.trim().is_empty()
        {
            let range = before.len()..before.len() + bold.len() + 4;
            return found(range, "these signs do not make words bold", BOTH_SIDES);
        }
    }
    if let Some(range) = italic(line) {
        return found(range, "these signs do not make words italic", BOTH_SIDES);
    }
    let middle = line.find("](")?;
    let start = line[..middle].rfind('[')?;
    let end = middle + line[middle..].find(')')? + 1;
    found(
        start..end,
        "these brackets do not make a link",
        "write the words alone, without brackets and address",
    )
}

/// Words between two stars or two underscores, including these signs.
fn italic(line: &str) -> Option<Range<usize>> {
    let is_letter = char::is_alphanumeric;
    line.match_indices(['*', '_']).find_map(|(start, sign)| {
        let rest = &line[start + 1..];
        let words = &rest[..rest.find(sign)?];
        let end = start + words.len() + 2;
        let is_one = words.starts_with(is_letter)
            && !words.ends_with(char::is_whitespace)
            && !line[..start].ends_with(is_letter)
            && !line[end..].starts_with(is_letter);
        is_one.then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_markdown_are_found_and_plain_text_is_left_alone() {
        for (text, found) in [
            ("Hello.\n# About me", "# About me"),
            ("- Sleep\n- Bones", "- Sleep"),
            ("* Sleep", "* Sleep"),
            ("Bo **explains** it.", "**explains**"),
            ("Bo __explains__ it.", "__explains__"),
            ("See [his page](https://bo.example) now.", "[his page](https://bo.example)"),
            ("![Bo](bo.png)", "[Bo](bo.png)"),
            ("About\n=====", "====="),
            ("I help with:\n1. Sleep\n2. Bones", "1. Sleep"),
            ("1) Sleep", "1) Sleep"),
            ("• Sleep", "• Sleep"),
            ("Bo _listens well_.", "_listens well_"),
            ("Bo *explains* it.", "*explains*"),
        ] {
            assert_eq!(marks(text).first().map(|mark| mark.text), Some(found), "{text}");
        }
        for text in [
            "Her #1 aim is sleep. 2 ** 3",
            "Open 9 - 5 \u{2013} and later.",
            "He writes (see [1]) and [so] (on).",
            "snake_case__x",
            "a_b_c and 2*3*4",
            "Sleep* and bones* (*in New York)",
            "Since\n2010. Then more.",
            "She says: * is a star",
            "-2.5 is a T-score.",
        ] {
            assert_eq!(marks(text), [], "{text}");
        }
    }

    #[test]
    fn every_sign_is_found_and_a_list_is_one() {
        let text = "# Bo\nHe **asks** and _rests_, see [here](https://x.example).\n- a\n- **b**\n\n- c\n---\n**d** e **f**";
        let found: Vec<&str> = marks(text).iter().map(|mark| mark.text).collect();
        let signs = [
            "# Bo",
            "**asks**",
            "_rests_",
            "[here](https://x.example)",
            "- a",
            "**b**",
            "- c",
            "---",
            "**d**",
            "**f**",
        ];
        assert_eq!(found, signs);
        assert_eq!(marks(&"**a** ".repeat(100_000)).len(), MOST);
        assert_eq!(marks(&"*a* ".repeat(100_000)).len(), MOST);
    }
}

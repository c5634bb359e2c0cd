//! Finds Markdown in texts. They are published as plain text, so readers would see the signs.

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mark<'a> {
    pub(super) text: &'a str,
    pub(super) what: &'static str,
    pub(super) hint: &'static str,
}

pub(super) fn first(text: &str) -> Option<Mark<'_>> {
    text.lines().find_map(|line| at_beginning(line).or_else(|| within(line)))
}

fn at_beginning(line: &str) -> Option<Mark<'_>> {
    let line = line.trim();
    let (sign, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is_of = |character: char| !sign.is_empty() && sign.chars().all(|c| c == character);
    if is_of('#') && sign.len() <= 6 && !rest.is_empty() {
        return Some(Mark {
            text: sign,
            what: "# does not make a heading",
            hint: "remove the #, or the whole line",
        });
    }
    if ["-", "*", "+", "•", "·", "1.", "1)"].contains(&sign) && !rest.is_empty() {
        let hint = "write the entries as a sentence, with commas between them";
        return Some(Mark { text: sign, what: "these signs do not make a list", hint });
    }
    let is_line = sign.len() >= 3 && rest.is_empty() && ['-', '*', '_', '='].into_iter().any(is_of);
    if is_line || sign.starts_with("```") {
        return Some(Mark { text: sign, what: "these signs have no effect", hint: "delete this line" });
    }
    None
}

fn within(line: &str) -> Option<Mark<'_>> {
    for sign in ["**", "__"] {
        let mut parts = line.splitn(3, sign);
        if let (Some(before), Some(bold), Some(_)) = (parts.next(), parts.next(), parts.next())
            && !bold.trim().is_empty()
        {
            let text = &line[before.len()..before.len() + bold.len() + 4];
            let what = "these signs do not make words bold";
            return Some(Mark { text, what, hint: "remove them on both sides of the words" });
        }
    }
    if let Some(text) = italic(line) {
        let what = "these signs do not make words italic";
        return Some(Mark { text, what, hint: "remove them on both sides of the words" });
    }
    let middle = line.find("](")?;
    let start = line[..middle].rfind('[')?;
    let end = middle + line[middle..].find(')')? + 1;
    let hint = "write the words alone, without brackets and address";
    Some(Mark { text: &line[start..end], what: "these brackets do not make a link", hint })
}

/// Words between two stars or two underscores, including these signs.
fn italic(line: &str) -> Option<&str> {
    let is_letter = char::is_alphanumeric;
    line.match_indices(['*', '_']).find_map(|(start, sign)| {
        let rest = &line[start + 1..];
        let words = &rest[..rest.find(sign)?];
        let end = start + words.len() + 2;
        let is_one = words.starts_with(is_letter)
            && !words.ends_with(char::is_whitespace)
            && !line[..start].ends_with(is_letter)
            && !line[end..].starts_with(is_letter);
        is_one.then(|| &line[start..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_markdown_are_found_and_plain_text_is_left_alone() {
        for (text, found) in [
            ("Hello.\n# About me", "#"),
            ("- Sleep\n- Bones", "-"),
            ("* Sleep", "*"),
            ("Bo **explains** it.", "**explains**"),
            ("Bo __explains__ it.", "__explains__"),
            ("See [his page](https://bo.example) now.", "[his page](https://bo.example)"),
            ("![Bo](bo.png)", "[Bo](bo.png)"),
            ("About\n=====", "====="),
            ("I help with:\n1. Sleep\n2. Bones", "1."),
            ("1) Sleep", "1)"),
            ("• Sleep", "•"),
            ("Bo _listens well_.", "_listens well_"),
            ("Bo *explains* it.", "*explains*"),
        ] {
            assert_eq!(first(text).map(|mark| mark.text), Some(found), "{text}");
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
            assert_eq!(first(text), None, "{text}");
        }
    }
}

//! Translates advice of `check` from TOML to cells: `"English", "Spanish"` becomes `English; Spanish`.

use toml::{Table, Value};

use super::column::{NONE, quoted_if_needed};

pub(super) fn for_cell(advice: &str, is_list: bool) -> String {
    let is_about_files = ["\n", ".toml", " = \"", " = ["].iter().any(|part| advice.contains(part));
    if is_about_files {
        return advice.to_owned();
    }
    let advice = advice.replace("delete this line", "empty this cell");
    let advice = advice.replace("Delete this line", "Empty this cell").replace("[]", NONE);
    let mut translated = String::new();
    let mut rest = advice.as_str();
    while let Some(start) = rest.find(['"', '[']) {
        translated.push_str(&rest[..start]);
        rest = &rest[start..];
        if let Some((cell, after)) = take_list(rest, is_list) {
            translated.push_str(&cell);
            rest = after;
        } else {
            // Both characters are ASCII.
            translated.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    translated + rest
}

/// Names the columns of a leave, where `check` names the keys of its table.
pub(super) fn for_leave(message: &str) -> String {
    message
        .replace("`from`", "`leave from`")
        .replace("`until`", "`leave until`")
        .replace("such as from = ", "such as ")
}

/// Takes texts with commas between them, or a list in brackets, from the start of `advice`. Returns the cell and the rest.
fn take_list(advice: &str, is_list: bool) -> Option<(String, &str)> {
    let is_in_brackets = advice.starts_with('[');
    let (first, mut rest) = take_text(advice.strip_prefix('[').unwrap_or(advice))?;
    let mut texts = vec![first];
    while let Some(next) = rest.strip_prefix(", ").filter(|next| next.starts_with('"')) {
        let (text, after) = take_text(next)?;
        texts.push(text);
        rest = after;
    }
    if is_in_brackets {
        rest = rest.strip_prefix(']')?;
    }
    let cell = match texts.as_slice() {
        [text] if !is_list && !is_in_brackets => text.clone(),
        texts => texts.iter().map(|text| quoted_if_needed(text)).collect::<Vec<_>>().join("; "),
    };
    Some((cell, rest))
}

fn take_text(advice: &str) -> Option<(String, &str)> {
    let body = advice.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = body.find(|character| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    })?;
    let (quoted, after) = advice.split_at(end + 2);
    let table: Table = toml::from_str(&format!("x = {quoted}")).ok()?;
    match table.get("x") {
        Some(Value::String(text)) => Some((text.clone(), after)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_says_what_to_type_into_a_cell() {
        for (advice, expected) in [
            ("write \"English\", \"Spanish\"", "write English; Spanish"),
            ("write [\"Aetna; PPO\", \"B\"]: each in quotes", "write \"Aetna; PPO\"; B: each in quotes"),
            ("write \"Jane \\\"J\\\" Doe\"", "write Jane \"J\" Doe"),
            ("add \"TX\" to `licensed`, or delete this line", "add TX to `licensed`, or empty this cell"),
            ("Delete this line: it is optional.", "Empty this cell: it is optional."),
            ("write \"A = B\"", "write A = B"),
            ("add former-slugs = [\"a\"] there", "add former-slugs = [\"a\"] there"),
            ("such as \"MD\" or \"NP\"", "such as MD or NP"),
            ("[] stands for none", "none stands for none"),
            ("a \" alone [and", "a \" alone [and"),
            ("add \"X\" to insurances.toml", "add \"X\" to insurances.toml"),
            ("copy:\ntext = \"a\"", "copy:\ntext = \"a\""),
        ] {
            assert_eq!(for_cell(advice, false), expected);
        }
        let advice = "did you mean \"Aetna; PPO\"?";
        assert_eq!(for_cell(advice, true), advice, "without quotation marks, it would be two plans");
        assert_eq!(for_cell(advice, false), "did you mean Aetna; PPO?");
    }
}

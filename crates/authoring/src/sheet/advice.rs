//! The advice of `check` as it is typed into a cell: `English; Spanish` in place of `"English", "Spanish"`.

use toml::{Table, Value};

use super::column::{NONE, guarded};

/// Advice about a value in a file, for its cell, which may hold a list. Advice about other files stays as it is.
pub(super) fn in_cell(help: &str, is_list: bool) -> String {
    if ["\n", ".toml", " = \"", " = ["].iter().any(|sign| help.contains(sign)) {
        return help.to_owned();
    }
    let help = help.replace("delete this line", "empty this cell").replace("[]", NONE);
    let (mut told, mut rest) = (String::new(), help.as_str());
    while let Some(at) = rest.find(['"', '[']) {
        told.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((cell, behind)) = list(rest, is_list) {
            told.push_str(&cell);
            rest = behind;
        } else {
            let next = rest.chars().next().map_or(0, char::len_utf8);
            told.push_str(&rest[..next]);
            rest = &rest[next..];
        }
    }
    told + rest
}

/// The texts that a help begins with, with commas between or in brackets, as a cell, and what follows them.
fn list(help: &str, is_list: bool) -> Option<(String, &str)> {
    let is_in_brackets = help.starts_with('[');
    let mut rest = help.strip_prefix('[').unwrap_or(help);
    let mut texts = Vec::new();
    loop {
        let (text, behind) = text(rest)?;
        texts.push(text);
        rest = behind;
        match rest.strip_prefix(", ").filter(|more| more.starts_with('"')) {
            Some(more) => rest = more,
            None => break,
        }
    }
    if is_in_brackets {
        rest = rest.strip_prefix(']')?;
    }
    let cell = match texts.as_slice() {
        [text] if !is_list && !is_in_brackets => text.clone(),
        texts => texts.iter().map(|text| guarded(text)).collect::<Vec<_>>().join("; "),
    };
    Some((cell, rest))
}

/// A text in quotation marks, and what follows it.
fn text(help: &str) -> Option<(String, &str)> {
    let body = help.strip_prefix('"')?;
    let mut is_escaped = false;
    let end = body.find(|character| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    })?;
    let (text, behind) = (&help[..end + 2], &help[end + 2..]);
    let table: Table = toml::from_str(&format!("x = {text}")).ok()?;
    match table.get("x") {
        Some(Value::String(text)) => Some((text.clone(), behind)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_what_is_typed_into_a_cell() {
        for (help, told) in [
            ("write \"English\", \"Spanish\"", "write English; Spanish"),
            ("write [\"Aetna; PPO\", \"B\"]: each in quotes", "write \"Aetna; PPO\"; B: each in quotes"),
            ("write \"Jane \\\"J\\\" Doe\"", "write Jane \"J\" Doe"),
            ("add \"TX\" to `licensed`, or delete this line", "add TX to `licensed`, or empty this cell"),
            ("write \"A = B\"", "write A = B"),
            ("add former-slugs = [\"a\"] there", "add former-slugs = [\"a\"] there"),
            ("such as \"MD\" or \"NP\"", "such as MD or NP"),
            ("[] stands for none", "none stands for none"),
            ("a \" alone [and", "a \" alone [and"),
            ("add \"X\" to insurances.toml", "add \"X\" to insurances.toml"),
            ("copy:\ntext = \"a\"", "copy:\ntext = \"a\""),
        ] {
            assert_eq!(in_cell(help, false), told);
        }
        let help = "did you mean \"Aetna; PPO\"?";
        assert_eq!(in_cell(help, true), help, "two plans without the quotation marks");
        assert_eq!(in_cell(help, false), "did you mean Aetna; PPO?");
    }
}

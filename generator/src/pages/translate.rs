//! Puts the texts of a language into templates before Tera parses them, so rendering takes the same time in any language.
//!
//! `{= key =}` stands for the text `key` of `[pages]`. `{= key || name = … || other = … =}` also fills in its placeholders,
//! with any part of a template. A text with a plural needs `count`: a Tera expression in braces, which decides when
//! rendering.

use directory::model::{TextPart, Texts};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("{template}: there is no text \"{key}\" (the keys are those of [pages] in texts/en.toml)")]
    Unknown { template: String, key: String },
    #[error("{template}: the text \"{key}\" needs a value: write {{= {key} || {name} = … =}}")]
    Value { template: String, key: String, name: String },
    #[error("{0}: a {{= has no =}} after it")]
    End(String),
}

pub(super) fn translate(template: &str, source: &str, texts: &Texts) -> Result<String, TextError> {
    let mut written = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("{=") {
        written.push_str(before);
        let end = find_end(after).ok_or_else(|| TextError::End(template.to_owned()))?;
        written.push_str(&translate_expression(template, &after[..end], texts)?);
        rest = &after[end + "=}".len()..];
    }
    written.push_str(rest);
    Ok(written)
}

/// The `=}` that closes the `{=` before this text. Between them, there may be further pairs.
fn find_end(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let close = text[at..].find("=}")? + at;
        match text[at..close].find("{=") {
            Some(open) => {
                depth += 1;
                at += open + "{=".len();
            }
            None if depth == 0 => return Some(close),
            None => {
                depth -= 1;
                at = close + "=}".len();
            }
        }
    }
}

fn translate_expression(template: &str, inside: &str, texts: &Texts) -> Result<String, TextError> {
    let mut parts = split_parts(inside).into_iter();
    let key = parts.next().unwrap_or_default().trim();
    let Some(text) = texts.get(TextPart::Pages, key) else {
        return Err(TextError::Unknown { template: template.to_owned(), key: key.to_owned() });
    };
    let mut values = Vec::new();
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        values.push((name.trim(), translate(template, value.trim(), texts)?));
    }
    let filled = |form: &str| fill(template, key, form, &values);
    let Some((singular, plural)) = text.split_once('|') else { return filled(text) };
    let count = values.iter().find(|(name, _)| *name == "count").map(|(_, value)| value.as_str());
    let expression = count.and_then(|count| count.strip_prefix("{{")?.strip_suffix("}}"));
    let Some(expression) = expression else {
        let (template, key, name) = (template.to_owned(), key.to_owned(), "count".to_owned());
        return Err(TextError::Value { template, key, name });
    };
    let (singular, plural) = (filled(singular)?, filled(plural)?);
    Ok(format!("{{% if {} == 1 %}}{singular}{{% else %}}{plural}{{% endif %}}", expression.trim()))
}

/// At each `||` that is not inside a nested expression.
fn split_parts(inside: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut from, mut at) = (0_usize, 0, 0);
    while at < inside.len() {
        let rest = &inside.as_bytes()[at..];
        match rest {
            [b'{', b'=', ..] => depth += 1,
            [b'=', b'}', ..] => depth = depth.saturating_sub(1),
            [b'|', b'|', ..] if depth == 0 => {
                parts.push(&inside[from..at]);
                from = at + 2;
            }
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
    }
    parts.push(&inside[from..]);
    parts
}

fn fill(template: &str, key: &str, form: &str, values: &[(&str, String)]) -> Result<String, TextError> {
    let mut html = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('{') {
        html.push_str(&escaped(before));
        // `check` allows braces only around placeholders.
        let (name, end) = after.split_once('}').unwrap_or((after, ""));
        let Some((_, value)) = values.iter().find(|(given, _)| *given == name) else {
            let (template, key, name) = (template.to_owned(), key.to_owned(), name.to_owned());
            return Err(TextError::Value { template, key, name });
        };
        html.push_str(value);
        rest = end;
    }
    html.push_str(&escaped(rest));
    Ok(html)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::site::Site;
    use crate::test_fixture as fixture;

    fn english() -> Texts {
        fixture::snapshot().directory().texts()[0].clone()
    }

    #[test]
    fn texts_are_filled_in_and_escaped() {
        let texts = english();
        let translated = |source: &str| translate("a.html", source, &texts).unwrap();
        assert_eq!(translated("<a>{= skip =}</a>"), "<a>Skip to content</a>");
        assert_eq!(translated("{= about-name || name = {{ a | b }} =}!"), "About {{ a | b }}!");
        assert_eq!(
            translated("{= check-card-why || plan = <b class=\"a\">{= insurance =}</b> =}"),
            "It should say <b class=\"a\">Insurance</b>. A similar name may be a different plan."
        );
        assert_eq!(
            translated("{= by-name || count = {{ total }} =}"),
            "{% if total == 1 %}{{ total }} clinician, by last name{% else %}{{ total }} clinicians, by last name{% endif %}"
        );
        assert_eq!(escaped("a & b < \"c\""), "a &amp; b &lt; &quot;c&quot;");
    }

    #[test]
    fn a_mistake_names_its_template() {
        let refused = |source: &str| translate("a.html", source, &english()).unwrap_err().to_string();
        assert!(refused("{= skipp =}").contains("a.html: there is no text \"skipp\""));
        assert!(refused("{= about-name =}").contains("write {= about-name || name = … =}"));
        assert!(refused("{= by-name || states = x =}").contains("count"));
        assert!(refused("{= skip").contains("no =}"));
    }

    /// Otherwise, translating the text would be wasted work.
    #[test]
    fn every_text_of_pages_is_used() {
        let site = Site::load(None).unwrap();
        let mut sources: String = site.templates.values().cloned().collect();
        sources += include_str!("accuracy.rs");
        sources += include_str!("wording.rs");
        sources += include_str!("mod.rs");
        sources += include_str!("profile.rs");
        // Keys that are made of a day, a month, a time zone, or a notice.
        let is_made =
            |key: &str| ["day-", "month-", "zone-", "notice-"].iter().any(|begin| key.starts_with(begin));
        let texts = english();
        let unused: BTreeSet<_> = texts
            .part(TextPart::Pages)
            .map(|(key, _)| key)
            .filter(|key| {
                !is_made(key)
                    && !sources.contains(&format!("{{= {key} "))
                    && !sources.contains(&format!("\"{key}\""))
            })
            .collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}

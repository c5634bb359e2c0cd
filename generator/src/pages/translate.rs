//! Puts the texts of a language into templates before Tera reads them, so that a page in any language costs the same to
//! render.
//!
//! `{= key =}` in a template is the text `key` of `[pages]`. `{= key || name = … || other = … =}` also fills in its
//! placeholders, each with a part of a template. A text of two forms needs the part `count`, a Tera expression in braces,
//! whose value chooses the form when the page is rendered.

use directory::model::{TextPart, Texts};

/// A text that a template asks for and cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    #[error("{template}: there is no text \"{key}\" (the keys are those of [pages] in texts/en.toml)")]
    Unknown { template: String, key: String },
    #[error("{template}: the text \"{key}\" needs a value: write {{= {key} || {name} = … =}}")]
    Value { template: String, key: String, name: String },
    #[error("{0}: a {{= has no =}} behind it")]
    End(String),
}

/// The template in the language of the texts.
pub(super) fn translate(template: &str, source: &str, texts: &Texts) -> Result<String, TextError> {
    let mut written = String::with_capacity(source.len());
    let mut rest = source;
    while let Some((before, after)) = rest.split_once("{=") {
        written.push_str(before);
        let end = end_of(after).ok_or_else(|| TextError::End(template.to_owned()))?;
        written.push_str(&one(template, &after[..end], texts)?);
        rest = &after[end + "=}".len()..];
    }
    written.push_str(rest);
    Ok(written)
}

/// Where the `=}` is that closes a `{=` before this text.
fn end_of(text: &str) -> Option<usize> {
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

/// One text, from what stands between `{=` and `=}`.
fn one(template: &str, inside: &str, texts: &Texts) -> Result<String, TextError> {
    let mut parts = outer_parts(inside).into_iter();
    let key = parts.next().unwrap_or_default().trim();
    let Some(text) = texts.get(TextPart::Pages, key) else {
        return Err(TextError::Unknown { template: template.to_owned(), key: key.to_owned() });
    };
    let mut values = Vec::new();
    for part in parts {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        values.push((name.trim(), translate(template, value.trim(), texts)?));
    }
    let filled = |form: &str| filled(template, key, form, &values);
    let Some((single, many)) = text.split_once('|') else { return filled(text) };
    let count = values.iter().find(|(name, _)| *name == "count").map(|(_, value)| value.as_str());
    let expression = count.and_then(|count| count.strip_prefix("{{")?.strip_suffix("}}"));
    let Some(expression) = expression else {
        let (template, key, name) = (template.to_owned(), key.to_owned(), "count".to_owned());
        return Err(TextError::Value { template, key, name });
    };
    let (single, many) = (filled(single)?, filled(many)?);
    Ok(format!("{{% if {} == 1 %}}{single}{{% else %}}{many}{{% endif %}}", expression.trim()))
}

/// The parts between `||`, except those of nested texts.
fn outer_parts(inside: &str) -> Vec<&str> {
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

/// A form of a text, as HTML, with its values.
fn filled(template: &str, key: &str, form: &str, values: &[(&str, String)]) -> Result<String, TextError> {
    let mut html = String::new();
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('{') {
        html.push_str(&escaped(before));
        // `check` allows braces only around the name of a placeholder.
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
        assert_eq!(translated("<a>{= skip =}</a>"), "<a>Skip to the content</a>");
        assert_eq!(translated("{= speaks || languages = {{ a | b }} =}!"), "Speaks {{ a | b }}!");
        assert_eq!(
            translated("{= or-everybody || everybody = <a href=\"/x?a=b\">{= see-everybody =}</a> =}"),
            "Or <a href=\"/x?a=b\">see everybody</a>."
        );
        assert_eq!(
            translated(
                "{= home-total || count = {{ total }} || states = {= count-states || count = {{ n }} =} =}"
            ),
            "{% if total == 1 %}{{ total }} clinician in {% if n == 1 %}{{ n }} state{% else %}{{ n }} states{% endif %}.\
             {% else %}{{ total }} clinicians in {% if n == 1 %}{{ n }} state{% else %}{{ n }} states{% endif %}.{% endif %}"
        );
        assert_eq!(escaped("a & b < \"c\""), "a &amp; b &lt; &quot;c&quot;");
    }

    #[test]
    fn a_text_that_cannot_be_had_is_named_with_its_template() {
        let refused = |source: &str| translate("a.html", source, &english()).unwrap_err().to_string();
        assert!(refused("{= skipp =}").contains("a.html: there is no text \"skipp\""));
        assert!(refused("{= speaks =}").contains("write {= speaks || languages = … =}"));
        assert!(refused("{= home-total || states = x =}").contains("count"));
        assert!(refused("{= skip").contains("no =}"));
    }

    /// Otherwise a text would be translated for nothing.
    #[test]
    fn every_text_of_pages_is_used() {
        let site = Site::load(None).unwrap();
        let mut sources: String = site.templates.values().cloned().collect();
        sources += include_str!("accuracy.rs");
        sources += include_str!("wording.rs");
        sources += include_str!("mod.rs");
        sources += include_str!("profile.rs");
        let texts = english();
        let unused: BTreeSet<_> = texts
            .part(TextPart::Pages)
            .map(|(key, _)| key)
            .filter(|key| {
                !sources.contains(&format!("{{= {key} ")) && !sources.contains(&format!("\"{key}\""))
            })
            .collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}

//! Values without quotes, and lines without a value.

use std::ops::Range;

use super::super::lines::line_at;
use super::super::problem::Advice;
use super::dashes::hyphen_for_dash;
use super::hours::{days_meant, hours_meant};
use super::{Mistake, dates, list_of};

// Keys by the type of their values.
const FLAGS: [&str; 4] = ["menopause-society-certified", "new-patient-eligible", "enabled", "publish-npis"];
const DATES: [&str; 7] = ["from", "to", "until", "date", "dates", "on", "expires"];
const NUMBERS: [&str; 5] = ["types", "appointment-types", "year", "asked", "right"];
const LONGEST_LIST: usize = 80;

/// Quotes that word processors write.
const CURLY: [char; 8] = ['“', '”', '„', '‘', '’', '‚', '«', '»'];

pub(super) struct UnquotedValue<'a> {
    key: Option<&'a str>,
    /// The entry of a list with the error, or the whole value.
    word: &'a str,
    /// Everything after the equals sign.
    whole: &'a str,
    span: Range<usize>,
    /// Whether the key is on the same line.
    is_beside_key: bool,
}

impl<'a> UnquotedValue<'a> {
    /// The value at the place of a parser error.
    pub(super) fn at(text: &'a str, span: &Range<usize>) -> Self {
        let line = line_at(text, span.start);
        let here = &text[line.clone()];
        let offset = (span.start - line.start).min(here.len());
        let equals = here.get(..offset).and_then(|before| before.find('='));
        let (key, value_at) = match equals {
            Some(at) => (Some(here[..at].trim()), at + 1),
            None => (key_of_list(&text[..line.start]), 0),
        };
        let whole = without_comment(&here[value_at..]);
        let word_start = here.get(..offset).map_or(0, |before| {
            before[value_at.min(offset)..]
                .rfind(['[', ','])
                .map_or(value_at, |at| value_at.min(offset) + at + 1)
        });
        let rest = without_comment(&here[word_start..]);
        let is_in_list = whole.trim_start().starts_with('[') || equals.is_none();
        let end = if is_in_list { rest.find([',', ']']).unwrap_or(rest.len()) } else { rest.len() };
        let word = rest[..end].trim();
        let start = line.start + word_start + (rest.len() - rest.trim_start().len());
        Self {
            key,
            word,
            whole: whole.trim(),
            span: start..start + word.len(),
            is_beside_key: equals.is_some(),
        }
    }

    pub(super) fn mistake(&self, span: &Range<usize>) -> Mistake {
        let Self { key, word, whole, .. } = *self;
        let is_one_of = |keys: &[&str]| key.is_some_and(|key| keys.contains(&key));
        if word.is_empty() {
            return Mistake::new(span, "there is nothing after the =", "write a value, or delete the line");
        }
        let wrong = |what: &str, hint: Advice| Mistake::new(&self.span, what, hint);
        if word.starts_with(CURLY) {
            return wrong(
                "this line has curly quotes, which a word processor made",
                "use straight quotes: \" before and after the text".into(),
            );
        }
        if key == Some("buffer") && whole.starts_with('{') {
            let pairs =
                whole.trim_matches(['{', '}', ' ']).split(',').filter_map(|pair| pair.split_once('='));
            let pairs =
                pairs.map(|(key, time)| format!("{} = \"{}\"", key.trim(), time.trim().trim_matches('"')));
            let hint = format!("write buffer = {{ {} }}", pairs.collect::<Vec<_>>().join(", "));
            return wrong("durations are text: they need quotes", hint.into());
        }
        if word.contains(" = ") {
            return wrong("unexpected extra =", "write one key and one value on each line".into());
        }
        if is_one_of(&FLAGS) {
            let hint = match word.to_ascii_lowercase().as_str() {
                "yes" | "true" | "y" | "on" => Advice::write("true"),
                "no" | "false" | "n" | "off" => Advice::write("false"),
                _ => "write true or false".into(),
            };
            return wrong("this must be true or false, in small letters and without quotes", hint);
        }
        if is_one_of(&DATES) {
            return self.wrong_date();
        }
        if is_one_of(&NUMBERS) {
            let numbers: Vec<_> = word.split([' ', ';', '/']).filter(|part| !part.is_empty()).collect();
            if numbers.len() > 1 && numbers.iter().all(|number| number.parse::<u32>().is_ok()) {
                return wrong("a comma is missing between these numbers", Advice::write(numbers.join(", ")));
            }
            let what = format!("`{word}` is not a number");
            let example = match key {
                Some("year") => "2009",
                Some("asked" | "right") => "100",
                _ => "101",
            };
            return wrong(&what, format!("write the number alone, such as {example}").into());
        }
        if key == Some("buffer") {
            return wrong("this is not a table of keys and values", super::values::buffer_advice(word));
        }
        if key == Some("days")
            && self.is_beside_key
            && let Some(days) = days_meant(whole.trim_matches(['[', ']', '"', ' ']))
        {
            let days = list_of(days.into_iter());
            return wrong("days are text, with quotes around each", format!("write days = {days}").into());
        }
        if whole.starts_with('[') {
            let list = whole.trim_start_matches('[').trim_end_matches(']');
            let words: Vec<_> = list.split(',').map(|word| word.trim().trim_matches('"')).collect();
            let is_whole = whole.ends_with(']') && list.len() < LONGEST_LIST && !list.contains(CURLY);
            let hint = match words.as_slice() {
                [_] => Advice::from(format!("write [\"{word}\"]")).replacing(format!("\"{word}\"")),
                _ if is_whole => {
                    let words = words.into_iter().filter(|word| !word.is_empty());
                    format!("write {}: quotes around each", list_of(words)).into()
                }
                _ => format!("write \"{word}\", with quotes around each entry").into(),
            };
            return wrong("this text has no quotes around it", hint);
        }
        wrong("this text has no quotes around it", Advice::write(format!("\"{}\"", word.trim_matches('"'))))
    }

    /// Explains a text that has a closing quote and no opening one.
    pub(super) fn without_opening_quote(&self) -> Mistake {
        let hint = Advice::write(format!("\"{}\"", self.word.trim_matches(['"', '\''])));
        Mistake::new(&self.span, "the quote at the beginning of this text is missing", hint)
    }

    /// Explains a value that begins like a date or a time of day. The key decides what it must be.
    pub(super) fn date(&self, span: &Range<usize>) -> Mistake {
        let Some(key) = self.key.filter(|key| *key != "hours") else { return self.hours_or_date() };
        if DATES.contains(&key) { self.wrong_date() } else { self.mistake(span) }
    }

    fn hours_or_date(&self) -> Mistake {
        if let Some(hours) = hours_meant(self.whole.trim_matches(['[', ']'])) {
            let hours = list_of(hours.iter().map(String::as_str));
            let hint = format!("write hours = {hours}{}", hyphen_for_dash(self.whole).unwrap_or_default());
            return Mistake::new(&self.span, "hours are text: they need quotes and brackets", hint);
        }
        self.wrong_date()
    }

    fn wrong_date(&self) -> Mistake {
        let dates: Vec<_> = self.word.split_whitespace().collect();
        if dates.len() > 1 && dates.iter().all(|date| date.parse::<chrono::NaiveDate>().is_ok()) {
            let hint = format!("write [{}]", dates.join(", "));
            return Mistake::new(&self.span, "a comma is missing between these dates", hint);
        }
        let (what, hint) = dates::explain_wrong_date(self.word, self.key == Some("dates"));
        Mistake::new(&self.span, what, hint)
    }
}

/// The key of a list that begins above.
fn key_of_list(above: &str) -> Option<&str> {
    let line = &above[line_at(above, above.rfind('=')?)];
    Some(line.split_once('=')?.0.trim())
}

/// A value without its comment. A number sign within quotes begins none.
fn without_comment(value: &str) -> &str {
    let mut is_quoted = false;
    let end = value.char_indices().find(|&(_, character)| {
        is_quoted ^= character == '"';
        character == '#' && !is_quoted
    });
    &value[..end.map_or(value.len(), |(at, _)| at)]
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::*;
    use crate::content::schemas;

    /// The type of a value; of a list, that of its entries.
    fn kind(schema: &Value) -> String {
        match (&schema["items"], schema["pattern"].as_str()) {
            (Value::Null, Some(pattern)) => pattern.to_owned(),
            (Value::Null, None) => schema["type"].as_str().unwrap_or_default().to_owned(),
            (items, _) => kind(items),
        }
    }

    fn collect(schema: &Value, kinds: &mut BTreeMap<String, BTreeSet<String>>) {
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            kinds.entry(key.clone()).or_default().insert(kind(property));
            collect(property, kinds);
            collect(&property["items"], kinds);
        }
    }

    #[test]
    fn the_keys_are_those_of_the_files() {
        let mut kinds = BTreeMap::new();
        for (_, schema) in schemas() {
            collect(schema.as_value(), &mut kinds);
        }
        assert!(kinds.len() > 50, "{kinds:?}");
        let keys = |kind: &str| -> BTreeSet<&str> {
            let of_kind = kinds.iter().filter(|(_, kinds)| kinds.iter().eq([kind]));
            of_kind.map(|(key, _)| key.as_str()).collect()
        };
        assert_eq!(BTreeSet::from(FLAGS), keys("boolean"));
        assert_eq!(BTreeSet::from(NUMBERS), keys("integer"));
        assert_eq!(BTreeSet::from(DATES), keys("^[0-9]{4}-[0-9]{2}-[0-9]{2}$"));
    }
}

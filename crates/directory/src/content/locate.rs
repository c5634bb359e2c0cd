//! Finds the place of a value in a file's text, for findings of the audit.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::lines::Lines;
use crate::statements::{Place, Step};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    pub span: Range<usize>,
    /// From 1, as is the column, which counts characters.
    pub line: usize,
    pub column: usize,
}

pub fn locate(text: &str, place: &Place) -> Option<Located> {
    let span = span_of(text, place)?;
    let start = span.start;
    let lines = Lines::new(text);
    let line = lines.line(start);
    let column = text.get(lines.start(line)..start)?.chars().count() + 1;
    Some(Located { span, line: line + 1, column })
}

pub(super) fn span_of(text: &str, place: &Place) -> Option<Range<usize>> {
    let (table, _) = DeTable::parse_recoverable(text);
    let value = DeValue::Table(table.get_ref().clone());
    let span = walk(&Spanned::new(table.span(), value), &place.steps)?;
    let Some(part) = &place.part else { return Some(span) };
    let source = text.get(span.clone())?;
    // The text may be written in other case than the part, or with an escape.
    let at = source.find(part.as_str()).or_else(|| source.to_lowercase().find(&part.to_lowercase()));
    let found = at.map(|at| span.start + at..span.start + at + part.len());
    Some(found.filter(|found| text.get(found.clone()).is_some()).unwrap_or(span))
}

fn walk(value: &Spanned<DeValue<'_>>, steps: &[Step]) -> Option<Range<usize>> {
    let Some((step, rest)) = steps.split_first() else { return Some(value.span()) };
    match (step, value.get_ref()) {
        (Step::Key(key), DeValue::Table(table)) => {
            // Files may have the British spelling.
            let other = if *key == "license" { "licence" } else { key };
            let found = table.iter().find(|(known, _)| [*key, other].contains(&known.get_ref().as_ref()));
            found.and_then(|(_, value)| walk(value, rest)).or_else(|| Some(value.span()))
        }
        (Step::Entry(at), DeValue::Array(array)) => walk(array.get(*at)?, rest),
        (Step::Value(wanted), DeValue::Array(array)) => {
            let found = array.iter().find(|entry| entry.get_ref().as_str() == Some(wanted.as_str()));
            found.map(Spanned::span).or_else(|| Some(value.span()))
        }
        // The first list of a table that has the text.
        (Step::Value(_), DeValue::Table(table)) => {
            let mut lists = table.iter().filter_map(|(_, list)| {
                let found = walk(list, steps)?;
                (found != list.span()).then_some(found)
            });
            lists.next().or_else(|| Some(value.span()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "licensed = [\"CA\", \"NY\"]\nbio = \"\"\"\nShe is licensed in Ohio.\"\"\"\n\n[insurance]\nall = [\"A\"]\nCA = [\"B\"]\n\n[[licence]]\nstate = \"CA\"\nexpires = 2026-01-01\n";

    fn found(steps: Vec<Step>, part: Option<&str>) -> (String, usize, usize) {
        let place = Place { path: String::new(), steps, part: part.map(str::to_owned) };
        let found = locate(FILE, &place).unwrap();
        (FILE[found.span].to_owned(), found.line, found.column)
    }

    #[test]
    fn values_are_found_where_they_are_written() {
        assert_eq!(
            found(vec![Step::Key("licensed"), Step::Value("NY".to_owned())], None),
            ("\"NY\"".to_owned(), 1, 19)
        );
        assert_eq!(found(vec![Step::Key("bio")], Some("Ohio")), ("Ohio".to_owned(), 3, 20));
        assert_eq!(
            found(vec![Step::Key("insurance"), Step::Value("B".to_owned())], None),
            ("\"B\"".to_owned(), 7, 7)
        );
        let steps = vec![Step::Key("license"), Step::Entry(0), Step::Key("expires")];
        assert_eq!(found(steps.clone(), None), ("2026-01-01".to_owned(), 11, 11));
        let place = Place { path: String::new(), steps, part: None };
        let american = locate(&FILE.replace("licence", "license"), &place).unwrap();
        assert_eq!((american.line, american.column), (11, 11));
    }
}

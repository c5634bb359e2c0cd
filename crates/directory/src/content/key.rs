//! Finds the key that a place in a file belongs to: the reverse of `locate`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::parse::Parsed;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyStep {
    Key(String),
    /// An entry of a list, from 0.
    Entry(usize),
}

/// The way to the smallest key or value that holds each place; empty where none does.
pub(super) fn keys_at(text: &str, places: &[Range<usize>]) -> Vec<Vec<KeyStep>> {
    let Parsed { table, .. } = Parsed::parse(text);
    let mut search = Search { places, found: vec![None; places.len()], path: Vec::new() };
    search.table(table.get_ref());
    search.found.into_iter().map(|found| found.map(|(_, path)| path).unwrap_or_default()).collect()
}

struct Search<'a> {
    places: &'a [Range<usize>],
    /// For each place the length of the smallest span so far, and its path.
    found: Vec<Option<(usize, Vec<KeyStep>)>>,
    path: Vec<KeyStep>,
}

impl Search<'_> {
    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            self.path.push(KeyStep::Key(key.get_ref().to_string()));
            self.meet(&key.span());
            self.value(value);
            self.path.pop();
        }
    }

    fn value(&mut self, value: &Spanned<DeValue<'_>>) {
        self.meet(&value.span());
        match value.get_ref() {
            DeValue::Table(table) => self.table(table),
            DeValue::Array(array) => {
                for (at, entry) in array.iter().enumerate() {
                    self.path.push(KeyStep::Entry(at));
                    self.value(entry);
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// Notes the current path for the places inside a span; of equal spans the deeper one counts.
    fn meet(&mut self, span: &Range<usize>) {
        for (place, found) in self.places.iter().zip(&mut self.found) {
            let is_inside = span.start <= place.start && place.end <= span.end;
            let is_smaller = found.as_ref().is_none_or(|(length, _)| span.len() <= *length);
            if is_inside && is_smaller {
                *found = Some((span.len(), self.path.clone()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "licensed = [\"CA\", \"NY\"]\nbuffer = { before = \"5m\" }\n\n[insurance]\nCA = [\"B\"]\n\n[[exception]]\nkind = \"off\"\n\n[[exception]]\nkind = \"replace\"\ndate = 2026-01-01\n";

    fn found(part: &str, nth: usize) -> String {
        let at = FILE.match_indices(part).nth(nth).unwrap().0;
        let place = at..at + part.len();
        let steps =
            keys_at(FILE, std::slice::from_ref(&place)).remove(0).into_iter().map(|step| match step {
                KeyStep::Key(key) => key,
                KeyStep::Entry(at) => at.to_string(),
            });
        steps.collect::<Vec<_>>().join(".")
    }

    #[test]
    fn a_place_leads_to_its_key() {
        for (part, nth, key) in [
            ("\"NY\"", 0, "licensed.1"),
            ("licensed", 0, "licensed"),
            ("[\"CA\", \"NY\"]", 0, "licensed"),
            ("\"5m\"", 0, "buffer.before"),
            ("{ before = \"5m\" }", 0, "buffer"),
            ("\"B\"", 0, "insurance.CA.0"),
            ("[insurance]", 0, "insurance"),
            ("[[exception]]", 0, "exception.0"),
            ("[[exception]]", 1, "exception.1"),
            ("\"replace\"", 0, "exception.1.kind"),
            ("2026-01-01", 0, "exception.1.date"),
            ("date", 0, "exception.1.date"),
        ] {
            assert_eq!(found(part, nth), key, "{part} {nth}");
        }
        let note = 2..4;
        assert_eq!(keys_at("# a note\na = 1", std::slice::from_ref(&note)), [Vec::<KeyStep>::new()]);
    }

    /// Half a file still has keys.
    #[test]
    fn a_file_with_broken_syntax_gives_what_can_be_read() {
        let text = "notice = 2h\ntimezone = \"x\"\n[[weekly]]\ndays = [";
        let place = text.find("\"x\"").unwrap();
        let place = place..place + 3;
        assert_eq!(keys_at(text, std::slice::from_ref(&place)), [[KeyStep::Key("timezone".to_owned())]]);
    }
}

//! Parses a file's text into its raw form and reports every mistake. The TOML parser recovers from syntax errors, but what
//! it makes of their lines is a guess and is removed. If a value has the wrong type, its parts are deserialized one by one
//! until the wrong ones are found, so the time grows with the size of the file, not with the number of mistakes.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeString, DeTable, DeValue, Deserializer, Error};

use super::bounds::Excess;
use super::lines::Lines;
use super::mistakes::{self, Headers, WrongValue};
use super::problem::{FileSpan, Problem, Severity};
use super::problems::Problems;
use super::raw::Located;

/// How many syntax errors of a file are explained. The rest of such a file is probably no TOML at all.
const EXPLAINED: usize = 20;

pub(super) struct Parsed<'a> {
    pub(super) table: Spanned<DeTable<'a>>,
    pub(super) errors: Vec<Error>,
    /// The part of the text that was parsed.
    text: &'a str,
    excess: Option<Excess>,
}

impl<'a> Parsed<'a> {
    pub(super) fn parse(text: &'a str) -> Self {
        let excess = Excess::find(text);
        let text = excess.as_ref().map_or(text, |excess| excess.readable(text));
        let (table, errors) = DeTable::parse_recoverable(text);
        Self { table, errors, text, excess }
    }
}

/// The address of the site in the text of `directory.toml`, which may have mistakes.
pub fn site_url_of(text: &str) -> Option<String> {
    let table = Parsed::parse(text).table.into_inner();
    Some(without_slash(table.get("site-url")?.get_ref().as_str()?).to_owned())
}

pub(super) fn artwork_in(text: &str) -> Vec<String> {
    let table = Parsed::parse(text).table.into_inner();
    let name = |key| table.get(key)?.get_ref().as_str().map(str::trim).map(str::to_owned);
    ["logo", "share-image"].into_iter().filter_map(name).collect()
}

pub(super) fn without_slash(address: &str) -> &str {
    address.trim().trim_end_matches('/')
}

/// What could not be read of a file. A key that is absent there may still have been written.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    /// Whether there is a syntax error: then any key can be absent because of it.
    is_broken: bool,
    wrong: BTreeSet<String>,
    /// The places of tables from which a wrong value was removed.
    taken_from: HashSet<Range<usize>>,
}

impl Gaps {
    fn of_unread_file() -> Self {
        Self { is_broken: true, ..Self::default() }
    }

    /// Whether an absent key is missing. `table` is the place of its table, or `None` for the top of the file.
    pub(super) fn is_missing(&self, table: Option<&Range<usize>>, key: &str) -> bool {
        let is_removed = match table {
            None => self.wrong.contains(key),
            Some(table) => self.taken_from.contains(table),
        };
        !self.is_broken && !is_removed
    }

    /// Whether the whole file was read. If not, an absent entry may be in the part that could not be read.
    pub(super) fn is_none(&self) -> bool {
        !self.is_broken && self.wrong.is_empty()
    }
}

pub(super) fn parse<T>(path: &str, text: &str, problems: &mut Problems) -> (T, Gaps)
where
    T: DeserializeOwned + Default,
{
    let whole = mistakes::without_text(path, text).or_else(|| mistakes::rich_text(text));
    if let Some(mistake) = whole.or_else(|| mistakes::merge_markers(text)) {
        problems.push(mistake.problem(path));
        return (T::default(), Gaps::of_unread_file());
    }
    let Parsed { table, errors, text, excess } = Parsed::parse(text);
    if let Some(excess) = excess.as_ref().filter(|_| text.is_empty()) {
        problems.push(excess.problem(path));
        return (T::default(), Gaps::of_unread_file());
    }
    let table = if errors.is_empty() && excess.is_none() {
        match T::deserialize(Deserializer::from(table)) {
            Ok(raw) => return (raw, Gaps::default()),
            Err(_) => DeTable::parse_recoverable(text).0,
        }
    } else {
        table
    };
    let marks = if errors.is_empty() { None } else { mistakes::marks_of_comparison(text) };
    let quoted = || mistakes::saved_by_spreadsheet(text).filter(|_| !errors.is_empty());
    if let Some(mistake) = marks.or_else(quoted).or_else(|| mistakes::one_for_all(path, text)) {
        problems.push(mistake.problem(path));
        return (T::default(), Gaps::of_unread_file());
    }
    let lines = Lines::new(text);
    problems.extend(excess.map(|excess| excess.problem(path)));
    let broken = syntax_problems(path, text, &lines, &errors, problems);
    let mut search = Search {
        path,
        text,
        lines: &lines,
        broken: &broken,
        headers: Headers::scan(text),
        read: &|table| T::deserialize(Deserializer::from(table)).map(|_| ()),
        gaps: Gaps { is_broken: !errors.is_empty(), ..Gaps::default() },
        problems,
    };
    let span = table.span();
    let table = search.clean_table(table.into_inner(), None, &|table| Spanned::new(span.clone(), table));
    let raw = T::deserialize(Deserializer::from(Spanned::new(span.clone(), table)));
    let gaps = search.gaps;
    let raw = raw.unwrap_or_else(|error| {
        let span = error.span().unwrap_or(0..0);
        problems.push(Problem::error(FileSpan::new(path, &span), error.message()));
        T::default()
    });
    (raw, gaps)
}

/// Treats an empty text as an absent value, because form-based editors write one.
pub(super) fn given(text: Option<Located<String>>) -> Option<Located<String>> {
    text.filter(|text| !text.value.trim().is_empty())
}

/// Of an unclosed list, only the first error is reported. Gives the lines whose values are guesses of the parser.
fn syntax_problems(
    path: &str,
    text: &str,
    lines: &Lines,
    errors: &[Error],
    problems: &mut Problems,
) -> BTreeSet<usize> {
    let mut errors: Vec<_> =
        errors.iter().map(|error| (error.span().unwrap_or(0..0), error.message())).collect();
    errors.sort_by_key(|(span, _)| span.start);
    let ends = |unclosed: &str| -> Vec<usize> {
        let closing = errors.iter().filter(|(_, message)| message.starts_with(unclosed));
        closing.map(|(span, _)| span.end).collect()
    };
    let (lists, braces) = (ends("unclosed array,"), ends("unclosed inline table"));
    let (mut broken, mut open_until, mut explained, mut unexplained) = (BTreeSet::new(), 0, 0, 0);
    let mut last = None;
    for (span, message) in &errors {
        let line = lines.line(span.start);
        let is_reported = !broken.insert(line) || span.start < open_until;
        if is_reported {
            continue;
        }
        let closing = if message.contains("inline table") || message.contains("key-value pairs") {
            Some(&braces)
        } else if message.contains("array") && !message.contains("table") {
            Some(&lists)
        } else {
            None
        };
        if let Some(ends) = closing {
            let end = ends.get(ends.partition_point(|&end| end < span.start));
            open_until = end.map_or(0, |&end| end + 1);
            broken.extend(line..=lines.line(open_until.saturating_sub(1).max(span.start)));
        }
        if message.starts_with("unclosed table") || message.starts_with("unclosed array table") {
            // It is unknown to which table the lines below a broken header belong.
            let below = text[lines.start(line)..].lines().skip(1);
            let count = below.take_while(|line| !line.trim_start().starts_with('[')).count();
            broken.extend(line..=line + count);
        }
        if explained == EXPLAINED {
            unexplained += 1;
            continue;
        }
        explained += 1;
        let problem = mistakes::wrong_syntax(message, path, text, span).problem(path);
        if last.as_ref() != Some(&problem.place) {
            last = Some(problem.place.clone());
            problems.push(problem);
        }
    }
    problems.count(path, Severity::Error, unexplained);
    broken
}

struct Search<'a> {
    path: &'a str,
    text: &'a str,
    lines: &'a Lines,
    broken: &'a BTreeSet<usize>,
    headers: Headers<'a>,
    /// Deserializes a file that has only the value in question.
    read: &'a dyn Fn(Spanned<DeTable<'_>>) -> Result<(), Error>,
    gaps: Gaps,
    problems: &'a mut Problems,
}

impl Search<'_> {
    /// `file` makes a file with only the given table in the place of this one. `place` is `None` for the top of the file.
    fn clean_table<'i>(
        &mut self,
        table: DeTable<'i>,
        place: Option<&Range<usize>>,
        file: &dyn Fn(DeTable<'i>) -> Spanned<DeTable<'i>>,
    ) -> DeTable<'i> {
        let mut clean = DeTable::new();
        for (key, value) in table {
            let name = key.get_ref().to_string();
            let of_value = |value: Spanned<DeValue<'i>>| {
                let mut alone = DeTable::new();
                alone.insert(key.clone(), value);
                file(alone)
            };
            let gaps_before = self.gaps.wrong.len() + self.gaps.taken_from.len();
            let kept = self.clean_value(value, &of_value, Some(&key));
            let is_less = kept.is_none() || gaps_before < self.gaps.wrong.len() + self.gaps.taken_from.len();
            if let Some(kept) = kept {
                clean.insert(key, kept);
            } else if let Some(place) = place {
                self.gaps.taken_from.insert(place.clone());
            }
            if is_less && place.is_none() {
                self.gaps.wrong.insert(name);
            }
        }
        clean
    }

    /// Removes the wrong parts of a value. `None` if the value itself is wrong.
    fn clean_value<'i>(
        &mut self,
        value: Spanned<DeValue<'i>>,
        file: &dyn Fn(Spanned<DeValue<'i>>) -> Spanned<DeTable<'i>>,
        key: Option<&Spanned<DeString<'i>>>,
    ) -> Option<Spanned<DeValue<'i>>> {
        let span = value.span();
        if let Some(key) = key
            && let Some(mistake) = mistakes::single_as_list(key.get_ref(), &span, &self.headers)
        {
            self.problems.push(mistake.problem(self.path));
            return None;
        }
        let is_container = match value.get_ref() {
            DeValue::Table(_) => true,
            DeValue::Array(array) => array.iter().any(|element| element.get_ref().is_table()),
            _ => false,
        };
        // A table can have a broken line below a correct first one.
        if !is_container && self.is_broken(&span) || key.is_some_and(|key| self.is_broken(&key.span())) {
            return None;
        }
        let error = (self.read)(file(value.clone())).err();
        if error.is_none() && (self.broken.is_empty() || !is_container) {
            return Some(value);
        }
        let at = error.as_ref().and_then(Error::span);
        let is_itself = at.as_ref().is_some_and(|at| *at == span || key.is_some_and(|key| *at == key.span()));
        match value.into_inner() {
            DeValue::Table(table) if !is_itself => {
                let of_table = |table| file(Spanned::new(span.clone(), DeValue::Table(table)));
                let table = self.clean_table(table, Some(&span), &of_table);
                Some(Spanned::new(span, DeValue::Table(table)))
            }
            DeValue::Array(array) if !is_itself => {
                let mut clean = DeArray::new();
                for element in array {
                    let of_element = |element| {
                        let mut alone = DeArray::new();
                        alone.push(element);
                        file(Spanned::new(span.clone(), DeValue::Array(alone)))
                    };
                    match self.clean_value(element, &of_element, None) {
                        Some(element) => clean.push(element),
                        None => _ = self.gaps.taken_from.insert(span.clone()),
                    }
                }
                Some(Spanned::new(span, DeValue::Array(clean)))
            }
            _ => {
                self.report(&error?, &span);
                None
            }
        }
    }

    fn is_broken(&self, span: &Range<usize>) -> bool {
        self.broken.range(self.lines.touched(span)).next().is_some()
    }

    fn report(&mut self, error: &Error, value: &Range<usize>) {
        // To explain a wrong value, its line is read, which can be the whole file. So only the problems that are kept are
        // explained. An unknown key is always explained, because the key that it means is then not reported as missing.
        if !self.problems.has_room(self.path, Severity::Error) && !mistakes::is_unknown_key(error) {
            self.problems.count(self.path, Severity::Error, 1);
            return;
        }
        let span = error.span().unwrap_or_else(|| value.clone());
        let explained = WrongValue::explain(error, self.path, self.text, &span, &self.headers);
        self.gaps.wrong.extend(explained.meant.clone());
        self.problems.push(explained.mistake.problem(self.path));
    }
}

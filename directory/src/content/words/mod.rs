//! The words for mistakes, for people who do not know TOML.
//!
//! `syntax` explains errors of the TOML grammar, with `bare` for values without quotes and `twice` for keys and tables
//! that are there twice; `whole` mistakes about a whole file; `values` values that do not fit their key; `keys` unknown
//! keys; `dates` and `hours` those that are written as people speak. `headers` finds the `[table]` lines that messages
//! name, and `form` the keys of a kind of file.

mod bare;
mod dates;
mod form;
mod headers;
mod hours;
mod keys;
mod near;
mod syntax;
mod twice;
mod values;
mod whole;

use std::ops::Range;

use super::problem::{Advice, Place, Problem};

pub(super) use dates::no_date;
pub(super) use form::Form;
pub(super) use headers::Headers;
pub(super) use hours::{day_meant, hours_meant, is_closed, zone_meant, zone_without_summer_time};
pub(super) use near::{slug_like, slug_meant};

pub(super) use crate::near::nearest;
pub(super) use syntax::wrong_syntax;
pub(super) use values::{WrongValue, single_as_list};
pub(super) use whole::{MISPLACED, merge_markers, not_text, one_for_all, rich_text};

/// What is wrong, what to do about it, and where it is best shown.
#[derive(Debug)]
pub(super) struct Mistake {
    what: String,
    hint: Option<Advice>,
    span: Range<usize>,
    /// The end of the text in which further errors of the grammar are consequences of this one.
    covers: Option<usize>,
    /// The other place that it takes to be wrong, and what that is.
    also: Option<(Range<usize>, &'static str)>,
}

impl Mistake {
    fn new(span: &Range<usize>, what: impl Into<String>, hint: impl Into<Advice>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), span: span.clone(), covers: None, also: None }
    }

    /// Shown at another place than where the parser stumbled.
    fn at(self, span: Range<usize>) -> Self {
        Self { span, ..self }
    }

    fn covering(self, end: usize) -> Self {
        Self { covers: Some(end), ..self }
    }

    /// Where it begins.
    pub(super) fn start(&self) -> usize {
        self.span.start
    }

    /// The end of what it covers, where it covers more than its own line.
    pub(super) fn covers(&self) -> Option<usize> {
        self.covers
    }

    fn also(self, also: Option<(Range<usize>, &'static str)>) -> Self {
        Self { also, ..self }
    }

    /// The problem that it is in a file.
    pub(super) fn problem(self, path: &str) -> Problem {
        let problem = Problem::error(Place::new(path, &self.span), self.what).maybe_hint(self.hint);
        match self.also {
            Some((span, label)) => problem.also(Place::new(path, &span), label),
            None => problem,
        }
    }
}

/// Some texts as a list is written.
fn list_of<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = texts.map(|text| format!("\"{text}\"")).collect();
    format!("[{}]", quoted.join(", "))
}

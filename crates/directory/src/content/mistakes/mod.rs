//! Explains mistakes to people who do not know TOML.
//!
//! - `syntax`: errors of the TOML grammar, with `unquoted` for values without quotes and `duplicate` for repeated keys and
//!   tables
//! - `whole` and `headless`: mistakes about a whole file, and entries whose header was forgotten
//! - `values` and `keys`: values of the wrong kind, and unknown keys
//! - `dates`, `hours`, `slugs` and `dashes`: dates, hours, slugs and hyphens as people write them, with `dashed` for
//!   lines that have a dash in the key or in place of the equals sign
//! - `form`: the keys of a kind of file, and the `[table]` lines of one file

mod dashed;
mod dashes;
mod dates;
mod duplicate;
mod form;
mod headless;
mod hours;
mod keys;
mod slugs;
mod syntax;
mod unquoted;
mod values;
mod whole;

use std::ops::Range;

use super::problem::{Advice, FileSpan, Problem};

pub(super) use crate::near::nearest;
pub(super) use dashes::hyphen_for_dash;
pub(super) use dates::{entries_of_days_off, explain_wrong_date};
pub(super) use form::{Form, Headers};
pub(super) use headless::exceptions_without_header;
pub(super) use hours::{day_meant, hours_meant, is_closed, zone_meant, zone_without_summer_time};
pub(super) use slugs::{slug_like, slug_meant};
pub(super) use syntax::wrong_syntax;
pub(super) use values::{WrongValue, is_unknown_key, one_list_of_holidays, single_as_list};
pub(super) use whole::{MISPLACED, merge_markers, not_text, one_for_all, rich_text};

/// An explained mistake: what is wrong, what to do about it, and where.
#[derive(Debug)]
pub(super) struct Mistake {
    what: String,
    hint: Option<Advice>,
    span: Range<usize>,
    /// Syntax errors up to this offset are consequences of this mistake and are not reported.
    covers: Option<usize>,
    also: Option<(Range<usize>, &'static str)>,
}

impl Mistake {
    fn new(span: &Range<usize>, what: impl Into<String>, hint: impl Into<Advice>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), span: span.clone(), covers: None, also: None }
    }

    fn at(self, span: Range<usize>) -> Self {
        Self { span, ..self }
    }

    fn covering(self, end: usize) -> Self {
        Self { covers: Some(end), ..self }
    }

    pub(super) fn start(&self) -> usize {
        self.span.start
    }

    pub(super) fn covers(&self) -> Option<usize> {
        self.covers
    }

    fn also(self, also: Option<(Range<usize>, &'static str)>) -> Self {
        Self { also, ..self }
    }

    pub(super) fn problem(self, path: &str) -> Problem {
        let problem = Problem::error(FileSpan::new(path, &self.span), self.what).maybe_hint(self.hint);
        match self.also {
            Some((span, label)) => problem.also(FileSpan::new(path, &span), label),
            None => problem,
        }
    }
}

fn list_of<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<_> = texts.map(|text| format!("\"{text}\"")).collect();
    format!("[{}]", quoted.join(", "))
}

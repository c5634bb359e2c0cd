//! Says what is wrong where a file cannot be read, and reads what people write in place of the notation.
//!
//! - `syntax`: errors of the TOML grammar
//! - `values`: values of the wrong type, and unknown keys
//! - `whole`: mistakes about a whole file
//! - `dates`, `hours` and `slugs`: what a text probably means
//! - `headers`: the `[table]` lines of a file
//!
//! What to write instead is not found here: `repair` tries it.

mod dates;
mod headers;
mod hours;
mod slugs;
mod syntax;
mod values;
mod whole;

use std::ops::Range;

use super::problem::{Advice, FileSpan, Kind, Problem};

pub(super) use crate::near::nearest;
pub(super) use dates::{
    dates_meant, each_date, entries_of_days_off, explain_wrong_date, is_end_of_month, span_meant,
};
pub(super) use headers::Headers;
pub(super) use hours::{
    PAUSES, days_meant, hours_meant, is_closed, zone_meant, zone_without_daylight_saving,
};
pub(super) use slugs::{slug_like, slug_meant};
pub(super) use syntax::wrong_syntax;
pub(super) use values::{
    ACCEPTING, CURRENT_ONLY, ONE_LIST, WrongValue, is_unknown_key, leave_in, single_as_list,
};
pub(super) use whole::{MISPLACED, merge_markers, not_text, one_for_all, rich_text, without_text};

/// What is wrong, what to do about it, and where.
#[derive(Debug)]
pub(super) struct Mistake {
    what: String,
    hint: Option<Advice>,
    span: Range<usize>,
    kind: Kind,
}

impl Mistake {
    fn new(kind: Kind, span: &Range<usize>, what: impl Into<String>, hint: impl Into<Advice>) -> Self {
        Self { what: what.into(), hint: Some(hint.into()), span: span.clone(), kind }
    }

    pub(super) fn problem(self, path: &str) -> Problem {
        Problem::error(FileSpan::new(path, &self.span), self.what).maybe_hint(self.hint).of_kind(self.kind)
    }
}

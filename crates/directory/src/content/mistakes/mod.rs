//! Says what is wrong where a file cannot be read (`syntax`, `values`, `whole`), and reads what people write in place of
//! the notation (`dates`, `days`, `hours`, `slugs`). What to write instead is not found here: `repair` tries it.

mod dates;
mod days;
mod headers;
mod hours;
mod slugs;
mod syntax;
mod values;
mod whole;

use std::ops::Range;

use super::problem::{Advice, FileSpan, Kind, Problem};

pub(super) use crate::near::nearest;
pub use dates::{dates_meant, span_meant};
pub(super) use dates::{
    days_beside, each_date, entries_of_days_off, explain_wrong_date, fixed_holiday, is_end_of_month,
};
pub(super) use days::in_english;
pub(super) use headers::Headers;
pub(super) use hours::{
    FULL_DAYS, PAUSES, clock, days_meant, hours_meant, is_closed, is_dash, zone_meant,
    zone_without_daylight_saving,
};
pub use slugs::slug_like;
pub(super) use slugs::slug_meant;
pub use syntax::meaning_of_syntax_error;
pub(super) use syntax::wrong_syntax;
pub(super) use values::{
    ACCEPTING, CURRENT_ONLY, ONE_LIST, WrongValue, is_unknown_key, leave_in, single_as_list,
};
pub(super) use whole::{
    MISPLACED, ON_COMPUTER, WITH_HTTPS, as_before_spreadsheet, has_key, is_added, is_marker, is_of_computer,
    is_removed, marks_of_comparison, merge_markers, not_text, one_for_all, rich_text, saved_by_spreadsheet,
    second_copy, without_text,
};

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
        let problem = Problem::error(FileSpan::new(path, &self.span), self.what).of_kind(self.kind);
        if let Some(hint) = self.hint { problem.hint(hint) } else { problem }
    }
}

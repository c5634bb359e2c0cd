//! `[[leave]]` of a clinician's file.

use std::ops::Range;

use chrono::{Days, NaiveDate};

use super::super::problem::{Advice, Problem};
use super::super::raw::{LeaveTable, Located};
use super::fields::{File, given_date};
use crate::model::Leave;

/// For how long the entry of a past leave is no clutter.
const KEPT: Days = Days::new(30);

/// The leaves in order. One that begins where another ends is a part of it.
pub(super) fn read(file: &mut File<'_>, tables: Vec<Located<LeaveTable>>, today: NaiveDate) -> Vec<Leave> {
    let mut written: Vec<(Leave, Range<usize>)> = Vec::with_capacity(tables.len());
    written.extend(tables.into_iter().filter_map(|table| read_one(file, table, today)));
    written.sort_by_key(|(leave, _)| leave.from);
    let mut leaves: Vec<Leave> = Vec::with_capacity(written.len());
    let mut last: Option<Range<usize>> = None;
    for (leave, place) in written {
        match (leaves.last_mut(), &last) {
            (Some(before), Some(other)) if before.until.is_none_or(|until| leave.from < until) => {
                let what = format!("the leave from {} overlaps the one from {}", leave.from, before.from);
                let hint = match before.until {
                    Some(until) if leave.until.is_none_or(|end| until < end) => {
                        Advice::write(until.to_string()).and(", or delete one of the two")
                    }
                    Some(_) => "delete one of the two, or correct its dates".into(),
                    None => "write the first day back as `until` of the other one, or delete one of the two"
                        .into(),
                };
                let problem = Problem::error(file.place(&place), what);
                file.add(problem.also(file.place(other), "the other one").hint(hint));
                continue;
            }
            (Some(before), _) if before.until == Some(leave.from) => before.until = leave.until,
            _ => leaves.push(leave),
        }
        last = Some(place);
    }
    leaves
}

/// A leave, and the place of its first day.
fn read_one(
    file: &mut File<'_>,
    table: Located<LeaveTable>,
    today: NaiveDate,
) -> Option<(Leave, Range<usize>)> {
    let Located { value: raw, span } = table;
    let from = given_date(raw.from);
    if from.is_none() {
        file.missing(Some(&span), "from", "YYYY-MM-DD");
    }
    let from = from.and_then(|date| Some(Located { value: file.date(&date)?, span: date.span }));
    let mut leave = Leave { from: from.as_ref()?.value, until: None };
    let place = from?.span;
    let Some(until) = given_date(raw.until) else { return Some((leave, place)) };
    let first_back = file.date(&until)?;
    leave.until = Some(first_back);
    if first_back <= leave.from {
        let what = format!("`until` is {first_back}, and the leave begins on {}", leave.from);
        let hint = match leave.from.succ_opt() {
            Some(next) if first_back == leave.from => {
                Advice::write(next.to_string()).and(" for a leave of one day, or delete this leave")
            }
            _ => "write the first day back, or delete this line if the day isn't known yet".into(),
        };
        let problem = Problem::error(file.place(&until.span), what);
        file.add(problem.also(file.place(&place), "the first day").hint(hint));
        return None;
    }
    if first_back.checked_add_days(KEPT).is_some_and(|kept| kept < today) {
        file.warn(&span, format!("this leave ended on {first_back}"), "You can delete it");
    }
    Some((leave, place))
}

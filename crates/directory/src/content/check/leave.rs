//! `[[leave]]` of a clinician's file.

use chrono::{Days, Months, NaiveDate};

use super::super::problem::{Advice, Problem};
use super::super::raw::{LeaveTable, Located};
use super::fields::{File, given_date};
use crate::model::Leave;

/// How long the entry of a past leave may stay.
const KEPT: Days = Days::new(30);
/// A leave that lasts longer is more likely a mistyped year.
const LONGEST: Months = Months::new(12);
/// After so long, the end of a leave without one has probably been forgotten.
const FORGOTTEN: Months = Months::new(12);

/// The leaves in order. One that begins where another ends is a part of it.
pub(super) fn read(file: &mut File<'_>, tables: Vec<Located<LeaveTable>>, today: NaiveDate) -> Vec<Leave> {
    let mut written: Vec<_> = tables.into_iter().filter_map(|table| read_one(file, table, today)).collect();
    written.sort_by_key(|leave| leave.value.from);
    let mut leaves: Vec<Located<Leave>> = Vec::new();
    for Located { value: Leave { from, until }, span } in written {
        match leaves.last_mut() {
            Some(Located { value: before, span: other }) if before.until.is_none_or(|end| from < end) => {
                let endless = if before.until.is_none() { ", which has no `until`" } else { "" };
                let what = format!("The leave from {from} overlaps the one from {}{endless}.", before.from);
                let hint = match before.until {
                    Some(end) if until.is_none_or(|until| end < until) => Advice::write(end.to_string()),
                    _ => "Write a first day back that is before the other leave begins".into(),
                };
                let problem =
                    Problem::error(file.place(&span), what).also(file.place(other), "the other one");
                file.add(problem.hint(hint.and(", or delete one of the two.")));
            }
            Some(Located { value: before, span: place }) if before.until == Some(from) => {
                (before.until, *place) = (until, span);
            }
            _ => leaves.push(Located { value: Leave { from, until }, span }),
        }
    }
    leaves.into_iter().map(|leave| leave.value).collect()
}

/// A leave at the place of its first day.
fn read_one(file: &mut File<'_>, table: Located<LeaveTable>, today: NaiveDate) -> Option<Located<Leave>> {
    let Located { value: raw, span } = table;
    let from = given_date(raw.from);
    if from.is_none() && file.is_missing(Some(&span), "from") {
        file.error(&span, "`from` is missing.", "Add the first day, such as from = 2026-12-01");
    }
    let from = from?;
    let mut leave = Located { value: Leave { from: file.date(&from)?, until: None }, span: from.span };
    let begins = leave.value.from;
    file.warn_if_far_ahead(&Located { value: begins, span: leave.span.clone() }, today);
    let Some(until) = given_date(raw.until) else {
        if begins.checked_add_months(FORGOTTEN).is_some_and(|day| day < today) {
            let what = format!("This leave began on {begins} and has no end.");
            file.warn(&leave.span, what, "Write `until`, the first day back, or check the year.");
        }
        return Some(leave);
    };
    let first_back = file.date(&until)?;
    leave.value.until = Some(first_back);
    if first_back <= begins {
        let (what, hint) = match begins.succ_opt() {
            Some(next) if first_back == begins => (
                format!(
                    "`until` is the first day back, so it can't be {begins}, the first day of the leave."
                ),
                Advice::write(next.to_string()).and(" for a leave of one day, or delete this leave."),
            ),
            _ => (
                format!("`until` is {first_back}, but the leave begins on {begins}."),
                "Write the first day back, or delete this line if you don't know it yet.".into(),
            ),
        };
        let problem = Problem::error(file.place(&until.span), what);
        file.add(problem.also(file.place(&leave.span), "the first day").hint(hint));
        return None;
    }
    if begins.checked_add_months(LONGEST).is_some_and(|latest| latest < first_back) {
        let what = format!("This leave lasts from {begins} until {first_back}.");
        file.warn(&until.span, what, "Check the years.");
    }
    if first_back.checked_add_days(KEPT).is_some_and(|kept| kept < today) {
        file.warn(
            &span,
            format!("This leave ended on {first_back}."),
            "Correct the dates if a year is wrong. If not, you can delete it.",
        );
    }
    Some(leave)
}

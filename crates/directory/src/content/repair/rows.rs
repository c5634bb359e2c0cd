//! What is tried for a problem, from the text at its place and from what its key holds: the likeliest first.

use super::super::mistakes::{dates_meant, days_meant};
use super::super::offer::Edit;
use super::super::problem::{Kind, Problem};
use super::super::shape::Form;
use super::super::statement::{Statement, table_above};
use super::across;
use super::candidate::Candidate;
use super::here::Here;
use super::instead::{of_other_file, without_type};
use super::trial::{Changes, SmallFolder};
use super::whole_file::with_straight_three;

pub(super) fn candidates(folder: &SmallFolder<'_>, changes: &Changes, problem: &Problem) -> Vec<Candidate> {
    let path = problem.path();
    let form = Form::of_file(path).or_else(|| path.starts_with("translations/").then(Form::without_keys));
    let (Some(text), Some(form)) = (folder.text(changes, path), form) else {
        return across::of_files(folder, problem);
    };
    let Some((start, end)) = problem.place.span.filter(|&(_, end)| end <= text.len()) else {
        return across::of_files(folder, problem);
    };
    let here = Here { path, text, form, span: start..end };
    // A guess would open a holiday: which day is meant has to be looked up, unless no month has that number.
    if path.starts_with("holidays/") && problem.what().contains(" doesn't exist: ") {
        let [date] = dates_meant(&text[start..end])[..] else { return Vec::new() };
        return vec![here.edit("value", start..end, date.to_string())];
    }
    let mut found = Vec::new();
    match problem.kind {
        Kind::File => {
            found.extend(here.merged().into_iter().chain(of_other_file(folder, &here, problem)));
            found.extend(across::of_files(folder, problem));
        }
        // What heals one end of such a text alone would publish the quotes of the other.
        Kind::Syntax if with_straight_three(&text[here.line()]).is_some() => {
            found.extend(here.on_each_line());
        }
        Kind::Syntax => {
            found.extend(here.moved_into_list().into_iter().chain(here.without_foreign_signs()));
            found.extend(here.on_each_line().into_iter().chain(here.without_prefixes()));
            if path.starts_with("translations/") {
                found.extend(here.translation());
            }
            if let Some(whole) = here.with_end_of_text() {
                return vec![whole];
            }
            found.extend(here.without_fences().or_else(|| here.joined_with_next()));
            found.extend(here.with_commas().or_else(|| here.with_comma_in_braces()));
            found.extend(here.statements(true).iter().flat_map(|statement| here.rewritten(statement)));
            found.extend(here.statements(true).iter().filter_map(|statement| here.placed(statement)));
            found.extend(here.statements(false).iter().flat_map(|found| here.last_day_of_leave(found)));
            found.extend(here.line_of_list());
            found.extend(across::of_all(folder, changes, &here));
            found.extend(here.days_at_key(folder.today));
            found.extend(here.all_dates().into_iter().chain(here.header()).chain(here.second_entry()));
            let is_day = |key: &str| days_meant(key).is_some();
            let day = Statement::on_line(text, here.line().start, is_day);
            found.extend(day.and_then(|found| here.weekly_entries(&found)));
            found.extend(here.split());
            found.extend(here.line_of_each_state());
            found.extend(here.day_off(folder.today));
            found.extend(here.repeated_line());
            found.extend(here.remarked());
        }
        Kind::WrongType | Kind::UnknownKey | Kind::Other => {
            found.extend(here.without_foreign_signs());
            found.extend(here.on_each_line().filter(|_| problem.kind == Kind::UnknownKey));
            found.extend(here.without_prefixes().filter(|_| problem.kind == Kind::UnknownKey));
            found.extend(here.table_at_end().filter(|_| problem.kind == Kind::UnknownKey));
            found.extend(across::of_types(folder, changes, &here));
            found.extend(across::of_all(folder, changes, &here));
            found.extend(without_type(folder, changes, &here));
            for statement in here.statements(false) {
                found.extend(here.first_day(&statement));
                found.extend(here.last_day_of_leave(&statement));
                found.extend(here.last_day_off(&statement));
                found.extend(here.of_exception(&statement));
                found.extend(here.rewritten(&statement));
                found.extend(here.placed(&statement).or_else(|| here.among_plans(&statement)));
                found.extend(here.header_above(&statement).into_iter().chain(here.below_header(&statement)));
                found.extend(here.weekly_entries(&statement));
                found.extend(here.entries_of_dates(&statement, folder.today));
                if problem.kind == Kind::Other {
                    found.extend(here.swapped(&statement, folder.today));
                    found.extend(here.without_ended_badge(&statement));
                    found.extend(here.without_markup(&statement));
                    found.extend(here.picture(folder, &statement));
                    found.extend(here.address(&statement).into_iter().chain(here.city_and_state(&statement)));
                }
            }
            found.extend(here.header_moved_down());
            found.extend(here.days_at_key(folder.today));
            found.extend(here.all_dates());
            found.extend(here.with_kind());
            found.extend(here.day_off(folder.today));
            found.extend(here.to_other_file(folder, changes));
            found.extend(here.unwrapped().into_iter().chain(here.together(folder)));
            found.extend(here.entry());
            found.extend(here.line_of_each_state());
            found.extend(here.header());
            found.extend(here.second_entry());
            found.extend(here.repeated_entry());
            if problem.kind == Kind::Other {
                found.extend(here.a_year_later(folder.today).into_iter().chain(here.every_state(problem)));
                found.extend(across::of_lists(folder, changes, &here));
                found.extend(here.behind_sign(problem));
                found.extend(here.without_hours(problem).into_iter().chain(here.only_these_hours(problem)));
                found.extend(of_two_places(folder, &here, problem));
            }
        }
    }
    let advised = problem.hint.as_ref().and_then(|hint| hint.replacement.as_ref());
    // Hours that begin a year earlier can be booked, so a person decides.
    let row = if table_above(text, start) == "effective" { "year" } else { "meant" };
    found.extend(advised.map(|text| Candidate::edit(row, path, start..end, text)));
    finished(folder, changes, found)
}

/// What is tried where a problem names a second place.
fn of_two_places(folder: &SmallFolder<'_>, here: &Here<'_>, problem: &Problem) -> Vec<Candidate> {
    let Some((other, _)) = &problem.also else { return Vec::new() };
    let mut found = Vec::from_iter(here.leave(other));
    found.extend(here.plan_elsewhere(folder, other));
    found.extend(of_other_file(folder, here, problem));
    found.extend(here.overlapping(other));
    found.extend(here.off_around(other));
    found.extend(here.one_exception(other));
    found
}

/// Without candidates that change nothing. New lines end as those of the file do.
fn finished(folder: &SmallFolder<'_>, changes: &Changes, mut found: Vec<Candidate>) -> Vec<Candidate> {
    let changes_something = |edit: &Edit| {
        folder.text(changes, &edit.path).and_then(|text| text.get(edit.span.clone()))
            != Some(edit.text.as_str())
    };
    for edit in found.iter_mut().flat_map(|candidate| &mut candidate.edits) {
        if edit.text.contains('\n')
            && folder.text(changes, &edit.path).is_some_and(|text| text.contains("\r\n"))
        {
            edit.text = edit.text.replace("\r\n", "\n").replace('\n', "\r\n");
        }
    }
    found.retain(|candidate| !candidate.moves.is_empty() || candidate.edits.iter().any(changes_something));
    found
}

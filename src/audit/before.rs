//! Lists the changes that the clinic must report to its plans, and by when.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;

use chrono::{Datelike, NaiveDate, Weekday};
use directory::Directory;
use directory::model::{Provider, StateCode};
use live::Clock;

use crate::content::{count, load};
use crate::outcome::{Outcome, Refusal};

/// Whether a clinician accepts new patients, by plan and state. A plan that is not taken is not there.
type Facts = BTreeMap<(String, StateCode), bool>;

/// Compares the content with an earlier version of it, and prints the changes that each plan must know.
pub(super) fn print(
    out: &mut impl Write,
    directory: &Directory,
    before: &Path,
    clock: Clock,
) -> Result<Outcome, Refusal> {
    let Some(earlier) = load(before, clock)? else { return Ok(Outcome::Problems) };
    let today = clock.now().date_naive();
    let deadline = directory.accuracy().and_then(|policy| {
        let days = policy.profile.tell_within_business_days()?;
        Some((days, after_business_days(today, days)?))
    });
    let by_id = |directory: &'_ Directory| -> BTreeMap<String, (String, Facts)> {
        let entry = |provider: &Provider| {
            (provider.id().to_string(), (provider.display_name().to_owned(), facts(directory, provider)))
        };
        directory.providers().iter().map(entry).collect()
    };
    let (was, is) = (by_id(&earlier.directory), by_id(directory));
    let mut told: BTreeSet<String> = BTreeSet::new();
    let none = (String::new(), Facts::new());
    for id in was.keys().chain(is.keys()).collect::<BTreeSet<_>>() {
        let (old_name, old) = was.get(id).unwrap_or(&none);
        let (new_name, new) = is.get(id).unwrap_or(&none);
        let name = if new_name.is_empty() { old_name } else { new_name };
        for key in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
            let (plan, state) = key;
            let change = match (old.get(key), new.get(key)) {
                (Some(true), Some(false)) => "takes no new patients any more",
                (Some(false), Some(true)) => "takes new patients again",
                (None, Some(_)) => "takes the plan from now on",
                (Some(_), None) => "does not take the plan any more",
                _ if !old_name.is_empty() && old_name != new_name && !new_name.is_empty() => {
                    told.insert(format!("{plan}: {old_name} is called {new_name} now"));
                    continue;
                }
                _ => continue,
            };
            told.insert(format!("{plan}: {name} {change} in {state}"));
        }
    }
    for line in &told {
        writeln!(out, "{}", directory::visible::line(line))?;
    }
    match deadline {
        _ if told.is_empty() => writeln!(out, "no change has to be reported to a plan")?,
        Some((days, until)) => writeln!(
            out,
            "{} to tell: of what changed today, {today}, the {days} business days end on {until} (Monday to Friday; holidays come on top); \
             what changed earlier, earlier",
            count(told.len(), "change")
        )?,
        None => writeln!(
            out,
            "{} to tell; [accuracy] names no law with a time for it",
            count(told.len(), "change")
        )?,
    }
    Ok(Outcome::Done)
}

/// The plans that a clinician takes by state, and whether new patients are accepted there.
fn facts(directory: &Directory, provider: &Provider) -> Facts {
    let mut facts = Facts::new();
    for state in provider.licensed().iter() {
        for plan in provider.plans_in(state) {
            let key = (directory.plan(*plan).as_str().to_owned(), state);
            facts.insert(key, provider.accepting().contains(state));
        }
    }
    facts
}

fn after_business_days(from: NaiveDate, days: u32) -> Option<NaiveDate> {
    let mut date = from;
    let mut left = days;
    while left > 0 {
        date = date.succ_opt()?;
        if !matches!(date.weekday(), Weekday::Sat | Weekday::Sun) {
            left -= 1;
        }
    }
    Some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn business_days_pass_over_the_weekend() {
        let date = |day| NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
        // A Tuesday, a Friday and a Saturday.
        assert_eq!(after_business_days(date(3), 5), Some(date(10)));
        assert_eq!(after_business_days(date(6), 2), Some(date(10)));
        assert_eq!(after_business_days(date(7), 1), Some(date(9)));
    }
}

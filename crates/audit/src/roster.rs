//! Compares entries with a payer's roster, the list of clinicians who take a plan.

use std::collections::HashMap;

use chrono::NaiveDate;

use crate::source::{Judged, Roster, RosterRow, Source};
use directory::model::{Directory, Provider, StateSet};
use directory::statements::{Finding, Place, Rule, Step, Strength, Witness};

pub(crate) fn judge(directory: &Directory, source: &Source, roster: &Roster, today: NaiveDate) -> Judged {
    let mut by_npi: HashMap<&str, Vec<&RosterRow>> = HashMap::new();
    for row in &roster.rows {
        by_npi.entry(&row.npi).or_default().push(row);
    }
    let mut judged = Judged::default();
    for provider in directory.providers() {
        let taken: StateSet = provider
            .licensed
            .iter()
            .filter(|state| {
                roster.states.is_none_or(|states| states.contains(*state))
                    && provider.plans_in(*state).contains(&roster.plan)
            })
            .collect();
        let Some(npi) = provider.npi.as_deref().filter(|_| !taken.is_empty()) else { continue };
        let rows = by_npi.get(npi).map(Vec::as_slice).unwrap_or_default();
        if rows.is_empty() && !roster.is_complete {
            continue;
        }
        // A row of another location says nothing about these states.
        let is_here = |row: &RosterRow| row.state.is_none_or(|state| taken.contains(state));
        let here: Vec<_> = rows.iter().copied().filter(|row| is_here(row)).collect();
        if here.is_empty() && !rows.is_empty() {
            continue;
        }
        judged.compared += 1;
        judged.findings.extend(compare((directory, provider), taken, &here, (source, roster), today));
    }
    judged
}

fn compare(
    (directory, provider): (&Directory, &Provider),
    taken: StateSet,
    rows: &[&RosterRow],
    (source, roster): (&Source, &Roster),
    today: NaiveDate,
) -> Option<Finding> {
    let plan = directory.plan(roster.plan).as_str();
    let name = &provider.display_name;
    let place = Place::at(provider, [Step::Key("insurance"), Step::Value(plan.to_owned())]);
    let has_ended =
        |row: &RosterRow| row.until.is_some_and(|until| until < today) || row.is_good == Some(false);
    if rows.is_empty() {
        let what = format!("{plan} does not list {name}, and the entry says that it is taken");
        let advice = format!("take \"{plan}\" out of [insurance], or have {plan} correct its roster");
        let rule = (Rule::Roster, Strength::Likely);
        let finding = Finding::new(rule, provider, place, what, advice, &[plan, "no row"]);
        return Some(finding.against(Witness::Source { file: source.file.clone() }));
    }
    if let Some(last) = rows.iter().filter(|row| has_ended(row)).max_by_key(|row| row.until)
        && rows.iter().all(|row| has_ended(row))
    {
        let last_day = last.until.filter(|until| *until < today);
        let ended = last_day.map_or_else(|| "ended".to_owned(), |until| format!("ended on {until}"));
        let what = format!("{plan} {ended} for {name}, and the entry says that it is taken");
        let advice = format!("take \"{plan}\" out of [insurance], or have {plan} correct its roster");
        let rule = (Rule::Roster, Strength::Certain);
        let finding = Finding::new(rule, provider, place, what, advice, &[plan, &ended]);
        return Some(finding.against(source.row(last.line, ended)));
    }
    let current: Vec<_> =
        rows.iter().filter(|row| !has_ended(row) && row.from.is_none_or(|from| from <= today)).collect();
    let is_closed = !current.is_empty() && current.iter().all(|row| row.is_accepting == Some(false));
    // A row without a state is about every state.
    let closed_in = if current.iter().any(|row| row.state.is_none()) {
        taken
    } else {
        current.iter().filter_map(|row| row.state).collect()
    };
    let open = taken.intersection(provider.accepting).intersection(closed_in);
    if !is_closed || open.is_empty() {
        return None;
    }
    let line = current.first()?.line;
    let what = format!("{plan} lists {name} as taking no new patients, and the entry accepts them");
    let advice = format!("tell {plan} that new patients are accepted, or take the states out of `accepting`");
    let place = Place::key(provider, "accepting");
    let rule = (Rule::RosterClosed, Strength::Likely);
    let finding = Finding::new(rule, provider, place, what, advice, &[plan, "closed"]);
    Some(finding.against(source.row(line, "closed to new patients".to_owned())))
}

//! Compares clinicians' plans with a payer's roster: the list of clinicians who take a plan.

use chrono::NaiveDate;

use crate::source::{AuditSource, Comparison, Roster, RosterRow, group_by};
use directory::model::{Directory, Provider, StateSet};
use directory::statements::{Finding, Place, Rule, Step, Strength, Witness};

pub(crate) fn compare(
    directory: &Directory,
    source: &AuditSource,
    roster: &Roster,
    today: NaiveDate,
) -> Comparison {
    let by_npi = group_by(&roster.rows, |row| &row.npi);
    let mut comparison = Comparison::default();
    for provider in directory.providers() {
        let Some(npi) = provider.npi.as_deref() else { continue };
        let states = plan_states(provider, roster);
        if states.is_empty() {
            continue;
        }
        let plan = directory.plan(roster.plan).as_str();
        let entry = Entry { provider, plan, states, source, today };
        let Some(all_rows) = by_npi.get(npi) else {
            if roster.is_complete {
                comparison.compared += 1;
                comparison.findings.push(entry.missing());
            }
            continue;
        };
        let is_about_entry = |row: &&RosterRow| row.state.is_none_or(|state| states.contains(state));
        let rows: Vec<_> = all_rows.iter().copied().filter(is_about_entry).collect();
        if !rows.is_empty() {
            comparison.compared += 1;
            comparison.findings.extend(entry.ended(&rows).or_else(|| entry.closed(&rows)));
        }
    }
    comparison
}

fn plan_states(provider: &Provider, roster: &Roster) -> StateSet {
    let covered =
        provider.licensed.iter().filter(|state| roster.states.is_none_or(|all| all.contains(*state)));
    covered.filter(|state| provider.plans_in(*state).contains(&roster.plan)).collect()
}

/// A clinician who takes a plan in some states, according to the content.
struct Entry<'a> {
    provider: &'a Provider,
    plan: &'a str,
    states: StateSet,
    source: &'a AuditSource,
    today: NaiveDate,
}

impl Entry<'_> {
    fn missing(&self) -> Finding {
        let Self { provider, plan, source, .. } = *self;
        let what = format!("{plan} doesn't list {}, but the entry has this plan", provider.display_name);
        self.wrong_plan(Strength::Likely, what, "no row", Witness::Source { file: source.file.clone() })
    }

    fn ended(&self, rows: &[&RosterRow]) -> Option<Finding> {
        let Self { provider, plan, source, today, .. } = *self;
        if !rows.iter().all(|row| has_ended(row, today)) {
            return None;
        }
        let last = rows.iter().max_by_key(|row| row.until)?;
        // A row may have ended by its status, before its last day.
        let last_day = last.until.filter(|until| *until < today);
        let ended = last_day.map_or_else(|| "ended".to_owned(), |until| format!("ended on {until}"));
        let what = format!("{plan} {ended} for {}, but the entry still has this plan", provider.display_name);
        let witness = source.row_witness(last.line, ended.clone());
        Some(self.wrong_plan(Strength::Certain, what, &ended, witness))
    }

    fn wrong_plan(&self, strength: Strength, what: String, status: &str, witness: Witness) -> Finding {
        let Self { provider, plan, .. } = *self;
        let advice = format!("remove \"{plan}\" from [insurance], or have {plan} correct its roster");
        let place = Place::at(provider, [Step::Key("insurance"), Step::Value(plan.to_owned())]);
        let rule = (Rule::Roster, strength);
        Finding::new(rule, provider, place, what, advice, &[plan, status]).against(witness)
    }

    /// Returns a finding if no current row accepts new patients, but the entry does in one of these rows' states.
    fn closed(&self, rows: &[&RosterRow]) -> Option<Finding> {
        let Self { provider, plan, states, source, today } = *self;
        let has_begun = |row: &RosterRow| row.from.is_none_or(|from| from <= today);
        let current: Vec<_> = rows.iter().filter(|row| !has_ended(row, today) && has_begun(row)).collect();
        let first = current.first()?;
        if !current.iter().all(|row| row.is_accepting == Some(false)) {
            return None;
        }
        let is_about_all_states = current.iter().any(|row| row.state.is_none());
        let closed: StateSet =
            if is_about_all_states { states } else { current.iter().filter_map(|row| row.state).collect() };
        if states.intersection(provider.accepting).intersection(closed).is_empty() {
            return None;
        }
        let name = &provider.display_name;
        let what =
            format!("{plan} lists {name} as not accepting new patients, but the entry says the opposite");
        let advice =
            format!("tell {plan} that {name} accepts new patients, or remove the states from `accepting`");
        let place = Place::key(provider, "accepting");
        let rule = (Rule::RosterClosed, Strength::Likely);
        let finding = Finding::new(rule, provider, place, what, advice, &[plan, "closed"]);
        Some(finding.against(source.row_witness(first.line, "closed to new patients".to_owned())))
    }
}

fn has_ended(row: &RosterRow, today: NaiveDate) -> bool {
    row.until.is_some_and(|until| until < today) || row.is_valid == Some(false)
}

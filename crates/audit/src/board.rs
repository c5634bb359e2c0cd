//! Compares licenses with a state board's list. A row matches if the number is equal and the names share a word.

use crate::names::{count_shared, share_a_token, tokens};
use crate::source::{AuditSource, Board, BoardRow, Comparison, group_by, license_key};
use directory::model::{Directory, License, LicenseKind, Provider, StateCode};
use directory::statements::{Finding, Place, Rule, Step, Strength};

pub(crate) fn compare(directory: &Directory, source: &AuditSource, board: &Board) -> Comparison {
    let by_key = group_by(&board.rows, |row| &row.license_key);
    // Physicians and nurses may have the same license numbers, because their boards differ.
    let is_licensed_here = |provider: &&Provider| {
        provider.licensed.contains(board.state)
            && (board.types.is_empty() || board.types.contains(&provider.provider_type))
    };
    let mut comparison = Comparison::default();
    for provider in directory.providers().iter().filter(is_licensed_here) {
        let own_name = tokens(&provider.display_name);
        let mut has_known_status = false;
        for (at, license) in provider.record.licenses.iter().enumerate() {
            let is_of_board = license.state == board.state && license.kind == LicenseKind::License;
            if !is_of_board || was_replaced(license, provider, source) {
                continue;
            }
            let key = license_key(&license.number);
            let rows = by_key.get(key.as_str()).into_iter().flatten().copied();
            let rows: Vec<_> = rows.filter(|row| share_a_token(&own_name, &tokens(&row.name))).collect();
            has_known_status |= rows.iter().any(|row| row.is_valid.is_some());
            if let Some((row, strength)) = invalid_row(&rows, &own_name) {
                let place = Place::at(provider, [Step::Key("license"), Step::Entry(at), Step::Key("number")]);
                let finding = finding(provider, place, &license.number, board.state, row, strength);
                let says = format!("{}: {}", row.name, row.status);
                comparison.findings.push(finding.against(source.row_witness(row.line, says)));
            }
        }
        comparison.compared += usize::from(has_known_status);
    }
    comparison
}

/// A board that lists an ended license as invalid does not contradict an entry with a newer one in the same state.
fn was_replaced(license: &License, provider: &Provider, source: &AuditSource) -> bool {
    let had_ended = |license: &License| license.expires.is_some_and(|last_day| last_day < source.as_of);
    let mut in_state = provider.record.licenses.iter().filter(|candidate| candidate.state == license.state);
    had_ended(license) && in_state.any(|candidate| !had_ended(candidate))
}

fn invalid_row<'a>(rows: &[&'a BoardRow], own_name: &[String]) -> Option<(&'a BoardRow, Strength)> {
    if rows.iter().any(|row| row.is_valid != Some(false)) {
        return None;
    }
    // One shared word may be chance: two people can have the same first or last name.
    let is_same_person = |row: &&&BoardRow| count_shared(own_name, &tokens(&row.name)) >= 2;
    let certain = rows.iter().find(is_same_person).map(|row| (*row, Strength::Certain));
    certain.or_else(|| rows.first().map(|row| (*row, Strength::Likely)))
}

fn finding(
    provider: &Provider,
    place: Place,
    number: &str,
    state: StateCode,
    row: &BoardRow,
    strength: Strength,
) -> Finding {
    let (name, status) = (&provider.display_name, &row.status);
    let what = format!("the board of {} lists the license {number} of {name} as \"{status}\"", state.name());
    let advice = format!(
        "remove \"{state}\" from `licensed` and `accepting`, or if this is the number of another license, correct it"
    );
    let values = [state.code(), &row.license_key, status];
    Finding::new((Rule::Board, strength), provider, place, what, advice, &values)
}

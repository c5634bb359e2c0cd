//! A state board's list of licences. A licence is found by its number, never by the name alone.

use std::collections::HashMap;

use crate::names::{share_a_token, shared, tokens};
use crate::source::{Board, BoardRow, Judged, Source, licence_key};
use directory::model::{Directory, LicenceKind};
use directory::statements::{Finding, Place, Rule, Step, Strength};

pub(crate) fn judge(directory: &Directory, source: &Source, board: &Board) -> Judged {
    let mut by_number: HashMap<&str, Vec<&BoardRow>> = HashMap::new();
    for row in &board.rows {
        by_number.entry(&row.number).or_default().push(row);
    }
    let mut judged = Judged::default();
    for provider in directory.providers() {
        // Physicians and nurses have boards of their own, and their numbers may be equal.
        if !board.types.is_empty() && !board.types.contains(&provider.provider_type)
            || !provider.licensed.contains(board.state)
        {
            continue;
        }
        let own = tokens(&provider.display_name);
        let mut is_compared = false;
        let licences = provider.record.licences.iter().enumerate();
        for (at, licence) in licences
            .filter(|(_, licence)| licence.state == board.state && licence.kind == LicenceKind::Licence)
        {
            let key = licence_key(&licence.number);
            let rows = by_number.get(key.as_str()).into_iter().flatten();
            let of_person: Vec<_> = rows.filter(|row| share_a_token(&own, &tokens(&row.name))).collect();
            if of_person.is_empty() || of_person.iter().all(|row| row.is_good.is_none()) {
                continue;
            }
            is_compared = true;
            if of_person.iter().any(|row| row.is_good != Some(false)) {
                continue;
            }
            // One shared word may be chance: two people can have the same first or family name.
            let is_surely = |row: &BoardRow| {
                let listed = tokens(&row.name);
                own.len() == 1 || listed.len() == 1 || shared(&own, &listed) >= 2
            };
            let sure = of_person.iter().find(|row| is_surely(row));
            let strength = if sure.is_some() { Strength::Certain } else { Strength::Likely };
            let Some(bad) = sure.or(of_person.first()) else { continue };
            let what = format!(
                "the board of {} lists the licence {} of {} as \"{}\"",
                board.state.name(),
                licence.number,
                provider.display_name,
                bad.status
            );
            let place = Place::at(provider, [Step::Key("licence"), Step::Entry(at), Step::Key("number")]);
            let state = board.state.code();
            let advice = format!(
                "take \"{state}\" out of `licensed` and `accepting`, or correct the number if it is of another licence"
            );
            let values = [state, key.as_str(), bad.status.as_str()];
            let rule = (Rule::Board, strength);
            let finding = Finding::new(rule, provider, place, what, advice, &values);
            judged
                .findings
                .push(finding.against(source.row(bad.line, format!("{}: {}", bad.name, bad.status))));
        }
        judged.compared += usize::from(is_compared);
    }
    judged
}

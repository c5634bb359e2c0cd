//! What is only in the exports to healthcare's own readers: `[standards]`, specialties, and how insurers name plans.

use std::collections::BTreeMap;

use super::super::parse::given;
use super::super::problem::{Advice, Place, Problem};
use super::super::raw::{HiosIdsTable, Located, SpecialtyTable, StandardsTable, Text};
use super::credentials::{read_npi, warn_of_repeated};
use super::fields::{File, codes};
use crate::model::{PlanIds, Specialty, Standards, StateCode, StateSet};

/// The length of a HIOS id: the issuer, the state, the product and its component.
const HIOS_LENGTH: usize = 14;
/// The place of the state in a HIOS id.
const HIOS_STATE: std::ops::Range<usize> = 5..7;

/// Reads `[standards]`.
pub(super) fn read(file: &mut File<'_>, raw: StandardsTable) -> Standards {
    Standards {
        publish_npis: raw.publish_npis.is_some_and(|flag| flag.value),
        npi: given(raw.npi).and_then(|text| read_npi(file, &text, "the organisation")),
    }
}

pub(super) fn read_specialties(file: &mut File<'_>, tables: Vec<Located<SpecialtyTable>>) -> Vec<Specialty> {
    let mut read = Vec::with_capacity(tables.len());
    for Located { value: raw, span } in tables {
        let code = file.required_line(raw.code, Some(&span), "code", "\"207V00000X\"");
        let name = file.required_line(raw.name, Some(&span), "name", "\"Obstetrics & Gynecology\"");
        let code = code.and_then(|code| specialty_code(file, &code));
        if let (Some(code), Some(name)) = (code, name) {
            read.push((Specialty { code, name: name.value }, span));
        }
    }
    warn_of_repeated(file, read, "specialty", |one, other| one.code == other.code)
}

fn specialty_code(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    let is_code = |code: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
        code.len() == 10 && code.ends_with('X') && code.bytes().all(is_allowed)
    };
    if is_code(&text.value) {
        return Some(text.value.clone());
    }
    let upper = text.value.to_ascii_uppercase();
    let hint = if is_code(&upper) {
        Advice::meant(format!("\"{upper}\""))
    } else {
        "look the specialty up in https://taxonomy.nucc.org, and copy its code from there".into()
    };
    let what = format!(
        "\"{}\" is not a code of the NUCC's taxonomy: ten capital letters and digits, of which the last is X",
        text.value
    );
    file.error(&text.span, what, hint);
    None
}

/// Reads how insurers name a plan, which is sold in `sold`, or anywhere if that is empty. `known` are the ids of the plans
/// above it.
pub(super) fn read_plan_ids(
    file: &mut File<'_>,
    ids: Option<Located<HiosIdsTable>>,
    tier: Text,
    sold: StateSet,
    known: &mut BTreeMap<String, Place>,
) -> PlanIds {
    let tier = given(tier);
    let has_tier = tier.is_some();
    let network_tier = tier.and_then(|text| file.line(text)).and_then(|text| tier_of(file, &text));
    let mut hios: BTreeMap<StateCode, Vec<String>> = BTreeMap::new();
    let span = ids.as_ref().map(|table| table.span.clone());
    for (key, texts) in ids.into_iter().flat_map(|table| table.value.0) {
        let Some(state) = file.state(&key) else { continue };
        if !sold.is_empty() && !sold.contains(state) {
            let what = format!("the plan has HIOS ids in {state}, and its `states` are {}", codes(sold));
            file.error(&key.span, what, format!("add \"{state}\" to `states`, or delete the ids here"));
        }
        for text in texts {
            if let Some(id) = hios_id(file, &text, state) {
                let place = file.place(&text.span);
                if let Some(first) = known.get(&id) {
                    let problem = Problem::error(place, format!("the HIOS id {id} is in the file twice"));
                    let hint = "an id belongs to one plan in one state: delete the wrong one";
                    file.add(problem.also(first.clone(), "first here").hint(hint));
                } else {
                    known.insert(id.clone(), place);
                    hios.entry(state).or_default().push(id);
                }
            }
        }
    }
    if let Some(span) = span.filter(|_| !has_tier && !hios.is_empty()) {
        let what = "this plan has HIOS ids and no network-tier, so the insurers' file leaves it out";
        file.warn(&span, what, "ask the insurer, and add a line such as network-tier = \"PREFERRED\"");
    }
    PlanIds { hios, network_tier }
}

fn hios_id(file: &mut File<'_>, text: &Located<String>, state: StateCode) -> Option<String> {
    let value = text.value.trim();
    let is_id = value.is_ascii()
        && value.len() == HIOS_LENGTH
        && value.bytes().enumerate().all(|(at, byte)| {
            if HIOS_STATE.contains(&at) { byte.is_ascii_uppercase() } else { byte.is_ascii_digit() }
        });
    if !is_id {
        let what = format!(
            "\"{value}\" is not a HIOS id: five digits, the state, and seven digits, such as 12345{state}0010001"
        );
        let hint = match value.split_once('-') {
            Some((id, _)) if id.len() == HIOS_LENGTH => Advice::meant(format!("\"{id}\"")),
            _ => "copy the 14 characters of the plan's id from the insurer's contract".into(),
        };
        file.error(&text.span, what, hint);
        return None;
    }
    let there = &value[HIOS_STATE];
    if there != state.code() {
        let what = format!("{value} is an id of {there}, and it is listed for {state}");
        let hint = format!("list it under {there}, or write the plan's id of {state}");
        file.error(&text.span, what, hint);
        return None;
    }
    Some(value.to_owned())
}

fn tier_of(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    let is_tier = |tier: &str| {
        let is_allowed = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-';
        !tier.is_empty() && tier.bytes().all(is_allowed)
    };
    if is_tier(&text.value) {
        return Some(text.value.clone());
    }
    let upper = text.value.to_ascii_uppercase().split_whitespace().collect::<Vec<_>>().join("-");
    let hint = if is_tier(&upper) {
        Advice::meant(format!("\"{upper}\""))
    } else {
        "write it as the insurer does, such as \"PREFERRED\" or \"NON-PREFERRED\"".into()
    };
    let what = format!("\"{}\" is not a tier of a network: capital letters, digits and hyphens", text.value);
    file.error(&text.span, what, hint);
    None
}

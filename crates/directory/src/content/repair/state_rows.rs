//! Plans of several states on one line, and of states without a license.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::lines::line_number;
use super::super::shape::Atom;
use super::super::statement::{Statement, table_above};
use super::atoms;
use super::candidate::{Candidate, Effect};
use super::here::Here;
use super::instead::{MOST_FILES, licensed_instead, one_of_two};
use super::lists::{inner, value_at_top, with_entry};
use super::trial::SmallFolder;
use super::used::{names_below, values_of};
use super::values::listed;
use crate::model::StateCode;

impl Here<'_> {
    /// Several states before one list of plans, or a state's name. Plans of a state that has a line are added to that.
    pub(super) fn line_of_each_state(&self) -> Option<Candidate> {
        let line = self.line();
        let (named, plans) = self.text[line.clone()].split_once('=')?;
        let states = named.split([',', '/', '&', ' ']).filter(|state| !["", "and"].contains(state));
        let codes: Option<Vec<StateCode>> = states.map(|state| inner(state).parse().ok()).collect();
        let of_name = || {
            let name = atoms::read(&Atom::State, inner(named)).into_iter().next()?;
            listed(&name.text).iter().map(|code| code.parse().ok()).collect()
        };
        let states: Vec<StateCode> = codes.or_else(of_name)?;
        if table_above(self.text, line.start) != "insurance" {
            return None;
        }
        let are_several = states.len() > 1;
        let (mut written, mut own, mut edits) = (Vec::new(), Vec::new(), Vec::new());
        for code in states.into_iter().map(StateCode::code) {
            let is_other = |place: &Range<usize>| {
                are_several
                    && !line.contains(&place.start)
                    && table_above(self.text, place.start) == "insurance"
            };
            let known = values_of(self.text, code).find(|(_, place)| is_other(place));
            if let Some((_, list)) = known {
                let is_new = |plan: &&str| !self.text[list.clone()].contains(&format!("\"{plan}\""));
                let new = plans.split('"').skip(1).step_by(2).filter(is_new);
                let new = new.map(|plan| format!("\"{plan}\"")).collect::<Vec<_>>().join(", ");
                let (at, entry) = with_entry(self.text, &list, &new).filter(|_| !new.is_empty())?;
                let [before, after] = [list.start..at.start, at.end..list.end].map(|part| &self.text[part]);
                written.push(format!("{code} = {before}{entry}{after}"));
                edits.push(self.write(at, entry));
            } else {
                own.push(format!("{code} = {}", plans.trim()));
            }
        }
        if edits.is_empty() {
            return Some(self.edit("line", line, own.join("\n")));
        }
        edits.extend(if own.is_empty() {
            self.without_lines("line", &line).edits
        } else {
            vec![self.write(line, own.join("\n"))]
        });
        written.append(&mut own);
        Some(Candidate::of("line", edits).titled(format!("Write {}", written.join(", and "))))
    }
}

/// Whether there is a license, whether the plans go, and whether another state is meant.
pub(super) fn plans_without_license(folder: &SmallFolder<'_>, here: &Here<'_>, raw: &str) -> Vec<Candidate> {
    let copied = copied_plans(folder, here);
    if !copied.is_empty() {
        return copied;
    }
    let code = inner(raw).parse().map_or("", StateCode::code);
    let raw = format!("\"{code}\"");
    let mut found = one_of_two(here, &raw, here.path, here.text, "licensed");
    for add in found.iter_mut().filter(|add| add.effect == Effect::Adds) {
        add.effect = Effect::PutsBack;
        add.title = Some(format!("If there is a license for {code}, add {raw} to `licensed`"));
    }
    found
        .push(here.without_lines("contradiction", &here.span).titled(format!("Delete the plans for {code}")));
    found.extend(licensed_instead(here, "", [""; 2]).or_else(|| plans_instead(folder, here)).map(|other| {
        let state = other.edits[0].text.clone();
        other.titled(format!("Write {state} in place of {code}, if {state} is meant"))
    }));
    found
}

fn other_texts(folder: &SmallFolder<'_>, here: &Here<'_>) -> Vec<(String, String)> {
    let others = names_below(folder.sources, "providers").map(|name| format!("providers/{name}"));
    let others = others.filter(|path| path != here.path).take(MOST_FILES);
    others.filter_map(|path| folder.sources.whole_text(&path).map(|text| (path, text))).collect()
}

/// Several lines of plans for states without a license that all stand in the file of another clinician.
fn copied_plans(folder: &SmallFolder<'_>, here: &Here<'_>) -> Vec<Candidate> {
    let licensed = value_at_top(here.text, "licensed");
    let Some((list, states)) = licensed.and_then(|list| Some((list.clone(), here.text.get(list)?))) else {
        return Vec::new();
    };
    let without =
        StateCode::all().map(StateCode::code).filter(|code| !states.contains(&format!("\"{code}\"")));
    let without: Vec<(&str, Statement)> = without
        .filter_map(|code| {
            let (_, place) = values_of(here.text, code).next()?;
            let found = Statement::on_line(here.text, place.start, |key| key == code)?;
            (table_above(here.text, place.start) == "insurance").then_some((code, found))
        })
        .collect();
    let words = |line: &str| line.split_whitespace().collect::<String>();
    let lines: BTreeSet<String> =
        without.iter().map(|(_, found)| words(&here.text[found.whole.clone()])).collect();
    let has_them = |(_, text): &&(String, String)| {
        let own: BTreeSet<String> = text.lines().map(words).collect();
        lines.is_subset(&own)
    };
    if without.len() < 2 {
        return Vec::new();
    }
    let texts = other_texts(folder, here);
    let Some((path, _)) = texts.iter().find(has_them) else { return Vec::new() };
    let edits = without.iter().flat_map(|(_, found)| here.without_lines("repeat", &found.whole).edits);
    let mut numbers: Vec<usize> =
        without.iter().map(|(_, found)| line_number(here.text, found.whole.start)).collect();
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    let title = format!("Delete lines {}: they also stand in {path}", numbers.join(" and "));
    let codes: Vec<&str> = without.iter().map(|(code, _)| *code).collect();
    let entries = format!("\"{}\"", codes.join("\", \""));
    let add = with_entry(here.text, &list, &entries).map(|(at, entry)| {
        let add = here.edit("contradiction", at, entry).with(Effect::PutsBack);
        add.titled(format!("If there are licenses for {}, add {entries} to `licensed`", codes.join(" and ")))
    });
    [Candidate::of("repeat", edits.collect()).titled(title)].into_iter().chain(add).collect()
}

/// The only licensed state without plans, or the only one in which other clinicians have these, in place of one without a
/// license.
fn plans_instead(folder: &SmallFolder<'_>, here: &Here<'_>) -> Option<Candidate> {
    let line = &here.text[here.line()];
    let plans: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
    let has_one = |line: &&str| plans.iter().any(|plan| line.contains(&format!("\"{plan}\"")));
    let others = names_below(folder.sources, "providers").map(|name| format!("providers/{name}"));
    let others = others.filter(|path| path != here.path).take(MOST_FILES);
    let texts: String = others.filter_map(|path| folder.sources.whole_text(&path)).collect();
    let state = |line: &str| line.split('=').next()?.trim().parse::<StateCode>().ok();
    let sold: BTreeSet<StateCode> = texts.lines().filter(has_one).filter_map(state).collect();
    let licensed = listed(here.text.get(value_at_top(here.text, "licensed")?)?);
    let mut meant: Vec<StateCode> = licensed.iter().filter_map(|code| code.parse().ok()).collect();
    meant.retain(|state| values_of(here.text, state.code()).next().is_none());
    if meant.len() > 1 {
        meant.retain(|state| sold.contains(state));
    }
    let [only] = meant[..] else { return None };
    Some(here.edit("state", here.span.clone(), only.code()))
}

//! One visit type of `appointment-types.toml`.

use std::ops::Range;

use super::super::parse::given;
use super::super::problem::{Advice, FileSpan, sentence};
use super::super::raw::{Located, StatesValue, TypeTable};
use super::fields::{File, LETTERS, codes};
use crate::model::{Modality, StateCode, StateSet, VisitType, VisitTypeId};

const LONGEST_VISIT: u32 = 1440;
/// The longest visit without a warning, in minutes.
pub(super) const USUAL_VISIT: u32 = 5 * 60;

#[derive(Debug)]
pub(super) struct CheckedType {
    pub(super) visit_type: VisitType,
    pub(super) is_enabled: bool,
    /// Whether it has no problem. If it has, other checks do not draw conclusions from it.
    pub(super) is_sound: bool,
    pub(super) place: FileSpan,
    pub(super) states_at: FileSpan,
}

pub(super) fn read_type(file: &mut File<'_>, table: Located<TypeTable>, free_id: i64) -> Option<CheckedType> {
    let Located { value: raw, span } = table;
    let problems_before = file.problems.total;
    let name = file.required_line(raw.name, Some(&span), "name", "\"New patient visit\"");
    let description = file.required_line(raw.description, Some(&span), "description", "\"A first visit.\"");
    let modality = file.required_line(raw.modality, Some(&span), "modality", "\"video\"");
    let modality = modality.and_then(|text| file.word::<Modality>(&text, "modality"));
    if raw.id.is_none() {
        file.missing(Some(&span), "id", &free_id.to_string());
    }
    let id = raw.id.as_ref().and_then(|id| match VisitTypeId::try_from(id.value) {
        Ok(id) => Some(id),
        Err(rule) => file.refuse(&id.span, format!("{} isn't an id.", id.value), sentence(rule)),
    });
    let new_patient_eligible = raw.new_patient_eligible.as_ref().map(|flag| flag.value);
    if new_patient_eligible.is_none() {
        file.missing(Some(&span), "new-patient-eligible", "true");
    }
    if let (Some(flag), Some(name)) = (&raw.new_patient_eligible, &name) {
        let name = name.value.to_lowercase().replace(['-', ' '], "");
        let is_for_new = name.starts_with("newpatient");
        if flag.value != is_for_new && (is_for_new || name.starts_with("followup")) {
            let open = if flag.value { "is" } else { "isn't" };
            let what = format!("This visit {open} open to new patients, but its name says otherwise.");
            let hint = format!("If its name is right, write {is_for_new}. Otherwise correct the name.");
            file.warn(&flag.span, what, hint);
        }
    }
    let is_enabled = raw.enabled.is_none_or(|flag| flag.value);
    let states_at = raw.states.as_ref().map_or(&span, |states| &states.span).clone();
    let states = read_states(file, raw.states, &span, is_enabled);
    let duration = given(raw.duration);
    let duration_minutes = duration.as_ref().and_then(|text| {
        let minutes = file.minutes(text)?;
        if !(1..=LONGEST_VISIT).contains(&minutes) {
            file.error(&text.span, "A visit takes between one minute and one day.", LETTERS);
        } else if minutes < 5 {
            let what = format!("This visit takes only {minutes} minutes, which is unusually short.");
            file.warn(&text.span, what, LETTERS);
        } else if minutes > USUAL_VISIT {
            file.warn(&text.span, "This visit takes more than 5 hours.", LETTERS);
        }
        let said: Vec<u32> = [&name, &description].into_iter().flatten().filter_map(minutes_said).collect();
        if let Some(said) = said.first().filter(|_| !said.contains(&minutes)) {
            let what = format!("The texts of this visit say {said} minutes, but it takes {minutes}.");
            file.warn(&text.span, what, "Correct the one that is wrong.");
        }
        Some(minutes)
    });
    match (modality, &duration) {
        (Some(Modality::Video), None) if file.is_missing(Some(&span), "duration") => {
            let hint = file.where_to_add(Some(&span), "such as duration = \"30m\"");
            file.error(&span, "A video visit needs a duration.", hint);
        }
        (Some(Modality::Async), Some(duration)) => {
            let hint = "Delete this line.";
            file.error(&duration.span, "An async visit has no time, so it has no duration.", hint);
        }
        _ => {}
    }
    Some(CheckedType {
        states_at: file.place(&states_at),
        place: file.place(raw.id.as_ref().map_or(&span, |id| &id.span)),
        is_sound: file.problems.total == problems_before,
        is_enabled,
        visit_type: VisitType {
            id: id?,
            name: name?.value,
            description: description?.value,
            modality: modality?,
            new_patient_eligible: new_patient_eligible?,
            duration_minutes,
            states: states?,
        },
    })
}

/// How long a visit takes by its text: "A 60-minute visit".
fn minutes_said(text: &Located<String>) -> Option<u32> {
    let words = text.value.to_lowercase().replace('-', " ");
    let words: Vec<&str> = words.split(|sign: char| !sign.is_alphanumeric()).collect();
    let said = words
        .windows(2)
        .find(|pair| ["minute", "min"].contains(&pair[1]) && pair[0].parse::<u32>().is_ok())?;
    said[0].parse().ok()
}

/// Warns of a visit type that a profile would list without any state.
pub(super) fn warn_if_held_nowhere(
    file: &mut File<'_>,
    id: &Located<i64>,
    licensed: StateSet,
    checked: &CheckedType,
) {
    if licensed.is_empty() || !licensed.intersection(checked.visit_type.states).is_empty() {
        return;
    }
    let (id, span) = (id.value, &id.span);
    let states = codes(licensed);
    let what = format!(
        "Visit type {id} isn't offered where this clinician is licensed ({states}), so the profile shows \
         no state for it."
    );
    let hint =
        format!("Remove {id} here, or add one of these states to its `states` in appointment-types.toml.");
    file.warn(span, what, hint);
}

fn read_states(
    file: &mut File<'_>,
    states: Option<Located<StatesValue>>,
    table: &Range<usize>,
    is_enabled: bool,
) -> Option<StateSet> {
    let Some(states) = states else {
        file.missing(Some(table), "states", "[\"CA\", \"NY\"]");
        return None;
    };
    match states.value {
        StatesValue::List(list) if matches!(list.as_slice(), [only] if only.value.trim() == "all") => {
            let advice = Advice::write("\"all\"").and(", without brackets.");
            file.refuse(&states.span, "\"all\" isn't a state.", advice)
        }
        StatesValue::List(list) => {
            let list = Located { value: list, span: states.span };
            if is_enabled && file.is_written_empty(&list) {
                let what = "This visit isn't offered in any state, so no patient can have it.";
                let hint = "Write the states between the brackets, or states = \"all\".";
                file.warn(&list.span, what, hint);
            }
            Some(file.states(list.value))
        }
        StatesValue::Word(word) if word.trim() == "all" => Some(StateSet::all()),
        StatesValue::Word(word) => {
            let what = format!("\"{word}\" isn't a list of states.");
            let named: Result<Vec<StateCode>, _> = word.split(',').map(|part| part.trim().parse()).collect();
            let is_part = [" except ", " but ", " other than "].iter().any(|but| word.contains(but));
            let hint = match named {
                Err(_) if is_part => {
                    "List each state in which it is offered, such as [\"CA\", \"NY\"].".into()
                }
                Ok(named) => {
                    let codes: Vec<_> = named.iter().map(|state| format!("\"{state}\"")).collect();
                    Advice::write(format!("[{}]", codes.join(", ")))
                }
                Err(_) => "Write [\"CA\", \"NY\"], or \"all\".".into(),
            };
            file.refuse(&states.span, what, hint)
        }
    }
}

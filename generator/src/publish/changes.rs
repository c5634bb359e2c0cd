//! The changes of profiles in sentences, for a pull request. A first publication has none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

const MAX_SENTENCES: usize = 30;
/// More clinicians are counted instead of named.
const MAX_NAMES: usize = 3;

/// The names of the clinicians with each change. All threads add to it.
#[derive(Debug, Default)]
pub(crate) struct ProfileChanges(Mutex<BTreeMap<ProfileChange, BTreeSet<String>>>);

/// Sentences are in the order of these variants.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ProfileChange {
    Joined,
    Left,
    LicensedIn(String),
    NoLongerLicensedIn(String),
    OpenIn(String),
    ClosedIn(String),
    Takes { plan: String, state: String },
    StoppedTaking { plan: String, state: String },
    Offers(String),
    NoLongerOffers(String),
    Edited,
}

impl ProfileChanges {
    /// Ignores bodies that are not profiles.
    pub(crate) fn add(&self, before: Option<&Value>, after: Option<&Value>) {
        let Some(name) = after.or(before).and_then(|profile| profile["displayName"].as_str()) else { return };
        let changes = match (before, after) {
            (None, _) => vec![ProfileChange::Joined],
            (_, None) => vec![ProfileChange::Left],
            (Some(before), Some(after)) => differences(before, after),
        };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for change in changes {
            all.entry(change).or_default().insert(name.to_owned());
        }
    }

    pub(crate) fn sentences(self) -> Vec<String> {
        let all = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut sentences: Vec<_> = all.iter().map(|(change, names)| change.sentence(names)).collect();
        let more = sentences.len().saturating_sub(MAX_SENTENCES);
        sentences.truncate(MAX_SENTENCES);
        if more > 0 {
            sentences.push(format!("and {more} more kinds of change"));
        }
        sentences
    }
}

fn differences(before: &Value, after: &Value) -> Vec<ProfileChange> {
    let mut changes = Vec::new();
    let profiles = [before, after];
    let licensed = profiles.map(|profile| texts(&profile["statesLicensed"]));
    compare(&mut changes, licensed, [ProfileChange::LicensedIn, ProfileChange::NoLongerLicensedIn]);
    let accepting = profiles.map(|profile| texts(&profile["statesAcceptingPatients"]));
    compare(&mut changes, accepting, [ProfileChange::OpenIn, ProfileChange::ClosedIn]);
    let visits = profiles.map(|profile| {
        let types = profile["appointmentTypes"].as_array().into_iter().flatten();
        types.filter_map(|visit| visit["name"].as_str().map(str::to_owned)).collect()
    });
    compare(&mut changes, visits, [ProfileChange::Offers, ProfileChange::NoLongerOffers]);
    let plans = profiles.map(|profile| {
        let by_state = profile["acceptedInsuranceByState"].as_object().into_iter().flatten();
        by_state
            .flat_map(|(state, plans)| texts(plans).into_iter().map(|plan| (plan, state.clone())))
            .collect()
    });
    let takes = |(plan, state)| ProfileChange::Takes { plan, state };
    compare(&mut changes, plans, [takes, |(plan, state)| ProfileChange::StoppedTaking { plan, state }]);
    if changes.is_empty() { vec![ProfileChange::Edited] } else { changes }
}

fn texts(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

/// A change for each item that is only in one of the two sets.
fn compare<T: Ord + Clone>(
    changes: &mut Vec<ProfileChange>,
    [before, after]: [BTreeSet<T>; 2],
    [added, removed]: [fn(T) -> ProfileChange; 2],
) {
    changes.extend(after.difference(&before).cloned().map(added));
    changes.extend(before.difference(&after).cloned().map(removed));
}

impl ProfileChange {
    fn sentence(&self, names: &BTreeSet<String>) -> String {
        let who = if names.len() <= MAX_NAMES {
            names.iter().cloned().collect::<Vec<_>>().join(", ")
        } else {
            format!("{} clinicians", names.len())
        };
        let (is, has, does) = if names.len() == 1 { ("is", "has", "s") } else { ("are", "have", "") };
        match self {
            Self::Joined => format!("{who} {is} new"),
            Self::Left => format!("{who} {is} no longer listed"),
            Self::LicensedIn(state) => format!("{who} {is} now licensed in {state}"),
            Self::NoLongerLicensedIn(state) => format!("{who} {is} no longer licensed in {state}"),
            Self::OpenIn(state) => format!("{who} now accept{does} new patients in {state}"),
            Self::ClosedIn(state) => format!("{who} no longer accept{does} new patients in {state}"),
            Self::Takes { plan, state } => format!("{who} now accept{does} {plan} in {state}"),
            Self::StoppedTaking { plan, state } => format!("{who} no longer accept{does} {plan} in {state}"),
            Self::Offers(visit) => format!("{who} now offer{does} “{visit}”"),
            Self::NoLongerOffers(visit) => format!("{who} stopped offering “{visit}”"),
            Self::Edited => format!("{who} {has} changed profile texts"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn profile(name: &str, plans: &Value, accepting: &[&str]) -> Value {
        json!({
            "displayName": name, "bio": "x", "statesAcceptingPatients": accepting,
            "acceptedInsuranceByState": plans, "appointmentTypes": [{"id": 1, "name": "First visit"}]
        })
    }

    #[test]
    fn sentences_group_equal_changes_and_have_a_fixed_order() {
        let changes = ProfileChanges::default();
        let plans = json!({"CA": ["Aetna PPO", "Goldenrod PPO"]});
        for name in ["Ann", "Bo", "Cy", "Di"] {
            let after = profile(name, &json!({"CA": ["Goldenrod PPO"]}), &["CA"]);
            changes.add(Some(&profile(name, &plans, &["CA"])), Some(&after));
        }
        changes.add(Some(&profile("Ed", &plans, &[])), Some(&profile("Ed", &plans, &["CA"])));
        changes.add(None, Some(&profile("Flo", &plans, &[])));
        changes.add(Some(&profile("Gus", &plans, &[])), None);
        let mut edited = profile("Hal", &plans, &[]);
        edited["bio"] = "y".into();
        changes.add(Some(&profile("Hal", &plans, &[])), Some(&edited));
        changes.add(None, Some(&json!({})));
        assert_eq!(
            changes.sentences(),
            [
                "Flo is new",
                "Gus is no longer listed",
                "Ed now accepts new patients in CA",
                "4 clinicians no longer accept Aetna PPO in CA",
                "Hal has changed profile texts",
            ]
        );
    }

    #[test]
    fn sentences_beyond_the_limit_are_counted() {
        let changes = ProfileChanges::default();
        let many: Vec<_> = (0..100).map(|plan| format!("Plan {plan:03}")).collect();
        changes.add(Some(&profile("Ann", &json!({}), &[])), Some(&profile("Ann", &json!({"CA": many}), &[])));
        let sentences = changes.sentences();
        assert_eq!(sentences.len(), MAX_SENTENCES + 1);
        assert_eq!(sentences[MAX_SENTENCES], "and 70 more kinds of change");
    }
}

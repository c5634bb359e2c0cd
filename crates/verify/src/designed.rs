//! Designs requests that show whether a host ignores a parameter. Many answers stay the same without one: if there are 50
//! slots within 14 days, the first 50 within 30 days are the same. So this searches for a request whose answer would list
//! something else without the parameter.

use std::collections::BTreeSet;
use std::slice::from_ref;

use chrono::{DateTime, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{OPERATIONS, Operation, OperationId, Parameter, ParameterKind, Request};
use directory::model::StateCode;
use directory::told::rfc3339;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

const MAX_PROVIDERS: usize = 50;

/// Each is `name=value`.
type Pairs = Vec<String>;

/// A parameter has no request if no value of it changes an answer.
pub(super) fn targets(snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let mut targets = Vec::new();
    for operation in &OPERATIONS {
        let designer = Designer { operation, snapshot, now };
        targets.extend(operation.parameters.iter().flat_map(|parameter| designer.targets(parameter)));
    }
    targets
}

struct Designer<'a> {
    operation: &'static Operation,
    snapshot: &'a Snapshot,
    now: DateTime<Utc>,
}

impl Designer<'_> {
    fn targets(&self, parameter: &Parameter) -> Vec<String> {
        let values = values(parameter, self.snapshot, self.now);
        let tried_together = if is_count(parameter) { 1 } else { values.len().max(1) };
        values.chunks(tried_together).filter_map(|values| self.best_target(parameter, values)).collect()
    }

    /// For a number, prefers an answer with that many items, which shows that the host has no lower limit of its own.
    fn best_target(&self, parameter: &Parameter, values: &[String]) -> Option<String> {
        let mut first_not_full = None;
        for base in self.bases(parameter) {
            let items_without = self.items(&base);
            for value in values {
                let pairs = with(&base, from_ref(&pair(parameter.name, value)));
                let Some(items) = self.items(&pairs) else { continue };
                if items_without.as_ref() == Some(&items) {
                    continue;
                }
                let is_full = value.parse() == Ok(items.len());
                if is_full || !is_count(parameter) {
                    return Some(target(self.operation.path, &pairs));
                }
                first_not_full.get_or_insert_with(|| target(self.operation.path, &pairs));
            }
        }
        first_not_full
    }

    /// The queries to which the parameter is added: the first with only the required parameters, the next also with the
    /// largest value of every other parameter that has one, the last also with a provider.
    fn bases(&self, parameter: &Parameter) -> Vec<Pairs> {
        let others = || self.operation.parameters.iter().filter(|other| other.name != parameter.name);
        let with_each_value = |bases: &[Pairs], other: &Parameter| -> Vec<Pairs> {
            let values = values(other, self.snapshot, self.now);
            let pairs: Vec<_> = values.iter().map(|value| pair(other.name, value)).collect();
            bases.iter().flat_map(|base| pairs.iter().map(|pair| with(base, from_ref(pair)))).collect()
        };
        let required = others().filter(|other| other.required);
        let required_only = required.fold(vec![Vec::new()], |bases, other| with_each_value(&bases, other));
        let largest = others().filter_map(|other| Some(pair(other.name, &maximum(other.kind)?.to_string())));
        let largest: Pairs = largest.collect();
        let wide: Vec<_> = required_only.iter().map(|base| with(base, &largest)).collect();
        let slugs = others().filter(|other| other.kind == ParameterKind::Slug);
        let for_provider = slugs.flat_map(|other| with_each_value(&wide, other)).collect();
        // A part of the day needs a time zone.
        let zones = others().filter(|other| other.kind == ParameterKind::TimeZone);
        let by_clock = zones.flat_map(|other| with_each_value(&required_only, other)).collect();
        [required_only, wide, for_provider, by_clock].concat()
    }

    /// The list in the answer. Other members may repeat the parameters.
    fn items(&self, pairs: &Pairs) -> Option<Vec<Value>> {
        let request = Request::from_target(&target(self.operation.path, pairs)).ok()?;
        let answer = self.snapshot.answer(&request, self.now).ok()?;
        let body: Value = serde_json::from_slice(answer.body()).ok()?;
        body.as_object()?.values().find_map(Value::as_array).cloned()
    }
}

/// The valid values to try; for numbers, the largest and the smallest.
fn values(parameter: &Parameter, snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let directory = snapshot.directory();
    let sample = || directory.providers().iter().take(MAX_PROVIDERS);
    match parameter.kind {
        ParameterKind::State => offered_states(snapshot),
        ParameterKind::Plan => directory.plans().iter().map(ToString::to_string).collect(),
        ParameterKind::Language => {
            let languages: BTreeSet<_> =
                directory.providers().iter().flat_map(|provider| &provider.languages).collect();
            languages.into_iter().map(|language| language.name().to_owned()).collect()
        }
        ParameterKind::SearchText => sample()
            .flat_map(|provider| provider.display_name.split_whitespace().map(str::to_owned))
            .collect(),
        ParameterKind::Time => {
            let times = (0..14).map(|days| now + TimeDelta::hours(days * 25));
            times.map(rfc3339).collect()
        }
        ParameterKind::TimeZone => ["America/Phoenix", "America/New_York"].map(str::to_owned).to_vec(),
        ParameterKind::Flag => vec!["true".to_owned()],
        ParameterKind::Word(_) | ParameterKind::Profession => {
            let words = parameter.words(directory.professions()).unwrap_or_default();
            words.into_iter().map(str::to_owned).collect()
        }
        ParameterKind::Count { least, .. } => match maximum(parameter.kind) {
            Some(most) => vec![most.to_string(), least.to_string()],
            // No limit, as for `offset`. The least value is the default, which changes nothing.
            None => vec![(least + 1).to_string()],
        },
        ParameterKind::VisitType => {
            directory.visit_types().iter().map(|kind| kind.id.get().to_string()).collect()
        }
        ParameterKind::Slug => sample().map(|provider| provider.slug.to_string()).collect(),
        ParameterKind::Cursor => {
            offered_states(snapshot).iter().filter_map(|state| next(snapshot, state, now)).take(1).collect()
        }
        ParameterKind::PathSlug => Vec::new(),
    }
}

/// The cursor after the first of a state's slots.
fn next(snapshot: &Snapshot, state: &str, now: DateTime<Utc>) -> Option<String> {
    let path = Operation::get(OperationId::Availability).path;
    let request = Request::from_target(&format!("{path}?state={state}&limit=1")).ok()?;
    let next = snapshot.answer(&request, now).ok()?.next_path(&request)?;
    next.split_once("after=").map(|(_, cursor)| cursor.to_owned())
}

pub(super) fn offered_states(snapshot: &Snapshot) -> Vec<String> {
    let is_offered = |state: &StateCode| snapshot.directory().offered_in(*state).next().is_some();
    StateCode::all().filter(is_offered).map(|state| state.code().to_owned()).collect()
}

pub(super) fn pair(name: &str, value: &str) -> String {
    format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
}

pub(super) fn target(path: &str, pairs: &[String]) -> String {
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

fn is_count(parameter: &Parameter) -> bool {
    matches!(parameter.kind, ParameterKind::Count { .. })
}

fn maximum(kind: ParameterKind) -> Option<i64> {
    match kind {
        ParameterKind::Count { most, .. } => Some(most).filter(|most| *most != i64::MAX),
        _ => None,
    }
}

fn with(pairs: &Pairs, more: &[String]) -> Pairs {
    [pairs, more].concat()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use directory::calendar::{Calendar, Instant};

    use super::*;

    #[test]
    fn the_demo_has_designed_requests_for_every_parameter() {
        let now = "2026-11-21T12:00:00Z".parse().unwrap();
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../content");
        let checked = directory::content::load_and_check(&content, DateTime::date_naive(&now)).unwrap();
        let calendar = Calendar::from_hours(&checked.directory, Instant::ceil(now));
        let snapshot = Snapshot::new(checked.directory).with_calendar(calendar);
        for operation in &OPERATIONS {
            for parameter in operation.parameters {
                let designer = Designer { operation, snapshot: &snapshot, now };
                let targets = designer.targets(parameter);
                let expected = match parameter.kind {
                    ParameterKind::PathSlug => 0,
                    // It changes no list of clinicians; slots say who may book them.
                    _ if parameter.name == "explain" && operation.path != "/v1/availability" => 0,
                    kind if maximum(kind).is_some() => 2,
                    _ => 1,
                };
                assert_eq!(targets.len(), expected, "{} {}: {targets:?}", operation.path, parameter.name);
                for target in targets {
                    assert!(target.contains(&format!("{}=", parameter.name)), "{target}");
                }
            }
        }
    }
}

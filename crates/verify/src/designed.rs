//! For each parameter, requests that show whether a host ignores it.
//!
//! Many answers stay the same if a parameter is left out: the first fifty slots are the same for thirty days as for
//! fourteen. So this searches for a request whose answer lists something else without the parameter.

use std::collections::BTreeSet;
use std::slice::from_ref;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, Request};
use directory::model::StateCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// The maximum number of providers to try.
const MAX_SLUGS: usize = 50;

/// A request's parameters, as `name=value`.
type Pairs = Vec<String>;

/// The requests of all parameters; the content may lack one for a parameter.
pub(super) fn questions(snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let of = |operation: &'static Operation| {
        let designer = Designer { operation, snapshot, now };
        operation.parameters.iter().flat_map(move |parameter| designer.questions(parameter))
    };
    OPERATIONS.iter().flat_map(of).collect()
}

struct Designer<'a> {
    operation: &'static Operation,
    snapshot: &'a Snapshot,
    now: DateTime<Utc>,
}

impl Designer<'_> {
    /// Returns two requests for a number, with its largest and its smallest value, and one for any other parameter.
    fn questions(&self, parameter: &Parameter) -> Vec<String> {
        let values = values(parameter.kind, self.snapshot, self.now);
        let size = if is_count(parameter) { 1 } else { values.len().max(1) };
        values.chunks(size).filter_map(|values| self.question(parameter, values)).collect()
    }

    /// The first request with one of these values that lists something else without it. For a number, a full page is
    /// preferred: it also shows a limit of the host's own.
    fn question(&self, parameter: &Parameter, values: &[String]) -> Option<String> {
        let mut first = None;
        for base in self.bases(parameter) {
            let without = self.listed(&base);
            for value in values {
                let pairs = with(&base, from_ref(&pair(parameter.name, value)));
                let Some(listed) = self.listed(&pairs) else { continue };
                if without.as_ref() == Some(&listed) {
                    continue;
                }
                let is_full = value.parse() == Ok(listed.len());
                if is_full || !is_count(parameter) {
                    return Some(target(self.operation.path, &pairs));
                }
                first.get_or_insert_with(|| target(self.operation.path, &pairs));
            }
        }
        first
    }

    /// Requests without the parameter: with the required parameters, then also with the largest value of every other
    /// number, then also for one provider.
    fn bases(&self, parameter: &Parameter) -> Vec<Pairs> {
        let others = || self.operation.parameters.iter().filter(|other| other.name != parameter.name);
        let each = |bases: &[Pairs], other: &Parameter| -> Vec<Pairs> {
            let values = values(other.kind, self.snapshot, self.now);
            let pairs: Vec<_> = values.iter().map(|value| pair(other.name, value)).collect();
            bases.iter().flat_map(|base| pairs.iter().map(|pair| with(base, from_ref(pair)))).collect()
        };
        let required = others().filter(|other| other.required);
        let plain = required.fold(vec![Vec::new()], |bases, other| each(&bases, other));
        let largest = others().filter_map(|other| match other.kind {
            ParameterKind::Count { most, .. } if most != i64::MAX => {
                Some(pair(other.name, &most.to_string()))
            }
            _ => None,
        });
        let largest: Pairs = largest.collect();
        let wide: Vec<_> = plain.iter().map(|base| with(base, &largest)).collect();
        let slugs = others().filter(|other| other.kind == ParameterKind::Slug);
        let narrow = slugs.flat_map(|other| each(&wide, other)).collect();
        [plain, wide, narrow].concat()
    }

    /// The list in the answer; `None` if it is an error or has no list. The other members are left out, as some repeat
    /// the parameters.
    fn listed(&self, pairs: &Pairs) -> Option<Vec<Value>> {
        let request = Request::from_target(&target(self.operation.path, pairs)).ok()?;
        let answer = self.snapshot.answer(&request, self.now).ok()?;
        let body: Value = serde_json::from_slice(answer.body()).ok()?;
        body.as_object()?.values().find_map(Value::as_array).cloned()
    }
}

/// The valid values to try for a parameter; for numbers, the largest and the smallest.
fn values(kind: ParameterKind, snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let directory = snapshot.directory();
    let some = || directory.providers().iter().take(MAX_SLUGS);
    match kind {
        ParameterKind::State => offered_states(snapshot),
        ParameterKind::Plan => directory.plans().iter().map(ToString::to_string).collect(),
        ParameterKind::Language => {
            let languages: BTreeSet<_> =
                directory.providers().iter().flat_map(|provider| &provider.languages).collect();
            languages.into_iter().map(|language| language.name().to_owned()).collect()
        }
        ParameterKind::SearchText => {
            some().flat_map(|provider| provider.display_name.split_whitespace().map(str::to_owned)).collect()
        }
        ParameterKind::Time => {
            let times = (0..14).map(|days| now + TimeDelta::hours(days * 24 + days));
            times.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true)).collect()
        }
        ParameterKind::Flag => vec!["true".to_owned()],
        ParameterKind::Word(words) => words.iter().map(ToString::to_string).collect(),
        ParameterKind::Count { least, most: i64::MAX, .. } => vec![(least + 1).to_string()],
        ParameterKind::Count { least, most, .. } => vec![most.to_string(), least.to_string()],
        ParameterKind::VisitType => {
            directory.visit_types().iter().map(|kind| kind.id.get().to_string()).collect()
        }
        ParameterKind::Slug => some().map(|provider| provider.slug.to_string()).collect(),
        ParameterKind::PathSlug => Vec::new(),
    }
}

/// The codes of the states in which care is offered.
pub(super) fn offered_states(snapshot: &Snapshot) -> Vec<String> {
    let is_offered = |state: &StateCode| snapshot.directory().offered_in(*state).next().is_some();
    StateCode::all().filter(is_offered).map(|state| state.code().to_owned()).collect()
}

/// `name=value`, encoded.
pub(super) fn pair(name: &str, value: &str) -> String {
    format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
}

pub(super) fn target(path: &str, pairs: &[String]) -> String {
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

fn is_count(parameter: &Parameter) -> bool {
    matches!(parameter.kind, ParameterKind::Count { .. })
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
                let questions = designer.questions(parameter);
                let expected = match parameter.kind {
                    ParameterKind::PathSlug => 0,
                    // It changes no list.
                    _ if parameter.name == "explain" => 0,
                    ParameterKind::Count { most, .. } if most != i64::MAX => 2,
                    _ => 1,
                };
                assert_eq!(questions.len(), expected, "{} {}: {questions:?}", operation.path, parameter.name);
                for question in questions {
                    assert!(question.contains(&format!("{}=", parameter.name)), "{question}");
                }
            }
        }
    }
}

//! For each parameter a question that shows whether a host heeds it.
//!
//! A parameter that is left out somewhere on the way changes nothing in most answers: thirty days ahead are the same
//! fifty slots as fourteen. So for each parameter the directory is searched for a question whose right answer lists
//! something else than the answer to the same question without it.

use chrono::{DateTime, Utc};
use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, Request, Snapshot};
use directory::model::StateCode;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;

/// As many clinicians are tried for a question about one of them.
const MOST_SLUGS: usize = 50;

/// A question's parameters, as `name=value`.
type Pairs = Vec<String>;

/// The questions of every parameter; those for which the content has no such question are left out.
pub(super) fn questions(snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let parameters = OPERATIONS
        .iter()
        .flat_map(|operation| operation.parameters.iter().map(move |parameter| (operation, parameter)));
    parameters.flat_map(|(operation, parameter)| of(operation, parameter, snapshot, now)).collect()
}

/// One parameter's questions: for a number one with its largest value and one with its smallest, else one.
fn of(
    operation: &'static Operation,
    parameter: &Parameter,
    snapshot: &Snapshot,
    now: DateTime<Utc>,
) -> Vec<String> {
    let designer = Designer { operation, snapshot, now };
    let values = values(parameter.kind, snapshot);
    let one_each = matches!(parameter.kind, ParameterKind::Count { .. });
    let each: Vec<&[String]> = if one_each { values.chunks(1).collect() } else { vec![&values] };
    each.into_iter().filter_map(|values| designer.question(parameter, values)).collect()
}

struct Designer<'a> {
    operation: &'static Operation,
    snapshot: &'a Snapshot,
    now: DateTime<Utc>,
}

impl Designer<'_> {
    /// The first question with one of these values that shows whether the parameter is heeded. A full page is
    /// preferred: it shows a limit of the host's own, too.
    fn question(&self, parameter: &Parameter, values: &[String]) -> Option<String> {
        let mut first = None;
        for base in self.bases(parameter) {
            let without = self.listed(&base);
            for value in values {
                let mut pairs = base.clone();
                pairs.push(format!("{}={}", parameter.name, encoded(value)));
                let Some(with) = self.listed(&pairs) else { continue };
                // Where the question makes no sense without it, any answer shows it.
                if without.as_ref() == Some(&with) {
                    continue;
                }
                let is_full = value.parse() == Ok(with.len());
                if is_full || !matches!(parameter.kind, ParameterKind::Count { .. }) {
                    return Some(self.target(&pairs));
                }
                first.get_or_insert_with(|| self.target(&pairs));
            }
        }
        first
    }

    /// The questions without the parameter, the plainest first: with what is required, with every other number at its
    /// largest, and for one clinician.
    fn bases(&self, parameter: &Parameter) -> Vec<Pairs> {
        let others = || self.operation.parameters.iter().filter(|other| other.name != parameter.name);
        let mut plain: Vec<Pairs> = vec![Vec::new()];
        for required in others().filter(|other| other.required) {
            let values = values(required.kind, self.snapshot);
            let with = |pairs: &Pairs| {
                let (pairs, name) = (pairs.clone(), required.name);
                let add = move |value: &String| {
                    [pairs.clone(), vec![format!("{name}={}", encoded(value))]].concat()
                };
                values.iter().map(add).collect::<Vec<_>>()
            };
            plain = plain.iter().flat_map(with).collect();
        }
        let largest: Pairs = others()
            .filter_map(|other| match other.kind {
                ParameterKind::Count { most, .. } if most != i64::MAX => {
                    Some(format!("{}={most}", other.name))
                }
                _ => None,
            })
            .collect();
        let wide: Vec<Pairs> = plain.iter().map(|pairs| [pairs.clone(), largest.clone()].concat()).collect();
        let slugs = others().filter(|other| other.kind == ParameterKind::Slug).flat_map(|other| {
            let values = values(other.kind, self.snapshot).into_iter();
            values.map(move |slug| format!("{}={slug}", other.name))
        });
        let narrow: Vec<Pairs> = slugs
            .flat_map(|slug| wide.iter().map(move |pairs| [pairs.clone(), vec![slug.clone()]].concat()))
            .collect();
        [plain, wide, narrow].concat()
    }

    fn target(&self, pairs: &Pairs) -> String {
        let path = self.operation.path;
        if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// What the answer lists; `None` where it is an error or no list. The parameters that it repeats are left out: a
    /// host can repeat a parameter that it does not heed.
    fn listed(&self, pairs: &Pairs) -> Option<Vec<Value>> {
        let request = Request::from_target(&self.target(pairs)).ok()?;
        let answer = self.snapshot.answer(&request, self.now).ok()?;
        let body: Value = serde_json::from_slice(answer.body()).ok()?;
        body.as_object()?.values().find_map(Value::as_array).cloned()
    }
}

/// The values that are tried for a kind of parameter.
fn values(kind: ParameterKind, snapshot: &Snapshot) -> Vec<String> {
    let directory = snapshot.directory();
    match kind {
        ParameterKind::State => {
            let offered = StateCode::all().filter(|&state| directory.offered_in(state).next().is_some());
            offered.map(|state| state.code().to_owned()).collect()
        }
        ParameterKind::Plan => directory.plans().iter().map(ToString::to_string).collect(),
        ParameterKind::Word(words) => words.iter().map(ToString::to_string).collect(),
        ParameterKind::Count { least, most: i64::MAX, .. } => vec![(least + 1).to_string()],
        ParameterKind::Count { least, most, .. } => vec![most.to_string(), least.to_string()],
        ParameterKind::VisitType => {
            directory.visit_types().iter().map(|kind| kind.id().get().to_string()).collect()
        }
        ParameterKind::Slug => {
            let providers = directory.providers().iter().take(MOST_SLUGS);
            providers.map(|provider| provider.slug().to_string()).collect()
        }
        // Every slug's path is asked for anyhow.
        ParameterKind::PathSlug => Vec::new(),
    }
}

fn encoded(value: &str) -> String {
    utf8_percent_encode(value, NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_demo_has_a_telling_question_for_every_parameter() {
        let now = "2026-11-21T12:00:00Z".parse().unwrap();
        let content = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
        let checked = directory::content::load_and_check(&content, DateTime::date_naive(&now)).unwrap();
        let snapshot = crate::content::snapshot(checked, now);
        for operation in &OPERATIONS {
            for parameter in operation.parameters {
                let questions = of(operation, parameter, &snapshot, now);
                let wanted = match parameter.kind {
                    ParameterKind::PathSlug => 0,
                    ParameterKind::Count { most, .. } if most != i64::MAX => 2,
                    _ => 1,
                };
                assert_eq!(questions.len(), wanted, "{} {}: {questions:?}", operation.path, parameter.name);
                for question in questions {
                    assert!(question.contains(&format!("{}=", parameter.name)), "{question}");
                }
            }
        }
    }
}

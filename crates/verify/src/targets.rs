//! The requests that are not for files: of every operation the plain one, those of [`designed`], and the invalid ones.
//!
//! Routes and parameters come from `OPERATIONS`; the values come from the directory, so that most requests have an answer.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, SSE_PATH};

use super::designed::{self, offered_states, pair, target};

/// Paths that do not exist: the response must be an error in JSON.
const NOT_FOUND: [&str; 3] = ["/v1/nothing", SSE_PATH, "/.well-known/oauth-authorization-server"];
/// A value that is invalid for every parameter.
pub(super) const INVALID: &str = "no such thing";
/// Spellings of states. The host's rules answer some of them, and live answers the others.
const STATES: [&str; 7] = ["CA", "tx", "New York", "district of columbia", "GU", "XX", ""];
/// The number of profiles whose paths are requested. The file of every profile is requested anyway.
const SAMPLED: usize = 50;

/// All requests, each once.
pub(super) fn questions(snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let (directory, states) = (snapshot.directory(), offered_states(snapshot));
    let providers = directory.providers();
    let step = providers.len().div_ceil(SAMPLED).max(1);
    let sampled: Vec<_> = providers.iter().step_by(step).map(|provider| provider.slug.to_string()).collect();
    let former: Vec<_> =
        providers.iter().flat_map(|provider| &provider.former_slugs).map(ToString::to_string).collect();
    let retired: Vec<_> = directory.retired_slugs().map(ToString::to_string).collect();
    let mut questions: Vec<String> = NOT_FOUND.map(str::to_owned).to_vec();
    for operation in &OPERATIONS {
        questions.push(path(operation, sampled.first().map_or("nobody", String::as_str)));
        for parameter in operation.parameters {
            match parameter.kind {
                ParameterKind::PathSlug => {
                    let known = sampled.iter().chain(&former).chain(&retired);
                    questions.extend(known.map(|slug| path(operation, slug)));
                    questions.extend(retired.iter().map(|slug| path(operation, slug) + ".json"));
                    questions.push(path(operation, "nobody-at-all"));
                }
                ParameterKind::State => {
                    questions.extend(STATES.map(|value| with_one(operation, parameter, value)));
                    // Only live responds to these, so a rule or a cache can be wrong for one state.
                    let states = states.iter().filter(|_| parameter.required);
                    questions.extend(states.map(|value| with_one(operation, parameter, value)));
                }
                _ => questions.push(with_one(operation, parameter, INVALID)),
            }
        }
    }
    questions.extend(designed::questions(snapshot, now));
    let mut known = BTreeSet::new();
    questions.retain(|question| known.insert(question.clone()));
    questions
}

/// The path of an operation, with a slug if it has one.
fn path(operation: &Operation, slug: &str) -> String {
    let slugs = operation.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::PathSlug);
    slugs.fold(operation.path.to_owned(), |path, parameter| {
        path.replace(&format!("{{{}}}", parameter.name), slug)
    })
}

/// A request with one parameter, and the examples of the other required ones.
fn with_one(operation: &Operation, parameter: &Parameter, value: &str) -> String {
    let required = operation.parameters.iter().filter(|other| other.required && other.name != parameter.name);
    let mut pairs: Vec<_> = required.map(|other| pair(other.name, other.example)).collect();
    pairs.push(pair(parameter.name, value));
    target(operation.path, &pairs)
}

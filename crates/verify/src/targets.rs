//! Lists the API requests to send, each as a target: a path with its query.
//!
//! Each operation gets a plain request, those of [`designed`], and invalid ones. Routes and parameters come from
//! `OPERATIONS`. Values come from the directory, so most requests have an answer.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, SSE_PATH};
use directory::changes::CHANGES_PATH;

use super::designed::{self, offered_states, pair, target};

/// Paths that do not exist: one of the API, and two that clients of MCP try. The response must be a JSON error.
const NOT_FOUND: [&str; 3] = ["/v1/nothing", SSE_PATH, "/.well-known/oauth-authorization-server"];
/// Invalid for every parameter except a search text.
pub(super) const INVALID: &str = "no such thing";
/// Valid and invalid spellings of states. The host's rules answer some of them, and live answers the others.
const STATE_SPELLINGS: [&str; 7] = ["CA", "tx", "New York", "district of columbia", "GU", "XX", ""];
/// How many profiles are requested by their API paths. Every profile is also requested as a file.
const MAX_PROFILES: usize = 50;

/// Returns all targets without duplicates.
pub(super) fn api_targets(snapshot: &Snapshot, now: DateTime<Utc>) -> Vec<String> {
    let (directory, states) = (snapshot.directory(), offered_states(snapshot));
    let providers = directory.providers();
    let step = providers.len().div_ceil(MAX_PROFILES).max(1);
    let sampled: Vec<_> = providers.iter().step_by(step).map(|provider| provider.slug.to_string()).collect();
    let former: Vec<_> =
        providers.iter().flat_map(|provider| &provider.former_slugs).map(ToString::to_string).collect();
    let retired: Vec<_> = directory.retired_slugs().map(ToString::to_string).collect();
    let mut targets: Vec<String> = NOT_FOUND.into_iter().chain([CHANGES_PATH]).map(str::to_owned).collect();
    let any_slug = sampled.first().map_or("nobody", String::as_str);
    for operation in &OPERATIONS {
        targets.push(path(operation, any_slug));
        for parameter in operation.parameters {
            match parameter.kind {
                ParameterKind::PathSlug => {
                    let slugs = sampled.iter().chain(&former).chain(&retired);
                    targets.extend(slugs.map(|slug| path(operation, slug)));
                    // The host may still have the file of a retired profile. No other probe requests it.
                    targets.extend(retired.iter().map(|slug| path(operation, slug) + ".json"));
                    targets.push(path(operation, "nobody-at-all"));
                }
                ParameterKind::State => {
                    targets.extend(STATE_SPELLINGS.map(|value| with_one(operation, parameter, value)));
                    // If the state is optional, each state has a file, and all files are compared. If it is required, there are
                    // no files: live answers every request, and a rule or a cache can be wrong for a single state.
                    if parameter.required {
                        targets.extend(states.iter().map(|value| with_one(operation, parameter, value)));
                    }
                }
                _ => targets.push(with_one(operation, parameter, INVALID)),
            }
        }
    }
    targets.extend(designed::targets(snapshot, now));
    let mut seen = BTreeSet::new();
    targets.retain(|target| seen.insert(target.clone()));
    targets
}

/// Returns the path of an operation, with the slug in place of its placeholder, if any.
fn path(operation: &Operation, slug: &str) -> String {
    let slugs = operation.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::PathSlug);
    slugs.fold(operation.path.to_owned(), |path, parameter| {
        path.replace(&format!("{{{}}}", parameter.name), slug)
    })
}

/// Returns a target with this parameter, and with example values of the other required parameters.
fn with_one(operation: &Operation, parameter: &Parameter, value: &str) -> String {
    let required = operation.parameters.iter().filter(|other| other.required && other.name != parameter.name);
    let mut pairs: Vec<_> = required.map(|other| pair(other.name, other.example)).collect();
    pairs.push(pair(parameter.name, value));
    target(operation.path, &pairs)
}

//! Lists the API requests to send. Routes and parameters come from `OPERATIONS`, values from the directory, so most requests
//! have an answer; some are invalid on purpose.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use directory::Snapshot;
use directory::api::{OPERATIONS, Operation, Parameter, ParameterKind, SSE_PATH};
use directory::changes::CHANGES_PATH;

use super::designed::{self, offered_states, pair, target};

/// The response must be a JSON error. Clients of MCP try the last two.
const NOT_FOUND: [&str; 3] = ["/v1/nothing", SSE_PATH, "/.well-known/oauth-authorization-server"];
/// Invalid for every parameter except a search text.
pub(super) const INVALID: &str = "no such thing";
/// The host's rules answer some of them, and live the others.
const STATE_SPELLINGS: [&str; 7] = ["CA", "tx", "New York", "district of columbia", "GU", "XX", ""];
/// Profiles that are requested by their API paths. Every profile is also requested as a file.
const MAX_PROFILES: usize = 50;

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
                    targets.extend(retired.iter().map(|slug| path(operation, slug) + ".json"));
                    targets.push(path(operation, "nobody-at-all"));
                }
                ParameterKind::State => {
                    targets.extend(STATE_SPELLINGS.map(|value| with_one(operation, parameter, value)));
                    // If the state is optional, each has a file, and all files are compared. If it is required, live answers
                    // every request, and a rule or a cache can be wrong for a single state.
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

fn path(operation: &Operation, slug: &str) -> String {
    operation
        .path
        .split_once('{')
        .map_or_else(|| operation.path.to_owned(), |(stem, _)| format!("{stem}{slug}"))
}

/// The other required parameters get example values.
fn with_one(operation: &Operation, parameter: &Parameter, value: &str) -> String {
    let required = operation.parameters.iter().filter(|other| other.required && other.name != parameter.name);
    let mut pairs: Vec<_> = required.map(|other| pair(other.name, other.example)).collect();
    pairs.push(pair(parameter.name, value));
    target(operation.path, &pairs)
}

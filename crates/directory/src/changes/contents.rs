//! The hashes of a generation's bodies.

use std::collections::BTreeMap;

use chrono::DateTime;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::sha256::Sha256Digest;
use crate::api::{Operation, OperationId, Request, Snapshot};
use crate::model::StateCode;

const CATALOGS: [OperationId; 3] =
    [OperationId::States, OperationId::Insurances, OperationId::AppointmentTypes];

/// The hashes of what is served of one generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    generation: String,
    /// By slug, bytewise.
    pub(super) profiles: BTreeMap<String, Sha256Digest>,
    /// By the list's path, of all its bodies together.
    catalogs: BTreeMap<String, Sha256Digest>,
}

impl Contents {
    /// Of bodies by the paths of their files without `.json`, such as `/v1/insurances/CA`. Other files are left out.
    pub fn new(generation: &str, bodies: impl IntoIterator<Item = (String, Sha256Digest)>) -> Self {
        let mut profiles = BTreeMap::new();
        let mut lists: BTreeMap<&str, BTreeMap<String, Sha256Digest>> = BTreeMap::new();
        for (path, digest) in bodies {
            match Operation::for_path(&path) {
                Some((operation, Some(slug))) if operation.id == OperationId::Provider => {
                    profiles.insert(slug.to_owned(), digest);
                }
                _ => {
                    let is_of = |list: &&str| {
                        path.strip_prefix(list).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                    };
                    if let Some(list) = paths().find(is_of) {
                        lists.entry(list).or_default().insert(path, digest);
                    }
                }
            }
        }
        let catalogs = lists.iter().map(|(list, bodies)| ((*list).to_owned(), combined(bodies))).collect();
        Self { generation: generation.to_owned(), profiles, catalogs }
    }

    pub fn of(snapshot: &Snapshot) -> Self {
        let profiles = snapshot.directory().providers().iter().map(|provider| {
            let path = Request::profile(&provider.slug).path_and_query();
            (path.clone(), path)
        });
        let lists = CATALOGS.map(Operation::get).into_iter().flat_map(|row| {
            let states = StateCode::all().filter(|_| !row.parameters.is_empty());
            let of_states =
                states.map(|state| (format!("{}/{state}", row.path), format!("{}?state={state}", row.path)));
            of_states.chain([(row.path.to_owned(), row.path.to_owned())])
        });
        let targets: Vec<_> = profiles.chain(lists).collect();
        let hash = |(path, target): (String, String)| {
            // None of these answers depends on the time.
            let answer = snapshot.answer(&Request::from_target(&target).ok()?, DateTime::UNIX_EPOCH).ok()?;
            Some((path, Sha256Digest::hash(answer.body())))
        };
        let bodies: Vec<_> = targets.into_par_iter().filter_map(hash).collect();
        Self::new(snapshot.directory().generation().as_str(), bodies)
    }

    pub fn generation(&self) -> &str {
        &self.generation
    }

    /// The SHA-256 of a line for each profile: the slug, a space, and the SHA-256 of the body.
    pub fn digest(&self) -> String {
        combined(&self.profiles).to_string()
    }

    pub(super) fn changed_catalogs(&self, before: &Self) -> Vec<String> {
        let has_changed = |path: &&str| self.catalogs.get(*path) != before.catalogs.get(*path);
        paths().filter(has_changed).map(str::to_owned).collect()
    }
}

fn paths() -> impl Iterator<Item = &'static str> {
    CATALOGS.into_iter().map(|id| Operation::get(id).path)
}

fn combined(digests: &BTreeMap<String, Sha256Digest>) -> Sha256Digest {
    let mut hash = Sha256::new();
    for (name, digest) in digests {
        hash.update(format!("{name} {digest}\n"));
    }
    Sha256Digest(hash.finalize().into())
}

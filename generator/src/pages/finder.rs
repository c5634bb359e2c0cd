//! `assets/clinicians.json`: what the search on the clinicians' page looks through.
//!
//! One row for each clinician, as short as it can be, since a browser fetches all of them: numbers stand
//! for the texts that repeat. `site/assets/finder.js` reads it, and nothing else does: it is no part of the
//! API. A clinic too large for that has no such file, and its pages are read without the search.

use std::borrow::Cow;
use std::collections::HashMap;

use directory::model::{Modality, Provider, StateCode};
use rayon::prelude::*;
use serde::Serialize;

use super::profile::portrait;
use super::{Pages, places};
use crate::path::{PathError, TreePath};

/// Up to how many clinicians a browser is asked to fetch at once.
const AT_MOST: usize = 20_000;
/// How many rows are made in one piece of work.
const ROWS_AT_A_TIME: usize = 128;
/// How many of these stand in memory beside the file.
const PIECES_AT_A_TIME: usize = 16;
/// More bytes than most rows have. What is not written to costs nothing, and a file that grows is there twice.
const ROOM_FOR_A_ROW: usize = 512;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Index<'a> {
    plans: Vec<&'a str>,
    interests: Vec<&'a str>,
    visits: Vec<Visit>,
    /// The last, and empty: the rows' texts are put in behind its first bracket.
    clinicians: [Row<'a>; 0],
}

/// Where a visit type is held.
#[derive(Debug, Serialize)]
struct Visit {
    id: i32,
    video: bool,
    states: String,
}

/// Address, name, credentials, portrait, states licensed, states accepting, plans by state, visit types,
/// interests.
#[derive(Debug, Serialize)]
struct Row<'a>(
    String,
    &'a str,
    &'a str,
    Cow<'a, str>,
    String,
    String,
    Vec<(&'static str, Vec<usize>)>,
    Vec<i32>,
    Vec<usize>,
);

impl Pages<'_> {
    /// Whether the search is there.
    pub(super) fn has_finder(&self) -> bool {
        self.snapshot.directory().providers().len() <= AT_MOST
    }

    /// The file, unless the clinic is too large for it.
    pub(super) fn finder(&self) -> Result<Option<(TreePath, bytes::Bytes)>, PathError> {
        if !self.has_finder() {
            return Ok(None);
        }
        let directory = self.snapshot.directory();
        let providers = directory.providers();
        let mut interests = Interests::default();
        for name in providers.iter().flat_map(Provider::clinical_interests) {
            interests.add(name);
        }
        let visits = directory.visit_types().iter().map(|visit_type| Visit {
            id: visit_type.id().get(),
            video: visit_type.modality() == Modality::Video,
            states: codes(visit_type.states()),
        });
        let index = Index {
            plans: directory.plans().iter().map(directory::model::PlanName::as_str).collect(),
            interests: interests.names,
            visits: visits.collect(),
            clinicians: [],
        };
        let rows = |providers: &[Provider]| {
            let rows = providers.iter().map(|provider| self.row(provider, &interests.numbers));
            to_json(&rows.collect::<Vec<_>>())
        };
        let mut file = to_json(&index);
        file.truncate(file.len().saturating_sub(AFTER_THE_ROWS.len()));
        file.reserve(providers.len() * ROOM_FOR_A_ROW);
        let begin = file.len();
        // Ten thousand rows are megabytes: they are made on all threads, some pieces at a time, and only their texts
        // are kept.
        for providers in providers.chunks(ROWS_AT_A_TIME * PIECES_AT_A_TIME) {
            let pieces: Vec<Vec<u8>> = providers.par_chunks(ROWS_AT_A_TIME).map(rows).collect();
            for piece in pieces {
                if file.len() > begin {
                    file.push(b',');
                }
                // A piece has rows, and the brackets of a list around them.
                file.extend_from_slice(piece.get(1..piece.len() - 1).unwrap_or_default());
            }
        }
        file.extend_from_slice(AFTER_THE_ROWS);
        Ok(Some(("assets/clinicians.json".parse()?, file.into())))
    }

    /// The row of a clinician.
    fn row<'p>(&self, provider: &'p Provider, interests: &HashMap<&str, usize>) -> Row<'p> {
        let plans = provider.licensed().iter().map(|state| {
            let plans = provider.plans_in(state).iter().map(|plan| plan.index());
            (state.code(), plans.collect())
        });
        let numbers = provider.clinical_interests().iter();
        Row(
            places::profile(provider.slug()),
            provider.display_name(),
            provider.credentials(),
            portrait(self.snapshot.directory(), provider).unwrap_or_default(),
            codes(provider.licensed()),
            codes(provider.accepting()),
            plans.collect(),
            provider.visit_types().iter().map(|id| id.get()).collect(),
            numbers.filter_map(|name| interests.get(name.as_str()).copied()).collect(),
        )
    }
}
/// Texts and their numbers, in the order in which they came.
#[derive(Debug, Default)]
struct Interests<'a> {
    names: Vec<&'a str>,
    numbers: HashMap<&'a str, usize>,
}

impl<'a> Interests<'a> {
    fn add(&mut self, name: &'a str) {
        let next = self.names.len();
        self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            next
        });
    }
}

fn to_json<T: Serialize>(value: &T) -> Vec<u8> {
    // Serializing into memory fails only for maps whose keys are not text, and there is none.
    serde_json::to_vec(value).unwrap_or_default()
}

/// What stands behind the last row.
const AFTER_THE_ROWS: &[u8] = b"]}";

fn codes(states: directory::model::StateSet) -> String {
    states.iter().map(StateCode::code).collect::<Vec<_>>().join(" ")
}

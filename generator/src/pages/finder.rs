//! `assets/clinicians.json`: what the search on the clinicians' page looks through.
//!
//! One row for each clinician, as short as it can be, since a browser fetches all of them: numbers stand
//! for the texts that repeat. `site/assets/finder.js` reads it, and nothing else does: it is no part of the
//! API. A clinic too large for that has no such file, and its pages are read without the search.

use directory::model::{Modality, Provider, StateCode};
use rayon::prelude::*;
use serde::Serialize;

use super::profile::Profile;
use super::{PageError, Pages, places, wording};
use crate::path::TreePath;

/// Up to how many clinicians a browser is asked to fetch at once.
const AT_MOST: usize = 20_000;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Index<'a> {
    plans: Vec<&'a str>,
    interests: Vec<String>,
    visits: Vec<Visit>,
    clinicians: Vec<Row>,
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
struct Row(
    String,
    String,
    String,
    String,
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
    pub(super) fn finder(&self) -> Result<Option<(TreePath, bytes::Bytes)>, PageError> {
        if !self.has_finder() {
            return Ok(None);
        }
        let directory = self.snapshot.directory();
        let rows: Vec<_> = directory
            .providers()
            .par_iter()
            .with_min_len(64)
            .map(|provider| self.row(provider))
            .collect::<Result<_, _>>()?;
        let mut interests = Interests::default();
        let number_all = |(mut row, names): (Row, Vec<String>)| {
            row.8 = names.into_iter().map(|name| interests.number(name)).collect();
            row
        };
        let clinicians = rows.into_iter().map(number_all).collect();
        let visits = directory.visit_types().iter().map(|visit_type| Visit {
            id: visit_type.id().get(),
            video: visit_type.modality() == Modality::Video,
            states: codes(visit_type.states()),
        });
        let index = Index {
            plans: directory.plans().iter().map(directory::model::PlanName::as_str).collect(),
            interests: interests.names,
            visits: visits.collect(),
            clinicians,
        };
        // Serializing into memory fails only for maps whose keys are not text, and there is none.
        let json = serde_json::to_vec(&index).unwrap_or_default();
        Ok(Some(("assets/clinicians.json".parse()?, json.into())))
    }

    /// The row of a clinician, and the interests that it will have numbers for.
    fn row(&self, provider: &Provider) -> Result<(Row, Vec<String>), PageError> {
        let directory = self.snapshot.directory();
        let body = self.profile_body(provider)?;
        let profile: Profile<'_> = Self::parsed(&body)?;
        let portrait = profile.headshot_url.as_deref();
        let portrait = portrait.map(|url| wording::own(url, directory.organisation().site_url()));
        let plans = provider.licensed().iter().map(|state| {
            let plans = provider.plans_in(state).iter().map(|plan| plan.index());
            (state.code(), plans.collect())
        });
        let row = Row(
            places::profile(provider.slug()),
            profile.display_name.into_owned(),
            profile.credentials.into_owned(),
            portrait.unwrap_or_default().to_owned(),
            codes(provider.licensed()),
            codes(provider.accepting()),
            plans.collect(),
            provider.visit_types().iter().map(|id| id.get()).collect(),
            Vec::new(),
        );
        Ok((row, profile.clinical_interests))
    }
}

/// Texts and their numbers, in the order in which they came.
#[derive(Debug, Default)]
struct Interests {
    names: Vec<String>,
    numbers: std::collections::HashMap<String, usize>,
}

impl Interests {
    fn number(&mut self, name: String) -> usize {
        let next = self.names.len();
        *self.numbers.entry(name).or_insert_with_key(|name| {
            self.names.push(name.clone());
            next
        })
    }
}

fn codes(states: directory::model::StateSet) -> String {
    states.iter().map(StateCode::code).collect::<Vec<_>>().join(" ")
}

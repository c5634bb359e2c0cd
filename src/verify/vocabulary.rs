//! The values that requests are made of, and their form.

use std::collections::BTreeSet;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use directory::Snapshot;
use directory::api::{Operation, ParameterKind};
use directory::model::{Provider, StateCode};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The maximum number of providers to try.
const MAX_SLUGS: usize = 50;

#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    pub(super) slugs: Vec<String>,
    pub(super) former: Vec<String>,
    pub(super) retired: Vec<String>,
    pub(super) plans: Vec<String>,
    /// The spoken languages.
    pub(super) languages: Vec<String>,
    /// Words of names.
    pub(super) words: Vec<String>,
    /// Seconds within the next days.
    pub(super) times: Vec<String>,
    pub(super) visit_types: Vec<String>,
    /// The codes of the states in which care is offered.
    pub(super) states: Vec<String>,
}

impl Vocabulary {
    pub(super) fn of(snapshot: &Snapshot, now: DateTime<Utc>) -> Self {
        let directory = snapshot.directory();
        let providers = directory.providers();
        let former = providers.iter().flat_map(Provider::former_slugs);
        let languages: BTreeSet<_> = providers.iter().flat_map(Provider::languages).collect();
        let words_of = |provider: &Provider| {
            let words = provider.display_name().split_whitespace().map(str::to_owned);
            words.chain(provider.clinical_interests().iter().cloned()).collect::<Vec<_>>()
        };
        let time = |at: DateTime<Utc>| at.to_rfc3339_opts(SecondsFormat::Secs, true);
        let states = StateCode::all().filter(|&state| directory.offered_in(state).next().is_some());
        Self {
            slugs: providers.iter().map(|provider| provider.slug().to_string()).collect(),
            former: former.map(ToString::to_string).collect(),
            retired: directory.retired_slugs().map(ToString::to_string).collect(),
            plans: directory.plans().iter().map(ToString::to_string).collect(),
            languages: languages.into_iter().map(|language| language.name().to_owned()).collect(),
            words: providers.iter().flat_map(words_of).take(MAX_SLUGS).collect(),
            times: (0..14).map(|days| time(now + TimeDelta::hours(days * 24 + days))).collect(),
            visit_types: directory.visit_types().iter().map(|kind| kind.id().get().to_string()).collect(),
            states: states.map(|state| state.code().to_owned()).collect(),
        }
    }

    /// The valid values to try for a parameter; for numbers, the largest and the smallest.
    pub(super) fn values(&self, kind: ParameterKind) -> Vec<String> {
        match kind {
            ParameterKind::State => self.states.clone(),
            ParameterKind::Plan => self.plans.clone(),
            ParameterKind::Language => self.languages.clone(),
            ParameterKind::SearchText => self.words.clone(),
            ParameterKind::Time => self.times.clone(),
            ParameterKind::Flag => vec!["true".to_owned()],
            ParameterKind::Word(words) => words.iter().map(ToString::to_string).collect(),
            ParameterKind::Count { least, most: i64::MAX, .. } => vec![(least + 1).to_string()],
            ParameterKind::Count { least, most, .. } => vec![most.to_string(), least.to_string()],
            ParameterKind::VisitType => self.visit_types.clone(),
            ParameterKind::Slug => self.slugs.iter().take(MAX_SLUGS).cloned().collect(),
            // The path of every slug is requested anyway.
            ParameterKind::PathSlug => Vec::new(),
        }
    }
}

/// The path of an operation, with a slug if it has one.
pub(super) fn path(operation: &Operation, slug: &str) -> String {
    let slugs = operation.parameters.iter().filter(|parameter| parameter.kind == ParameterKind::PathSlug);
    slugs.fold(operation.path.to_owned(), |path, parameter| {
        path.replace(&format!("{{{}}}", parameter.name), slug)
    })
}

/// `name=value`, encoded.
pub(super) fn pair(name: &str, value: &str) -> String {
    format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
}

pub(super) fn target(path: &str, pairs: &[String]) -> String {
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

//! How old a confirmation is.

use chrono::NaiveDate;

use super::facts::fact_hashes;
use crate::model::{Accuracy, Attester, Confirmation, Directory, FactGroup, Provider};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    Confirmed,
    /// Confirmed in time, but these groups were edited since.
    Changed(Vec<FactGroup>),
    /// Confirmed, and to be asked about again.
    Due,
    Lapsed,
    Never,
}

impl Standing {
    /// Every word, in the order from the best to the worst.
    pub const WORDS: [&'static str; 5] = ["confirmed", "changed", "due", "lapsed", "never"];

    pub fn word(&self) -> &'static str {
        match self {
            Self::Confirmed => Self::WORDS[0],
            Self::Changed(_) => Self::WORDS[1],
            Self::Due => Self::WORDS[2],
            Self::Lapsed => Self::WORDS[3],
            Self::Never => Self::WORDS[4],
        }
    }

    pub fn wants_an_answer(&self) -> bool {
        *self != Self::Confirmed
    }
}

/// The groups that were edited after the entry was confirmed. Another system's date alone covers every group.
pub fn changed_groups(directory: &Directory, provider: &Provider) -> Vec<FactGroup> {
    match &provider.record.confirmed {
        Some(Confirmation { facts: Some(facts), .. }) => {
            fact_hashes(directory, provider).changed_since(facts)
        }
        _ => Vec::new(),
    }
}

pub fn standing(directory: &Directory, provider: &Provider, policy: &Accuracy, today: NaiveDate) -> Standing {
    let Some(confirmed) = &provider.record.confirmed else { return Standing::Never };
    let days = today.signed_duration_since(confirmed.on).num_days();
    if days > i64::from(policy.confirm_within_days) {
        return Standing::Lapsed;
    }
    let changed = changed_groups(directory, provider);
    if !changed.is_empty() {
        Standing::Changed(changed)
    } else if days >= i64::from(policy.ask_after_days) {
        Standing::Due
    } else {
        Standing::Confirmed
    }
}

/// The newest date of any confirmation or sample. A page that counts as of this date is the same on every day.
pub fn newest_date(directory: &Directory) -> Option<NaiveDate> {
    let confirmed = directory.providers().iter().filter_map(|provider| provider.record.confirmed.as_ref());
    let samples = directory.accuracy().into_iter().flat_map(|policy| &policy.samples);
    confirmed.map(|confirmed| confirmed.on).chain(samples.map(|sample| sample.on)).max()
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    by_word: [usize; Standing::WORDS.len()],
    /// Like `by_clinic`, of those confirmed, due or changed.
    pub by_clinician: usize,
    pub by_clinic: usize,
}

impl Counts {
    pub fn at(directory: &Directory, policy: &Accuracy, today: NaiveDate) -> Self {
        let mut counts = Self::default();
        for provider in directory.providers() {
            let standing = standing(directory, provider, policy, today);
            if let Some(at) = Standing::WORDS.iter().position(|word| *word == standing.word()) {
                counts.by_word[at] += 1;
            }
            if !matches!(standing, Standing::Lapsed | Standing::Never) {
                match provider.record.confirmed.as_ref().map(|confirmed| confirmed.by) {
                    Some(Attester::Clinician) => counts.by_clinician += 1,
                    Some(Attester::Clinic) => counts.by_clinic += 1,
                    None => {}
                }
            }
        }
        counts
    }

    pub fn each(&self) -> impl Iterator<Item = (&'static str, usize)> {
        Standing::WORDS.into_iter().zip(self.by_word)
    }
}

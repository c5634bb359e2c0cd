//! Limits how many clinicians may vanish without an operator's consent. An emptied or half-copied content folder
//! can be valid, so only a comparison with the published directory detects it.
//! The same limit applies to clinicians who lose most of their weekly hours, all visit types, or all states where they
//! accept new patients, since they can no longer be booked; and to all these together.
//! A clinician has vanished if neither the slug nor the id is in the new content. Former slugs and entries of
//! `retired.toml` are intentional and do not count as vanished. Withdrawn clinicians do count: filling down one cell of
//! a sheet can withdraw everyone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Directory, Provider, Schedule, StateSet};

/// The number of clinicians that may always vanish, for small clinics, unless none are left.
const ALWAYS_ALLOWED: usize = 5;
/// The number of clinicians that the message names.
const MOST_NAMED: usize = 10;
const MISSING: &str = "clinicians are missing";
const UNBOOKABLE: &str = "clinicians are missing or can no longer be booked";

type Amount = fn(&BaselineEntry) -> usize;

/// What a clinician needs to be bookable, with the message for those who lost it: who has less than a quarter left.
const BOOKABILITY: [(Amount, &str); 3] = [
    (|entry| entry.minutes, "clinicians with hours in availability/ lost most of them"),
    (|entry| entry.visit_types, "clinicians with appointment-types lost all of them"),
    (|entry| entry.accepting, "clinicians who accepted new patients no longer do"),
];

/// The clinicians that new content is compared with, by id, and what made them bookable.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Baseline(BTreeMap<Box<str>, BaselineEntry>);

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct BaselineEntry {
    slug: Box<str>,
    minutes: usize,
    visit_types: usize,
    accepting: usize,
}

impl BaselineEntry {
    fn new(provider: &Provider, schedule: Option<&Schedule>) -> Self {
        Self {
            slug: provider.slug.as_str().into(),
            // A schedule of dated hours only counts as one minute, so that its loss is noticed.
            minutes: schedule.map_or(0, |schedule| schedule.weekly_minutes().max(1)),
            visit_types: usize::from(!provider.visit_types.is_empty()),
            accepting: usize::from(provider.accepting != StateSet::EMPTY),
        }
    }

    fn has_lost(&self, now: &Self, amount: Amount) -> bool {
        amount(now) * 4 < amount(self)
    }
}

impl Baseline {
    pub fn new(directory: &Directory) -> Self {
        let mut baseline = Self::default();
        baseline.add(directory);
        baseline
    }

    /// Adds a directory's clinicians. For those already listed, keeps the larger amounts and the newest slug.
    pub fn add(&mut self, directory: &Directory) {
        for (number, provider) in directory.provider_numbers().zip(directory.providers()) {
            let now = BaselineEntry::new(provider, directory.schedule(number));
            let entry = self.0.entry(provider.id.as_str().into()).or_default();
            *entry = BaselineEntry {
                minutes: now.minutes.max(entry.minutes),
                visit_types: now.visit_types.max(entry.visit_types),
                accepting: now.accepting.max(entry.accepting),
                slug: now.slug,
            };
        }
        // A clinician with a new id under the same slug is still one clinician.
        let providers = directory.providers().iter();
        let ids: HashMap<&str, &str> =
            providers.map(|provider| (provider.slug.as_str(), provider.id.as_str())).collect();
        self.0.retain(|id, entry| ids.get(&*entry.slug).is_none_or(|&now| now == &**id));
    }
}

/// The setting `content-max-shrink`: the share of clinicians that may vanish from the content at once; five may always
/// vanish. Feeds have a setting of their own, `feed.max-shrink`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct MaxShrink(f64);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is a share: write a number from 0 to 1, such as 0.2")]
pub struct NotAShare;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    before: usize,
    vanished: usize,
    named: Vec<String>,
    what: &'static str,
}

impl MaxShrink {
    pub fn share(self) -> f64 {
        self.0
    }

    pub fn compare(self, before: &Baseline, after: &Directory) -> Result<(), Shrunk> {
        let now = Baseline::new(after);
        let by_slug: HashMap<&str, &BaselineEntry> =
            now.0.values().map(|entry| (&*entry.slug, entry)).collect();
        let mut missing = Vec::new();
        let mut remaining = Vec::new();
        for (id, entry) in &before.0 {
            match now.0.get(id).or_else(|| by_slug.get(&*entry.slug).copied()) {
                Some(now) => remaining.push((entry, now)),
                None if is_gone(&entry.slug, after) => missing.push(&*entry.slug),
                None => {}
            }
        }
        self.limit_missing(&missing, before.0.len(), after)?;
        for (amount, what) in BOOKABILITY {
            let had = remaining.iter().filter(|(entry, _)| amount(entry) > 0);
            let lost = remaining.iter().filter(|(entry, now)| entry.has_lost(now, amount));
            let lost: Vec<&str> = lost.map(|(entry, _)| &*entry.slug).collect();
            self.limit(&lost, had.count(), what)?;
        }
        let is_unbookable = |(entry, now): &&(&BaselineEntry, &BaselineEntry)| {
            BOOKABILITY.iter().any(|&(amount, _)| entry.has_lost(now, amount))
        };
        missing.extend(remaining.iter().filter(is_unbookable).map(|(entry, _)| &*entry.slug));
        self.limit(&missing, before.0.len(), UNBOOKABLE)
    }

    /// Compares published slugs with a directory. `id_of` returns the id that a slug had; it is called only if too many
    /// slugs are gone.
    pub fn compare_slugs(
        self,
        before: &[&str],
        id_of: impl Fn(&str) -> Option<String>,
        after: &Directory,
    ) -> Result<(), Shrunk> {
        let mut missing: Vec<&str> = before.iter().copied().filter(|slug| is_gone(slug, after)).collect();
        if !after.providers().is_empty() && self.allows(missing.len(), before.len()) {
            return Ok(());
        }
        // A clinician renamed without a former slug has not vanished.
        let ids: HashSet<&str> = after.providers().iter().map(|provider| provider.id.as_str()).collect();
        missing.retain(|slug| id_of(slug).is_none_or(|id| !ids.contains(id.as_str())));
        self.limit_missing(&missing, before.len(), after)
    }

    /// However small a clinic is, it isn't left without clinicians by mistake.
    fn limit_missing(self, missing: &[&str], before: usize, after: &Directory) -> Result<(), Shrunk> {
        if after.providers().is_empty() && !missing.is_empty() && self.0 < 1.0 {
            return Err(Shrunk::new(before, missing, MISSING));
        }
        self.limit(missing, before, MISSING)
    }

    fn limit(self, lost: &[&str], before: usize, what: &'static str) -> Result<(), Shrunk> {
        if self.allows(lost.len(), before) { Ok(()) } else { Err(Shrunk::new(before, lost, what)) }
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of people are far below 2^52")]
    fn allows(self, vanished: usize, before: usize) -> bool {
        // Divided, not multiplied: 29.0 / 100.0 and "0.29" give the same double, so equal shares compare equal.
        vanished <= ALWAYS_ALLOWED || vanished as f64 / before as f64 <= self.0
    }
}

fn is_gone(slug: &str, after: &Directory) -> bool {
    !after.remembers(slug) || after.is_withdrawn(slug)
}

impl Shrunk {
    fn new(before: usize, vanished: &[&str], what: &'static str) -> Self {
        let mut sorted = vanished.to_vec();
        sorted.sort_unstable();
        let named = sorted.iter().take(MOST_NAMED).map(|&slug| slug.to_owned()).collect();
        Self { before, vanished: vanished.len(), named, what }
    }
}

impl Default for MaxShrink {
    fn default() -> Self {
        Self(0.2)
    }
}

impl TryFrom<f64> for MaxShrink {
    type Error = NotAShare;

    fn try_from(share: f64) -> Result<Self, NotAShare> {
        if (0.0..=1.0).contains(&share) { Ok(Self(share)) } else { Err(NotAShare) }
    }
}

impl FromStr for MaxShrink {
    type Err = NotAShare;

    fn from_str(text: &str) -> Result<Self, NotAShare> {
        text.trim().parse().map_err(|_| NotAShare).and_then(|share: f64| Self::try_from(share))
    }
}

/// `19 of 24 clinicians are missing (ann-one, bo-two, cy-three and 16 more)`.
impl fmt::Display for Shrunk {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, vanished, named, what } = self;
        write!(formatter, "{vanished} of {before} {what} ({}", named.join(", "))?;
        match vanished.saturating_sub(named.len()) {
            0 => formatter.write_str(")"),
            more => write!(formatter, " and {more} more)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_a_fifth_and_always_five_may_vanish() {
        for (vanished, before, is_allowed) in [
            (5, 5, true),
            (5, 24, true),
            (6, 24, false),
            (6, 30, true),
            (20, 100, true),
            (21, 100, false),
            (0, 0, true),
        ] {
            assert_eq!(MaxShrink::default().allows(vanished, before), is_allowed, "{vanished} of {before}");
        }
        assert!("0.29".parse::<MaxShrink>().unwrap().allows(29, 100));
        assert!("1".parse::<MaxShrink>().unwrap().allows(100, 100));
        assert!(!"0".parse::<MaxShrink>().unwrap().allows(6, 1_000));
        for text in ["-0.1", "1.1", "NaN", "inf", "", "a fifth", "20%"] {
            assert_eq!(text.parse::<MaxShrink>(), Err(NotAShare), "{text}");
        }
    }

    #[test]
    fn the_message_has_the_counts_and_some_names() {
        let named = ["ann", "bo", "cy"].map(str::to_owned).to_vec();
        let shrunk = Shrunk { before: 24, vanished: 19, named, what: MISSING };
        assert_eq!(shrunk.to_string(), "19 of 24 clinicians are missing (ann, bo, cy and 16 more)");
    }
}

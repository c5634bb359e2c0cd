//! Limits how many clinicians may vanish at once without an operator's consent. An emptied or half-copied content folder
//! can be valid, so only a comparison with the published directory detects it.
//!
//! The same limit holds for clinicians who lose most of their weekly hours, all visit types, or all states where they take
//! new patients, since they can no longer be booked.
//!
//! A clinician has vanished if neither the slug nor the id is in the new content. Former slugs and entries of
//! `retired.toml` are intentional and do not count as vanished. Those who are withdrawn count, since one cell of a
//! sheet that is filled down withdraws everybody.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Directory, Provider, Schedule, StateSet};

/// The number of clinicians that may always vanish, for small clinics.
const ALWAYS: usize = 5;
/// The number of clinicians that the message names.
const NAMED: usize = 10;
const GONE: &str = "clinicians are gone at once";
/// What a clinician needs to be bookable, and what is said of those who have lost it. Of the weekly minutes, a quarter must
/// be left.
const GUARDED: [(Amount, &str); 3] = [
    (|listed| listed.minutes, "clinicians with hours in availability/ have lost most of them at once"),
    (|listed| listed.visit_types, "clinicians with appointment-types have lost them at once"),
    (|listed| listed.accepting, "clinicians who took new patients take none at once"),
];

/// Who is listed, and whether they can be booked: what later content is compared with. It is small, and so can be kept while
/// the content changes.
#[derive(Debug, Clone, Default)]
pub struct Roll(BTreeMap<Box<str>, Listed>);

type Amount = fn(&Listed) -> usize;

#[derive(Debug, Clone, Default)]
struct Listed {
    slug: Box<str>,
    minutes: usize,
    visit_types: usize,
    accepting: usize,
}

impl Listed {
    fn new(provider: &Provider, schedule: Option<&Schedule>) -> Self {
        Self {
            slug: provider.slug.as_str().into(),
            // Hours on single dates are hours, too.
            minutes: schedule.map_or(0, |schedule| schedule.weekly_minutes().max(1)),
            visit_types: usize::from(!provider.visit_types.is_empty()),
            accepting: usize::from(provider.accepting != StateSet::EMPTY),
        }
    }
}

impl Roll {
    #[must_use]
    pub fn new(directory: &Directory) -> Self {
        let mut roll = Self::default();
        roll.add(directory);
        roll
    }

    /// Adds those who are new in a directory, and what a clinician has more of there.
    pub fn add(&mut self, directory: &Directory) {
        for (number, provider) in directory.provider_numbers().zip(directory.providers()) {
            let now = Listed::new(provider, directory.schedule(number));
            let listed = self.0.entry(provider.id.as_str().into()).or_default();
            *listed = Listed {
                minutes: now.minutes.max(listed.minutes),
                visit_types: now.visit_types.max(listed.visit_types),
                accepting: now.accepting.max(listed.accepting),
                slug: now.slug,
            };
        }
    }
}

/// The setting `content-max-shrink`: the share of clinicians that may vanish from the content at once; five may always
/// vanish. Feeds have a setting of their own, `feed.max-shrink`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct MaxShrink(f64);

/// Not a number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is a share: write a number from 0 to 1, such as 0.2")]
pub struct NotAShare;

/// More clinicians vanished, or lost their hours or visit types, than allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    before: usize,
    vanished: usize,
    named: Vec<String>,
    what: &'static str,
}

impl MaxShrink {
    #[must_use]
    pub fn share(self) -> f64 {
        self.0
    }

    pub fn compare(self, before: &Roll, after: &Directory) -> Result<(), Shrunk> {
        let slugs: Vec<&str> = before.0.values().map(|listed| &*listed.slug).collect();
        let ids: HashMap<&str, &str> = before.0.iter().map(|(id, listed)| (&*listed.slug, &**id)).collect();
        self.compare_slugs(&slugs, |slug| ids.get(slug).map(|&id| id.to_owned()), after)?;
        let after = Roll::new(after);
        for (amount, what) in GUARDED {
            let had = before.0.iter().filter(|(_, listed)| amount(listed) > 0);
            // Those who are gone were counted above.
            let still = had.filter_map(|(id, listed)| Some((listed, after.0.get(id)?)));
            let still: Vec<_> = still.collect();
            let has_lost = |(before, now): &&(&Listed, &Listed)| amount(now) * 4 < amount(before);
            let lost: Vec<&str> = still.iter().filter(has_lost).map(|(listed, _)| &*listed.slug).collect();
            if !self.allows(lost.len(), still.len()) {
                return Err(Shrunk::new(still.len(), &lost, what));
            }
        }
        Ok(())
    }

    /// Compares published slugs with a directory. `id_of` returns the id that a slug had; it is called only if too many
    /// slugs are gone.
    pub fn compare_slugs(
        self,
        before: &[&str],
        id_of: impl Fn(&str) -> Option<String>,
        after: &Directory,
    ) -> Result<(), Shrunk> {
        let is_gone = |slug: &&str| !after.remembers(slug) || after.is_withdrawn(slug);
        let mut gone: Vec<&str> = before.iter().copied().filter(is_gone).collect();
        if self.allows(gone.len(), before.len()) {
            return Ok(());
        }
        // A clinician renamed without a former slug has not vanished.
        let ids: HashSet<&str> = after.providers().iter().map(|provider| provider.id.as_str()).collect();
        gone.retain(|slug| id_of(slug).is_none_or(|id| !ids.contains(id.as_str())));
        if self.allows(gone.len(), before.len()) {
            return Ok(());
        }
        Err(Shrunk::new(before.len(), &gone, GONE))
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of people are far below 2^52")]
    fn allows(self, vanished: usize, before: usize) -> bool {
        // Division, like parsing the share, gives the nearest double, so equal shares compare as equal. Multiplication
        // would not.
        vanished <= ALWAYS || vanished as f64 / before as f64 <= self.0
    }
}

impl Shrunk {
    fn new(before: usize, vanished: &[&str], what: &'static str) -> Self {
        let mut sorted = vanished.to_vec();
        sorted.sort_unstable();
        let named = sorted.iter().take(NAMED).map(|&slug| slug.to_owned()).collect();
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

/// `19 of 24 clinicians are gone at once (ann-one, bo-two, cy-three and 16 more)`.
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
        let shrunk = Shrunk { before: 24, vanished: 19, named, what: GONE };
        assert_eq!(shrunk.to_string(), "19 of 24 clinicians are gone at once (ann, bo, cy and 16 more)");
    }
}

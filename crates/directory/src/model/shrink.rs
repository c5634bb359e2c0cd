//! Limits how many clinicians may vanish at once without an operator's consent. An emptied or half-copied content folder
//! can be valid, so only a comparison with the published directory detects it.
//!
//! The same limit holds for clinicians who lose their hours or visit types, since they can no longer be booked.
//!
//! A clinician has vanished if neither the slug nor the id is in the new content. Former slugs and entries of
//! `retired.toml` are intentional and do not count as vanished. Those who are withdrawn count, since one cell of a
//! sheet that is filled down withdraws everybody.

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Directory, ProviderNumber};

/// The number of clinicians that may always vanish, for small clinics.
const ALWAYS: usize = 5;
/// The number of clinicians that the message names.
const NAMED: usize = 3;
const GONE: &str = "clinicians are gone at once";
const HOURS: &str = "clinicians with hours in availability/ have lost them at once";
const VISIT_TYPES: &str = "clinicians with appointment-types have lost them at once";

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

    pub fn compare(self, before: &Directory, after: &Directory) -> Result<(), Shrunk> {
        let slugs: Vec<&str> = before.providers().iter().map(|provider| provider.slug.as_str()).collect();
        let id_of = |slug: &str| {
            let found = before.find(slug)?;
            Some(before.provider(found.provider()).id.as_str().to_owned())
        };
        self.compare_slugs(&slugs, id_of, after)?;
        self.compare_those_with(before, after, HOURS, |directory, number| {
            directory.schedule(number).is_some()
        })?;
        self.compare_those_with(before, after, VISIT_TYPES, |directory, number| {
            !directory.provider(number).visit_types.is_empty()
        })
    }

    /// Compares the clinicians for whom `has` holds before with those for whom it holds after. Clinicians who vanished are
    /// not counted here.
    fn compare_those_with(
        self,
        before: &Directory,
        after: &Directory,
        what: &'static str,
        has: impl Fn(&Directory, ProviderNumber) -> bool,
    ) -> Result<(), Shrunk> {
        let had = before.provider_numbers().filter(|&number| has(before, number));
        let had: Vec<&str> = had.map(|number| before.provider(number).slug.as_str()).collect();
        let has_lost = |slug: &&&str| after.find(slug).is_some_and(|found| !has(after, found.provider()));
        let lost: Vec<&str> = had.iter().filter(has_lost).copied().collect();
        if self.allows(lost.len(), had.len()) { Ok(()) } else { Err(Shrunk::of(had.len(), &lost, what)) }
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
        Err(Shrunk::of(before.len(), &gone, GONE))
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of people are far below 2^52")]
    fn allows(self, vanished: usize, before: usize) -> bool {
        // Division, like parsing the share, gives the nearest double, so equal shares compare as equal. Multiplication
        // would not.
        vanished <= ALWAYS || vanished as f64 / before as f64 <= self.0
    }
}

impl Shrunk {
    fn of(before: usize, vanished: &[&str], what: &'static str) -> Self {
        let named = vanished.iter().take(NAMED).map(|slug| (*slug).to_owned()).collect();
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

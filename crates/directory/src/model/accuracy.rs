//! What content says about its own truth: who confirmed an entry and when, the license numbers, and the clinic's policy.

use std::fmt;
use std::str::FromStr;

use chrono::NaiveDate;

use super::StateCode;
use super::words::words;

words! {
    /// Whether an entry is shown, and as what.
    Listing {
        /// As it is written.
        Listed = "listed",
        /// With the sentence that it could not be confirmed.
        Unconfirmed = "unconfirmed",
        /// As accepting no new patients, whatever `accepting` lists.
        Paused = "paused",
        /// Nowhere; the id and the slugs stay reserved. No [`super::Provider`] has it.
        Withdrawn = "withdrawn",
    }
}

words! {
    Attester {
        Clinician = "clinician",
        Clinic = "clinic",
    }
}

words! {
    /// What a license number is listed under.
    LicenseKind {
        License = "license",
        /// A registration for telehealth alone. Lists of licenses don't have it.
        Telehealth = "telehealth-registration",
        /// A privilege of a compact. Lists of licenses don't have it.
        Compact = "compact",
    }
}

words! {
    /// The law that sets the defaults of the policy.
    LawProfile {
        /// No Surprises Act.
        Nsa = "nsa",
        /// Medicare Advantage.
        Ma = "ma",
        Ca = "ca",
        /// No law: the clinic's own choice.
        None = "none",
    }
}

impl LawProfile {
    /// The days within which an entry must be confirmed again; `None`: the clinic chooses.
    pub fn confirm_within_days(self) -> Option<u32> {
        match self {
            Self::Nsa | Self::Ma => Some(90),
            Self::Ca => Some(180),
            Self::None => None,
        }
    }
}

words! {
    /// The edit that is proposed for an entry that was not confirmed in time.
    WhenLapsed {
        Ask = "ask",
        Mark = "mark",
        Pause = "pause",
        Withdraw = "withdraw",
    }
}

impl WhenLapsed {
    pub fn listing(self) -> Option<Listing> {
        match self {
            Self::Ask => None,
            Self::Mark => Some(Listing::Unconfirmed),
            Self::Pause => Some(Listing::Paused),
            Self::Withdraw => Some(Listing::Withdrawn),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accuracy {
    pub profile: LawProfile,
    pub confirm_within_days: u32,
    pub ask_after_days: u32,
    pub when_lapsed: WhenLapsed,
    /// Where an answer goes, with `{code}`. Private.
    pub confirm_url: Option<String>,
    /// Where patients report a mistake; `{slug}` is the clinician.
    pub report_url: Option<String>,
    /// The results of asking a random sample, newest last.
    pub samples: Vec<Sample>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sample {
    /// The day on which it was finished.
    pub on: NaiveDate,
    pub asked: u32,
    /// Those of whom every fact was right.
    pub right: u32,
}

/// A finding of the audit that the clinic has looked at and accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowedFinding {
    pub name: String,
    /// The last day on which it is accepted.
    pub until: NaiveDate,
}

/// A license in one state. Private.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct License {
    pub state: StateCode,
    pub number: String,
    pub kind: LicenseKind,
    /// The last day on which it is valid.
    pub expires: Option<NaiveDate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    pub listing: Listing,
    pub licenses: Vec<License>,
    pub confirmed: Option<Confirmation>,
}

impl Default for Record {
    fn default() -> Self {
        Self { listing: Listing::Listed, licenses: Vec::new(), confirmed: None }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Confirmation {
    pub on: NaiveDate,
    pub by: Attester,
    /// The facts; `None` if another system wrote the date alone.
    pub facts: Option<FactHashes>,
}

words! {
    FactGroup {
        /// Who she is: name, credentials, languages.
        Name = "name",
        /// Licenses, training, certificates.
        Licenses = "licenses",
        /// Where new patients are taken.
        Accepting = "accepting",
        Plans = "plans",
        Visits = "visits",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FactHashes([u32; FactGroup::ALL.len()]);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "`nameplate attest` writes these as name:… licenses:… accepting:… plans:… visits:…, each with eight \
     hexadecimal digits"
)]
pub struct FactHashesError;

impl FactHashes {
    pub(crate) fn compute(hash: impl Fn(FactGroup) -> u32) -> Self {
        Self(std::array::from_fn(|at| hash(FactGroup::ALL[at])))
    }

    /// Carries the hashes over to facts that were only renamed: each group that was as in `before` becomes as in `after`.
    #[must_use]
    pub fn carried_over(mut self, before: &Self, after: &Self) -> Self {
        for (at, hash) in self.0.iter_mut().enumerate() {
            if *hash == before.0[at] {
                *hash = after.0[at];
            }
        }
        self
    }

    pub fn changed_since(&self, before: &Self) -> Vec<FactGroup> {
        let pairs = FactGroup::ALL.iter().zip(self.0).zip(before.0);
        pairs.filter(|((_, now), before)| now != before).map(|((group, _), _)| *group).collect()
    }
}

impl fmt::Display for FactHashes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (group, hash)) in FactGroup::ALL.iter().zip(self.0).enumerate() {
            let gap = if at == 0 { "" } else { " " };
            write!(formatter, "{gap}{group}:{hash:08x}")?;
        }
        Ok(())
    }
}

impl FromStr for FactHashes {
    type Err = FactHashesError;

    fn from_str(text: &str) -> Result<Self, FactHashesError> {
        let mut hashes = [0; FactGroup::ALL.len()];
        let mut words = text.split_whitespace();
        for (place, group) in hashes.iter_mut().zip(FactGroup::ALL) {
            let (name, hash) = words.next().and_then(|word| word.split_once(':')).ok_or(FactHashesError)?;
            let is_hash = hash.len() == 8 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_group = name == group.word() || (name, group) == ("licences", &FactGroup::Licenses);
            if !is_group || !is_hash {
                return Err(FactHashesError);
            }
            *place = u32::from_str_radix(hash, 16).map_err(|_| FactHashesError)?;
        }
        if words.next().is_some() { Err(FactHashesError) } else { Ok(Self(hashes)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the laws themselves: 42 USC 300gg-139, section 6220 of Public Law 119-75, and California's Health and Safety Code
    /// 1367.27, whose six months are 180 days here.
    #[test]
    fn each_law_sets_its_own_terms() {
        assert_eq!(LawProfile::Nsa.confirm_within_days(), Some(90));
        assert_eq!(LawProfile::Ma.confirm_within_days(), Some(90));
        assert_eq!(LawProfile::Ca.confirm_within_days(), Some(180));
        assert_eq!(LawProfile::None.confirm_within_days(), None);
    }

    #[test]
    fn hashes_are_written_as_they_are_read() {
        let text = "name:569a913d licenses:e72ced97 accepting:0b2da66a plans:24caf1f7 visits:07720cc2";
        let hashes: FactHashes = text.parse().unwrap();
        assert_eq!(hashes.to_string(), text);
        assert_eq!(text.replace("licenses", "licences").parse(), Ok(hashes), "the first spelling");
        let other: FactHashes = text.replace("24caf1f7", "24caf1f8").parse().unwrap();
        assert_eq!(other.changed_since(&hashes), [FactGroup::Plans]);
        let third: FactHashes = text.replace("24caf1f7", "24caf1f9").parse().unwrap();
        assert_eq!(hashes.carried_over(&hashes, &other), other);
        assert_eq!(third.carried_over(&hashes, &other), third);
        for wrong in [
            "",
            "name:569a913d",
            "name:569a913 licenses:e72ced97 accepting:0b2da66a plans:24caf1f7 visits:07720cc2",
            "licenses:e72ced97 name:569a913d accepting:0b2da66a plans:24caf1f7 visits:07720cc2",
            "name:+69a913d licenses:e72ced97 accepting:0b2da66a plans:24caf1f7 visits:07720cc2",
        ] {
            assert_eq!(wrong.parse::<FactHashes>(), Err(FactHashesError), "{wrong}");
        }
        assert!(format!("{text} bio:00000000").parse::<FactHashes>().is_err());
    }
}

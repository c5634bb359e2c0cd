//! A finding: which rule, how strong, where, against what, and what to do.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::model::{Provider, Slug, words};

words! {
    /// How sure a finding is.
    Strength {
        /// Two written statements cannot both be true.
        Certain = "certain",
        /// One strong sign.
        Likely = "likely",
        /// A question to the clinician, not an alarm.
        Question = "question",
    }
}

words! {
    Rule {
        /// There is a certificate, but the flag is not set.
        Certified = "certified",
        LicenseOver = "license-over",
        /// New patients are accepted, but cannot book.
        NoWayIn = "no-way-in",
        EducationOrder = "education-order",
        NpiOff = "npi-off",
        NpiOrganization = "npi-organization",
        /// The registry has another person under this NPI.
        NpiStranger = "npi-stranger",
        /// The board's list says that the license isn't valid.
        Board = "board",
        /// The payer's roster no longer lists the clinician.
        Roster = "roster",
        RosterClosed = "roster-closed",
        Excluded = "excluded",
        Twin = "twin",
        /// The biography is a colleague's.
        BioCopied = "bio-copied",
        /// A certificate or a license ends.
        EndsSoon = "ends-soon",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    Key(&'static str),
    /// An entry of a list, by its index from 0.
    Entry(usize),
    /// An entry of a list of texts, by its value.
    Value(String),
}

/// A value in a content file. `content::locate` finds its line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Place {
    pub path: String,
    /// The path to the value; empty for the file as a whole.
    pub steps: Vec<Step>,
    /// The part of the text that matters.
    pub part: Option<String>,
}

impl Place {
    pub fn at(provider: &Provider, steps: impl IntoIterator<Item = Step>) -> Self {
        let path = format!("providers/{}.toml", provider.slug);
        Self { path, steps: steps.into_iter().collect(), part: None }
    }

    pub fn key(provider: &Provider, key: &'static str) -> Self {
        Self::at(provider, [Step::Key(key)])
    }

    #[must_use]
    pub fn part(self, part: impl Into<String>) -> Self {
        Self { part: Some(part.into()), ..self }
    }
}

pub(crate) fn status_of(provider: &Provider) -> Place {
    Place::key(provider, "status")
}

/// What the finding's place is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Witness {
    Content(Place),
    Row { file: String, line: u64, says: String },
    Source { file: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    pub rule: Rule,
    pub strength: Strength,
    pub slug: Slug,
    pub what: String,
    pub place: Place,
    pub witness: Option<Witness>,
    pub advice: String,
    /// The rule and a hash of the values. `allow.toml` refers to it; other values give another name.
    pub name: String,
}

impl Finding {
    /// `values` are those that contradict each other.
    pub fn new(
        (rule, strength): (Rule, Strength),
        provider: &Provider,
        place: Place,
        what: String,
        advice: impl Into<String>,
        values: &[&str],
    ) -> Self {
        let mut hash = Sha256::new();
        // Over the first spelling, so that names in an `allow.toml` keep their hash.
        let first_spelling = match rule {
            Rule::LicenseOver => "licence-over",
            Rule::NpiOrganization => "npi-organisation",
            _ => rule.word(),
        };
        for value in [first_spelling, provider.slug.as_str()].iter().chain(values) {
            hash.update((value.len() as u64).to_be_bytes());
            hash.update(value);
        }
        let name = format!("{rule}-{}", HEXLOWER.encode(&hash.finalize()[..4]));
        let slug = provider.slug.clone();
        Self { rule, strength, slug, what, place, witness: None, advice: advice.into(), name }
    }

    #[must_use]
    pub fn against(self, witness: Witness) -> Self {
        Self { witness: Some(witness), ..self }
    }
}

//! A clinician, and what a clinician offers.

use std::fmt;
use std::str::FromStr;

use super::{ProviderId, Slug, StateCode, StateSet, VisitTypeId};

/// Defines an enumeration of the specification by its published words, matched in any ASCII case.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant),+ }

        impl $name {
            /// Every value, in the specification's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
            /// Every value's word, in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word that the specification publishes.
            #[must_use]
            pub fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }

        impl FromStr for $name {
            type Err = &'static [&'static str];

            /// Any ASCII case; the error is the list of what is allowed.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().find(|value| value.word().eq_ignore_ascii_case(text));
                found.copied().ok_or(Self::WORDS)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.word())
            }
        }
    };
}

words! {
    /// What kind of clinician.
    ProviderType {
        /// A physician.
        Physician = "physician",
        /// A nurse practitioner.
        NursePractitioner = "nursePractitioner",
    }
}

words! {
    /// The gender that the clinician states.
    Gender {
        /// Female.
        Female = "female",
        /// Male.
        Male = "male",
        /// Non-binary.
        NonBinary = "nonBinary",
        /// Other.
        Other = "other",
        /// Prefers not to say.
        PreferNotToSay = "preferNotToSay",
    }
}

words! {
    /// How a visit happens.
    Modality {
        /// Face to face over video, at an agreed time.
        Video = "video",
        /// By message, at no agreed time: such a type never makes slots.
        Async = "async",
    }
}

/// A plan's position in [`super::Directory::plans`]: ordering by number is ordering by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanNumber(pub(crate) u16);

impl PlanNumber {
    /// The position, smaller than the number of plans.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A degree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Education {
    pub(crate) degree: String,
    pub(crate) field: String,
    pub(crate) institution: String,
    pub(crate) year: u16,
}

impl Education {
    /// The degree itself.
    #[must_use]
    pub fn degree(&self) -> &str {
        &self.degree
    }

    /// In what.
    #[must_use]
    pub fn field(&self) -> &str {
        &self.field
    }

    /// From where.
    #[must_use]
    pub fn institution(&self) -> &str {
        &self.institution
    }

    /// Since when.
    #[must_use]
    pub fn year(&self) -> u16 {
        self.year
    }
}

/// A certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certification {
    pub(crate) issuer: String,
    pub(crate) name: String,
}

impl Certification {
    /// Who vouches for it.
    #[must_use]
    pub fn issuer(&self) -> &str {
        &self.issuer
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Where a portrait comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Headshot {
    /// A file of the content folder's `headshots/`, published under the site.
    File {
        /// The file's name inside `headshots/`.
        name: String,
        /// The extension, lower case: png, jpg, webp or svg.
        extension: &'static str,
    },
    /// An address elsewhere, published as it is.
    Address(String),
}

/// A clinician.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "providerType is the specification's name")]
pub struct Provider {
    pub(crate) id: ProviderId,
    pub(crate) slug: Slug,
    pub(crate) former_slugs: Vec<Slug>,
    pub(crate) display_name: String,
    /// Private to the ordering of lists; case-folded.
    pub(crate) sort_name: String,
    pub(crate) credentials: String,
    pub(crate) provider_type: ProviderType,
    pub(crate) gender: Gender,
    pub(crate) bio: String,
    pub(crate) headshot: Option<Headshot>,
    pub(crate) menopause_society_certified: bool,
    pub(crate) clinical_interests: Vec<String>,
    pub(crate) education: Vec<Education>,
    pub(crate) certifications: Vec<Certification>,
    /// By state, each list sorted; a state without a plan is absent.
    pub(crate) insurance: Vec<(StateCode, Vec<PlanNumber>)>,
    /// As authored; enabled types only.
    pub(crate) visit_types: Vec<VisitTypeId>,
    pub(crate) licensed: StateSet,
    /// Always within `licensed`.
    pub(crate) accepting: StateSet,
    pub(crate) npi: Option<String>,
}

impl Provider {
    /// The opaque identifier.
    #[must_use]
    pub fn id(&self) -> &ProviderId {
        &self.id
    }

    /// What paths, filters and slots call this provider.
    #[must_use]
    pub fn slug(&self) -> &Slug {
        &self.slug
    }

    /// What they called this provider before.
    #[must_use]
    pub fn former_slugs(&self) -> &[Slug] {
        &self.former_slugs
    }

    /// The name that people read.
    #[must_use]
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// The letters behind the name.
    #[must_use]
    pub fn credentials(&self) -> &str {
        &self.credentials
    }

    /// What kind of clinician.
    #[must_use]
    pub fn provider_type(&self) -> ProviderType {
        self.provider_type
    }

    /// Who this is, in a few sentences.
    #[must_use]
    pub fn bio(&self) -> &str {
        &self.bio
    }

    /// Whether The Menopause Society has certified this provider.
    #[must_use]
    pub fn menopause_society_certified(&self) -> bool {
        self.menopause_society_certified
    }

    /// What this provider is interested in, as authored.
    #[must_use]
    pub fn clinical_interests(&self) -> &[String] {
        &self.clinical_interests
    }

    /// The degrees, as authored.
    #[must_use]
    pub fn education(&self) -> &[Education] {
        &self.education
    }

    /// The certificates, as authored.
    #[must_use]
    pub fn certifications(&self) -> &[Certification] {
        &self.certifications
    }

    /// The portrait, if there is one.
    #[must_use]
    pub fn headshot(&self) -> Option<&Headshot> {
        self.headshot.as_ref()
    }

    /// Where a portrait of the content folder is published, below the site's address; `None` for one that lies
    /// elsewhere.
    #[must_use]
    pub fn portrait_path(&self) -> Option<String> {
        match self.headshot()? {
            Headshot::File { extension, .. } => Some(format!("headshots/{}.{extension}", self.slug)),
            Headshot::Address(_) => None,
        }
    }

    /// The national provider identifier, used by the standards exports alone.
    #[must_use]
    pub fn npi(&self) -> Option<&str> {
        self.npi.as_deref()
    }

    /// Where this provider holds a licence.
    #[must_use]
    pub fn licensed(&self) -> StateSet {
        self.licensed
    }

    /// Where this provider takes new patients: never outside [`Provider::licensed`].
    #[must_use]
    pub fn accepting(&self) -> StateSet {
        self.accepting
    }

    /// The enabled visit types that this provider offers, as authored.
    #[must_use]
    pub fn visit_types(&self) -> &[VisitTypeId] {
        &self.visit_types
    }

    /// The plans taken in a state, sorted by name.
    #[must_use]
    pub fn plans_in(&self, state: StateCode) -> &[PlanNumber] {
        let entry = self.insurance.iter().find(|(there, _)| *there == state);
        entry.map_or(&[], |(_, plans)| plans)
    }

    /// The plans taken anywhere, sorted by name.
    #[must_use]
    pub fn plans(&self) -> Vec<PlanNumber> {
        let mut plans: Vec<_> = self.insurance.iter().flat_map(|(_, plans)| plans).copied().collect();
        plans.sort_unstable();
        plans.dedup();
        plans
    }
}

/// A visit type of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitType {
    pub(crate) id: VisitTypeId,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) modality: Modality,
    pub(crate) new_patient_eligible: bool,
    /// Video types have one; it sizes the slots. Pages show it, no answer of the API does.
    pub(crate) duration_minutes: Option<u32>,
    /// Where the type is held; "all" in content is every state of the table.
    pub(crate) states: StateSet,
}

impl VisitType {
    /// The number that filters use.
    #[must_use]
    pub fn id(&self) -> VisitTypeId {
        self.id
    }

    /// The name that people read.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What happens in it, for patients.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Whether somebody new may book it.
    #[must_use]
    pub fn new_patient_eligible(&self) -> bool {
        self.new_patient_eligible
    }

    /// How the visit happens.
    #[must_use]
    pub fn modality(&self) -> Modality {
        self.modality
    }

    /// How long the visit takes; `None` for types that are not held at a set time.
    #[must_use]
    pub fn duration_minutes(&self) -> Option<u32> {
        self.duration_minutes
    }

    /// Where the type is held, by whoever offers it and may.
    #[must_use]
    pub fn states(&self) -> StateSet {
        self.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_in_any_case_and_an_error_lists_what_is_allowed() {
        assert_eq!("NURSEpractitioner".parse(), Ok(ProviderType::NursePractitioner));
        assert_eq!("prefernottosay".parse(), Ok(Gender::PreferNotToSay));
        assert_eq!("doctor".parse::<ProviderType>(), Err(&["physician", "nursePractitioner"][..]));
        assert_eq!(Gender::ALL.len(), Gender::WORDS.len());
    }
}

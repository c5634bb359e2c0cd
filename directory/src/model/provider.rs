//! Clinicians and visit types.

use chrono::NaiveDate;

use super::accuracy::Record;
use super::words::words;
use super::{Language, NameParts, ProviderId, Slug, Specialty, StateCode, StateSet, VisitTypeId};

words! {
    ProviderType {
        Physician = "physician",
        NursePractitioner = "nursePractitioner",
    }
}

words! {
    /// The gender that the clinician states.
    Gender {
        Female = "female",
        Male = "male",
        NonBinary = "nonBinary",
        Other = "other",
        PreferNotToSay = "preferNotToSay",
    }
}

words! {
    Modality {
        /// Over video, at an appointment.
        Video = "video",
        /// By message, without an appointment: such a type has no slots.
        Async = "async",
    }
}

/// A plan's position in [`super::Directory::plans`], which is sorted by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlanNumber(pub(crate) u16);

impl PlanNumber {
    /// The position, smaller than the number of plans.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Education {
    pub degree: String,
    pub field: String,
    pub institution: String,
    /// The year of graduation.
    pub year: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certification {
    pub issuer: String,
    pub name: String,
    /// The last day on which it is valid, if content has it. Not published.
    pub expires: Option<NaiveDate>,
}

/// The source of a portrait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Headshot {
    /// A file in the content folder's `headshots/`, published on the site.
    File {
        name: String,
        /// That of the published file: svg for a drawing, jpg for a photograph, which is encoded anew.
        extension: &'static str,
        /// The SHA-256 of the file's bytes.
        digest: [u8; 32],
    },
    /// A URL elsewhere, published unchanged.
    Address(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "providerType is the specification's name")]
pub struct Provider {
    pub(crate) id: ProviderId,
    pub(crate) slug: Slug,
    pub(crate) former_slugs: Vec<Slug>,
    pub(crate) display_name: String,
    /// The sort key, folded: the content's `sort-name`; without one, the last word, `\0`, and the whole display name.
    /// The search index reads the part before `\0`.
    pub(crate) sort_name: String,
    /// The content's `sort-name` as it is written.
    pub(crate) written_sort_name: Option<Box<str>>,
    pub(crate) credentials: String,
    pub(crate) provider_type: ProviderType,
    pub(crate) gender: Gender,
    pub(crate) bio: String,
    pub(crate) headshot: Option<Headshot>,
    pub(crate) menopause_society_certified: bool,
    pub(crate) clinical_interests: Vec<String>,
    pub(crate) languages: Vec<Language>,
    pub(crate) education: Vec<Education>,
    pub(crate) certifications: Vec<Certification>,
    /// By state, each list sorted; states without a plan are absent.
    pub(crate) insurance: Vec<(StateCode, Vec<PlanNumber>)>,
    /// In the order of content; enabled types only.
    pub(crate) visit_types: Vec<VisitTypeId>,
    pub(crate) licensed: StateSet,
    /// Always within `licensed`.
    pub(crate) accepting: StateSet,
    pub(crate) npi: Option<String>,
    pub(crate) specialties: Vec<Specialty>,
    pub(crate) record: Record,
}

impl Provider {
    #[must_use]
    pub fn id(&self) -> &ProviderId {
        &self.id
    }

    #[must_use]
    pub fn slug(&self) -> &Slug {
        &self.slug
    }

    /// Earlier slugs, which redirect to the current one.
    #[must_use]
    pub fn former_slugs(&self) -> &[Slug] {
        &self.former_slugs
    }

    #[must_use]
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// The letters after the name: "MD, FACOG".
    #[must_use]
    pub fn credentials(&self) -> &str {
        &self.credentials
    }

    #[must_use]
    pub fn provider_type(&self) -> ProviderType {
        self.provider_type
    }

    #[must_use]
    pub fn gender(&self) -> Gender {
        self.gender
    }

    #[must_use]
    pub fn bio(&self) -> &str {
        &self.bio
    }

    /// Whether The Menopause Society has certified this provider.
    #[must_use]
    pub fn menopause_society_certified(&self) -> bool {
        self.menopause_society_certified
    }

    /// Fields of special interest, in the order of content.
    #[must_use]
    pub fn clinical_interests(&self) -> &[String] {
        &self.clinical_interests
    }

    /// The languages that the clinician speaks, in the order of content.
    #[must_use]
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Degrees and training, in the order of content.
    #[must_use]
    pub fn education(&self) -> &[Education] {
        &self.education
    }

    /// Certifications, in the order of content.
    #[must_use]
    pub fn certifications(&self) -> &[Certification] {
        &self.certifications
    }

    #[must_use]
    pub fn headshot(&self) -> Option<&Headshot> {
        self.headshot.as_ref()
    }

    /// The path on the site of a portrait from the content folder; `None` for one elsewhere.
    #[must_use]
    pub fn portrait_path(&self) -> Option<String> {
        match self.headshot()? {
            Headshot::File { extension, .. } => Some(format!("headshots/{}.{extension}", self.slug)),
            Headshot::Address(_) => None,
        }
    }

    #[must_use]
    pub fn name_parts(&self) -> NameParts<'_> {
        NameParts::of(&self.display_name, self.written_sort_name.as_deref())
    }

    /// The codes and names of specialties, in the order of content; a nurse practitioner without any has that of nurse
    /// practitioners. Only exports contain them.
    #[must_use]
    pub fn specialties(&self) -> Vec<(&str, &str)> {
        match (self.specialties.as_slice(), self.provider_type) {
            ([], ProviderType::NursePractitioner) => vec![("363L00000X", "Nurse Practitioner")],
            (specialties, _) => {
                specialties.iter().map(|entry| (entry.code.as_str(), entry.name.as_str())).collect()
            }
        }
    }

    /// The national provider identifier. Only exports contain it, if `publish-npis` says so; feeds may name clinicians by
    /// it.
    #[must_use]
    pub fn npi(&self) -> Option<&str> {
        self.npi.as_deref()
    }

    /// Whether the entry may be relied on, the licences' numbers, and who confirmed it when.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    #[must_use]
    pub fn licensed(&self) -> StateSet {
        self.licensed
    }

    /// The states where this provider accepts new patients, a subset of [`Provider::licensed`].
    #[must_use]
    pub fn accepting(&self) -> StateSet {
        self.accepting
    }

    /// The enabled visit types that this provider offers, in the order of content.
    #[must_use]
    pub fn visit_types(&self) -> &[VisitTypeId] {
        &self.visit_types
    }

    /// The plans accepted in a state, sorted by name.
    #[must_use]
    pub fn plans_in(&self, state: StateCode) -> &[PlanNumber] {
        let entry = self.insurance.iter().find(|(there, _)| *there == state);
        entry.map_or(&[], |(_, plans)| plans)
    }

    /// The plans accepted in any state, sorted by name.
    #[must_use]
    pub fn plans(&self) -> Vec<PlanNumber> {
        let mut plans: Vec<_> = self.insurance.iter().flat_map(|(_, plans)| plans).copied().collect();
        plans.sort_unstable();
        plans.dedup();
        plans
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitType {
    pub(crate) id: VisitTypeId,
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) modality: Modality,
    pub(crate) new_patient_eligible: bool,
    /// The length of slots, for video types. Shown on pages, not in the API.
    pub(crate) duration_minutes: Option<u32>,
    pub(crate) states: StateSet,
}

impl VisitType {
    #[must_use]
    pub fn id(&self) -> VisitTypeId {
        self.id
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn description(&self) -> &str {
        &self.description
    }

    #[must_use]
    pub fn new_patient_eligible(&self) -> bool {
        self.new_patient_eligible
    }

    #[must_use]
    pub fn modality(&self) -> Modality {
        self.modality
    }

    /// The length of the visit; `None` for types without appointments.
    #[must_use]
    pub fn duration_minutes(&self) -> Option<u32> {
        self.duration_minutes
    }

    /// The states where it may be offered, by clinicians who are licensed there.
    #[must_use]
    pub fn states(&self) -> StateSet {
        self.states
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_parse_in_any_case_and_errors_list_the_allowed_words() {
        assert_eq!("NURSEpractitioner".parse(), Ok(ProviderType::NursePractitioner));
        assert_eq!("prefernottosay".parse(), Ok(Gender::PreferNotToSay));
        assert_eq!("doctor".parse::<ProviderType>(), Err(&["physician", "nursePractitioner"][..]));
        assert_eq!(Gender::ALL.len(), Gender::WORDS.len());
    }
}

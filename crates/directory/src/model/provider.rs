//! Clinicians and visit types.

use chrono::NaiveDate;

use super::accuracy::Record;
use super::words::words;
use super::{
    Language, NameParts, ProviderId, ProviderType, Slug, Specialty, StateCode, StateSet, VisitTypeId,
};

words! {
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
    pub year: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Certification {
    pub issuer: String,
    pub name: String,
    /// The last day on which it is valid, if content has it. Not published.
    pub expires: Option<NaiveDate>,
    /// The issuer's name as lists show it, if they show the certification.
    pub badge: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Headshot {
    /// A file in the content folder's `headshots/`, published on the site.
    File {
        name: String,
        /// That of the published file: svg for a drawing, jpg for a photograph, which is re-encoded.
        extension: &'static str,
        /// The SHA-256 of the file's bytes.
        digest: [u8; 32],
    },
    /// A URL elsewhere, published unchanged.
    Address(String),
}

/// Days on which a clinician sees no patients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leave {
    /// The first day, in the clinician's zone.
    pub from: NaiveDate,
    /// The first day back; without it, the leave lasts until further notice.
    pub until: Option<NaiveDate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Provider {
    pub id: ProviderId,
    pub slug: Slug,
    /// Earlier slugs, which redirect to the current one.
    pub former_slugs: Vec<Slug>,
    pub display_name: String,
    /// The sort key, folded: the content's `sort-name`; without one, the last word, `\0`, and the whole display name.
    /// The search index reads the part before `\0`.
    pub(crate) sort_name: String,
    pub(crate) written_sort_name: Option<Box<str>>,
    /// The letters after the name: "MD, FACOG".
    pub credentials: String,
    pub provider_type: ProviderType,
    pub gender: Gender,
    pub bio: String,
    pub headshot: Option<Headshot>,
    pub menopause_society_certified: bool,
    /// Fields of special interest, in the order of content.
    pub clinical_interests: Vec<String>,
    pub languages: Vec<Language>,
    pub education: Vec<Education>,
    pub certifications: Vec<Certification>,
    /// By state, each list sorted; states without a plan are absent.
    pub(crate) insurance: Vec<(StateCode, Vec<PlanNumber>)>,
    /// In the order of content; enabled types only.
    pub visit_types: Vec<VisitTypeId>,
    pub licensed: StateSet,
    /// The states where this provider accepts new patients, always within `licensed`.
    pub accepting: StateSet,
    /// In order and apart from each other.
    pub leave: Vec<Leave>,
    /// Only exports contain it, if `publish-npis` says so; feeds may name clinicians by it.
    pub npi: Option<String>,
    pub(crate) specialties: Vec<Specialty>,
    pub record: Record,
}

impl Provider {
    /// The path on the site of a portrait from the content folder; `None` for one elsewhere.
    pub fn portrait_path(&self) -> Option<String> {
        match self.headshot.as_ref()? {
            Headshot::File { extension, .. } => Some(format!("headshots/{}.{extension}", self.slug)),
            Headshot::Address(_) => None,
        }
    }

    pub fn badges(&self) -> impl Iterator<Item = &str> {
        self.certifications.iter().filter_map(|entry| entry.badge.as_deref())
    }

    pub fn name_parts(&self) -> NameParts<'_> {
        NameParts::split(&self.display_name, self.written_sort_name.as_deref())
    }

    /// The codes and names of specialties, in the order of content; without any, that of the profession, if it has one.
    /// Only exports contain them.
    pub fn specialties(&self) -> Vec<(&str, &str)> {
        if self.specialties.is_empty() {
            return self.provider_type.codes(&self.credentials).1.into_iter().collect();
        }
        self.specialties.iter().map(|entry| (entry.code.as_str(), entry.name.as_str())).collect()
    }

    pub fn plans_in(&self, state: StateCode) -> &[PlanNumber] {
        let entry = self.insurance.iter().find(|(there, _)| *there == state);
        entry.map_or(&[], |(_, plans)| plans)
    }

    /// The states where a visit type can be booked with this clinician.
    pub fn bookable_in(&self, visit_type: &VisitType) -> StateSet {
        let own = if visit_type.new_patient_eligible { self.accepting } else { self.licensed };
        visit_type.states.intersection(own)
    }

    pub fn plans(&self) -> Vec<PlanNumber> {
        let mut plans: Vec<_> = self.insurance.iter().flat_map(|(_, plans)| plans).copied().collect();
        plans.sort_unstable();
        plans.dedup();
        plans
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct VisitType {
    pub id: VisitTypeId,
    pub name: String,
    pub description: String,
    pub modality: Modality,
    pub new_patient_eligible: bool,
    /// The length of the visit; `None` for types without appointments. Shown on pages, not in the API.
    pub duration_minutes: Option<u32>,
    /// The states where it may be offered, by clinicians who are licensed there.
    pub states: StateSet,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_parse_in_any_case_and_errors_list_the_allowed_words() {
        assert_eq!("NURSEpractitioner".parse(), Ok(ProviderType::NursePractitioner));
        assert_eq!("prefernottosay".parse(), Ok(Gender::PreferNotToSay));
        assert_eq!("doctor".parse::<ProviderType>(), Err(ProviderType::WORDS));
        assert_eq!(Gender::ALL.len(), Gender::WORDS.len());
    }
}

//! The domain types: the clinic as validated values.
//! Independent of the formats of content (`content::raw`) and answers (`api::wire`); no serde here. A value of these
//! types has passed every check of its type.

mod accuracy;
mod class;
mod directory;
mod discovery;
mod fold;
mod language;
mod name_parts;
mod names;
mod npi;
mod organization;
mod people;
mod phone;
mod profession;
mod provider;
mod schedule;
mod shrink;
mod standards;
mod state;
mod texts;
mod window;
mod words;

pub use accuracy::{
    Accuracy, AllowedFinding, Attester, Confirmation, FactGroup, FactHashes, FactHashesError, LawProfile,
    License, LicenseKind, Listing, Record, Sample, WhenLapsed,
};
pub use class::{Class, ClassError, Hours};
pub(crate) use directory::{AccuracyParts, DirectoryParts};
pub use directory::{Directory, Generation, ProviderNumber, SlugMatch};
pub use discovery::{
    Artwork, Discovery, LISTED_CHARACTERS, Notice, NoticeName, SecurityContact, StoreListing,
};
pub use fold::folded;
pub use language::{Language, LanguageError};
pub use name_parts::NameParts;
pub use names::{NameError, PlanName, ProviderId, Slug, VisitTypeId, address_words, slug_words};
pub(crate) use npi::is_npi;
pub(crate) use organization::SearchWord;
pub use organization::{Address, Organization, Patients, PhoneHours};
use people::People;
pub use phone::Phone;
pub use profession::ProviderType;
pub(crate) use profession::credential_words;
pub use provider::{
    Certification, Education, Gender, Headshot, Leave, Modality, PlanNumber, Provider, VisitType,
};
pub use schedule::{DEFAULT_NOTICE, Dated, Off, Schedule, ScheduleError, ScheduleParts, Weekly};
pub use shrink::{Baseline, MaxShrink, NotAShare, Shrunk};
pub use standards::{Specialty, Standards};
pub use state::{StateCode, StateSet, UnknownState};
pub(crate) use texts::TextTable;
pub use texts::{TextPart, Texts, on_one_line};
pub use window::{ClockTime, ClockTimeError, Window, WindowError};
pub(crate) use words::words;

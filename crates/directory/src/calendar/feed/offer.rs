//! Whether a free slot can be offered, and for which visit types.

use std::borrow::Cow;

use super::line::Owner;
use super::skipped::SkipReason;
use crate::model::{Directory, Modality, ProviderNumber, VisitTypeId};

/// Why a free slot is not offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnofferedBecause<'a> {
    /// Its Schedule is not active.
    Inactive,
    /// The feed lists the same time as taken.
    Taken,
    /// No video visit of the provider is as short as these seconds.
    TooShort(i64),
    /// The provider offers no video visit of these types.
    NotOffered(Cow<'a, [VisitTypeId]>),
}

/// The visit types that a free slot offers. `named`: the types that it names; `seconds`: its length. `None`: all
/// types that fit the length.
pub(super) fn types_offered<'a>(
    directory: &Directory,
    number: ProviderNumber,
    named: Option<Cow<'a, [VisitTypeId]>>,
    seconds: i64,
) -> Result<Option<Vec<VisitTypeId>>, UnofferedBecause<'a>> {
    let provider = directory.provider(number);
    let Some(named) = named else {
        let minutes = |id| directory.visit_type(id).and_then(|visit_type| visit_type.duration_minutes);
        let fits = |id: &VisitTypeId| minutes(*id).is_some_and(|it| i64::from(it) * 60 <= seconds);
        let fits_any = provider.visit_types.iter().any(fits);
        return if fits_any { Ok(None) } else { Err(UnofferedBecause::TooShort(seconds)) };
    };
    let is_offered = |id: &VisitTypeId| {
        let visit_type = directory.visit_type(*id);
        provider.visit_types.contains(id)
            && visit_type.is_some_and(|visit_type| visit_type.modality == Modality::Video)
    };
    let mut types: Vec<_> = named.iter().copied().filter(is_offered).collect();
    types.sort_unstable();
    types.dedup();
    if types.is_empty() { Err(UnofferedBecause::NotOffered(named)) } else { Ok(Some(types)) }
}

impl UnofferedBecause<'_> {
    pub(super) fn reason(&self) -> SkipReason {
        match self {
            Self::Inactive => SkipReason::Inactive,
            Self::Taken => SkipReason::Taken,
            Self::TooShort(_) | Self::NotOffered(_) => SkipReason::UnknownTypes,
        }
    }

    /// What is unusual about the slot, and what to do.
    pub(super) fn words(
        &self,
        directory: &Directory,
        owner: &Owner<'_>,
        number: ProviderNumber,
    ) -> (String, &'static str) {
        let slug = &directory.provider(number).slug;
        match self {
            Self::Inactive => {
                (format!("the {owner} isn't active"), "remove its free Slots, or make it active")
            }
            Self::Taken => {
                (format!("the feed also lists this time of the {owner} as busy"), "remove the outdated line")
            }
            Self::TooShort(seconds) => (
                format!("no video visit of {slug} is as short as {seconds} seconds"),
                "lengthen the slot, or name its visit types",
            ),
            Self::NotOffered(named) => {
                let named = named.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                (
                    format!("none of the types {named} is a video visit of {slug}"),
                    "use the numbers of video types in the clinician's `appointment-types`",
                )
            }
        }
    }
}

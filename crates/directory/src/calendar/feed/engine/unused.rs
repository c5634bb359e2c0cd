//! Says why the entries of an owner are not used.

use super::super::line::Owner;
use super::super::resolve::{Candidates, Resolution, map};
use super::super::skipped::SkipReason;
use crate::model::Slug;

/// Why the entries of an owner are not used. `is_withheld`: whether a provider is withheld for them.
pub(super) fn reason(resolution: &Resolution, is_withheld: bool) -> Option<SkipReason> {
    match resolution {
        Resolution::One(_) => None,
        Resolution::Several { .. } if !is_withheld => Some(SkipReason::SeveralPeople),
        Resolution::NotPublished(Candidates::None) if !is_withheld => Some(SkipReason::Retired),
        Resolution::Several { .. } | Resolution::NotPublished(_) => Some(SkipReason::NotPublished),
        Resolution::Unresolved { .. } => Some(SkipReason::Unresolved),
    }
}

/// The same in words, and what to do about it. `withheld` is the first provider that is withheld for them, and the number of
/// others.
pub(super) fn explain(
    owner: &Owner<'_>,
    resolution: &Resolution,
    withheld: Option<(&Slug, usize)>,
) -> Option<(String, String)> {
    let (mut what, help) = match resolution {
        Resolution::One(_) => return None,
        Resolution::Several { .. } => (
            match withheld {
                Some(_) => format!(
                    "the {owner} belongs to several people, and the content lacks at least one of them"
                ),
                None => format!("the {owner} is of several people"),
            },
            format!("publish a Schedule for each, or {}", owner.map_by_hand()),
        ),
        Resolution::NotPublished(Candidates::None) => (
            format!("the {owner} is a clinician who has left"),
            "remove its lines from the feed if the time belongs to no clinician of the content".to_owned(),
        ),
        Resolution::NotPublished(_) => (
            format!("the {owner} is of a clinician, a place or a service that the content does not have"),
            format!(
                "ignore this if it belongs to no clinician of the content; otherwise {}",
                owner.map_by_hand()
            ),
        ),
        Resolution::Unresolved { what, help } => (what.clone(), help.clone()),
    };
    if let Some((first, others)) = withheld {
        let others = match others {
            0 => String::new(),
            1 => " or of one other".to_owned(),
            _ => format!(" or of one of {others} others"),
        };
        what = format!("{what}: its time may be that of {first}{others}, so no time of theirs is offered");
    }
    Some((what, help))
}

impl Owner<'_> {
    fn map_by_hand(&self) -> String {
        match self {
            Self::Provider(_) => "leave its lines out of the feed".to_owned(),
            Self::Schedule(id) => map(id),
        }
    }
}

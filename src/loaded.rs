//! The content with which a service starts.

use std::path::Path;

use directory::content::{
    Checked, ContentError, Report, load_and_check_beside_feed, load_and_check_to_serve,
};
use feed::Clock;

use crate::content::report_error;
use crate::outcome::Refusal;
use crate::state::LastGood;
use authoring::edit::read_between_edits;

pub(crate) enum LoadedContent {
    Whole(Checked),
    /// With errors in the folder's feed only, which the report lists.
    BesideFeed(Checked, Box<Report>),
    /// The folder has errors. This is the last good content.
    LastGood(LastGood),
}

impl LoadedContent {
    pub(crate) fn checked(&self) -> &Checked {
        match self {
            Self::Whole(checked) | Self::BesideFeed(checked, _) => checked,
            Self::LastGood(kept) => &kept.checked,
        }
    }

    pub(crate) fn into_checked(self) -> Checked {
        match self {
            Self::Whole(checked) | Self::BesideFeed(checked, _) => checked,
            Self::LastGood(kept) => kept.checked,
        }
    }
}

pub(crate) enum NotServed {
    Content(ContentError),
    Unfinished(Refusal),
}

impl NotServed {
    pub(crate) fn drawn(&self) -> String {
        match self {
            Self::Content(error) => error.drawn(),
            Self::Unfinished(refusal) => refusal.to_string(),
        }
    }

    pub(crate) fn report<T>(self) -> Result<Option<T>, Refusal> {
        match self {
            // A folder may be mounted later.
            Self::Content(error) => report_error(error).map_err(Refusal::passing),
            Self::Unfinished(refusal) => Err(refusal.passing()),
        }
    }
}

/// A service polls the folder's feed, so errors in the feed do not prevent its start.
pub(crate) fn load_to_serve(folder: &Path, clock: Clock) -> Result<LoadedContent, NotServed> {
    let today = clock.now().date_naive();
    let load = || match load_and_check_to_serve(folder, today) {
        Ok(checked) => Ok(LoadedContent::Whole(checked)),
        Err(ContentError::Invalid(report)) => match load_and_check_beside_feed(folder, today) {
            Ok(checked) => Ok(LoadedContent::BesideFeed(checked, report)),
            Err(_) => Err(NotServed::Content(ContentError::Invalid(report))),
        },
        Err(error) => Err(NotServed::Content(error)),
    };
    read_between_edits(folder, load).map_err(NotServed::Unfinished)?
}

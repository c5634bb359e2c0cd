//! Reads the content that a service serves first: that of the folder, or the copy that was kept before a restart.

use std::path::Path;
use std::sync::PoisonError;

use feed::Clock;

use crate::loaded::{LoadedContent, load_to_serve};
use crate::outcome::Refusal;
use crate::recently_served::SharedRecent;
use crate::settings::Settings;
use crate::state::{AtStart, StateFolder};

pub(super) struct First {
    pub(super) content: LoadedContent,
    /// Why the folder's content is not served.
    pub(super) refused: Option<String>,
    /// Whether that is because too much was lost.
    pub(super) is_held: bool,
}

impl First {
    fn of_folder(content: LoadedContent) -> Self {
        Self { content, refused: None, is_held: false }
    }
}

/// Reads the folder, and compares it with what was served before the restart. `None`: it has errors, which were reported.
pub(super) fn read(
    (settings, recent): (&Settings, &SharedRecent),
    state: Option<&StateFolder>,
    folder: &Path,
    clock: Clock,
) -> Result<Option<First>, Refusal> {
    let is_strict = settings.strict;
    let content = match load_to_serve(folder, clock) {
        Ok(content) => content,
        Err(reason) => {
            return match state.filter(|_| !is_strict).map_or(Ok(None), |state| state.last_good(clock)) {
                Ok(Some(kept)) => Ok(Some(First {
                    content: LoadedContent::LastGood(kept),
                    refused: Some(reason.drawn()),
                    is_held: false,
                })),
                Ok(None) => reason.report(),
                Err(why) => {
                    tracing::error!("the copy of the last good content isn't served: {why}");
                    reason.report()
                }
            };
        }
    };
    let Some(state) = state else { return Ok(Some(First::of_folder(content))) };
    let compared = state.compare(&content.checked().directory, settings.content_max_shrink, clock);
    let (first, served) = match compared {
        Ok(AtStart::Allowed(recent)) => (First::of_folder(content), recent),
        Ok(AtStart::Lost { shrunk, .. }) if is_strict => {
            return Err(Refusal::new(format!(
                "{shrunk} since this service last ran. Restore the content folder. If the loss is intended, start with \
                 --content-max-shrink 1, then restart without it"
            )));
        }
        Ok(AtStart::Lost { last_good, recent, shrunk }) => {
            let refused = Some(format!("{shrunk} since this service last ran"));
            let content = LoadedContent::LastGood(*last_good);
            (First { content, refused, is_held: true }, Some(recent))
        }
        Err(why) => {
            tracing::error!("the content isn't compared with what was served before the restart: {why}");
            (First::of_folder(content), None)
        }
    };
    *recent.lock().unwrap_or_else(PoisonError::into_inner) = served;
    Ok(Some(first))
}

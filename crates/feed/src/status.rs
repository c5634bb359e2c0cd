//! The state of a feed: the age of its data, what is held, and the last error.

use std::sync::Arc;
use std::time::Duration;

use directory::calendar::{Ages, Judgement, Skipped};

use crate::event::moment;

#[derive(Debug, Clone, Default)]
pub struct FeedStatus {
    pub ages: Ages,
    /// What is wrong with the source, or with a part of it.
    pub last_error: Option<String>,
    /// Why the data that was saved before the start cannot be used. The first reading was then compared with nothing.
    pub memory_error: Option<String>,
    /// Why the data in use cannot be saved for the next start.
    pub memory_write_error: Option<String>,
    /// Why something is held, if it is.
    pub held: Option<String>,
    /// What an operator names to accept what is held.
    pub token: Option<String>,
    /// The entries that are not used.
    pub skipped: Arc<Skipped>,
    /// The number of looks that failed, and of readings with something held or wrong.
    pub failures: u64,
    /// The number of readings that were applied.
    pub applied: u64,
}

/// The result of accepting what is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// It is applied; the text says what that does to the providers' open times.
    Applied(String),
    NothingHeld,
    /// Something else is held than what the operator names.
    Other {
        /// What to name.
        token: String,
        /// Why it is held.
        what: String,
    },
    /// It cannot be applied, for this reason.
    Refused(String),
}

impl Accepted {
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Applied(effect) => effect,
            Self::NothingHeld => "nothing was held",
            Self::Other { .. } => "something else was held",
            Self::Refused(why) => why,
        }
    }
}

impl FeedStatus {
    /// The freshness now, and the providers without open times. A feed that was never read is expired.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        self.ages.judge(moment())
    }

    /// The age of each part, by its name.
    #[must_use]
    pub fn parts(&self) -> Vec<(Arc<str>, Duration)> {
        self.ages.parts(moment())
    }
}

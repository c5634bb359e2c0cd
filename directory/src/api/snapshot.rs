//! One question, one answer: [`Snapshot::answer`] is the only function that makes a body.
//!
//! The file on the CDN, the live service's reply, the MCP tool's text and `nameplate query` all carry the
//! bytes that come from here. `now` is a parameter; nothing here reads a clock.

use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};

use super::answer::Answer;
use super::catalogue::Catalogue;
use super::fault::Fault;
use super::request::{Question, Request};
use super::search::Bodies;
use super::slots;
use crate::calendar::{Calendar, Instant};
use crate::model::Directory;

/// A directory and the calendar made of it. They change at different speeds, so each is shared.
#[derive(Debug, Clone)]
pub struct Snapshot {
    catalogue: Arc<Catalogue>,
    /// Made at the first use where [`Snapshot::with_calendar`] has set none: a build needs no calendar.
    calendar: OnceLock<Arc<Calendar>>,
}

impl Snapshot {
    /// Prepares every answer that does not depend on the time. A server adds a calendar rolled to now.
    #[must_use]
    pub fn new(directory: Directory) -> Self {
        Self::with_bodies(directory, Bodies::Kept)
    }

    /// The same answers for a build, which asks each question once: profiles are serialized on demand, so that
    /// memory does not hold all of them beside the directory.
    #[must_use]
    pub fn for_publishing(directory: Directory) -> Self {
        Self::with_bodies(directory, Bodies::Made)
    }

    fn with_bodies(directory: Directory, bodies: Bodies) -> Self {
        Self { catalogue: Arc::new(Catalogue::new(directory, bodies)), calendar: OnceLock::new() }
    }

    /// The same directory with another calendar, which was made of it.
    #[must_use]
    pub fn with_calendar(&self, calendar: impl Into<Arc<Calendar>>) -> Self {
        Self { catalogue: Arc::clone(&self.catalogue), calendar: OnceLock::from(calendar.into()) }
    }

    /// What is open.
    #[must_use]
    pub fn calendar(&self) -> &Calendar {
        self.calendar.get_or_init(|| Arc::new(Calendar::unrolled(self.directory())))
    }

    /// The directory that is answered from.
    #[must_use]
    pub fn directory(&self) -> &Directory {
        self.catalogue.directory()
    }

    /// Answers a question as of `now`.
    ///
    /// # Errors
    /// What was asked for does not exist, or is not known at the moment.
    pub fn answer(&self, request: &Request, now: DateTime<Utc>) -> Result<Answer, Fault> {
        match request.question() {
            Question::States => Ok(self.catalogue.states()),
            Question::Insurances { state } => Ok(self.catalogue.insurances(*state)),
            Question::Providers(search) => self.catalogue.providers(search),
            Question::Provider { slug } => self.catalogue.provider(slug),
            Question::AppointmentTypes { state } => Ok(self.catalogue.visit_types(*state)),
            Question::Availability(search) => {
                slots::answer(self.directory(), self.calendar(), search, Instant::ceil(now))
            }
        }
    }
}

//! [`Snapshot::answer`] is the only function that makes the body of an answer: published files, the live service, MCP
//! tools and `nameplate query` all use its bytes. `now` is a parameter; nothing here reads a clock.

use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};

use super::answer::Answer;
use super::catalog::Catalog;
use super::fault::Fault;
use super::question::Question;
use super::request::Request;
use super::search::Profiles;
use super::slots;
use crate::calendar::{Calendar, Instant};
use crate::model::Directory;

/// The two are shared separately, because the calendar is replaced more often.
#[derive(Debug, Clone)]
pub struct Snapshot {
    catalog: Arc<Catalog>,
    /// Made on first use unless [`Snapshot::with_calendar`] has set one: a build needs no calendar.
    calendar: OnceLock<Arc<Calendar>>,
}

impl Snapshot {
    /// Prepares the answers that do not depend on the time. A server then adds a calendar rolled to now.
    pub fn new(directory: Directory) -> Self {
        Self::with_profiles(directory, Profiles::Stored)
    }

    /// Serializes profiles on demand, which takes less memory: for a build, which makes each answer once.
    pub fn for_publishing(directory: Directory) -> Self {
        Self::with_profiles(directory, Profiles::OnDemand)
    }

    fn with_profiles(directory: Directory, profiles: Profiles) -> Self {
        Self { catalog: Arc::new(Catalog::new(directory, profiles)), calendar: OnceLock::new() }
    }

    #[must_use]
    pub fn with_calendar(&self, calendar: impl Into<Arc<Calendar>>) -> Self {
        Self { catalog: Arc::clone(&self.catalog), calendar: OnceLock::from(calendar.into()) }
    }

    pub fn calendar(&self) -> &Calendar {
        self.calendar.get_or_init(|| Arc::new(Calendar::unrolled(self.directory())))
    }

    pub fn directory(&self) -> &Directory {
        &self.catalog.directory
    }

    pub fn answer(&self, request: &Request, now: DateTime<Utc>) -> Result<Answer, Fault> {
        match request.question() {
            Question::States => Ok(self.catalog.states.clone()),
            Question::Insurances { state } => Ok(self.catalog.insurances.get(*state)),
            Question::Providers(search) => self.catalog.providers(search),
            Question::Provider { slug } => self.catalog.provider(slug),
            Question::ProviderNamed { name } => self.catalog.provider_named(name),
            Question::AppointmentTypes { state } => Ok(self.catalog.visit_types.get(*state)),
            Question::Availability(search) => {
                slots::answer(&self.catalog, self.calendar(), search, Instant::ceil(now))
            }
        }
    }

    /// What an assistant reads beside the answer that it got.
    pub fn note(&self, request: &Request, now: DateTime<Utc>, answer: &Answer) -> Option<String> {
        let Question::Availability(search) = request.question() else { return None };
        slots::note(&self.catalog, self.calendar(), search, Instant::ceil(now), answer)
    }
}

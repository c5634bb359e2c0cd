//! One question, one answer: [`Snapshot::answer`] is the only function that makes a body.
//!
//! The file on the CDN, the live service's reply, the MCP tool's text and `nameplate query` all carry the
//! bytes that come from here. `now` is a parameter; nothing here reads a clock.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use chrono::{DateTime, Utc};
use etag::EntityTag;

use super::catalogue::Catalogue;
use super::fault::Fault;
use super::remembered::Remembered;
use super::request::{Question, Request, SlotSearch};
use super::search::Bodies;
use super::slots;
use crate::calendar::{Calendar, Instant};
use crate::model::Directory;

/// For how long an answer may be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caching {
    /// Changes with the content.
    Catalogue,
    /// Changes by the minute.
    Availability,
}

impl Caching {
    /// The value of `Cache-Control`.
    #[must_use]
    pub fn cache_control(self) -> &'static str {
        match self {
            Self::Catalogue => "public, max-age=300, stale-while-revalidate=300, stale-if-error=86400",
            Self::Availability => "public, max-age=60",
        }
    }
}

/// The response headers that pages from elsewhere may read: the value of `Access-Control-Expose-Headers`.
pub const EXPOSED_HEADERS: &str =
    "ETag, Retry-After, X-Ignored-Parameters, Availability-As-Of, Availability-Status, Nameplate-Generation";

/// An answer, whole.
#[derive(Debug, Clone)]
pub struct Answer {
    body: Bytes,
    /// Made when it is first asked for: a tool's result has no use for it.
    etag: OnceLock<EntityTag>,
    caching: Caching,
    /// Aside, so that an answer is short: it is moved from hand to hand.
    aside: Option<Box<Aside>>,
}

/// What few answers have.
#[derive(Debug, Clone, Default)]
struct Aside {
    /// The path of today, where a former one was asked for.
    moved_to: Option<String>,
    /// When it was last known to be true, where it is not known now.
    as_of: Option<DateTime<Utc>>,
}

// With the moment beside it in `Holding` it has 128 bytes, the most that is moved without a call.
const _: () = assert!(size_of::<Answer>() <= 112);

impl Answer {
    pub(super) fn new(body: impl Into<Bytes>, caching: Caching) -> Self {
        let (body, etag) = (body.into(), OnceLock::new());
        Self { body, etag, caching, aside: None }
    }

    /// An answer that will be given again and again: its tag is made now.
    pub(super) fn prepared(body: impl Into<Bytes>, caching: Caching) -> Self {
        let answer = Self::new(body, caching);
        _ = answer.etag();
        answer
    }

    /// Known to be true at that moment, and not since.
    pub(super) fn stale_since(mut self, as_of: Instant) -> Self {
        self.aside.get_or_insert_default().as_of = Some(as_of.into());
        self
    }

    pub(super) fn moved_to(mut self, path: String) -> Self {
        self.aside.get_or_insert_default().moved_to = Some(path);
        self
    }

    /// The body: JSON.
    #[must_use]
    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The strong entity tag of the body's bytes.
    #[must_use]
    pub fn etag(&self) -> &EntityTag {
        self.etag.get_or_init(|| EntityTag::from_data(&self.body))
    }

    /// For how long it may be kept.
    #[must_use]
    pub fn caching(&self) -> Caching {
        self.caching
    }

    /// The path under which it is to be asked for from now on; REST redirects there, others just answer.
    #[must_use]
    pub fn moved_path(&self) -> Option<&str> {
        self.aside.as_ref()?.moved_to.as_deref()
    }

    /// When the slots were last known to be true, where the feed behind them is late.
    #[must_use]
    pub fn as_of(&self) -> Option<DateTime<Utc>> {
        self.aside.as_ref()?.as_of
    }
}

/// A directory and a calendar that belong together. They change at different speeds, so each is shared.
#[derive(Debug, Clone)]
pub struct Snapshot {
    catalogue: Arc<Catalogue>,
    /// Of a snapshot that nobody has given one, it is made when it is first asked for: a build has no use for it.
    calendar: OnceLock<Arc<Calendar>>,
    /// What was answered from this calendar.
    remembered: Arc<Remembered<SlotSearch>>,
}

impl Snapshot {
    /// Prepares what can be prepared without knowing the time: open slots are worked out when they are asked
    /// for. Whoever serves adds a calendar that was rolled to now.
    #[must_use]
    pub fn new(directory: Directory) -> Self {
        Self::with_bodies(directory, Bodies::Kept)
    }

    /// The same answers for whoever asks each question once, as a build does: a profile is serialized when it is
    /// asked for, so that not all of them stand in memory beside the directory.
    #[must_use]
    pub fn for_publishing(directory: Directory) -> Self {
        Self::with_bodies(directory, Bodies::Made)
    }

    fn with_bodies(directory: Directory, bodies: Bodies) -> Self {
        let catalogue = Arc::new(Catalogue::new(directory, bodies));
        Self { catalogue, calendar: OnceLock::new(), remembered: Arc::new(Remembered::new()) }
    }

    /// The same directory with another calendar, which was made of it.
    #[must_use]
    pub fn with_calendar(&self, calendar: impl Into<Arc<Calendar>>) -> Self {
        let calendar = OnceLock::from(calendar.into());
        Self { catalogue: Arc::clone(&self.catalogue), calendar, remembered: Arc::new(Remembered::new()) }
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
    /// What was asked for does not exist, or cannot be told at the moment.
    pub fn answer(&self, request: &Request, now: DateTime<Utc>) -> Result<Answer, Fault> {
        match request.question() {
            Question::States => Ok(self.catalogue.states()),
            Question::Insurances { state } => Ok(self.catalogue.insurances(*state)),
            Question::Providers(search) => self.catalogue.providers(search),
            Question::Provider { slug } => self.catalogue.provider(slug),
            Question::AppointmentTypes { state } => Ok(self.catalogue.visit_types(*state)),
            Question::Availability(search) => {
                let now = Instant::ceil(now);
                let make =
                    |kept| slots::answer(self.catalogue.directory(), self.calendar(), search, now, kept);
                self.remembered.answer(search, now, make)
            }
        }
    }
}

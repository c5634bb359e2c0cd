//! [`FhirExport::answer`] makes every document of the export.

use chrono::{DateTime, Utc};

use super::context::Context;
use super::rows::{FHIR_RESOURCES, FhirResource};
use super::systems::NDJSON;
use super::target::FhirTarget;
use super::time::Moment;
use super::{capability, manifest, resource, slots};
use directory::api::Fault;
use directory::calendar::{Calendar, Freshness, Instant};
use directory::model::Directory;

#[derive(Debug)]
pub struct FhirExport<'a>(Context<'a>);

#[derive(Debug, Clone)]
pub struct FhirDocument {
    pub body: Vec<u8>,
    /// When the slots were last known to be right, if the feed is late.
    pub as_of: Option<Instant>,
}

/// What can change a document. Each case includes those above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FhirChange {
    Content,
    Feed,
    /// The content, the feed and the time: the start of the published minute, and the time from which slots are listed.
    Minute(Instant, Instant),
}

impl FhirTarget {
    /// How long a client may keep the document.
    #[must_use]
    pub fn cache_control(&self) -> &'static str {
        match self {
            Self::Manifest | Self::Slots(_) => "public, max-age=60",
            Self::File(_) | Self::Metadata | Self::Resource(..) => "public, max-age=300",
        }
    }

    /// The media type of the document, whatever the client accepts.
    #[must_use]
    pub fn media_type(&self) -> &'static str {
        match self {
            Self::Manifest => "application/json",
            Self::File(_) | Self::Slots(_) => NDJSON,
            Self::Metadata | Self::Resource(..) => "application/fhir+json",
        }
    }
}

impl<'a> FhirExport<'a> {
    /// The export of a directory; `None` if its content has no `[standards]`.
    #[must_use]
    pub fn of(directory: &'a Directory) -> Option<Self> {
        Context::of(directory).map(Self)
    }

    #[must_use]
    pub fn file(&self, row: &FhirResource) -> Vec<u8> {
        resource::lines((row.all)(&self.0))
    }

    /// The document of a target as of `now`; `None` if there is none.
    /// Fails only for the manifest and the slots, while all openings are unknown.
    pub fn answer(
        &self,
        target: &FhirTarget,
        calendar: &Calendar,
        now: DateTime<Utc>,
    ) -> Result<Option<FhirDocument>, Fault> {
        let (directory, moment) = (self.0.directory, Moment::of(now));
        let body = match target {
            FhirTarget::File(row) => Some(self.file(row)),
            FhirTarget::Metadata => Some(capability::statement(&self.0)),
            FhirTarget::Resource(row, id) => (row.find)(&self.0, id).map(|resource| resource.json),
            FhirTarget::Slots(file) if !slots::is_published(directory, moment, *file) => None,
            FhirTarget::Slots(_) | FhirTarget::Manifest if calendar.is_all_unknown(directory) => {
                return Err(Fault::availability_unavailable(calendar));
            }
            FhirTarget::Slots(file) => Some(slots::lines(&self.0, calendar, moment, *file)),
            FhirTarget::Manifest => Some(manifest::manifest(&self.0, calendar, moment)),
        };
        let as_of = match (target, calendar.freshness()) {
            (FhirTarget::Slots(_) | FhirTarget::Manifest, Freshness::Stale { as_of }) => Some(as_of),
            _ => None,
        };
        Ok(body.map(|body| FhirDocument { body, as_of }))
    }

    /// What the document of a target depends on from `now` on.
    #[must_use]
    pub fn change(&self, target: &FhirTarget, calendar: &Calendar, now: DateTime<Utc>) -> FhirChange {
        let moment = Moment::of(now);
        let minute = FhirChange::Minute(moment.published, moment.bookable_from);
        match target {
            FhirTarget::File(_) | FhirTarget::Metadata | FhirTarget::Resource(..) => FhirChange::Content,
            FhirTarget::Manifest => minute,
            FhirTarget::Slots(file) if !slots::is_published(self.0.directory, moment, *file) => minute,
            FhirTarget::Slots(file)
                if file.day.begin() < calendar.longest_notice_after(moment.bookable_from) =>
            {
                minute
            }
            FhirTarget::Slots(_) => FhirChange::Feed,
        }
    }

    /// The files of a publication: the resources, the slots, and last the manifest, which lists the others.
    pub fn files(&self, now: DateTime<Utc>) -> impl Iterator<Item = FhirTarget> {
        let resources = FHIR_RESOURCES.iter().map(FhirTarget::File);
        let slots = slots::files(self.0.directory, Moment::of(now)).map(FhirTarget::Slots);
        resources.chain(slots).chain([FhirTarget::Manifest])
    }
}

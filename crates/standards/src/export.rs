//! [`FhirExport::answer`] returns every document of the export.

use chrono::{DateTime, Utc};

use super::capability::capability_statement;
use super::context::Context;
use super::manifest::manifest;
use super::resource_types::{FHIR_RESOURCE_TYPES, FhirResourceType};
use super::systems::NDJSON;
use super::target::FhirTarget;
use super::time::Moment;
use super::{resource, slots};
use directory::api::Fault;
use directory::calendar::{Calendar, Freshness, Instant};
use directory::model::Directory;

#[derive(Debug)]
pub struct FhirExport<'a>(Context<'a>);

#[derive(Debug, Clone)]
pub struct FhirDocument {
    pub body: Vec<u8>,
    /// The time of the last good feed, if the document has or counts slots and the feed is late.
    pub as_of: Option<Instant>,
}

/// What can change a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FhirChange {
    /// Only new content.
    Content,
    /// New content or the feed.
    Feed,
    /// New content, the feed or the time: the document is valid for one minute.
    Minute(Moment),
}

impl FhirTarget {
    #[must_use]
    pub fn cache_control(&self) -> &'static str {
        match self {
            Self::Manifest | Self::Slots(_) => "public, max-age=60",
            Self::File(_) | Self::Metadata | Self::Resource(..) => "public, max-age=300",
        }
    }

    /// Returns the document's media type, which does not depend on what the client accepts.
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
    /// Returns `None` if the directory's content has no `[standards]`.
    #[must_use]
    pub fn new(directory: &'a Directory) -> Option<Self> {
        Context::new(directory).map(Self)
    }

    #[must_use]
    pub fn resource_file(&self, resource_type: &FhirResourceType) -> Vec<u8> {
        resource::to_lines((resource_type.all)(&self.0))
    }

    /// Returns the target's document as of `now`, or `None` if it does not exist.
    /// Fails only for the manifest and the slots, and only while no clinician's openings are known.
    pub fn answer(
        &self,
        target: &FhirTarget,
        calendar: &Calendar,
        now: DateTime<Utc>,
    ) -> Result<Option<FhirDocument>, Fault> {
        let context = &self.0;
        let moment = Moment::new(now);
        let body = match target {
            FhirTarget::File(resource_type) => Some(self.resource_file(resource_type)),
            FhirTarget::Metadata => Some(capability_statement(context)),
            FhirTarget::Resource(resource_type, id) => {
                (resource_type.find)(context, id).map(|resource| resource.json)
            }
            FhirTarget::Slots(file) if !slots::is_published(context.directory, moment, *file) => None,
            FhirTarget::Slots(_) | FhirTarget::Manifest if calendar.is_all_unknown(context.directory) => {
                return Err(Fault::availability_unavailable(calendar));
            }
            FhirTarget::Slots(file) => Some(slots::lines(context, calendar, moment, *file)),
            FhirTarget::Manifest => Some(manifest(context, calendar, moment)),
        };
        let as_of = match (target, calendar.freshness()) {
            (FhirTarget::Slots(_) | FhirTarget::Manifest, Freshness::Stale { as_of }) => Some(as_of),
            _ => None,
        };
        Ok(body.map(|body| FhirDocument { body, as_of }))
    }

    /// Says what can change the target's document after `now`.
    #[must_use]
    pub fn change(&self, target: &FhirTarget, calendar: &Calendar, now: DateTime<Utc>) -> FhirChange {
        let moment = Moment::new(now);
        match target {
            FhirTarget::File(_) | FhirTarget::Metadata | FhirTarget::Resource(..) => FhirChange::Content,
            FhirTarget::Manifest => FhirChange::Minute(moment),
            FhirTarget::Slots(file) => {
                // Time changes slots in two ways: it adds and removes whole files, and it closes slots that start too soon to be
                // booked. A day that begins after the longest notice has no such slots, so only the feed can change its file.
                let depends_on_feed_alone = slots::is_published(self.0.directory, moment, *file)
                    && file.day.start() >= calendar.longest_notice_after(moment.bookable_from);
                if depends_on_feed_alone { FhirChange::Feed } else { FhirChange::Minute(moment) }
            }
        }
    }

    /// Returns the files of a publication: the resources, the slots, and last the manifest, which lists the others.
    pub fn files(&self, now: DateTime<Utc>) -> impl Iterator<Item = FhirTarget> {
        let resources = FHIR_RESOURCE_TYPES.iter().map(FhirTarget::File);
        let slots = slots::files(self.0.directory, Moment::new(now)).map(FhirTarget::Slots);
        resources.chain(slots).chain([FhirTarget::Manifest])
    }
}

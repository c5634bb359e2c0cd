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
    /// The time of the last good feed, if the document depends on slots and the feed is late.
    pub as_of: Option<Instant>,
}

/// What can change a document: each also what the ones before it name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FhirChange {
    Content,
    Feed,
    /// Also the time: the document is valid for one minute.
    Minute(Moment),
}

impl FhirTarget {
    pub fn cache_control(&self) -> &'static str {
        match self {
            Self::Manifest | Self::Slots(_) => "public, max-age=60",
            Self::File(_) | Self::Metadata | Self::Resource(..) => "public, max-age=300",
        }
    }

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
    pub fn new(directory: &'a Directory) -> Option<Self> {
        Context::new(directory).map(Self)
    }

    pub fn resource_file(&self, resource_type: &FhirResourceType) -> Vec<u8> {
        resource::to_lines((resource_type.all)(&self.0))
    }

    /// `None` if it does not exist. Fails only for the manifest and the slots, while no clinician's openings are known.
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

    pub fn change(&self, target: &FhirTarget, calendar: &Calendar, now: DateTime<Utc>) -> FhirChange {
        let moment = Moment::new(now);
        match target {
            FhirTarget::File(_) | FhirTarget::Metadata | FhirTarget::Resource(..) => FhirChange::Content,
            FhirTarget::Manifest => FhirChange::Minute(moment),
            FhirTarget::Slots(file) => {
                // Time adds and removes whole files, and closes slots that start too soon to be booked. A day that begins
                // after the longest notice has no such slots, so only the feed can change its file.
                let depends_on_feed_alone = slots::is_published(self.0.directory, moment, *file)
                    && file.day.start() >= calendar.longest_notice_after(moment.bookable_from);
                if depends_on_feed_alone { FhirChange::Feed } else { FhirChange::Minute(moment) }
            }
        }
    }

    /// The resources, the slots, and last the manifest, which lists the others.
    pub fn files(&self, now: DateTime<Utc>) -> impl Iterator<Item = FhirTarget> {
        let resources = FHIR_RESOURCE_TYPES.iter().map(FhirTarget::File);
        let slots = slots::files(self.0.directory, Moment::new(now)).map(FhirTarget::Slots);
        resources.chain(slots).chain([FhirTarget::Manifest])
    }
}

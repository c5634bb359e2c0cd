//! Schedules: one for each clinician and type of video visit that can be booked somewhere, because the type decides who may
//! book and how long the visit is. They depend only on the content, so even a clinician without hours has them.

use rayon::prelude::*;
use serde_json::json;

use super::context::{Context, bookable_states};
use super::data::reference;
use super::ids;
use super::organization::visit_type_concept;
use super::people::role_id;
use super::resource::Resource;
use super::systems::SCHEDULE_PROFILE;
use directory::model::{Provider, ProviderNumber, StateSet, VisitType};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer<'a> {
    pub(crate) provider_number: ProviderNumber,
    pub(crate) provider: &'a Provider,
    pub(crate) visit_type: &'a VisitType,
    pub(crate) minutes: u32,
    pub(crate) states: StateSet,
}

impl Offer<'_> {
    pub(crate) fn schedule_id(&self) -> String {
        format!("{}.{}", ids::id_prefix(&self.provider.id), self.visit_type.id)
    }
}

pub(crate) fn offers<'a>(context: &Context<'a>) -> Vec<Offer<'a>> {
    let directory = context.directory;
    directory.provider_numbers().flat_map(|number| offers_by(context, number)).collect()
}

fn offers_by<'a>(context: &Context<'a>, provider_number: ProviderNumber) -> impl Iterator<Item = Offer<'a>> {
    let directory = context.directory;
    let provider = directory.provider(provider_number);
    provider.visit_types.iter().filter_map(move |&id| {
        let visit_type = directory.visit_type(id)?;
        // Only video visits have a duration.
        let minutes = visit_type.duration_minutes?;
        let states = bookable_states(provider, visit_type);
        (!states.is_empty()).then_some(Offer { provider_number, provider, visit_type, minutes, states })
    })
}

pub(crate) fn schedules(context: &Context<'_>) -> Vec<Resource> {
    offers(context).par_iter().with_min_len(64).map(|offer| schedule(context, offer)).collect()
}

pub(crate) fn find_schedule(context: &Context<'_>, id: &str) -> Option<Resource> {
    let (prefix, visit_type) = id.rsplit_once('.')?;
    let number = ids::find_provider(context.directory, prefix)?;
    let offer = offers_by(context, number).find(|offer| offer.visit_type.id.to_string() == visit_type)?;
    Some(schedule(context, &offer))
}

fn schedule(context: &Context<'_>, offer: &Offer<'_>) -> Resource {
    let (id, provider) = (offer.schedule_id(), offer.provider);
    let practitioner = reference("Practitioner", provider.id.as_str(), Some(&provider.display_name));
    let roles_and_locations = offer.states.iter().flat_map(|state| {
        let role = reference("PractitionerRole", &role_id(provider, state), None);
        [role, reference("Location", state.code(), None)]
    });
    let actors = [practitioner].into_iter().chain(roles_and_locations);
    let schedule = json!({
        "resourceType": "Schedule",
        "id": id,
        "meta": { "profile": [SCHEDULE_PROFILE] },
        "active": true,
        "serviceType": [visit_type_concept(context, offer.visit_type)],
        "actor": actors.collect::<Vec<_>>(),
    });
    Resource::new(id, schedule)
}

//! Schedules: one for each clinician and type of video visit that can be booked in some state, because the type says
//! who may book and how long the visit is. They depend on the content alone: a clinician without hours has them, too.

use rayon::prelude::*;
use serde_json::json;

use super::context::{Context, offered_in};
use super::data::reference;
use super::ids;
use super::organisation::visit_concept;
use super::people::role_id;
use super::resource::Resource;
use super::systems::SCHEDULE_PROFILE;
use directory::model::{Provider, ProviderNumber, StateSet, VisitType};

/// A clinician's visits of one type, and the states where they can be booked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer<'a> {
    pub(crate) number: ProviderNumber,
    pub(crate) provider: &'a Provider,
    pub(crate) visit_type: &'a VisitType,
    pub(crate) minutes: u32,
    pub(crate) states: StateSet,
}

impl Offer<'_> {
    /// The id of its Schedule.
    pub(crate) fn id(&self) -> String {
        format!("{}.{}", ids::part(&self.provider.id), self.visit_type.id)
    }
}

/// Every offer, by clinician.
pub(crate) fn offers<'a>(context: &Context<'a>) -> Vec<Offer<'a>> {
    let directory = context.directory;
    directory.provider_numbers().flat_map(|number| offers_of(context, number)).collect()
}

fn offers_of<'a>(context: &Context<'a>, number: ProviderNumber) -> impl Iterator<Item = Offer<'a>> {
    let directory = context.directory;
    let provider = directory.provider(number);
    provider.visit_types.iter().filter_map(move |&id| {
        let visit_type = directory.visit_type(id)?;
        let (minutes, states) = (visit_type.duration_minutes?, offered_in(provider, visit_type));
        (!states.is_empty()).then_some(Offer { number, provider, visit_type, minutes, states })
    })
}

pub(crate) fn schedules(context: &Context<'_>) -> Vec<Resource> {
    offers(context).par_iter().with_min_len(64).map(|offer| schedule(context, offer)).collect()
}

pub(crate) fn find_schedule(context: &Context<'_>, id: &str) -> Option<Resource> {
    let (provider, visit_type) = id.rsplit_once('.')?;
    let provider = ids::provider_of(context.directory, provider)?;
    let number = context.directory.with_id(provider.id.as_str())?;
    let offer = offers_of(context, number).find(|offer| offer.visit_type.id.to_string() == visit_type)?;
    Some(schedule(context, &offer))
}

fn schedule(context: &Context<'_>, offer: &Offer<'_>) -> Resource {
    let (id, provider) = (offer.id(), offer.provider);
    let person = reference("Practitioner", provider.id.as_str(), Some(&provider.display_name));
    let places = offer.states.iter().flat_map(|state| {
        let role = reference("PractitionerRole", &role_id(provider, state), None);
        [role, reference("Location", state.code(), None)]
    });
    let actors = [person].into_iter().chain(places);
    let schedule = json!({
        "resourceType": "Schedule",
        "id": id,
        "meta": { "profile": [SCHEDULE_PROFILE] },
        "active": true,
        "serviceType": [visit_concept(context, offer.visit_type)],
        "actor": actors.collect::<Vec<_>>(),
    });
    Resource::of(id, schedule)
}

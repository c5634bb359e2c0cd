use directory::api::{OperationId, ProviderSearch, Question, SlotSearch, View};
use directory::model::{Directory, StateCode};

/// The question has results at this clinic, if possible.
pub(crate) fn example(operation: OperationId, directory: &Directory) -> Question {
    let is_covered = |state: &StateCode| directory.offered_in(*state).next().is_some();
    let state = StateCode::all().find(is_covered).or_else(|| StateCode::all().next());
    match (operation, state) {
        (OperationId::Insurances, _) => Question::Insurances { state },
        (OperationId::AppointmentTypes, _) => Question::AppointmentTypes { state },
        (OperationId::Providers | OperationId::ProviderSummaries, _) => {
            let view = if operation == OperationId::Providers { View::Profile } else { View::Summary };
            Question::Providers(ProviderSearch { limit: 5, ..ProviderSearch::first_page(view, state) })
        }
        (OperationId::Provider, _) => {
            let slug = directory.providers().first().map(|provider| provider.slug.as_str().to_owned());
            Question::Provider { slug: slug.unwrap_or_default() }
        }
        (OperationId::Availability, Some(state)) => {
            Question::Availability(SlotSearch { limit: 5, ..SlotSearch::with_defaults(state) })
        }
        (OperationId::States | OperationId::Availability, _) => Question::States,
    }
}

//! The parsed question of a request.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::operation::{
    Given, OPERATIONS, Operation, OperationId, ProviderSearch, SLUG, STATE_OF_PLANS, STATE_OF_VISIT_TYPES,
    SlotSearch, VIEW, View, WrongParameter,
};
use crate::model::StateCode;

/// An operation with its parsed parameters. Counts are within their bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    States,
    Insurances {
        state: Option<StateCode>,
    },
    Providers(ProviderSearch),
    /// By the slug as sent, which may be unknown.
    Provider {
        slug: String,
    },
    /// The same by what a person writes: a slug, the address of a profile, or a name.
    ProviderNamed {
        name: String,
    },
    AppointmentTypes {
        state: Option<StateCode>,
    },
    Availability(SlotSearch),
}

impl Question {
    /// The question of a path without a query, if it needs no parameter. Parsed once, since most requests are these.
    pub(super) fn without_parameters(operation: &Operation) -> Option<&'static Self> {
        static QUESTIONS: LazyLock<Vec<Option<Question>>> = LazyLock::new(|| {
            OPERATIONS.iter().map(|operation| Question::read(operation, &Given::default()).ok()).collect()
        });
        QUESTIONS.get(operation.id as usize)?.as_ref()
    }

    pub(super) fn read(operation: &Operation, given: &Given) -> Result<Self, WrongParameter> {
        Ok(match operation.id {
            OperationId::States => Self::States,
            OperationId::Insurances => Self::Insurances { state: given.field(&STATE_OF_PLANS)? },
            OperationId::Providers => Self::Providers(ProviderSearch::read(given)?),
            OperationId::ProviderSummaries => {
                Self::Providers(ProviderSearch { view: View::Summary, ..ProviderSearch::read(given)? })
            }
            OperationId::Provider => Self::Provider { slug: given.required(&SLUG)? },
            OperationId::AppointmentTypes => {
                Self::AppointmentTypes { state: given.field(&STATE_OF_VISIT_TYPES)? }
            }
            OperationId::Availability => Self::Availability(SlotSearch::read(given)?),
        })
    }

    pub(super) fn operation(&self) -> &'static Operation {
        Operation::get(match self {
            Self::States => OperationId::States,
            Self::Insurances { .. } => OperationId::Insurances,
            Self::Providers(ProviderSearch { view: View::Profile, .. }) => OperationId::Providers,
            Self::Providers(ProviderSearch { view: View::Summary, .. }) => OperationId::ProviderSummaries,
            Self::Provider { .. } | Self::ProviderNamed { .. } => OperationId::Provider,
            Self::AppointmentTypes { .. } => OperationId::AppointmentTypes,
            Self::Availability(_) => OperationId::Availability,
        })
    }

    pub(super) fn tool(&self) -> &'static Operation {
        match self {
            Self::Providers(_) => Operation::get(OperationId::Providers),
            other => other.operation(),
        }
    }

    /// The tool's arguments, without those that equal a default.
    pub(super) fn arguments(&self) -> Map<String, Value> {
        let state = |state: &Option<StateCode>| {
            state.map(|state| (STATE_OF_PLANS.name, state.code().into())).into_iter().collect()
        };
        let values: Vec<(&'static str, Value)> = match self {
            Self::States => Vec::new(),
            Self::Insurances { state: given } | Self::AppointmentTypes { state: given } => state(given),
            Self::Provider { slug } | Self::ProviderNamed { name: slug } => {
                vec![(SLUG.name, slug.as_str().into())]
            }
            Self::Providers(search) => search.values(),
            Self::Availability(search) => search.values(),
        };
        values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The values of REST's parameters, without those that equal a default.
    pub(super) fn parameters(&self) -> Map<String, Value> {
        let mut parameters = self.arguments();
        parameters.shift_remove(VIEW.name);
        parameters
    }
}

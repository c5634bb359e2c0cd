//! The operations of the API: the only place that names routes, tools and parameters. Requests are parsed by the table
//! in `rows`; routes, MCP tools, OpenAPI document, host rules and documentation pages are generated from it. To add a
//! parameter, define it in `parameters` and give a question there a field for it.

mod parameter;
mod parameters;
mod rows;
mod schema;
mod time;
mod value;

use std::borrow::Cow;

use crate::model::{Organization, Phone};

pub use parameter::{Parameter, ParameterKind};
pub(crate) use parameters::{
    FROM, HORIZON_DAYS, PART, PROVIDER_TYPE, Part, SLUG, STATE_OF_PLANS, STATE_OF_VISIT_TYPES, UNTIL, VIEW,
};
pub use parameters::{OnePer, ProviderSearch, SlotSearch, View};
pub use rows::OPERATIONS;
pub(crate) use time::When;
pub(crate) use value::{Given, RawValue, Wrong, WrongParameter};

/// The roots of paths for programs: 404s below them are JSON, and pages of any origin may read them.
pub const PROGRAM_ROOTS: [&str; 3] = ["/v1", "/api", "/.well-known"];
pub const MCP_PATH: &str = "/api/mcp";
/// The revisions of MCP that begin with a handshake.
pub const MCP_LEGACY_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The revision of MCP without a handshake.
pub const MCP_MODERN_VERSION: &str = "2026-07-28";
/// The path of the older MCP transport. It must answer a plain 404, or clients do not try [`MCP_PATH`].
pub const SSE_PATH: &str = "/api/sse";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationId {
    States,
    Insurances,
    Providers,
    /// The same search with a summary of each clinician. MCP has it as an argument of the search.
    ProviderSummaries,
    Provider,
    AppointmentTypes,
    Availability,
}

#[derive(Debug)]
pub struct Operation {
    pub id: OperationId,
    /// The REST path; `{slug}` stands for the path parameter.
    pub path: &'static str,
    /// The id in the OpenAPI document, and the name of the MCP tool.
    pub name: &'static str,
    pub title: &'static str,
    pub doc: &'static str,
    /// When and how a language model should use the tool; `None` if the operation has no tool of its own.
    pub tool_doc: Option<&'static str>,
    /// The parameters, in the order in which errors are reported.
    pub parameters: &'static [Parameter],
    /// Further arguments of the tool, which REST does not have as parameters.
    pub tool_parameters: &'static [Parameter],
}

pub fn how_to_book(clinic: &Organization) -> Option<String> {
    let page = clinic.booking_url.as_ref().map(|url| format!("{url}, a URI template (RFC 6570)"));
    let ways: Vec<String> = clinic.phone().map(Phone::shown).into_iter().chain(page).collect();
    (!ways.is_empty())
        .then(|| format!("To book: {} (opens at the clinic; nothing is held).", ways.join(", or ")))
}

pub fn is_for_programs(path: &str) -> bool {
    let mut below = PROGRAM_ROOTS.iter().filter_map(|root| path.strip_prefix(root));
    below.any(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl Operation {
    pub fn tool_description(&self, clinic: &Organization) -> Option<Cow<'static, str>> {
        let doc = self.tool_doc?;
        let booking = how_to_book(clinic).filter(|_| self.id == OperationId::Availability);
        Some(booking.map_or(doc.into(), |booking| format!("{doc} {booking}").into()))
    }

    pub fn get(id: OperationId) -> &'static Self {
        // A test holds that the rows are in the order of the enumeration.
        &OPERATIONS[id as usize]
    }

    pub fn for_tool(tool: &str) -> Option<&'static Self> {
        Self::tools().find(|operation| operation.name == tool)
    }

    pub fn tools() -> impl Iterator<Item = &'static Self> {
        OPERATIONS.iter().filter(|operation| operation.tool_doc.is_some())
    }

    pub fn arguments(&self) -> impl Iterator<Item = &'static Parameter> + use<> {
        self.parameters.iter().chain(self.tool_parameters)
    }

    /// The operation of a REST path, and the path's slug, still encoded. Ignores one trailing slash.
    pub fn for_path(path: &str) -> Option<(&'static Self, Option<&str>)> {
        let path = path.strip_suffix('/').unwrap_or(path);
        OPERATIONS.iter().find_map(|operation| match operation.path.strip_suffix("{slug}") {
            None => (operation.path == path).then_some((operation, None)),
            Some(stem) => {
                let slug = path.strip_prefix(stem)?;
                (!slug.is_empty() && !slug.contains('/')).then_some((operation, Some(slug)))
            }
        })
    }

    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The parameter of a query with this name: a path parameter cannot be in the query.
    pub(super) fn in_query(&self, name: &str) -> Option<&'static Parameter> {
        self.parameter(name).filter(|parameter| parameter.kind != ParameterKind::PathSlug)
    }

    pub(super) fn argument(&self, name: &str) -> Option<&'static Parameter> {
        self.arguments().find(|parameter| parameter.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_their_ids() {
        for operation in &OPERATIONS {
            assert!(std::ptr::eq(Operation::get(operation.id), operation));
        }
    }

    #[test]
    fn paths_lead_to_operations() {
        let lead = |path| Operation::for_path(path).map(|(operation, slug)| (operation.name, slug));
        assert_eq!(lead("/v1/states"), Some(("list_states", None)));
        assert_eq!(lead("/v1/states/"), Some(("list_states", None)));
        assert_eq!(lead("/v1/providers"), Some(("search_providers", None)));
        assert_eq!(lead("/v1/providers/"), Some(("search_providers", None)));
        assert_eq!(lead("/v1/providers/summary"), Some(("search_provider_summaries", None)));
        assert_eq!(lead("/v1/providers/jane%20doe"), Some(("get_provider", Some("jane%20doe"))));
        for path in ["/", "", "/v1", "/v1/states//", "/v1/provider", "/V1/states", "/v1/providers/a/b"] {
            assert_eq!(lead(path), None, "{path}");
        }
    }
}

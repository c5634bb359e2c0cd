//! Requests and answers: [`Request`] parses what clients send, [`Snapshot::answer`] makes the body.

mod answer;
mod catalog;
mod fault;
mod fields;
mod no_match;
mod operation;
mod query;
mod question;
mod request;
mod search;
mod search_text;
mod slots;
mod snapshot;
mod wire;

#[cfg(test)]
mod availability_tests;

pub use answer::{Answer, Caching, EXPOSED_HEADERS};
pub use fault::{Fault, FaultKind, shown};
pub use fields::{Field, answer_fields};
pub use operation::{
    MCP_LEGACY_VERSIONS, MCP_MODERN_VERSION, MCP_PATH, OPERATIONS, OnePer, Operation, OperationId,
    PROGRAM_ROOTS, Parameter, ParameterKind, ProviderSearch, SSE_PATH, SlotSearch, View, how_to_book,
    is_for_programs,
};
pub use question::Question;
pub use request::{MAX_IGNORED, Request, split_target};
pub use search::{Concept, concepts};
pub use search_text::SearchText;
pub use snapshot::Snapshot;
pub use wire::answer_schema;

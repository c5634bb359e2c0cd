//! The domain of Nameplate: what a clinic's content says, and what is answered when somebody asks.
//!
//! Content is read and checked once ([`content`]); what passed is a [`Directory`] of values that are true by
//! construction ([`model`]); weekly hours become instants ([`calendar`]); and one function,
//! [`Snapshot::answer`], turns a [`Request`] into the body that every face of the product shows ([`api`]).
//!
//! There are no sockets here, no writing, no templates and no clock: `now` is a parameter, and only
//! `content::load` reads files.

pub mod api;
pub mod calendar;
pub mod content;
pub mod model;
mod near;

pub use api::{Answer, Caching, Fault, FaultKind, OPERATIONS, Operation, Question, Request, Snapshot};
pub use model::Directory;

//! The domain of Nameplate: reads a clinic's content and answers requests from it.
//! 1. [`content`] reads and checks the content.
//! 2. [`model`]: content without errors becomes a [`Directory`]. Its types hold valid values only.
//! 3. [`calendar`] turns weekly hours into instants.
//! 4. [`api`]: [`Snapshot::answer`] turns a [`Request`] into the body that REST, MCP and the static files share.
//!
//! This crate opens no sockets, writes no files and reads no clock: `now` is a parameter. Only `content::load` and
//! `content::open` read files.

pub mod accuracy;
pub mod api;
mod bits;
pub mod calendar;
pub mod changes;
pub mod content;
pub mod misread;
pub mod model;
mod near;
pub mod statements;
pub mod told;
pub mod visible;
pub mod web;

pub use api::{Answer, Caching, Fault, FaultKind, OPERATIONS, Operation, Question, Request, Snapshot};
pub use model::Directory;
pub use near::nearest;

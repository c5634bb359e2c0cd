//! Serves the releases of an object store, and follows them.

mod cache;
mod fetch;
mod follow;
mod past;
mod start;

pub(crate) use fetch::{Found, check, find};
pub(crate) use start::run;

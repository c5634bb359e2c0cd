//! The inverted index of open starts: from an instant to the providers who can see a patient then.
//! Each instant has one [`row`] per set of visit types that start then: a set of providers, who are numbered by
//! [rank](order). A query for a state and a visit type walks the instants from `now` on, intersects the rows of
//! each with the state's [mask](eligibility) and stops at its limit, so it costs as much as it returns.
//! Time is divided into [`chunk`]s of sixteen hours. A second of a chunk fits in 16 bits, so starts at odd seconds
//! are kept without rounding. A chunk has 64 quarter hours, the bits of one word: for each pair of state and type
//! it counts the starts in each quarter hour, and a query jumps over the empty ones.
//! Filters of providers have no counts. They are [sets of ranks](filters), and their intersection takes the place of the
//! state's mask. A query whose rows hold few of those [members] goes on with the starts of each, see [rest].
//! [`provider_starts`] keeps the starts of each provider as evenly spaced [`runs`]: queries for one provider read
//! them, and a change is the difference between old and new ones.
//! Chunks, rows and blocks of providers are shared behind `Arc`. A copy costs microseconds, and a change copies only
//! the parts that it touches.
//! Invariants: a row holds a provider at an instant exactly when the provider's runs do; counts and jump words follow
//! from the rows; no row is empty. [`change`](super::change) updates all of them together, and the property tests in
//! `open_tests` compare the result with a new index.

pub(super) mod blocks;
pub(super) mod chunk;
pub(super) mod eligibility;
pub(super) mod fill;
pub(super) mod filters;
pub(super) mod members;
mod merge;
pub(super) mod order;
pub(super) mod packed_feed;
mod presence;
pub(super) mod provider_starts;
pub(super) mod query;
mod rest;
pub(super) mod row;
pub(super) mod runs;
pub(super) mod slot_query;

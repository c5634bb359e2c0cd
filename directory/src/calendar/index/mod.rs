//! The inverted index of open starts: from an instant to the providers who can see a patient then.
//!
//! For each instant that is present, and for each set of visit types that start at it, there is one
//! [`row`]: the providers, in the order of the permutation that rotates them. A question for a state and a
//! visit type walks the instants from now on and meets each row of that type with the state's mask
//! ([`offer`]): who is licensed there and accepts new patients there. It stops when it has enough, so its cost
//! follows what is shown and not what is stored.
//!
//! Time is cut into [`chunk`]s of sixteen hours. Their seconds fit in sixteen bits, so that starts at odd
//! seconds cost what others cost and nothing is ever rounded, and their quarter hours are the bits of one word:
//! for each pair of state and type a chunk counts the starts in each quarter hour, and a walk jumps over the
//! empty ones. Counted by quarter hours, the jump table stays small however many odd seconds there are.
//!
//! What one provider has is also kept by itself, as [`runs`] of evenly spaced starts: the answer to a question
//! for that provider, and what a change is compared with.
//!
//! Everything large is shared behind `Arc` in pieces (chunks, rows, blocks of providers), so that a copy costs
//! microseconds, a change copies the pieces it touches, and readers of the old copy notice nothing.
//!
//! Invariants: a row holds a provider at an instant exactly when that provider's own runs do; counts and jump words follow from the rows; and no row is empty. Whatever changes one, changes all, in
//! [`change`](super::change).

pub(super) mod blocks;
pub(super) mod chunk;
mod few;
pub(super) mod fill;
pub(super) mod mask;
pub(super) mod offer;
pub(super) mod order;
pub(super) mod own;
pub(super) mod query;
mod round;
pub(super) mod row;
pub(super) mod runs;
pub(super) mod said;

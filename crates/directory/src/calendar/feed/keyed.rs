//! A feed of keys: the sets of all providers, kept up to date key by key.
//!
//! A key is `<site>.p.<slug>` or `<site>.s.<Schedule id>` ([`SlotKey`]), and its value is all that this provider or
//! Schedule has at this site, and nothing of others ([`KeyValue`]). The *owner* of a key is that provider or Schedule;
//! it may have a key of each site, which add up. A change costs work in proportion to the keys that changed and to the
//! other keys of the same providers.
//!
//! The result equals what [`FeedSet::resolve`](super::FeedSet::resolve) gives for the values of all keys together, but for
//! these differences:
//! - A value without lines lists its provider, and nothing is taken. So does a Schedule without Slots.
//! - Under [`FeedMode::Busy`](super::FeedMode) a provider without a key is withheld, unless `unlisted_is_open`.
//! - An error that refuses a whole reading of files affects only some providers here:
//!   - A Schedule that two sites describe differently: none of its slots is offered, and everybody whom one of the two
//!     describes is withheld.
//!   - A provider with too many entries is withheld.
//!   - Busy time that never resolved to a provider may belong to any provider without known busy time. It withholds each
//!     provider without entries, and each provider that has a key at that site but no entry in it. A provider with other
//!     busy time at that site is not withheld.

mod changes;
mod data;
mod key;
mod owner;
mod provider;
mod set;
mod skips;
mod value;
mod view;
mod withheld;

#[cfg(test)]
mod tests;

pub use changes::KeyedChange;
pub use key::{SlotKey, is_site, not_a_site};
pub use set::KeyedSet;
pub use value::{KeyChange, KeyValue};

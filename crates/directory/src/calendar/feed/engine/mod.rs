//! The engine of all feeds: what is believed of what their parts say, whom that withholds, and how old it is.
//! A feed is a set of *parts* (files, the keys of a bucket, calendars), each with a *writer*, who confirms them all at once
//! (a beat), and a text, which says something of *owners* (clinicians and Schedules). Sources tell events and judge
//! nothing; this judges, and asks no clock. The rules:
//! - **doubt**: A part in doubt is believed where it takes time and not where it gives time back, and it grows old from its
//!   last reading without doubt.
//! - **loss**: [`doubt`] says what has lost so much that it is in doubt.
//! - **reasons**: Also in doubt is what cannot be read or has busy time that may be anyone's, and
//!   a writer's first reading without an entry that counts or a clinician of ours.
//! - **withholding**: A clinician is offered only while each part that has or may have time of hers is younger than
//!   `max-stale`; one whom no part lists, only if silence means free and no part has expired or is blank ([`age`]).
//! - **unclear owners**: Their time withholds those to whom they led before, and those undescribed whom they may mean; if
//!   there are none, their part is in doubt.
//! - **release**: Doubt ends when what is gone has grown back or an operator accepts. Accepting believes what has vanished,
//!   never an unclear owner or a bad text; a blank part frees no one.
//!
//! Words, each with one meaning:
//! - *gone*: a part or a writer that the source has no longer; what of it is *lost* is judged as a loss.
//! - *unresolved*: an owner of whom it is unclear whom it means; *unclear*: a part with busy time of such an owner that may be
//!   anyone's.
//! - *unused*: an owner with entries that no provider's set has; *unoffered*: a provider with free slots that cannot be offered.
//! - *undescribed*: a provider to whom no owner leads; *unlisted*: one about whom no part says anything.
//! - *withheld*: a provider without openings, because busy time may be theirs; *unknown*: one who is withheld or whose parts have
//!   expired.
//! - *unusable*: a provider whose entries cannot be used, or a writer whose parts cannot; *unread*: a part that never was.
//! - *unapplied*: a provider who is new in the content, and withheld by the store until the feed was looked at in it.

mod age;
mod doubt;
mod entries;
mod mark;
mod memory;
mod owner;
mod owners;
mod owners_view;
mod part;
mod provider;
mod report;
mod settle;
mod state;
mod take;

#[cfg(test)]
mod tests;

pub use self::age::{Ages, AsOf, Judgment, Moment};
pub use self::doubt::ORDER;
pub use self::memory::Memory;
pub use self::owners::Change;
pub use self::part::{BadText, Event, Late, PartId, is_site, not_a_site};
pub use self::report::{FeedSet, Report, some_of};
pub use self::state::Engine;

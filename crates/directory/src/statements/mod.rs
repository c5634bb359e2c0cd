//! What an entry states, compared with itself and with the date: two written statements cannot both be true.
//! `content::check` warns of what is certain, and the `audit` crate compares the same statements with sources outside
//! the content. Both say what they find as a [`Finding`].

mod entry;
mod finding;

pub use entry::{findings, is_menopause_society};
pub(crate) use entry::{licenses, society_letters};
pub(crate) use finding::status_of;
pub use finding::{Finding, Place, Rule, Step, Strength, Witness};

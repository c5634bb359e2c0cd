//! Confirmations: what each covers, how old it is, and what is published of it. A confirmation names its facts by a
//! short hash for each group, so an edit is known to be newer.

mod facts;
mod interval;
mod standing;
mod verification;

pub use facts::fact_hashes;
pub use interval::wilson;
pub use standing::{Counts, Standing, changed_groups, newest_date, standing};
pub use verification::{VERIFICATION_PATH, verification};

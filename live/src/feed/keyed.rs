//! A feed of keys: what is applied, what is held, and how old each site is.
//!
//! Each site is judged alone, because sites are independent writers: if one of them loses more than `feed.max-shrink` of its
//! keys or of its future entries, its later changes wait until it has grown back or an operator accepts the loss. Meanwhile
//! its age is not confirmed, so its providers are withheld in the end, and the other sites go on. A first snapshot without
//! an entry that the mode counts, or about no provider, waits as a whole.
//!
//! Nothing is remembered over a restart: the bucket is the memory, and it is read again in less than a second. Only the
//! sizes of the last day are forgotten, so what a site lost while no replica ran is not noticed.

pub(super) mod feed;
mod loss;
pub(super) mod sites;

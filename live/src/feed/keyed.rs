//! A feed of keys: what is applied, what is held, and how old each site is.
//!
//! Each site is judged alone, because sites are independent writers: if one of them loses more than `feed.max-shrink` of its
//! keys or of its future entries, its later changes wait until it has grown back or an operator accepts the loss. Meanwhile
//! its age is not confirmed, so its providers are withheld in the end, and the other sites go on. A first snapshot without
//! an entry that the mode counts, or about no provider, waits as a whole.
//!
//! Over a restart only the sizes of the sites are remembered, if there is a file for that: the values are in the bucket, and
//! read again in less than a second. A site that has lost too much while no replica ran is withheld until it has grown back
//! or an operator accepts the loss.

pub(super) mod feed;
pub(super) mod loss;
pub(super) mod sites;

//! A feed of keys: what is applied, what is held, and how old each site is.
//!
//! Each site is judged alone, because sites are independent writers. If one of them loses more than `feed.max-shrink`
//! of its keys or of its future entries, its later changes wait until it has grown back or an operator accepts the
//! loss. Meanwhile its age is not confirmed, so its providers are withheld when it expires; the other sites go on. A
//! first snapshot without an entry that the mode counts, or about no provider, waits as a whole.
//!
//! If there is a memory file, it keeps only the sizes of the sites over a restart: the values are in the bucket, and
//! are read again in less than a second. A site that has lost too much while no replica ran is withheld until it has
//! grown back or an operator accepts the loss.

pub(crate) mod feed;
pub(crate) mod loss;
pub(crate) mod sites;

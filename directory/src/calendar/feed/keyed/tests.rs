//! Random changes of keys and of the content, compared with readings of all keys; and whom a bad key concerns.

mod closed;
mod random;

//! Writes a feed into a bucket, as the one writer of a site: the keys that differ, and then a beat that confirms them.

mod calendars;
mod plan;
mod pusher;
mod reading;
#[cfg(test)]
mod tests;

pub use pusher::{Pushed, Pusher};

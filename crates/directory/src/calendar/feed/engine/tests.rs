//! What is believed, whom that withholds, and when.

mod closed;
mod losses;
mod properties;
mod support;

//! What is believed, whom that withholds, and when.

mod ages;
mod calendars;
mod closed;
mod losses;
mod properties;
mod support;

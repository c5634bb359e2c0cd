//! The only crate that writes content, except `init`.
//!
//! `edit` changes files in place, all or none. `sheet` takes clinicians to a sheet and back, `rename` gives a name to a
//! clinician or a plan wherever it is mentioned, and `attest` dates confirmations. What their commands take and print is in
//! the command.

pub mod attest;
pub mod edit;
pub mod near;
pub mod rename;
pub mod sheet;
pub mod table;

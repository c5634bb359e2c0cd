//! Everything that writes content, except the command `init`.
//!
//! `edit` changes files: all of them, or none. `sheet` converts clinicians to a sheet and back. `rename` renames a clinician or
//! a plan wherever the name is used. `attest` records confirmations. The commands' arguments and output are in `src`.

pub mod attest;
pub mod edit;
pub mod near;
pub mod rename;
pub mod sheet;
pub mod table;

//! Everything that writes content, except the command `init`. `edit` changes files, all or none; `sheet` converts clinicians
//! to a sheet and back; `rename` follows a name to wherever it is used; `attest` records confirmations.

pub mod attest;
pub mod edit;
pub mod near;
pub mod rename;
pub mod sheet;
pub mod table;

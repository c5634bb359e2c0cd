//! A mistake in a sheet.

/// A mistake in the sheet.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The cell or the row, in words.
    pub(super) place: String,
    pub(super) what: String,
}

//! A mistake in a sheet.

/// A mistake in the sheet.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    /// The cell or the row, in words.
    pub place: String,
    pub what: String,
}

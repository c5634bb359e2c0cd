//! [`SheetFault`] is a mistake in a sheet.

#[derive(Debug, PartialEq, Eq)]
pub struct SheetFault {
    /// The cell or the row, as messages name it.
    pub place: String,
    /// What is wrong and what to do.
    pub message: String,
}

pub type Faults = Vec<SheetFault>;

impl SheetFault {
    pub(super) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

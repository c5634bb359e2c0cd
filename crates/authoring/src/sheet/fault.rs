//! [`SheetFault`] is a mistake in a sheet.

#[derive(Debug, PartialEq, Eq)]
pub struct SheetFault {
    pub place: String,
    pub message: String,
}

pub type Faults = Vec<SheetFault>;

impl SheetFault {
    pub(super) fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

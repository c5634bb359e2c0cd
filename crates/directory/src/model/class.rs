//! Classes of visits, and hours: windows with the classes that they offer.

use super::names::VisitTypeId;
use super::window::Window;

/// The longest visit and the longest step: a day.
const LONGEST: u32 = 24 * 60;

/// Visit types that start at the same times, because they have the same duration and the same step. Classes are compared by
/// value: equal classes of different windows are one class.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Class {
    types: Vec<VisitTypeId>,
    duration: u32,
    step: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClassError {
    #[error("hours are for at least one visit type")]
    NoTypes,
    #[error("a visit lasts from one minute to 24 hours, in whole minutes")]
    Duration,
    #[error("a step is from one minute to 24 hours, in whole minutes")]
    Step,
}

impl Class {
    pub fn new(mut types: Vec<VisitTypeId>, duration: u32, step: u32) -> Result<Self, ClassError> {
        types.sort_unstable();
        types.dedup();
        if types.is_empty() {
            Err(ClassError::NoTypes)
        } else if !(1..=LONGEST).contains(&duration) {
            Err(ClassError::Duration)
        } else if !(1..=LONGEST).contains(&step) {
            Err(ClassError::Step)
        } else {
            Ok(Self { types, duration, step })
        }
    }

    /// The visit types, lowest first.
    pub fn types(&self) -> &[VisitTypeId] {
        &self.types
    }

    /// The length of a visit, in minutes.
    pub fn duration(&self) -> u32 {
        self.duration
    }

    /// The time from one start to the next, in elapsed minutes.
    pub fn step(&self) -> u32 {
        self.step
    }
}

/// Windows, and the classes of visits that start in each of them. Hours without a window are closed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hours {
    windows: Vec<Window>,
    classes: Vec<Class>,
}

impl Hours {
    pub fn new(windows: Vec<Window>, mut classes: Vec<Class>) -> Self {
        classes.sort_unstable();
        classes.dedup();
        Self { windows, classes }
    }

    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// The classes, sorted, each once.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(ids: &[i64]) -> Vec<VisitTypeId> {
        ids.iter().map(|&id| VisitTypeId::try_from(id).unwrap()).collect()
    }

    #[test]
    fn the_order_of_types_does_not_matter() {
        assert_eq!(Class::new(types(&[2, 1, 2]), 30, 15), Class::new(types(&[1, 2]), 30, 15));
        assert_ne!(Class::new(types(&[1, 2]), 30, 15), Class::new(types(&[1, 2]), 30, 30));
        assert_eq!(Class::new(types(&[]), 30, 15), Err(ClassError::NoTypes));
        for minutes in [0, 1441, u32::MAX] {
            assert_eq!(Class::new(types(&[1]), minutes, 15), Err(ClassError::Duration), "{minutes}");
            assert_eq!(Class::new(types(&[1]), 30, minutes), Err(ClassError::Step), "{minutes}");
        }
        assert!(Class::new(types(&[1]), 1440, 1).is_ok());
    }
}

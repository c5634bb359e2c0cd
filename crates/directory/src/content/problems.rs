//! The problems found so far. Their number is bounded, because a file can have as many as it has lines. The first errors and
//! warnings of each file, and of the whole folder, are kept; the others are counted by file, so a list that is cut says so.

use std::collections::BTreeMap;

use super::problem::{Problem, Severity};

/// How many errors are kept, and how many warnings.
const KEPT_OF_A_FILE: usize = 100;
const KEPT_IN_ALL: usize = 500;

const REPAIRED_IN_ALL: usize = 100_000;

#[derive(Debug, Default, Clone)]
pub(super) struct Problems {
    /// Whether they are kept to be repaired, and not to be listed.
    are_repaired: bool,
    kept: Vec<Problem>,
    kept_in_all: PerSeverity,
    /// All problems, kept or counted.
    pub(super) total: PerSeverity,
    files: BTreeMap<String, InFile>,
}

#[derive(Debug, Default, Clone, Copy)]
struct InFile {
    kept: PerSeverity,
    unlisted: PerSeverity,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct PerSeverity {
    pub(super) errors: usize,
    pub(super) warnings: usize,
}

impl PerSeverity {
    pub(super) fn of(mut self, severity: Severity) -> usize {
        *self.count_mut(severity)
    }

    fn count_mut(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        }
    }

    pub(super) fn add(&mut self, severity: Severity) {
        *self.count_mut(severity) += 1;
    }

    pub(super) fn sum(self) -> usize {
        self.errors + self.warnings
    }
}

impl Problems {
    /// For problems that no one reads, because they are repaired.
    pub(super) fn to_repair() -> Self {
        Self { are_repaired: true, ..Self::default() }
    }

    pub(super) fn further(&self) -> Self {
        Self { are_repaired: self.are_repaired, ..Self::default() }
    }

    pub(super) fn push(&mut self, problem: Problem) {
        let severity = problem.severity();
        if !self.has_room(problem.path(), severity) {
            self.count(problem.path(), severity, 1);
            return;
        }
        self.total.add(severity);
        self.kept_in_all.add(severity);
        self.files.entry(problem.path().to_owned()).or_default().kept.add(severity);
        self.kept.push(problem);
    }

    pub(super) fn has_room(&self, path: &str, severity: Severity) -> bool {
        let of_file = self.files.get(path).map_or(0, |file| file.kept.of(severity));
        let most = if self.are_repaired { REPAIRED_IN_ALL } else { KEPT_IN_ALL };
        of_file < KEPT_OF_A_FILE && self.kept_in_all.of(severity) < most
    }

    pub(super) fn count(&mut self, path: &str, severity: Severity, number: usize) {
        if number > 0 {
            *self.total.count_mut(severity) += number;
            *self.files.entry(path.to_owned()).or_default().unlisted.count_mut(severity) += number;
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        self.extend(other.kept);
        for (path, file) in other.files {
            self.count(&path, Severity::Error, file.unlisted.errors);
            self.count(&path, Severity::Warning, file.unlisted.warnings);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.kept.iter()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Problem> {
        self.kept.iter_mut()
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The problems that are kept, and by file how many are not.
    pub(super) fn into_parts(self) -> (Vec<Problem>, BTreeMap<String, PerSeverity>) {
        let unlisted = self.files.into_iter().map(|(path, file)| (path, file.unlisted));
        (self.kept, unlisted.filter(|(_, unlisted)| unlisted.sum() > 0).collect())
    }
}

impl FromIterator<Problem> for Problems {
    fn from_iter<T: IntoIterator<Item = Problem>>(problems: T) -> Self {
        let mut found = Self::default();
        found.extend(problems);
        found
    }
}

impl Extend<Problem> for Problems {
    fn extend<T: IntoIterator<Item = Problem>>(&mut self, problems: T) {
        problems.into_iter().for_each(|problem| self.push(problem));
    }
}

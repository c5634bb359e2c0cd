//! Tries edits on a small folder: the lists of the clinic, and the few files that a problem is about.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bytes::Bytes;
use chrono::NaiveDate;

use super::super::bounds::cost;
use super::super::check;
use super::super::entries::Entries;
use super::super::lines::line_at;
use super::super::offer::{Edit, Move};
use super::super::problem::{Kind, Problem, Severity};
use super::super::problems::Problems;
use super::super::sources::{BUSY_PATH, FeedIs, OPEN_PATH, Opened, SourceFile, Sources};

/// Changed files: `None` is one that is no longer there.
pub(super) type Changes = BTreeMap<String, Option<String>>;

/// What every small folder has: the lists of the clinic, and names of files that are not read.
pub(super) struct Lists {
    texts: BTreeMap<String, String>,
    unread: Vec<(String, SourceFile)>,
}

impl Lists {
    pub(super) fn of(sources: &Sources) -> Self {
        let is_one_of_many = |path: &str| path.starts_with("providers/") || path.starts_with("availability/");
        let own = || {
            sources.iter().filter(|(path, _)| !is_one_of_many(path) || matches!(*path, BUSY_PATH | OPEN_PATH))
        };
        let texts = own().filter(|(_, source)| source.is_text());
        let texts =
            texts.filter_map(|(path, _)| Some((path.to_owned(), sources.whole_text(path)?))).collect();
        let is_unread = |source: &SourceFile| {
            matches!(source, SourceFile::Unread | SourceFile::LinkedFeed | SourceFile::Feed(_))
        };
        let unread = own().filter(|(_, source)| is_unread(source));
        Self { texts, unread: unread.map(|(path, _)| (path.to_owned(), SourceFile::Unread)).collect() }
    }
}

pub(super) struct SmallFolder<'a> {
    pub(super) texts: BTreeMap<String, String>,
    others: Vec<(String, SourceFile)>,
    sources: &'a Sources,
    today: NaiveDate,
    /// Whether further files may have the problem.
    pub(super) may_be_more: bool,
    /// What is wrong as it is.
    pub(super) before: Vec<Problem>,
}

/// What an edit would do.
pub(super) struct Outcome {
    /// Which of the problems before are gone, as indices.
    pub(super) gone: Vec<usize>,
    /// Errors that are new, those inside an edit first.
    pub(super) errors: Vec<(Problem, bool)>,
    /// Warnings that are new in what was edited.
    pub(super) warnings: Vec<Problem>,
}

impl<'a> SmallFolder<'a> {
    /// `paths` are the files that the problem is about. The hours of a clinician come with the profile.
    pub(super) fn of(
        sources: &'a Sources,
        lists: &Lists,
        paths: &BTreeSet<String>,
        may_be_more: bool,
        today: NaiveDate,
    ) -> Self {
        let (mut texts, mut others) = (lists.texts.clone(), lists.unread.clone());
        let stem =
            |path: &str| path.split_once('/').and_then(|(_, name)| name.split('.').next()).map(str::to_owned);
        let stems: BTreeSet<String> = paths.iter().filter_map(|path| stem(path)).collect();
        let pairs = stems
            .iter()
            .flat_map(|stem| ["providers", "availability"].map(|home| format!("{home}/{stem}.toml")));
        for path in pairs.chain(paths.iter().cloned()) {
            match sources.get(&path) {
                Some(source) if source.is_text() => {
                    texts.extend(sources.whole_text(&path).map(|text| (path, text)));
                }
                Some(source) => others.push((path, source.clone())),
                None => {}
            }
        }
        let names = texts.values().flat_map(|text| text.lines().filter(|line| line.contains("headshot")));
        let names = names.flat_map(|line| line.split(['"', '\'', '“', '”', '=', ' ']));
        let portraits: BTreeSet<String> =
            names.filter(|name| !name.is_empty()).map(|name| format!("headshots/{name}")).collect();
        for path in portraits {
            others.extend(sources.get(&path).map(|source| (path, source.clone())));
        }
        for stem in &stems {
            let own = sources.beginning(format!("headshots/{stem}"));
            others.extend(own.map(|(path, source)| (path.to_owned(), source.clone())));
        }
        others.sort_by(|(one, _), (other, _)| one.cmp(other));
        others.dedup_by(|(one, _), (other, _)| one == other);
        let mut folder = Self { texts, others, sources, today, may_be_more, before: Vec::new() };
        folder.before = folder.check(&Changes::new());
        folder
    }

    /// What a check of it costs.
    pub(super) fn cost(&self) -> usize {
        self.texts.values().map(|text| cost(text)).sum()
    }

    /// Whether the whole folder has a file.
    pub(super) fn has_file(&self, path: &str) -> bool {
        self.sources.get(path).is_some()
    }

    /// The names of all files in a folder of the content.
    pub(super) fn files_below(&self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        names_below(self.sources, folder)
    }

    pub(super) fn sources(&self) -> &'a Sources {
        self.sources
    }

    pub(super) fn read(&self, path: &str) -> Option<String> {
        self.sources.whole_text(path)
    }

    fn check(&self, changes: &Changes) -> Vec<Problem> {
        let unchanged = self.texts.iter().filter(|(path, _)| !changes.contains_key(*path));
        let edited = changes.iter().filter_map(|(path, text)| Some((path, text.as_ref()?)));
        let texts: Vec<_> = unchanged.chain(edited).collect();
        let paths = texts.iter().map(|(path, _)| (*path).clone()).collect();
        let bytes = |text: &String| Bytes::copy_from_slice(text.as_bytes());
        let entries = Entries::known(texts.iter().map(|(path, text)| ((*path).clone(), bytes(text))));
        let others = self.others.iter().filter(|(path, _)| !changes.contains_key(path)).cloned().collect();
        let (mut sources, unreadable) =
            Sources::read_all(Opened::Memory(entries), String::new(), paths, others, FeedIs::ListenedTo);
        let mut problems = Problems::default();
        problems.extend(unreadable);
        check::find(&mut sources, &mut problems, self.today);
        problems.into_parts().0
    }

    /// The text of a file after changes.
    pub(super) fn text<'t>(&'t self, changes: &'t Changes, path: &str) -> Option<&'t str> {
        match changes.get(path) {
            Some(text) => text.as_deref(),
            None => self.texts.get(path).map(String::as_str),
        }
    }

    /// Applies edits and moves after earlier changes. `None` if they do not fit.
    pub(super) fn apply(&self, earlier: &Changes, edits: &[Edit], moves: &[Move]) -> Option<Changes> {
        let mut changes = earlier.clone();
        let mut edits: Vec<&Edit> = edits.iter().collect();
        edits.sort_by(|one, other| (&other.path, other.span.start).cmp(&(&one.path, one.span.start)));
        for edit in edits {
            let mut text = self.text(&changes, &edit.path).unwrap_or_default().to_owned();
            text.get(edit.span.clone())?;
            text.replace_range(edit.span.clone(), &edit.text);
            changes.insert(edit.path.clone(), Some(text));
        }
        for Move { from, to } in moves {
            let text = match self.text(&changes, from) {
                Some(text) => text.to_owned(),
                None => self.sources.whole_text(from)?,
            };
            changes.insert(from.clone(), None);
            if let Some(to) = to {
                if self.text(&changes, to).is_some() {
                    return None;
                }
                changes.insert(to.clone(), Some(text));
            }
        }
        Some(changes)
    }

    pub(super) fn try_out(&self, changes: &Changes) -> Outcome {
        let after = self.check(changes);
        let edited: BTreeMap<&str, Changed> = changes
            .iter()
            .map(|(path, text)| {
                let before = self.texts.get(path).map_or("", String::as_str);
                (path.as_str(), Changed::between(before, text.as_deref().unwrap_or_default()))
            })
            .collect();
        let text_after = |path: &str| self.text(changes, path).unwrap_or_default();
        // Where a problem is afterwards. The parser does not always mark the same sign of a line, so lines are compared.
        let moved = |problem: &Problem| {
            let start = problem.place.start()?;
            Some(edited.get(problem.path()).map_or(start, |changed| changed.moved(start)))
        };
        let line = |path: &str, at: Option<usize>| at.map(|at| line_at(text_after(path), at).start);
        let mut counts: BTreeMap<(&str, &str, Option<usize>), (usize, usize)> = BTreeMap::new();
        for problem in &self.before {
            let at = line(problem.path(), moved(problem));
            counts.entry((problem.path(), problem.what(), at)).or_default().0 += 1;
        }
        for problem in &after {
            let at = line(problem.path(), problem.place.start());
            counts.entry((problem.path(), problem.what(), at)).or_default().1 += 1;
        }
        let exact = |problem: &Problem, at: Option<usize>, all: &BTreeSet<(&str, &str, Option<usize>)>| {
            all.contains(&(problem.path(), problem.what(), at))
        };
        let known: BTreeSet<_> =
            self.before.iter().map(|problem| (problem.path(), problem.what(), moved(problem))).collect();
        let left: BTreeSet<_> =
            after.iter().map(|problem| (problem.path(), problem.what(), problem.place.start())).collect();
        // What is wrong in the same words on the changed lines is not gone.
        let is_left = |problem: &Problem| {
            edited.get(problem.path()).is_some_and(|changed| {
                let before = self.texts.get(problem.path()).map_or("", String::as_str);
                let lines =
                    line_at(before, changed.before.start).start..=line_at(before, changed.before.end).end;
                let was_here = problem.place.start().is_some_and(|start| lines.contains(&start));
                let is_same =
                    |other: &Problem| other.path() == problem.path() && other.what() == problem.what();
                let text = text_after(problem.path());
                was_here
                    && after.iter().any(|other| is_same(other) && changed.touches(text, other.place.span))
            })
        };
        let gone = self.before.iter().enumerate().filter(|(_, problem)| {
            let at = moved(problem);
            let (was, is) = counts[&(problem.path(), problem.what(), line(problem.path(), at))];
            let is_moved_away = changes.get(problem.path()).is_some_and(Option::is_none);
            is_moved_away || is < was && !exact(problem, at, &left) && !is_left(problem)
        });
        let gone = gone.map(|(at, _)| at).collect();
        let (mut errors, mut warnings) = (Vec::new(), Vec::new());
        for problem in &after {
            let at = problem.place.start();
            let (was, is) = counts[&(problem.path(), problem.what(), line(problem.path(), at))];
            if is <= was || exact(problem, at, &known) {
                continue;
            }
            let part = edited.get(problem.path());
            let text = self.text(changes, problem.path()).unwrap_or_default();
            let is_inside = part.is_some_and(|part| part.touches(text, problem.place.span));
            match problem.severity() {
                Severity::Error => errors.push((problem.clone(), is_inside)),
                Severity::Warning if is_inside || part.is_some() && problem.path().contains('/') => {
                    warnings.push(problem.clone());
                }
                Severity::Warning => {}
            }
        }
        errors.sort_by_key(|(_, is_inside)| !is_inside);
        Outcome { gone, errors, warnings }
    }
}

/// The names of all files in a folder.
pub(super) fn names_below<'a>(sources: &'a Sources, folder: &'a str) -> impl Iterator<Item = &'a str> {
    sources.below(folder).filter_map(move |(path, _)| path.strip_prefix(folder)?.strip_prefix('/'))
}

impl Outcome {
    /// Whether a new error outside the edit was only hidden by a problem. In a file that can be read, no mistake
    /// of notation is hidden.
    pub(super) fn is_uncovered(error: &Problem, problem: &Problem) -> bool {
        match problem.kind {
            Kind::Syntax | Kind::File => true,
            Kind::WrongType => error.kind != Kind::Syntax && error.path() == problem.path(),
            Kind::UnknownKey | Kind::Other => false,
        }
    }
}

/// The part of a text that differs from another.
pub(super) struct Changed {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

impl Changed {
    pub(super) fn between(before: &str, after: &str) -> Self {
        let same = |(one, other): &(u8, u8)| one == other;
        let mut start = before.bytes().zip(after.bytes()).take_while(same).count();
        while !before.is_char_boundary(start) || !after.is_char_boundary(start) {
            start -= 1;
        }
        let most = before.len().min(after.len()) - start;
        let mut tail = before.bytes().rev().zip(after.bytes().rev()).take(most).take_while(same).count();
        while !before.is_char_boundary(before.len() - tail) || !after.is_char_boundary(after.len() - tail) {
            tail -= 1;
        }
        Self { before: start..before.len() - tail, after: start..after.len() - tail }
    }

    /// Where an offset is afterwards.
    fn moved(&self, offset: usize) -> usize {
        if offset >= self.before.end && offset > self.before.start {
            offset - self.before.end + self.after.end
        } else {
            offset
        }
    }

    /// Whether a place is on the lines that changed.
    fn touches(&self, text: &str, span: Option<(usize, usize)>) -> bool {
        let first = line_at(text, self.after.start).start;
        let last = line_at(text, self.after.end).end;
        span.is_none_or(|(start, end)| start <= last && first <= end)
    }
}

#[cfg(test)]
mod tests {
    use super::Changed;

    #[test]
    fn the_changed_part_is_found_and_moves_what_is_behind_it() {
        for (before, after, part, changed) in [
            ("abc", "abc", 3..3, 3..3),
            ("abcd", "aXd", 1..3, 1..2),
            ("aa", "aaa", 2..2, 2..3),
            ("é", "è", 0..2, 0..2),
            ("", "x", 0..0, 0..1),
        ] {
            let found = Changed::between(before, after);
            assert_eq!((found.before, found.after), (part, changed), "{before} {after}");
        }
        let changed = Changed::between("abcd", "aXYZd");
        assert_eq!((changed.moved(0), changed.moved(3)), (0, 4));
        assert!(changed.touches("aXYZd\n", Some((5, 6))) && !changed.touches("aXYZd\n", Some((6, 7))));
    }
}

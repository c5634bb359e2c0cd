//! Tries edits on a small folder: the lists of the clinic, and the few files that a problem is about.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

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
use super::TOGETHER;
use super::used::unused;

/// Changed files: `None` is one that is no longer there.
pub(super) type Changes = BTreeMap<String, Option<String>>;

/// What every small folder has: the lists of the clinic, its logo and share image, and names of files that are not read.
pub(super) struct Lists {
    texts: BTreeMap<String, String>,
    others: Vec<(String, SourceFile)>,
    /// What the lists say. `None` if one is missing: whether that is wrong, the other files say.
    read: Option<check::Lists>,
    /// The plans, visit types and lists of holidays that no clinician's file has.
    unused: OnceLock<BTreeSet<String>>,
}

fn is_one_of_many(path: &str) -> bool {
    path.starts_with("providers/") || path.starts_with("availability/")
}

impl Lists {
    pub(super) fn of(sources: &Sources, today: NaiveDate) -> Self {
        let (mut texts, mut others) = (BTreeMap::new(), Vec::new());
        let is_own = |path: &str| !is_one_of_many(path) || matches!(path, BUSY_PATH | OPEN_PATH);
        for (path, source) in sources.iter().filter(|(path, _)| is_own(path)) {
            match source {
                SourceFile::Text(_) | SourceFile::Later => {
                    texts.extend(sources.whole_text(path).map(|text| (path.to_owned(), text)));
                }
                SourceFile::Unread | SourceFile::LinkedFeed | SourceFile::Feed(_) => {
                    others.push((path.to_owned(), SourceFile::Unread));
                }
                SourceFile::Portrait { .. } if !path.contains('/') => {
                    others.push((path.to_owned(), source.clone()));
                }
                SourceFile::Portrait { .. } => {}
            }
        }
        let mut lists = Self { texts, others, read: None, unused: OnceLock::new() };
        if ["insurances.toml", "appointment-types.toml"].iter().all(|path| lists.texts.contains_key(*path)) {
            let (alone, unreadable) =
                sources_of(&lists.texts.iter().collect::<Vec<_>>(), lists.others.clone());
            let problems = unreadable.into_iter().collect();
            lists.read = Some(check::Lists::read(&alone, problems, today));
        }
        lists
    }
}

fn sources_of(texts: &[(&String, &String)], others: Vec<(String, SourceFile)>) -> (Sources, Vec<Problem>) {
    let paths = texts.iter().map(|(path, _)| (*path).clone()).collect();
    let bytes = |text: &String| Bytes::copy_from_slice(text.as_bytes());
    let entries = Entries::known(texts.iter().map(|(path, text)| ((*path).clone(), bytes(text))));
    Sources::read_all(Opened::Memory(entries), String::new(), paths, others, FeedIs::ListenedTo)
}

pub(super) struct SmallFolder<'a> {
    pub(super) texts: BTreeMap<String, String>,
    others: Vec<(String, SourceFile)>,
    pub(super) sources: &'a Sources,
    lists: &'a Lists,
    /// Whether these are still the lists.
    has_lists: bool,
    pub(super) today: NaiveDate,
    /// Whether further files may have the problem.
    pub(super) may_be_more: bool,
    pub(super) before: Vec<Problem>,
}

pub(super) struct Outcome {
    /// Which of the problems before are gone, as indices.
    pub(super) gone: Vec<usize>,
    /// What is new, and whether it is inside an edit, which comes first.
    pub(super) new: Vec<(Problem, bool)>,
    pub(super) after: Vec<Problem>,
}

impl<'a> SmallFolder<'a> {
    /// `paths` are the files that the problem is about. The hours of a clinician come with the profile.
    pub(super) fn of(
        sources: &'a Sources,
        lists: &'a Lists,
        paths: &BTreeSet<String>,
        today: NaiveDate,
    ) -> Self {
        let may_be_more = paths.len() >= TOGETHER;
        let (mut texts, mut others) = (lists.texts.clone(), lists.others.clone());
        let stem =
            |path: &str| path.split_once('/').and_then(|(_, name)| name.split('.').next()).map(str::to_owned);
        let stems: BTreeSet<String> = paths.iter().filter_map(|path| stem(path)).collect();
        let pairs = stems
            .iter()
            .flat_map(|stem| ["providers", "availability"].map(|home| format!("{home}/{stem}.toml")));
        for path in pairs.chain(paths.iter().cloned()) {
            match sources.get(&path) {
                // A clinician's file may have a wrong ending.
                Some(source) if source.is_text() || path.to_ascii_lowercase().ends_with(".txt") => {
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
        let mut folder =
            Self { texts, others, sources, lists, has_lists: true, today, may_be_more, before: Vec::new() };
        folder.before = folder.check(&Changes::new());
        folder
    }

    /// Keeps changes after which these problems are left.
    pub(super) fn keep(&mut self, changes: &Changes, problems: Vec<Problem>) {
        self.others.retain(|(path, _)| !changes.contains_key(path));
        self.texts.retain(|path, _| !changes.contains_key(path));
        self.texts.extend(changes.iter().filter_map(|(path, text)| Some((path.clone(), text.clone()?))));
        self.has_lists &= changes.keys().all(|path| is_one_of_many(path));
        self.before = problems;
    }

    pub(super) fn cost(&self) -> usize {
        self.texts.values().map(|text| cost(text)).sum()
    }

    pub(super) fn is_unused(&self, name: &str) -> bool {
        self.lists.unused.get_or_init(|| unused(self.sources)).contains(name)
    }

    pub(super) fn pictures(&self) -> impl Iterator<Item = &str> {
        let is_picture = |source: &SourceFile| matches!(source, SourceFile::Portrait { .. });
        self.others.iter().filter(move |(_, source)| is_picture(source)).map(|(path, _)| path.as_str())
    }

    fn check(&self, changes: &Changes) -> Vec<Problem> {
        let unchanged = self.texts.iter().filter(|(path, _)| !changes.contains_key(*path));
        let edited = changes.iter().filter_map(|(path, text)| Some((path, text.as_ref()?)));
        let others = self.others.iter().filter(|(path, _)| !changes.contains_key(path)).cloned().collect();
        let (mut sources, unreadable) = sources_of(&unchanged.chain(edited).collect::<Vec<_>>(), others);
        let mut problems: Problems = unreadable.into_iter().collect();
        let has_lists = self.has_lists && changes.keys().all(|path| is_one_of_many(path));
        if let Some(lists) = self.lists.read.as_ref().filter(|_| has_lists) {
            lists.find_again(&mut sources, &mut problems, self.today);
        } else {
            let (lists, found) = check::find(&mut sources, &mut problems, self.today);
            lists.warn_of_licenses(&found, &sources, &mut problems, self.today);
        }
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
        let before = |path: &str| self.texts.get(path).map_or("", String::as_str);
        let text_after = |path: &str| self.text(changes, path).unwrap_or_default();
        let parts =
            changes.keys().map(|path| (path.as_str(), Changed::between(before(path), text_after(path))));
        let parts: BTreeMap<&str, Changed> = parts.collect();
        let moved = |old: &Problem| {
            let start = old.place.start()?;
            Some(parts.get(old.path()).map_or(start, |part| part.moved(start)))
        };
        // The parser does not always mark the same sign of a line, so lines are compared.
        let is_same = |old: &Problem, new: &Problem| {
            let (Some(start), Some(at), Some(now)) = (old.place.start(), moved(old), new.place.start())
            else {
                return old.place == new.place;
            };
            let text = text_after(new.path());
            at == now
                || parts.get(old.path()).is_some_and(|part| {
                    line_at(text, at).start == line_at(text, now).start
                        || part.was_at(before(old.path()), start) && part.touches(text, new.place.span)
                })
        };
        let (known, left) = (by_words(&self.before), by_words(&after));
        let is_gone = |old: &&Problem| {
            let same = left.get(&(old.path(), old.what()));
            matches!(changes.get(old.path()), Some(None))
                || !same.is_some_and(|same| same.iter().any(|new| is_same(old, new)))
                    && !is_turned(old, &left)
        };
        let is_new = |new: &&Problem| {
            let same = known.get(&(new.path(), new.what())).map_or(&[][..], Vec::as_slice);
            let is_one_more = || left[&(new.path(), new.what())].len() > same.len();
            let is_known = |old: &&Problem| moved(old) == new.place.start();
            let is_other = !same.iter().any(|old| is_same(old, new));
            (is_other || is_one_more() && !same.iter().any(is_known)) && !is_turned(new, &known)
        };
        let is_inside = |new: &Problem| {
            let part = parts.get(new.path());
            // A warning about a whole file was hidden. An error about it can be a key that the edit hides.
            let has_place = new.place.span.is_some() || new.severity == Severity::Error;
            has_place && part.is_some_and(|part| part.touches(text_after(new.path()), new.place.span))
        };
        let gone = self.before.iter().enumerate().filter(|(_, old)| is_gone(old)).map(|(at, _)| at).collect();
        let new = after.iter().filter(is_new).map(|new| (new.clone(), is_inside(new)));
        // Warnings elsewhere have other causes, and a text of the example stood there before.
        let is_told = |(new, is_inside): &(Problem, bool)| {
            if new.is_of_example() {
                return false;
            }
            let is_own = new.path().contains('/') && parts.contains_key(new.path());
            new.severity == Severity::Error || *is_inside || is_own
        };
        let mut new: Vec<(Problem, bool)> = new.filter(is_told).collect();
        new.sort_by_key(|(_, is_inside)| !is_inside);
        Outcome { gone, new, after }
    }
}

/// Whether a contradiction between two files is reported in the other one: a repair can change which of them seems copied.
fn is_turned(problem: &Problem, found: &BTreeMap<(&str, &str), Vec<&Problem>>) -> bool {
    let Some((place, _)) = problem.also.as_ref().filter(|(place, _)| place.path != problem.path()) else {
        return false;
    };
    let there = found.get(&(place.path.as_str(), problem.what())).into_iter().flatten();
    there.filter_map(|other| other.also.as_ref()).any(|(place, _)| place.path == problem.path())
}

fn by_words(problems: &[Problem]) -> BTreeMap<(&str, &str), Vec<&Problem>> {
    let mut found: BTreeMap<_, Vec<&Problem>> = BTreeMap::new();
    for problem in problems {
        found.entry((problem.path(), problem.what())).or_default().push(problem);
    }
    found
}

impl Outcome {
    pub(super) fn of(&self, severity: Severity) -> Vec<(Problem, bool)> {
        self.new.iter().filter(|(new, _)| new.severity == severity).cloned().collect()
    }

    /// In a file that can be read, no mistake of notation is hidden.
    pub(super) fn is_uncovered(error: &Problem, problem: &Problem) -> bool {
        match problem.kind {
            Kind::Syntax | Kind::File => true,
            // Hours name what a list in the profile has.
            Kind::WrongType => {
                let is_of_hours = counterpart_of(problem.path()).is_some_and(|path| path == error.path());
                error.kind != Kind::Syntax && (is_of_hours || error.path() == problem.path())
            }
            Kind::UnknownKey | Kind::Other => false,
        }
    }
}

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

    /// Whether an offset was on the lines that changed.
    fn was_at(&self, text: &str, offset: usize) -> bool {
        (line_at(text, self.before.start).start..=line_at(text, self.before.end).end).contains(&offset)
    }

    fn touches(&self, text: &str, span: Option<(usize, usize)>) -> bool {
        let first = line_at(text, self.after.start).start;
        let last = line_at(text, self.after.end).end;
        span.is_none_or(|(start, end)| start <= last && first <= end)
    }
}

/// The file of the same clinician in the other folder.
pub(super) fn counterpart_of(path: &str) -> Option<String> {
    let (home, name) = path.split_once('/')?;
    let homes = ["providers", "availability"];
    let own = homes.iter().position(|known| *known == home)?;
    Some(format!("{}/{name}", homes[1 - own]))
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

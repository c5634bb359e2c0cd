//! The list of problems in a content folder: as text for people, with the line and a caret, and as fields for programs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::key::{KeyStep, keys_at};
use super::lines::Lines;
use super::offer::{Edit, Repair, Repaired};
use super::problem::{FileSpan, Problem, Severity};
use super::problems::{PerSeverity, Problems};
use super::sources::{Sources, has_text_ending};
use crate::told::count;
use crate::visible;

const DRAWN_AT_MOST: usize = 100;
const FILES_NAMED: usize = 20;
/// How many bytes of the files are kept to show lines of. Problems in further files are counted.
const TEXT_KEPT: usize = 8 << 20;
/// For how many problems with the same cause the places are listed.
const FOLLOWERS_PLACED: usize = 10;
const LINE_SHOWN: usize = 240;

#[derive(Debug)]
pub struct Replacement<'a> {
    pub from: Position,
    pub to: Position,
    pub text: &'a str,
}

/// A place in a file as editors count: lines and columns from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    /// The file, with the content folder's name before it.
    pub path: String,
    pub line: usize,
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.path, self.line, self.column)
    }
}

/// The problems of one run: errors, then warnings, each by file and place.
#[derive(Debug)]
pub struct Report {
    problems: Vec<Problem>,
    /// The problems that are only counted, by file.
    unlisted: BTreeMap<String, PerSeverity>,
    sources: Sources,
    lines: BTreeMap<String, Lines>,
    /// The files to edit that begin with a byte order mark, which the texts here are without.
    marked: BTreeSet<String>,
}

impl Report {
    pub(super) fn new(problems: Problems, repaired: Repaired, mut sources: Sources) -> Self {
        let (problems, mut unlisted) = problems.into_parts();
        let mut problems = with_repairs(problems, repaired);
        let edited = problems.iter().flat_map(|problem| &problem.repairs).flat_map(|repair| &repair.edits);
        let edited: BTreeSet<String> = edited.map(|edit| edit.path.clone()).collect();
        let marked = edited.into_iter().filter(|path| sources.has_mark(path)).collect();
        // Errors first: a warning may only be a consequence of one.
        problems.sort_by(|a, b| (a.severity, &a.place, &a.what).cmp(&(b.severity, &b.place, &b.what)));
        problems.dedup();
        // What only assistants' stores ask for can wait until the content is right.
        if problems.first().is_some_and(|first| first.severity == Severity::Error) {
            problems.retain(|problem| !problem.what.starts_with("[notices] is missing"));
        }
        let (mut lines, mut beyond, mut kept) = (BTreeMap::new(), BTreeSet::new(), 0);
        problems.retain(|problem| {
            let places = || problem.also.iter().map(|(place, _)| place).chain([&problem.place]);
            let followers = problem.followers.iter().take(FOLLOWERS_PLACED).map(|(place, _)| place);
            // A problem with a file as a whole shows no line and needs no text.
            let changed = changed_elsewhere(problem);
            for place in places().chain(followers).chain(&changed).filter(|place| place.span.is_some()) {
                if lines.contains_key(&place.path) || beyond.contains(&place.path) {
                    continue;
                }
                sources.recall(&place.path);
                let text = sources.text(&place.path).unwrap_or_default();
                if kept + text.len() > TEXT_KEPT {
                    sources.keep(&place.path, None);
                    beyond.insert(place.path.clone());
                } else {
                    kept += text.len();
                    lines.insert(place.path.clone(), Lines::new(text));
                }
            }
            let is_listed = places().all(|place| !beyond.contains(&place.path));
            if !is_listed {
                unlisted.entry(problem.path().to_owned()).or_default().add(problem.severity);
            }
            is_listed
        });
        sources.forget_all_but(|path| lines.contains_key(path));
        Self { problems, unlisted, sources, lines, marked }
    }

    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The terminal and the annotations of a pull request show no more.
    pub fn shown(&self) -> &[Problem] {
        &self.problems[..self.problems.len().min(DRAWN_AT_MOST)]
    }

    /// The number of errors, listed or not.
    pub fn errors(&self) -> usize {
        self.count(Severity::Error)
    }

    pub fn warnings(&self) -> usize {
        self.count(Severity::Warning)
    }

    fn count(&self, severity: Severity) -> usize {
        let followers = self.problems.iter().flat_map(|problem| &problem.followers);
        let listed = self.problems.iter().map(|problem| problem.severity);
        let listed = listed.chain(followers.map(|(_, severity)| *severity));
        let unlisted: usize = self.unlisted.values().map(|unlisted| unlisted.of(severity)).sum();
        listed.filter(|found| *found == severity).count() + unlisted
    }

    /// The edits of a repair in bytes of the files on disk, sorted and disjoint.
    pub fn edits_on_disk(&self, repair: &Repair) -> Vec<Edit> {
        let shifted = repair.edits.iter().map(|edit| {
            let shift = if self.marked.contains(&edit.path) { '\u{feff}'.len_utf8() } else { 0 };
            Edit { span: edit.span.start + shift..edit.span.end + shift, ..edit.clone() }
        });
        shifted.collect()
    }

    pub fn follower_positions(&self, problem: &Problem) -> Vec<Position> {
        problem.followers.iter().take(FOLLOWERS_PLACED).map(|(place, _)| self.position_of(place)).collect()
    }

    /// A sentence for each file with problems that are not listed.
    pub fn unlisted(&self) -> Vec<String> {
        let sentence = |number: usize, place: &str| {
            let (problems, are) = if number == 1 { ("problem", "is") } else { ("problems", "are") };
            format!("{number} more {problems} in {place} {are} not listed. Fix the listed ones first.")
        };
        let mut files = self.unlisted.iter();
        let named = files.by_ref().take(FILES_NAMED);
        let mut sentences: Vec<_> =
            named.map(|(path, unlisted)| sentence(unlisted.sum(), &self.sources.shown_path(path))).collect();
        let (others, number) = files.fold((0, 0), |(files, sum), (_, more)| (files + 1, sum + more.sum()));
        if others > 0 {
            sentences.push(sentence(number, &format!("{others} other files")));
        }
        sentences
    }

    pub fn position(&self, problem: &Problem) -> Position {
        self.position_of(&problem.place)
    }

    /// For each listed problem the key in its file that it is about; empty for a file as a whole.
    pub fn keys(&self) -> Vec<Vec<KeyStep>> {
        let mut places: BTreeMap<&str, Vec<(usize, Range<usize>)>> = BTreeMap::new();
        for (at, problem) in self.problems.iter().enumerate() {
            if let Some((start, end)) = problem.place.span {
                places.entry(&problem.place.path).or_default().push((at, start..end));
            }
        }
        let mut keys = vec![Vec::new(); self.problems.len()];
        for (path, of_file) in places {
            let (numbers, spans): (Vec<_>, Vec<_>) = of_file.into_iter().unzip();
            // A feed isn't TOML.
            let text = self.sources.text(path).filter(|_| has_text_ending(path)).unwrap_or_default();
            for (at, key) in numbers.into_iter().zip(keys_at(text, &spans)) {
                keys[at] = key;
            }
        }
        keys
    }

    pub fn other_position(&self, problem: &Problem) -> Option<Position> {
        problem.also.as_ref().map(|(place, _)| self.position_of(place))
    }

    /// What to write in place of which text, if the first repair is one edit.
    pub fn replacement<'a>(&self, problem: &'a Problem) -> Option<Replacement<'a>> {
        let repair = problem.repairs.first()?;
        let [Edit { path, span, text }] = repair.edits.as_slice() else { return None };
        let place = |at: usize| self.position_of(&FileSpan { path: path.clone(), span: Some((at, at)) });
        let is_shown = path == problem.path() && repair.moves.is_empty();
        is_shown.then(|| Replacement { from: place(span.start), to: place(span.end), text })
    }

    /// The first hundred problems as text, each with its line and a caret. What controls a terminal is replaced.
    pub fn drawn(&self, styled: bool) -> String {
        self.drawn_down_to(Severity::Warning, styled)
    }

    pub fn drawn_down_to(&self, least: Severity, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let mut text = String::new();
        let is_drawn = |problem: &&Problem| least == Severity::Warning || problem.severity == Severity::Error;
        let drawn = self.problems.iter().filter(is_drawn);
        let (of_example, others): (Vec<_>, Vec<_>) = drawn.partition(|problem| problem.is_of_example());
        let shown = others.iter().take(DRAWN_AT_MOST).map(|problem| self.draw(problem, &renderer));
        for one in shown.chain(self.draw_examples(&of_example, &renderer)) {
            text.push_str(&one);
            text.push_str("\n\n");
        }
        if let more @ 1.. = others.len().saturating_sub(DRAWN_AT_MOST) {
            let more = format!("… and {more} more\n\n");
            text.push_str(&more);
        }
        for sentence in self.unlisted() {
            text.push_str(&sentence);
            text.push_str("\n\n");
        }
        text
    }

    /// Placeholders as one warning with the lines of each file: their advice is the same.
    fn draw_examples(&self, of_example: &[&Problem], renderer: &Renderer) -> Option<String> {
        let mut places = BTreeMap::<String, Vec<String>>::new();
        for problem in of_example.iter().take(DRAWN_AT_MOST) {
            let Position { path, line, .. } = self.position(problem);
            places.entry(visible::line(&path).into_owned()).or_default().push(line.to_string());
        }
        let what = format!("Replace {} before you publish.", count(of_example.len(), "placeholder"));
        let mut group = Group::with_title(Level::WARNING.primary_title(what));
        for (path, lines) in &places {
            let (line, numbers) = (if lines.len() == 1 { "line" } else { "lines" }, lines.join(", "));
            group = group.element(Level::NOTE.message(format!("{path}, {line} {numbers}")));
        }
        (!places.is_empty()).then(|| render(renderer, group))
    }

    fn draw(&self, problem: &Problem, renderer: &Renderer) -> String {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = Group::with_title(level.primary_title(visible::lines(&problem.what)));
        let changed = changed_elsewhere(problem);
        let mut group = match &changed {
            Some(changed) => {
                let title = self.add_place(title, changed, None);
                self.add_place(title, &problem.place, Some("used here"))
            }
            None => self.add_place(title, &problem.place, None),
        };
        if let Some((place, label)) = &problem.also {
            group = self.add_place(group, place, Some(label));
        }
        let hint = problem.hint.iter().filter(|_| problem.repairs.is_empty()).map(|hint| &hint.text);
        for text in hint.chain(problem.repairs.iter().map(|repair| &repair.title)) {
            group = group.element(Level::HELP.message(visible::lines(text)));
        }
        for cause in problem.repairs.first().map_or(&[][..], |repair| &repair.causes) {
            group = group.element(Level::NOTE.message(format!("You'll then see: {}", visible::lines(cause))));
        }
        let (has, more) =
            (if problem.followers.len() == 1 { "has" } else { "have" }, problem.followers.len());
        let note = || format!("{} {has} the same cause{}", count(more, "more problem"), elsewhere(problem));
        if more > 0 {
            group = group.element(Level::NOTE.message(visible::lines(&note()).into_owned()));
        }
        render(renderer, group)
    }

    fn add_place<'a>(&'a self, group: Group<'a>, place: &FileSpan, label: Option<&'a str>) -> Group<'a> {
        let position = self.position_of(place);
        let path = visible::line(&position.path).into_owned();
        let text = self.sources.text(&place.path).zip(place.span);
        let Some(excerpt) = text.and_then(|(text, (start, end))| Excerpt::cut(text, start..end)) else {
            return group.element(Origin::path(path).line(position.line).char_column(position.column));
        };
        let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
        let snippet = Snippet::source(excerpt.text)
            .line_start(position.line)
            .path(path)
            .annotation(kind.span(excerpt.span).label(label.map(visible::lines)));
        group.element(snippet)
    }

    fn position_of(&self, place: &FileSpan) -> Position {
        let path = self.sources.shown_path(&place.path);
        let (Some(start), Some(lines)) = (place.start(), self.lines.get(&place.path)) else {
            return Position { path, line: 1, column: 1 };
        };
        let text = self.sources.text(&place.path).unwrap_or_default();
        let start = text.floor_char_boundary(start);
        let line = lines.line(start);
        Position { path, line: line + 1, column: text[lines.start(line)..start].chars().count() + 1 }
    }
}

/// Without an excerpt, with the margin of one, so that all places begin in the same column.
fn render(renderer: &Renderer, group: Group<'_>) -> String {
    let text = renderer.render(&[group]);
    let has_margin = text.lines().nth(1).is_some_and(|line| line.starts_with(' ') && line.contains("-->"));
    if has_margin { text } else { text.replace('\n', "\n ") }
}

/// Where a name was changed in a list: that is shown before a place that uses it.
fn changed_elsewhere(problem: &Problem) -> Option<FileSpan> {
    let undo = problem.repairs.iter().find(|repair| repair.name == "undo-rename");
    undo?.edits.first().map(|edit| FileSpan::new(&edit.path, &edit.span))
}

/// The other files with problems of the same cause.
fn elsewhere(problem: &Problem) -> String {
    const NAMED: usize = 3;
    let paths: BTreeSet<&str> = problem.followers.iter().map(|(place, _)| place.path.as_str()).collect();
    let mut others = paths.into_iter().filter(|path| *path != problem.path());
    let named: Vec<&str> = others.by_ref().take(NAMED).collect();
    match (named.is_empty(), others.count()) {
        (true, _) => String::new(),
        (false, 0) => format!(", in {}", named.join(", ")),
        (false, more) => format!(", in {}, and {}", named.join(", "), count(more, "other file")),
    }
}

fn with_repairs(problems: Vec<Problem>, mut repaired: Repaired) -> Vec<Problem> {
    let mut places: BTreeMap<usize, Vec<(FileSpan, Severity)>> = BTreeMap::new();
    for (follower, cause) in &repaired.followers {
        let problem = &problems[*follower];
        places.entry(*cause).or_default().push((problem.place.clone(), problem.severity));
    }
    let listed = problems.into_iter().enumerate().filter(|(at, _)| !repaired.followers.contains_key(at));
    let listed: Vec<_> = listed.collect();
    let offered = listed.into_iter().map(|(at, problem)| Problem {
        repairs: repaired.repairs.remove(&at).unwrap_or_default(),
        followers: places.remove(&at).unwrap_or_default(),
        ..problem
    });
    offered.collect()
}

/// The line in which a marked text begins, without what controls a terminal.
pub struct Excerpt<'a> {
    pub text: Cow<'a, str>,
    pub span: Range<usize>,
}

impl<'a> Excerpt<'a> {
    pub fn cut(text: &'a str, Range { start, end }: Range<usize>) -> Option<Self> {
        let start = text.floor_char_boundary(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let rest = &text[line_start..];
        let line = rest.split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        let offset = (start - line_start).min(line.len());
        let line = &line[..line.floor_char_boundary(offset + LINE_SHOWN)];
        let end = (end.max(start) - line_start).clamp(offset, line.len());
        (!text.is_empty()).then(|| Self::visible(line, offset..line.floor_char_boundary(end)))
    }

    /// Replaces what controls a terminal. The marked text may be of another length after that.
    fn visible(line: &'a str, marked: Range<usize>) -> Self {
        let shown = |range: Range<usize>| visible::lines(&line[range]);
        let (before, inside, after) =
            (shown(0..marked.start), shown(marked.clone()), shown(marked.end..line.len()));
        let span = before.len()..before.len() + inside.len();
        let is_same = [&before, &inside, &after].iter().all(|part| matches!(part, Cow::Borrowed(_)));
        let text = if is_same { Cow::Borrowed(line) } else { Cow::Owned(format!("{before}{inside}{after}")) };
        Self { text, span }
    }
}

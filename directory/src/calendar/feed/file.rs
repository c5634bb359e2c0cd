//! One text of a feed, read whole: its entries, and nothing yet about whom they mean here.

use std::collections::BTreeMap;
use std::collections::{HashMap, HashSet};
use std::num::NonZeroU32;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::super::instant::Instant;
use super::FeedMode;
use super::error::{BadLine, FeedError, TOLD_AT_MOST};
use super::line::{self, Line, Schedule, SlotState, Whom, Wrong};
use crate::model::VisitTypeId;

/// Lines that are parsed at the same time before their entries are taken in: bounds what is in memory twice.
const AT_ONCE: usize = 1 << 16;
const TOO_LARGE: &str = "publish fewer months, or split it into several files";

/// How much a feed may be. Beyond it, it is refused and not cut: half a feed is a wrong feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedLimits {
    /// Bytes of one text.
    pub bytes: usize,
    /// Lines of one text.
    pub lines: usize,
    /// Bytes of one line.
    pub line_bytes: usize,
    /// Entries of one provider, over all texts: each minute of a month, and some.
    pub entries_per_provider: usize,
}

impl Default for FeedLimits {
    fn default() -> Self {
        Self { bytes: 256 << 20, lines: 5_000_000, line_bytes: 64 << 10, entries_per_provider: 50_000 }
    }
}

/// A text of a feed whose every line has a meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedFile {
    pub(super) name: Arc<str>,
    pub(super) whoms: Vec<Named>,
    type_lists: Vec<Vec<VisitTypeId>>,
    pub(super) entries: Vec<FileEntry>,
    pub(super) schedules: BTreeMap<String, Schedule>,
    pub(super) others: usize,
}

/// Somebody whom the lines of a file are about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) whom: Whom<'static>,
    /// The first line that is about them.
    pub(super) line: usize,
    pub(super) span: Range<usize>,
}

/// An entry; who and which types are places in the file's lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileEntry {
    pub(super) start: Instant,
    pub(super) end: Instant,
    pub(super) whom: u32,
    /// One more than the place in the list.
    types: Option<NonZeroU32>,
    pub(super) line: u32,
    pub(super) state: SlotState,
}

impl FeedFile {
    /// Reads a text. Its name is for people: a path, or an address.
    ///
    /// # Errors
    /// A line has no meaning, or the text is beyond a limit. The error has every bad line.
    pub fn read(name: &str, text: &str, limits: &FeedLimits) -> Result<Self, FeedError> {
        let name: Arc<str> = name.into();
        if text.len() > limits.bytes {
            let what = format!("this is larger than {} bytes", limits.bytes);
            return Err(FeedError::whole(&name, &what, TOO_LARGE));
        }
        let lines = Lines::of(text, limits, &name)?;
        let mut reading = Reading::new(&name);
        for some in lines.0.chunks(AT_ONCE) {
            let read: Vec<_> = some
                .par_iter()
                .map(|place| {
                    let line = &text[place.span.clone()];
                    if line.len() > limits.line_bytes {
                        let what = format!("this line is longer than {} bytes", limits.line_bytes);
                        let help = "a line is one slot or one Schedule: leave out what is not needed";
                        return Err(Wrong { at: 0, what, help });
                    }
                    line::read(line)
                })
                .collect();
            for (place, read) in some.iter().zip(read) {
                match read {
                    Ok(line) => reading.add(place, line, text),
                    Err(wrong) => reading.refuse(place, &wrong, text),
                }
            }
        }
        reading.done()
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same, to be kept.
    #[must_use]
    pub fn shared_name(&self) -> Arc<str> {
        Arc::clone(&self.name)
    }

    /// When that begins which counts in a mode: free slots in an open feed, taken time in a busy one.
    pub fn starts(&self, mode: FeedMode) -> impl Iterator<Item = Instant> {
        let counts = move |entry: &&FileEntry| (entry.state == SlotState::Free) == (mode == FeedMode::Open);
        self.entries.iter().filter(counts).map(|entry| entry.start)
    }

    /// Whether it has no line at all: an export that was cut off, or a clinic without a booking.
    pub(super) fn is_blank(&self) -> bool {
        self.entries.is_empty() && self.schedules.is_empty() && self.others == 0
    }

    /// The taken time that ends after a moment: in all, and how much of it none of the other files lists.
    #[must_use]
    pub fn taken_beside(&self, others: &[Arc<Self>], now: Instant) -> (usize, usize) {
        let elsewhere: HashSet<_> = others.iter().flat_map(|file| file.taken_after(now)).collect();
        let missing = self.taken_after(now).filter(|taken| !elsewhere.contains(taken)).count();
        (self.taken_after(now).count(), missing)
    }

    fn taken_after(&self, now: Instant) -> impl Iterator<Item = (&Whom<'static>, Instant, Instant)> {
        let ahead = move |entry: &&FileEntry| entry.state != SlotState::Free && entry.end > now;
        let entries = self.entries.iter().filter(ahead);
        entries.filter_map(|entry| Some((&self.whoms.get(entry.whom as usize)?.whom, entry.start, entry.end)))
    }

    /// The visit types that an entry names.
    pub(super) fn types_of(&self, entry: &FileEntry) -> Option<&Vec<VisitTypeId>> {
        self.type_lists.get(entry.types?.get() as usize - 1)
    }
}

/// The lines of a text that are not blank.
struct Lines(Vec<Stretch>);

/// A line's number, and where in the text it is.
struct Stretch {
    number: usize,
    span: Range<usize>,
}

impl Lines {
    fn of(text: &str, limits: &FeedLimits, name: &Arc<str>) -> Result<Self, FeedError> {
        let mut lines = Vec::new();
        let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        for (index, line) in text[start..].split('\n').enumerate() {
            let shown = line.trim_ascii_end();
            let indent = shown.len() - shown.trim_ascii_start().len();
            if indent < shown.len() {
                lines.push(Stretch { number: index + 1, span: start + indent..start + shown.len() });
            }
            start += line.len() + 1;
            if lines.len() > limits.lines {
                let what = format!("this has more than {} lines", limits.lines);
                return Err(FeedError::whole(name, &what, TOO_LARGE));
            }
        }
        Ok(Self(lines))
    }
}

/// A file that is being read.
struct Reading<'a> {
    file: FeedFile,
    whoms: HashMap<Whom<'a>, u32>,
    type_lists: HashMap<Vec<VisitTypeId>, u32>,
    bad: Vec<BadLine>,
    bad_count: usize,
}

impl<'a> Reading<'a> {
    fn new(name: &Arc<str>) -> Self {
        let file = FeedFile {
            name: Arc::clone(name),
            whoms: Vec::new(),
            type_lists: Vec::new(),
            entries: Vec::new(),
            schedules: BTreeMap::new(),
            others: 0,
        };
        Self { file, whoms: HashMap::new(), type_lists: HashMap::new(), bad: Vec::new(), bad_count: 0 }
    }

    fn add(&mut self, place: &Stretch, line: Line<'a>, text: &str) {
        match line {
            Line::Other => self.file.others += 1,
            Line::Schedule(id, schedule) => {
                let before = self.file.schedules.get(&*id);
                if before.is_some_and(|before| *before != schedule) {
                    let what = format!("the Schedule {id} was described in another way further up");
                    let help = "describe each Schedule once, or in the same way";
                    self.refuse(place, &Wrong { at: 0, what, help }, text);
                } else if before.is_none() {
                    self.file.schedules.insert(id.into_owned(), schedule);
                }
            }
            Line::Entry(entry) => {
                let line::Entry { whom, start, end, state, types } = entry;
                let whom = self.whom(whom, place);
                let types = types.map(|types| NonZeroU32::MIN.saturating_add(self.types(types)));
                let line = u32::try_from(place.number).unwrap_or(u32::MAX);
                self.file.entries.push(FileEntry { start, end, whom, types, line, state });
            }
        }
    }

    /// The number of somebody, who is new where nobody has named them yet.
    fn whom(&mut self, whom: Whom<'a>, place: &Stretch) -> u32 {
        let named = &mut self.file.whoms;
        let next = u32::try_from(named.len()).unwrap_or(u32::MAX);
        *self.whoms.entry(whom).or_insert_with_key(|whom| {
            named.push(Named { whom: whom.to_static(), line: place.number, span: place.span.clone() });
            next
        })
    }

    fn types(&mut self, types: Vec<VisitTypeId>) -> u32 {
        let lists = &mut self.file.type_lists;
        let next = u32::try_from(lists.len()).unwrap_or(u32::MAX);
        *self.type_lists.entry(types).or_insert_with_key(|types| {
            lists.push(types.clone());
            next
        })
    }

    fn refuse(&mut self, place: &Stretch, wrong: &Wrong, text: &str) {
        self.bad_count += 1;
        if self.bad.len() < TOLD_AT_MOST {
            let Range { start, end } = place.span;
            let mut at = (start + wrong.at).min(end);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let column = text[line_start..at].chars().count() + 1;
            let position = (place.number, column);
            self.bad.push(BadLine::new(&self.file.name, position, at..end, &wrong.what, wrong.help));
        }
    }

    fn done(self) -> Result<FeedFile, FeedError> {
        if self.bad_count > 0 { Err(FeedError::new(self.bad, self.bad_count)) } else { Ok(self.file) }
    }
}

impl Whom<'_> {
    fn to_static(&self) -> Whom<'static> {
        match self {
            Whom::Provider(slug) => Whom::Provider(slug.clone().into_owned().into()),
            Whom::Schedule(id) => Whom::Schedule(id.clone().into_owned().into()),
        }
    }
}

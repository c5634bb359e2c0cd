//! Reads one text of a feed: its entries, not yet resolved to providers.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::super::instant::Instant;
use super::FeedMode;
use super::entry::{Entry, TypeNames};
use super::error::{BadLine, FeedError, MAX_LINES};
use super::line::{self, FeedSchedule, Line, LineError, Owner, TimeLine};

/// Fewer lines than this are parsed one after the other: sharing them out takes longer.
const FEW: usize = 256;
/// The number of lines that are parsed at once. While a batch is added to the file, its entries are in memory twice.
const BATCH: usize = 1 << 16;
/// Its bytes, of which an entry takes up to sixteen times as many.
const BATCH_BYTES: usize = 4 << 20;
/// Further types of other resources are counted as [`MORE_TYPES`].
const MAX_TYPES: usize = 20;
const MORE_TYPES: &str = "more types";
const TOO_LARGE: &str = "publish fewer months, or split it into several files";

/// The limits of a feed. A feed beyond them is refused, never cut: half a feed is a wrong feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedLimits {
    pub bytes: usize,
    pub lines: usize,
    pub line_bytes: usize,
    /// Clinicians and Schedules, and people of Schedules. A short line may name one, which takes a kilobyte of memory.
    pub owners: usize,
    /// Entries of a provider over all texts. A start in each minute of a month is within it.
    pub entries_per_provider: usize,
}

impl Default for FeedLimits {
    fn default() -> Self {
        Self {
            bytes: 256 << 20,
            lines: 5_000_000,
            line_bytes: 64 << 10,
            owners: 100_000,
            entries_per_provider: 50_000,
        }
    }
}

/// A text of a feed in which every line is valid.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeedFile {
    pub name: Arc<str>,
    pub(super) owners: Vec<NamedOwner>,
    pub(super) type_lists: Vec<TypeNames>,
    pub(super) schedules: BTreeMap<String, FeedSchedule>,
    /// The number of lines with other resources, by type.
    pub(super) others: BTreeMap<String, usize>,
    /// What counts for [`FeedLimits::owners`].
    pub named: usize,
}

/// An owner of entries, and the first line that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedOwner {
    pub(super) owner: Owner<'static>,
    pub(super) line: usize,
    pub(super) span: Range<usize>,
    pub(super) entries: Vec<Entry>,
}

impl FeedFile {
    /// Reads a text. The name is for messages: a path or an address.
    pub fn read(name: &str, text: &str, limits: &FeedLimits) -> Result<Self, FeedError> {
        let name: Arc<str> = name.into();
        if text.len() > limits.bytes {
            let what = format!("this is larger than {} bytes", limits.bytes);
            return Err(FeedError::whole(&name, &what, TOO_LARGE));
        }
        let lines = LineSpan::all(text, limits, &name)?;
        let file = FeedFile { name: Arc::clone(&name), ..FeedFile::default() };
        let mut reader = FileReader { file, ..FileReader::default() };
        let mut rest = &lines[..];
        while !rest.is_empty() {
            let mut bytes = 0;
            let fits = |line: &&LineSpan| {
                let is_first = bytes == 0;
                bytes += line.span.len() + 1;
                is_first || bytes <= BATCH_BYTES
            };
            let count = rest.iter().take(BATCH).take_while(fits).count();
            let (batch, next) = rest.split_at(count);
            rest = next;
            let read = |line: &LineSpan| {
                let line = &text[line.span.clone()];
                if line.len() > limits.line_bytes {
                    let what = format!("this line is longer than {} bytes", limits.line_bytes);
                    let help = "a line is one slot or one Schedule: remove what isn't needed";
                    return Err(LineError { at: 0, what, help });
                }
                line::read(line)
            };
            let read: Vec<_> = if batch.len() < FEW {
                batch.iter().map(read).collect()
            } else {
                batch.par_iter().map(read).collect()
            };
            for (span, read) in batch.iter().zip(read) {
                match read {
                    Ok(line) => reader.add(span, line, text),
                    Err(error) => reader.refuse(span, &error, text),
                }
            }
            if reader.file.named > limits.owners {
                let what = format!("this names more than {} clinicians and Schedules", limits.owners);
                return Err(FeedError::whole(&name, &what, TOO_LARGE));
            }
        }
        reader.done()
    }

    /// The starts of the entries that count in a mode: free slots in an open feed, busy time in a busy one.
    pub fn starts(&self, mode: FeedMode) -> impl Iterator<Item = Instant> {
        let entries = self.owners.iter().flat_map(|named| &named.entries);
        entries.filter(move |entry| entry.counts(mode)).map(|entry| entry.start)
    }

    /// Whether it has no line: a truncated export, or a clinic without bookings.
    pub fn is_blank(&self) -> bool {
        self.owners.is_empty() && self.schedules.is_empty() && self.others.is_empty()
    }
}

struct LineSpan {
    number: usize,
    span: Range<usize>,
}

impl LineSpan {
    fn all(text: &str, limits: &FeedLimits, name: &Arc<str>) -> Result<Vec<Self>, FeedError> {
        let mut lines = Vec::new();
        let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        for (index, line) in text[start..].split('\n').enumerate() {
            let shown = line.trim_ascii_end();
            let indent = shown.len() - shown.trim_ascii_start().len();
            if indent < shown.len() {
                lines.push(Self { number: index + 1, span: start + indent..start + shown.len() });
            }
            start += line.len() + 1;
            if lines.len() > limits.lines {
                let what = format!("this has more than {} lines", limits.lines);
                return Err(FeedError::whole(name, &what, TOO_LARGE));
            }
        }
        Ok(lines)
    }
}

#[derive(Default)]
struct FileReader<'a> {
    file: FeedFile,
    owners: HashMap<Owner<'a>, usize>,
    type_lists: HashMap<TypeNames, u32>,
    bad: Vec<BadLine>,
    bad_count: usize,
}

impl<'a> FileReader<'a> {
    fn add(&mut self, span: &LineSpan, line: Line<'a>, text: &str) {
        match line {
            Line::Other(kind) => {
                let is_known = self.file.others.contains_key(&*kind);
                let kind = if is_known || self.file.others.len() < MAX_TYPES { &*kind } else { MORE_TYPES };
                *self.file.others.entry(kind.to_owned()).or_default() += 1;
            }
            Line::Schedule(id, schedule) => {
                let before = self.file.schedules.get(&*id);
                if before.is_some_and(|before| *before != schedule) {
                    let what = format!("the Schedule {id} is described differently on an earlier line");
                    let help = "describe each Schedule once, or the same way each time";
                    self.refuse(span, &LineError { at: 0, what, help }, text);
                } else if before.is_none() {
                    self.file.named += 1 + schedule.people.len() + schedule.npis.len();
                    self.file.schedules.insert(id.into_owned(), schedule);
                }
            }
            Line::Time(time) => {
                let TimeLine { owner, start, end, state, types } = time;
                let owner = self.owner(owner, span);
                let types = types.map_or(0, |types| self.types(types).saturating_add(1));
                let line = u32::try_from(span.number).unwrap_or(u32::MAX);
                self.file.owners[owner].entries.push(Entry::new((start, end), state, types, line));
            }
        }
    }

    fn owner(&mut self, owner: Owner<'a>, at: &LineSpan) -> usize {
        let FeedFile { owners: named, named: count, .. } = &mut self.file;
        *self.owners.entry(owner).or_insert_with_key(|owner| {
            let (owner, span) = (owner.to_static(), at.span.clone());
            named.push(NamedOwner { owner, line: at.number, span, entries: Vec::new() });
            *count += 1;
            named.len() - 1
        })
    }

    fn types(&mut self, types: TypeNames) -> u32 {
        let lists = &mut self.file.type_lists;
        let next = u32::try_from(lists.len()).unwrap_or(u32::MAX);
        *self.type_lists.entry(types).or_insert_with_key(|types| {
            lists.push(types.clone());
            next
        })
    }

    fn refuse(&mut self, line: &LineSpan, error: &LineError, text: &str) {
        self.bad_count += 1;
        if self.bad.len() < MAX_LINES {
            let Range { start, end } = line.span;
            let mut at = (start + error.at).min(end);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
            let column = text[line_start..at].chars().count() + 1;
            let position = (line.number, column);
            self.bad.push(BadLine::new(&self.file.name, position, at..end, &error.what, error.help));
        }
    }

    fn done(self) -> Result<FeedFile, FeedError> {
        if self.bad_count > 0 { Err(FeedError::new(self.bad, self.bad_count)) } else { Ok(self.file) }
    }
}

impl Owner<'_> {
    pub(super) fn to_static(&self) -> Owner<'static> {
        match self {
            Owner::Provider(slug) => Owner::Provider(slug.clone().into_owned().into()),
            Owner::Schedule(id) => Owner::Schedule(id.clone().into_owned().into()),
        }
    }
}

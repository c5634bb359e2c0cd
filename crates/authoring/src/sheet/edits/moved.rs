//! Finds cells that hold what another row had at the export, because one column was sorted or shifted without the others, or
//! two people were exchanged. Each such cell is a correct value, so no other check notices it. Two clinicians can rightly
//! have the same states or plans: such columns count only if all of the column shows that it was sorted or shifted. Numbers
//! that a spreadsheet program shortened are found here, too: one message stands for all of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use directory::told::count;

use super::SheetRow;
use super::known::KnownClinicians;
use crate::sheet::column::{Column, Sharing};
use crate::sheet::fault::{Faults, SheetFault};
use crate::sheet::header::Header;
use crate::sheet::letters;
use crate::sheet::profile::Profile;
use crate::sheet::row_hashes::{RowHashes, hash};

/// How many cells of a column may hold values of other rows. Two may be a correction, unless two people exchanged what
/// identifies them.
const MOST_CELLS: usize = 2;
/// The farthest distance, in rows, at which shifted cells are looked for.
const FARTHEST: usize = 20;

#[derive(Debug, Default)]
pub(super) struct MovedCells {
    pub(super) faults: Faults,
    cells: HashSet<(usize, Column)>,
    rows: HashSet<usize>,
}

impl MovedCells {
    pub(super) fn find(sheet: &[SheetRow<'_>], header: &Header, known: &KnownClinicians<'_>) -> Self {
        let exported: Vec<_> = sheet.iter().filter_map(|row| ExportedRow::read(row, known)).collect();
        let row = |at: usize| exported[at].row.number;
        let columns = header.in_order().into_iter().map(|column| ColumnCells::read(column, &exported));
        let (moved, others): (Vec<_>, Vec<_>) =
            columns.filter(|column| !column.changed.is_empty()).partition(ColumnCells::is_moved);
        let mut found = Self::default();
        for column in &moved {
            column.changed.iter().for_each(|&at| found.add(row(at), column.column));
        }
        found.faults.extend(describe_columns(&moved, header, row));
        let exchanged = exchanged_rows(&others);
        for (&(at, owner), columns) in &exchanged {
            for &column in columns {
                found.add(row(at), column);
            }
            let is_mutual = exchanged.contains_key(&(owner, at));
            if is_mutual && owner < at {
                continue;
            }
            let (this, other, names) = (row(at) + 1, row(owner) + 1, in_words(columns));
            let what = if is_mutual {
                format!("rows {this} and {other} have each other's {names}")
            } else {
                format!("row {this} has the {names} of row {other}")
            };
            let place = columns.first().and_then(|first| header.cell_name(row(at), *first));
            let advice = match columns.len() {
                1 => {
                    "Was one column sorted? Put both back. If the files have them exchanged, correct the files"
                }
                _ => "Were two rows mixed up? Move whole rows, or export again",
            };
            let message = format!("{what}. {advice}");
            found.faults.push(SheetFault::new(place.unwrap_or_default(), message));
        }
        found
    }

    fn add(&mut self, row: usize, column: Column) {
        self.cells.insert((row, column));
        self.rows.insert(row);
    }

    /// Adds the cells whose numbers a spreadsheet program shortened, and returns one message for all of them.
    pub(super) fn add_shortened_numbers(&mut self, sheet: &[SheetRow<'_>]) -> Option<SheetFault> {
        let column = Column::parse("npi").ok()?;
        let is_shortened = |cell: &&str| letters::is_shortened_number(cell);
        let cells = sheet.iter().filter_map(|row| Some((row, row.cell(column).filter(is_shortened)?)));
        let cells: Vec<_> = cells.collect();
        for (row, _) in &cells {
            self.add(row.number, column);
        }
        let (first, example) = cells.first()?;
        let numbers = match cells.len() {
            1 => format!("this number to {example}"),
            several => format!("{several} numbers in this column, such as {example}"),
        };
        let message = format!(
            "a spreadsheet program shortened {numbers}, and the digits are lost. Export again \
             as XLSX, and make your changes there, or format the column as \"Text\" and write the numbers again"
        );
        Some(first.fault(column, message))
    }

    pub(super) fn contains(&self, row: usize, column: Column) -> bool {
        self.cells.contains(&(row, column))
    }

    pub(super) fn has_row(&self, row: usize) -> bool {
        self.rows.contains(&row)
    }
}

/// A row that the export wrote. If the sheet has no column `exported`, the file counts as the export.
struct ExportedRow<'a> {
    row: &'a SheetRow<'a>,
    hashes: Option<RowHashes<'a>>,
    file: Option<&'a Profile>,
}

impl<'a> ExportedRow<'a> {
    fn read(row: &'a SheetRow<'a>, known: &'a KnownClinicians<'_>) -> Option<Self> {
        let id = row.cell(Column::ID).filter(|id| !id.is_empty())?;
        let hashes = row.parse_hashes().ok().flatten();
        let file = known.profiles_by_id.get(id);
        let was_exported = match &hashes {
            // A copy of an exported row with another id is a new clinician.
            Some(hashes) => file.is_some() || hashes.had(Column::ID, id) == Some(true),
            None => row.header.exported.is_none() && file.is_some(),
        };
        was_exported.then_some(Self { row, hashes, file })
    }

    /// Returns `None` if the export had no such column. `empty` is the hash of an empty cell in it.
    fn cell(&self, column: Column, empty: &str) -> Option<Cell> {
        // The id is what finds the file, so it always equals the file's.
        let file_text = self.file.filter(|_| column != Column::ID).map(|file| file.cell(column));
        let was = match &self.hashes {
            Some(hashes) => hashes.exported_like(empty)?.to_owned(),
            None => hash(column, file_text.as_deref().unwrap_or_default()),
        };
        let edited = self.row.cell(column).filter(|text| file_text.as_deref() != Some(text));
        let now = match edited {
            Some(text) if self.hashes.is_some() || column != Column::ID => hash(column, text),
            _ => was.clone(),
        };
        Some(Cell { was, now, is_empty: edited.is_none_or(str::is_empty) })
    }
}

/// What a cell was at the export and what it is now, as hashes.
struct Cell {
    was: String,
    now: String,
    is_empty: bool,
}

/// A column's cells. Positions are those of the exported rows.
struct ColumnCells {
    column: Column,
    cells: Vec<Option<Cell>>,
    changed: Vec<usize>,
    /// The cells that hold what exactly one other row had, and that row.
    owners: BTreeMap<usize, usize>,
    count_of_others: usize,
}

impl ColumnCells {
    fn read(column: Column, rows: &[ExportedRow<'_>]) -> Self {
        let empty = hash(column, "");
        let cells: Vec<Option<Cell>> = rows.iter().map(|row| row.cell(column, &empty)).collect();
        let is_changed = |cell: &Cell| cell.was != cell.now;
        let changed = (0..cells.len()).filter(|&at| cells[at].as_ref().is_some_and(is_changed)).collect();
        let mut read = Self { column, cells, changed, owners: BTreeMap::new(), count_of_others: 0 };
        read.find_owners();
        read
    }

    fn find_owners(&mut self) {
        if self.changed.is_empty() {
            return;
        }
        // `None` means several rows with the same value.
        let mut rows: HashMap<&str, Option<usize>> = HashMap::new();
        for (at, cell) in self.cells.iter().enumerate() {
            if let Some(cell) = cell {
                rows.entry(cell.was.as_str()).and_modify(|row| *row = None).or_insert(Some(at));
            }
        }
        let sharing = self.column.sharing();
        for &at in &self.changed {
            let Some(cell) = self.cells[at].as_ref().filter(|cell| !cell.is_empty) else { continue };
            let Some(owner) = rows.get(cell.now.as_str()) else { continue };
            self.count_of_others += 1;
            if let Some(owner) = *owner
                && (sharing == Sharing::Never || self.changed.binary_search(&owner).is_ok())
            {
                self.owners.insert(at, owner);
            }
        }
    }

    fn is_moved(&self) -> bool {
        let has_moved_values = self.column.sharing() != Sharing::Usual && self.owners.len() > MOST_CELLS;
        has_moved_values || self.changed.len() > MOST_CELLS && (self.is_permuted() || self.is_shifted())
    }

    /// Whether the column has the values that it had, in another order. One change in ten may be another edit. Cells that
    /// exchanged their values in pairs don't count, unless equal values are now together, as after sorting.
    fn is_permuted(&self) -> bool {
        let mut balance: HashMap<&str, i64> = HashMap::new();
        let mut changes: HashMap<(&str, &str), usize> = HashMap::new();
        for cell in self.changed.iter().filter_map(|&at| self.cells[at].as_ref()) {
            *balance.entry(&cell.was).or_default() -= 1;
            *balance.entry(&cell.now).or_default() += 1;
            *changes.entry((&cell.was, &cell.now)).or_default() += 1;
        }
        let other_edits = balance.values().filter(|balance| **balance > 0).sum::<i64>();
        let other_edits = usize::try_from(other_edits).unwrap_or_default();
        let paired =
            changes.iter().map(|(&(was, now), count)| *count.min(changes.get(&(now, was)).unwrap_or(&0)));
        let unpaired = self.changed.len() - paired.sum::<usize>();
        let is_sorted =
            || other_edits == 0 && self.is_grouped(|cell| &cell.now) && !self.is_grouped(|cell| &cell.was);
        other_edits * 10 <= self.changed.len() && (unpaired > MOST_CELLS || is_sorted())
    }

    fn is_grouped(&self, value: fn(&Cell) -> &String) -> bool {
        let mut values: Vec<_> = self.cells.iter().flatten().map(value).collect();
        values.dedup();
        let groups = values.len();
        values.into_iter().collect::<HashSet<_>>().len() == groups
    }

    /// Whether a block of cells holds what the rows a few above or below had. The block is longer than this distance, so its
    /// values were not copied from elsewhere.
    fn is_shifted(&self) -> bool {
        (1..=FARTHEST).any(|distance| {
            let down = |at: usize| at.checked_sub(distance);
            let up = |at: usize| Some(at + distance);
            self.has_block(distance, down) || self.has_block(distance, up)
        })
    }

    fn has_block(&self, distance: usize, source: impl Fn(usize) -> Option<usize>) -> bool {
        let holds_source = |at: usize| {
            let source = self.cells.get(source(at)?)?.as_ref()?;
            let cell = self.cells[at].as_ref().filter(|cell| cell.now == source.was)?;
            Some((cell.was != cell.now).then_some(cell.now.as_str()))
        };
        let positions: Vec<_> = (0..self.cells.len()).map(holds_source).collect();
        positions.split(Option::is_none).any(|block| {
            let changed: Vec<&str> = block.iter().flatten().flatten().copied().collect();
            let values = changed.iter().collect::<HashSet<_>>().len();
            // Few values, such as genders, can look shifted by chance.
            block.len() > distance
                && changed.len() > MOST_CELLS
                && (values > MOST_CELLS || changed.len() > 2 * MOST_CELLS)
        })
    }
}

fn exchanged_rows(columns: &[ColumnCells]) -> BTreeMap<(usize, usize), BTreeSet<Column>> {
    let mut links: BTreeMap<(usize, usize), BTreeSet<Column>> = BTreeMap::new();
    for column in columns.iter().filter(|column| column.column.sharing() != Sharing::Usual) {
        for (&at, &owner) in &column.owners {
            links.entry((at, owner)).or_default().insert(column.column);
        }
    }
    for (&(at, owner), names) in &mut links {
        let is_exchanged = |column: &&ColumnCells| match (&column.cells[at], &column.cells[owner]) {
            (Some(one), Some(other)) => one.now != one.was && one.now == other.was && other.now == one.was,
            _ => false,
        };
        names.extend(columns.iter().filter(is_exchanged).map(|column| column.column));
    }
    let is_identifying = |column: &Column| {
        column.sharing() == Sharing::Never && *column != Column::ID || column.name() == "sort-name"
    };
    let pairs: HashSet<_> = links.keys().map(|&(at, owner)| (owner, at)).collect();
    links.retain(|pair, columns| {
        columns.len() > 1 || pairs.contains(pair) && columns.iter().any(is_identifying)
    });
    links
}

fn describe_columns(
    moved: &[ColumnCells],
    header: &Header,
    row: impl Fn(usize) -> usize,
) -> Option<SheetFault> {
    let first = moved.first()?;
    let names: BTreeSet<Column> = moved.iter().map(|column| column.column).collect();
    let rows: BTreeSet<usize> = moved.iter().flat_map(|column| column.changed.iter().copied()).collect();
    let (what, question) = if moved.len() == 1 {
        let cells = count(first.count_of_others, "cell");
        let what = format!("{cells} of {} hold the value of another row", in_words(&names));
        (what, "Was one column sorted? Undo the sort (Ctrl+Z)")
    } else {
        let rows = count(rows.len(), "row");
        let what = format!("{rows} hold values of other rows in {}", in_words(&names));
        (what, "Were columns sorted without the others? Undo the sort (Ctrl+Z)")
    };
    let distances = first.owners.iter().map(|(&at, &owner)| row(at).cast_signed() - row(owner).cast_signed());
    let distances: BTreeSet<isize> = distances.collect();
    let question = match moved.len() {
        2.. if names.contains(&Column::ID) => "Is the hidden column `exported` missing? Undo this (Ctrl+Z)",
        _ if distances.len() == 1 => "Were cells shifted up or down? Undo this (Ctrl+Z)",
        _ => question,
    };
    let example = first.owners.iter().next();
    let at = example.map(|(at, _)| at).or(first.changed.first())?;
    let example = example.map(|(_, &owner)| format!("; this cell holds the value of row {}", row(owner) + 1));
    let message = format!("{what}{}. {question}, or export again", example.unwrap_or_default());
    Some(SheetFault::new(header.cell_name(row(*at), first.column).unwrap_or_default(), message))
}

fn in_words(columns: &BTreeSet<Column>) -> String {
    const NAMED: usize = 3;
    let names: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name())).collect();
    let (first, others) = names.split_at(NAMED.min(names.len()));
    match (first, others) {
        ([one], []) => one.clone(),
        ([first @ .., last], []) => format!("{} and {last}", first.join(", ")),
        _ => format!("{}, and {}", first.join(", "), count(others.len(), "more column")),
    }
}

#[cfg(test)]
mod tests;

//! Reads XLSX workbooks: texts, whole numbers and TRUE or FALSE.

use std::collections::HashMap;

use super::xml::{Element, Part, unescaped, walk};
use super::zip::Archive;
use super::{Cell, Grid, MOST_TEXT, bounded, position};

/// The sheet that is read if a workbook has several.
const SHEET: &str = "clinicians";
const FORMULA: &str = "this is a formula: write the text itself (copy the cell, and paste it as a value)";
const DATE: &str =
    "the spreadsheet made a date of this: give the cell the format \"Text\", and write it again";
const FRACTION: &str =
    "this is a number with a fraction: give the cell the format \"Text\", and write it again";
const MERGED: &str = "this cell is merged with others: undo the merging, and write each cell";
const ERROR: &str = "the spreadsheet shows an error here: write the text itself";
const MACROS: &str = "this workbook has macros: save it as XLSX, without them";
const NO_WORKBOOK: &str = "this is not an XLSX workbook: save the sheet as XLSX or as \"CSV UTF-8\"";

/// Reads the sheet of a workbook. Returns the names of the tabs as well: that which was read, and the others.
pub(crate) fn read(bytes: &[u8]) -> Result<(Grid, Tabs), String> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err(
            "this workbook is an old XLS, or has a password: save it as XLSX without a password".to_owned()
        );
    }
    if !bytes.starts_with(b"PK") {
        return Err(NO_WORKBOOK.to_owned());
    }
    let mut archive = Archive::open(bytes)?;
    if archive.names().any(|name| name.to_ascii_lowercase().ends_with("vbaproject.bin")) {
        return Err(MACROS.to_owned());
    }
    let workbook = related(&mut archive, "")?.remove("officeDocument").ok_or(NO_WORKBOOK)?;
    let relations = relations(&mut archive, &workbook)?;
    let path = |kind: &str| {
        relations.iter().find(|relation| relation.kind == kind).map(|relation| relation.path.as_str())
    };
    let (sheet, tabs) = sheet_of(&mut archive, &workbook)?;
    let sheet = relations.iter().find(|relation| relation.id == sheet).ok_or(NO_WORKBOOK)?;
    let texts = path("sharedStrings").map_or(Ok(Vec::new()), |path| shared_texts(&mut archive, path))?;
    let dates = path("styles").map_or(Ok(Vec::new()), |path| styles_of_dates(&mut archive, path))?;
    let xml = archive.read(&sheet.path)?.ok_or(NO_WORKBOOK)?;
    Ok((cells(&xml, &texts, &dates)?, tabs))
}

/// The names of a workbook's tabs.
#[derive(Debug, PartialEq, Eq)]
pub struct Tabs {
    pub read: String,
    pub others: Vec<String>,
}

struct Relation {
    id: String,
    kind: String,
    path: String,
}

/// What a part of the workbook refers to. The part `""` is the archive.
fn relations(archive: &mut Archive<'_>, part: &str) -> Result<Vec<Relation>, String> {
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
    let below = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let xml = archive.read(&below(&format!("_rels/{file}.rels")))?.ok_or(NO_WORKBOOK)?;
    let mut relations = Vec::new();
    walk(&xml, |part| {
        if let Part::Open(element) = part
            && let (Some(id), Some(kind), Some(target)) =
                (element.get("Id"), element.get("Type"), element.get("Target"))
        {
            relations.push(Relation {
                id: id.to_owned(),
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                path: target.strip_prefix('/').map_or_else(|| below(target), str::to_owned),
            });
        }
        Ok(())
    })?;
    Ok(relations)
}

fn related(archive: &mut Archive<'_>, part: &str) -> Result<HashMap<String, String>, String> {
    Ok(relations(archive, part)?.into_iter().map(|relation| (relation.kind, relation.path)).collect())
}

/// The relation of the sheet called `clinicians`, or else of the first one.
fn sheet_of(archive: &mut Archive<'_>, workbook: &str) -> Result<(String, Tabs), String> {
    let xml = archive.read(workbook)?.ok_or(NO_WORKBOOK)?;
    let mut sheets = Vec::new();
    walk(&xml, |part| {
        if let Part::Open(element) = part
            && element.name == "sheet"
        {
            let text = |name| element.get(name).unwrap_or_default();
            sheets.push((unescaped(text("name")), text("id").to_owned()));
        }
        Ok(())
    })?;
    if sheets.is_empty() {
        return Err("this workbook has no sheet".to_owned());
    }
    let named = sheets.iter().position(|(name, _)| name.eq_ignore_ascii_case(SHEET));
    let (read, sheet) = sheets.remove(named.unwrap_or(0));
    Ok((sheet, Tabs { read, others: sheets.into_iter().map(|(name, _)| name).collect() }))
}

/// The texts that cells refer to by their number.
fn shared_texts(archive: &mut Archive<'_>, path: &str) -> Result<Vec<String>, String> {
    let Some(xml) = archive.read(path)? else { return Ok(Vec::new()) };
    let mut texts = Vec::new();
    let mut text = InnerText::default();
    walk(&xml, |part| {
        if let Part::Close("si") = part {
            texts.push(text.take());
        }
        text.see(&part);
        Ok(())
    })?;
    Ok(texts)
}

/// The text in elements `t`, without the phonetic readings (`rPh`) of Asian scripts.
#[derive(Default)]
struct InnerText {
    text: String,
    is_in_text: bool,
    is_in_reading: bool,
}

impl InnerText {
    fn see(&mut self, part: &Part<'_>) {
        match part {
            Part::Open(Element { name: "t", .. }) => self.is_in_text = true,
            Part::Close("t") => self.is_in_text = false,
            Part::Open(Element { name: "rPh", .. }) => self.is_in_reading = true,
            Part::Close("rPh") => self.is_in_reading = false,
            Part::Text(text) if self.is_in_text && !self.is_in_reading => self.text.push_str(text),
            _ => {}
        }
    }

    fn take(&mut self) -> String {
        unescaped(&std::mem::take(&mut self.text))
    }
}

/// Whether each style shows numbers as dates.
fn styles_of_dates(archive: &mut Archive<'_>, path: &str) -> Result<Vec<bool>, String> {
    let Some(xml) = archive.read(path)? else { return Ok(Vec::new()) };
    let (mut own, mut styles, mut is_in_cells) = (HashMap::new(), Vec::new(), false);
    walk(&xml, |part| {
        match part {
            Part::Open(element) if element.name == "numFmt" => {
                let (id, code) = (element.get("numFmtId"), element.get("formatCode"));
                own.insert(id.unwrap_or_default().to_owned(), is_date_code(code.unwrap_or_default()));
            }
            Part::Open(element) if element.name == "cellXfs" => is_in_cells = true,
            Part::Close("cellXfs") => is_in_cells = false,
            Part::Open(element) if element.name == "xf" && is_in_cells => {
                let id = element.get("numFmtId").unwrap_or_default();
                let built_in = || matches!(id.parse(), Ok(14..=22 | 27..=36 | 45..=47 | 50..=58));
                styles.push(own.get(id).copied().unwrap_or_else(built_in));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(styles)
}

/// Whether a number's format has a day, month, year, hour or second outside quotes and brackets.
fn is_date_code(code: &str) -> bool {
    let (mut is_quoted, mut is_in_brackets, mut is_escaped) = (false, false, false);
    for character in code.chars() {
        match character {
            _ if is_escaped => is_escaped = false,
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '\\' | '_' | '*' => is_escaped = true,
            '[' => is_in_brackets = true,
            ']' => is_in_brackets = false,
            'd' | 'm' | 'y' | 'h' | 's' | 'D' | 'M' | 'Y' | 'H' | 'S' if !is_in_brackets => return true,
            _ => {}
        }
    }
    false
}

/// A cell while it is read.
#[derive(Default)]
struct Begun {
    at: (usize, usize),
    kind: String,
    is_date: bool,
    is_formula: bool,
    is_in_value: bool,
    value: String,
    text: InnerText,
}

fn cells(xml: &[u8], texts: &[String], dates: &[bool]) -> Result<Grid, String> {
    let (mut grid, mut count, mut bytes) = (Grid::new(), 0, 0);
    let (mut row, mut column) = (0, 0);
    let mut begun: Option<Begun> = None;
    let mut merged = Vec::new();
    walk(xml, |part| {
        if let Some(cell) = &mut begun {
            cell.text.see(&part);
        }
        match part {
            Part::Open(element) if element.name == "row" => {
                let number = element.get("r").and_then(|row| row.parse::<usize>().ok()?.checked_sub(1));
                (row, column) = (number.unwrap_or(row), 0);
            }
            Part::Close("row") => row = row.saturating_add(1),
            Part::Open(element) if element.name == "c" => {
                let at = element.get("r").and_then(position).unwrap_or((row, column));
                column = at.1 + 1;
                let style = element.get("s").and_then(|style| style.parse::<usize>().ok());
                begun = Some(Begun {
                    at,
                    kind: element.get("t").unwrap_or_default().to_owned(),
                    is_date: style.and_then(|style| dates.get(style)).copied().unwrap_or_default(),
                    ..Begun::default()
                });
            }
            Part::Open(element) if element.name == "mergeCell" => {
                let first = element.get("ref").unwrap_or_default().split(':').next().unwrap_or_default();
                merged.extend(position(first));
            }
            Part::Open(element) => {
                if let Some(cell) = &mut begun {
                    cell.is_formula |= element.name == "f";
                    cell.is_in_value = element.name == "v";
                }
            }
            Part::Close("v") => begun.iter_mut().for_each(|cell| cell.is_in_value = false),
            Part::Close("c") => {
                if let Some(cell) = begun.take() {
                    let at = cell.at;
                    let cell = cell.finished(texts)?;
                    if let Cell::Text(text) = &cell {
                        bytes += text.len();
                    }
                    if bytes > MOST_TEXT {
                        let limit = MOST_TEXT >> 20;
                        return Err(format!(
                            "its cells have more than {limit} MB: export a new one, and edit that"
                        ));
                    }
                    put(&mut grid, &mut count, at, cell)?;
                }
            }
            Part::Text(text) => {
                if let Some(cell) = begun.as_mut().filter(|cell| cell.is_in_value) {
                    cell.value.push_str(text);
                }
            }
            Part::Close(_) => {}
        }
        Ok(())
    })?;
    for at in merged {
        put(&mut grid, &mut count, at, Cell::Other(MERGED))?;
    }
    Ok(grid)
}

/// Puts a cell into the grid, unless it is empty.
fn put(grid: &mut Grid, count: &mut usize, (row, column): (usize, usize), cell: Cell) -> Result<(), String> {
    if cell == Cell::of("") {
        return Ok(());
    }
    bounded((row, column), count)?;
    if grid.len() <= row {
        grid.resize_with(row + 1, Vec::new);
    }
    let cells = &mut grid[row];
    while cells.len() < column {
        bounded((row, column), count)?;
        cells.push(Cell::of(""));
    }
    if cells.len() == column {
        cells.push(cell);
    } else {
        cells[column] = cell;
    }
    Ok(())
}

impl Begun {
    fn finished(mut self, texts: &[String]) -> Result<Cell, String> {
        if self.is_formula {
            return Ok(Cell::Other(FORMULA));
        }
        let value = self.value.trim();
        Ok(match self.kind.as_str() {
            "s" => {
                let text = value.parse::<usize>().ok().and_then(|number| texts.get(number));
                Cell::of(text.ok_or("the workbook is damaged: save it again as XLSX")?)
            }
            "inlineStr" => Cell::of(&self.text.take()),
            "str" => Cell::of(&unescaped(&self.value)),
            "b" => match value {
                "1" | "true" => Cell::of("TRUE"),
                "0" | "false" => Cell::of("FALSE"),
                "" => Cell::of(""),
                _ => Cell::Other(ERROR),
            },
            "e" => Cell::Other(ERROR),
            "d" => Cell::Other(DATE),
            _ if value.is_empty() => Cell::of(""),
            _ if self.is_date => Cell::Other(DATE),
            _ => match value.parse::<f64>() {
                // Larger ones have lost digits.
                Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
                    Cell::of(&format!("{number:.0}"))
                }
                _ => Cell::Other(FRACTION),
            },
        })
    }
}

#[cfg(test)]
mod tests;

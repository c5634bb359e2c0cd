//! Reads XLSX workbooks. Cells may be texts, whole numbers, TRUE and FALSE.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};

use super::xml::{Element, XmlPiece, unescaped, walk};
use super::zip::Archive;
use super::{DATE, FORMULA, Grid, GridCell, MOST_CELLS, MOST_TEXT, count_cell, parse_cell_name};

const TAB: &str = "clinicians";
const NOT_WHOLE: &str =
    "this isn't a whole number of 15 digits or fewer: format the cell as \"Text\", and write it again";
const MERGED: &str = "this cell is merged with others: split it, and fill in each cell";
const ERROR: &str = "this is a spreadsheet error: write the value instead";
const MACROS: &str = "this workbook has macros: save it as XLSX without macros";
const NO_WORKBOOK: &str = "this isn't an XLSX workbook: save the sheet as XLSX or as \"CSV UTF-8\"";

/// Reads the tab called `clinicians`, or else the first one.
pub(crate) fn read(bytes: &[u8]) -> Result<(Grid, Tabs), String> {
    if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
        return Err("this workbook is an old XLS file or has a password: save it as XLSX without a password"
            .to_owned());
    }
    if !bytes.starts_with(b"PK") {
        return Err(NO_WORKBOOK.to_owned());
    }
    let mut archive = Archive::open(bytes)?;
    if archive.names().any(|name| name.to_ascii_lowercase().ends_with("vbaproject.bin")) {
        return Err(MACROS.to_owned());
    }
    let root = read_relations(&mut archive, "")?;
    let workbook = path_of(&root, "officeDocument").ok_or(NO_WORKBOOK)?;
    let relations = read_relations(&mut archive, workbook)?;
    let workbook = archive.read(workbook)?.ok_or(NO_WORKBOOK)?;
    let (relation_id, tabs) = choose_tab(&workbook)?;
    let sheet = relations.iter().find(|relation| relation.id == relation_id).ok_or(NO_WORKBOOK)?;
    let shared_texts =
        parse_shared_texts(&read_part(&mut archive, &relations, "sharedStrings")?, MOST_CELLS)?;
    let date_styles = parse_date_styles(&read_part(&mut archive, &relations, "styles")?)?;
    let xml = archive.read(&sheet.path)?.ok_or(NO_WORKBOOK)?;
    let settings = String::from_utf8_lossy(&workbook);
    let counts_from_1904 =
        ["date1904=\"1\"", "date1904=\"true\""].iter().any(|setting| settings.contains(setting));
    let mut reader = SheetReader { shared_texts, date_styles, counts_from_1904, ..SheetReader::default() };
    walk(&xml, |piece| reader.read_piece(piece))?;
    Ok((reader.finish()?, tabs))
}

/// The names of a workbook's tabs: the one that was read, and the others.
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

/// Returns the relations of a part, which name other parts. The relations of the whole archive are those of the part `""`.
fn read_relations(archive: &mut Archive<'_>, part: &str) -> Result<Vec<Relation>, String> {
    let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
    let in_folder = |name: &str| if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
    let xml = archive.read(&in_folder(&format!("_rels/{file}.rels")))?.ok_or(NO_WORKBOOK)?;
    let mut relations = Vec::new();
    walk(&xml, |piece| {
        if let XmlPiece::Open(element) = piece
            && let (Some(id), Some(kind), Some(target)) =
                (element.attribute("Id"), element.attribute("Type"), element.attribute("Target"))
        {
            relations.push(Relation {
                id: id.to_owned(),
                kind: kind.rsplit('/').next().unwrap_or_default().to_owned(),
                path: target.strip_prefix('/').map_or_else(|| in_folder(target), str::to_owned),
            });
        }
        Ok(())
    })?;
    Ok(relations)
}

fn path_of<'a>(relations: &'a [Relation], kind: &str) -> Option<&'a str> {
    relations.iter().find(|relation| relation.kind == kind).map(|relation| relation.path.as_str())
}

fn read_part(archive: &mut Archive<'_>, relations: &[Relation], kind: &str) -> Result<Vec<u8>, String> {
    let Some(path) = path_of(relations, kind) else { return Ok(Vec::new()) };
    Ok(archive.read(path)?.unwrap_or_default())
}

fn choose_tab(workbook: &[u8]) -> Result<(String, Tabs), String> {
    let mut tabs = Vec::new();
    walk(workbook, |piece| {
        if let XmlPiece::Open(element) = piece
            && element.name == "sheet"
        {
            let text = |name| element.attribute(name).unwrap_or_default();
            // "id" is `r:id`, because names have no prefix here. `sheetId` is another attribute.
            tabs.push((unescaped(text("name")), text("id").to_owned()));
        }
        Ok(())
    })?;
    if tabs.is_empty() {
        return Err("this workbook has no sheet".to_owned());
    }
    let clinicians = tabs.iter().position(|(name, _)| name.eq_ignore_ascii_case(TAB));
    let (read, relation_id) = tabs.remove(clinicians.unwrap_or(0));
    Ok((relation_id, Tabs { read, others: tabs.into_iter().map(|(name, _)| name).collect() }))
}

fn parse_shared_texts(xml: &[u8], most: usize) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    let mut text = InnerText::default();
    walk(xml, |piece| {
        if let XmlPiece::Close("si") = piece {
            // A small file can hold millions of texts that no cell uses.
            if texts.len() == most {
                return Err(format!(
                    "the workbook has more than {most} texts: export a new one, and edit that"
                ));
            }
            texts.push(text.take());
        }
        text.add(&piece);
        Ok(())
    })?;
    Ok(texts)
}

/// Collects the text in elements `t`, without the phonetic hints (`rPh`) of Asian scripts.
#[derive(Default)]
struct InnerText {
    text: String,
    is_in_text: bool,
    is_in_hint: bool,
}

impl InnerText {
    fn add(&mut self, piece: &XmlPiece<'_>) {
        match piece {
            XmlPiece::Open(Element { name: "t", .. }) => self.is_in_text = true,
            XmlPiece::Close("t") => self.is_in_text = false,
            XmlPiece::Open(Element { name: "rPh", .. }) => self.is_in_hint = true,
            XmlPiece::Close("rPh") => self.is_in_hint = false,
            XmlPiece::Text(text) if self.is_in_text && !self.is_in_hint => self.text.push_str(text),
            _ => {}
        }
    }

    fn take(&mut self) -> String {
        unescaped(&std::mem::take(&mut self.text))
    }
}

/// Returns, for each style, whether it shows numbers as dates.
fn parse_date_styles(xml: &[u8]) -> Result<Vec<bool>, String> {
    let (mut custom_formats, mut styles, mut is_in_cell_styles) = (HashMap::new(), Vec::new(), false);
    walk(xml, |piece| {
        match piece {
            XmlPiece::Open(element) if element.name == "numFmt" => {
                let (id, code) = (element.attribute("numFmtId"), element.attribute("formatCode"));
                custom_formats
                    .insert(id.unwrap_or_default().to_owned(), is_date_code(code.unwrap_or_default()));
            }
            XmlPiece::Open(element) if element.name == "cellXfs" => is_in_cell_styles = true,
            XmlPiece::Close("cellXfs") => is_in_cell_styles = false,
            XmlPiece::Open(element) if element.name == "xf" && is_in_cell_styles => {
                let id = element.attribute("numFmtId").unwrap_or_default();
                let is_built_in_date = || matches!(id.parse(), Ok(14..=22 | 27..=36 | 45..=47 | 50..=58));
                styles.push(custom_formats.get(id).copied().unwrap_or_else(is_built_in_date));
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(styles)
}

/// Returns whether a number's format has a day, month, year, hour or second outside quotes and brackets.
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

#[derive(Default)]
struct SheetReader {
    shared_texts: Vec<String>,
    date_styles: Vec<bool>,
    /// Old workbooks from Macs do, so their numbers mean other days.
    counts_from_1904: bool,
    grid: Grid,
    cell_count: usize,
    text_length: usize,
    /// The place of the next cell, unless that cell names another place.
    next_row: usize,
    next_column: usize,
    open_cell: Option<OpenCell>,
    /// The first cell of each merged range.
    merged: Vec<(usize, usize)>,
}

#[derive(Default)]
struct OpenCell {
    place: (usize, usize),
    /// The attribute `t`, such as `s` for a shared text.
    kind: String,
    is_date: bool,
    is_formula: bool,
    is_in_value: bool,
    value: String,
    text: InnerText,
}

impl SheetReader {
    fn read_piece(&mut self, piece: XmlPiece<'_>) -> Result<(), String> {
        if let Some(cell) = &mut self.open_cell {
            cell.add(&piece);
        }
        match piece {
            XmlPiece::Open(element) if element.name == "row" => {
                let number = element.attribute("r").and_then(|row| row.parse::<usize>().ok()?.checked_sub(1));
                (self.next_row, self.next_column) = (number.unwrap_or(self.next_row), 0);
            }
            XmlPiece::Close("row") => self.next_row = self.next_row.saturating_add(1),
            XmlPiece::Open(element) if element.name == "c" => self.start_cell(&element),
            XmlPiece::Open(element) if element.name == "mergeCell" => {
                let range = element.attribute("ref").unwrap_or_default();
                self.merged.extend(parse_cell_name(range.split(':').next().unwrap_or_default()));
            }
            XmlPiece::Close("c") => self.end_cell()?,
            _ => {}
        }
        Ok(())
    }

    fn start_cell(&mut self, element: &Element<'_>) {
        let place =
            element.attribute("r").and_then(parse_cell_name).unwrap_or((self.next_row, self.next_column));
        self.next_column = place.1 + 1;
        let style = element.attribute("s").and_then(|style| style.parse::<usize>().ok());
        self.open_cell = Some(OpenCell {
            place,
            kind: element.attribute("t").unwrap_or_default().to_owned(),
            is_date: style.and_then(|style| self.date_styles.get(style)).copied().unwrap_or_default(),
            ..OpenCell::default()
        });
    }

    fn end_cell(&mut self) -> Result<(), String> {
        let Some(open) = self.open_cell.take() else { return Ok(()) };
        let place = open.place;
        let cell = open.into_cell(&self.shared_texts, self.counts_from_1904)?;
        if let GridCell::Text(text) = &cell {
            self.text_length += text.len();
        }
        if self.text_length > MOST_TEXT {
            let limit = MOST_TEXT >> 20;
            return Err(format!("the cells have more than {limit} MB of text: export and edit a new sheet"));
        }
        self.put(place, cell)
    }

    fn put(&mut self, (row, column): (usize, usize), cell: GridCell) -> Result<(), String> {
        if cell == GridCell::text("") {
            return Ok(());
        }
        count_cell(&mut self.cell_count, row, column)?;
        if self.grid.len() <= row {
            self.grid.resize_with(row + 1, Vec::new);
        }
        let cells = &mut self.grid[row];
        while cells.len() < column {
            count_cell(&mut self.cell_count, row, column)?;
            cells.push(GridCell::text(""));
        }
        if cells.len() == column {
            cells.push(cell);
        } else {
            cells[column] = cell;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Grid, String> {
        for place in std::mem::take(&mut self.merged) {
            self.put(place, GridCell::Unreadable(MERGED))?;
        }
        Ok(self.grid)
    }
}

fn date_cell(date: Option<NaiveDate>) -> GridCell {
    date.map_or(GridCell::Unreadable(DATE), |date| GridCell::Date(date.to_string()))
}

/// The date of a number of days as spreadsheets count them.
pub(crate) fn date_of_serial(text: &str) -> Option<NaiveDate> {
    let days: u64 = text.parse().ok().filter(|days| (40_000..60_000).contains(days))?;
    NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(Days::new(days))
}

impl OpenCell {
    fn add(&mut self, piece: &XmlPiece<'_>) {
        self.text.add(piece);
        match piece {
            XmlPiece::Open(element) => {
                self.is_formula |= element.name == "f";
                self.is_in_value = element.name == "v";
            }
            XmlPiece::Close("v") => self.is_in_value = false,
            XmlPiece::Text(text) if self.is_in_value => self.value.push_str(text),
            _ => {}
        }
    }

    fn into_cell(mut self, shared_texts: &[String], counts_from_1904: bool) -> Result<GridCell, String> {
        if self.is_formula {
            return Ok(GridCell::Unreadable(FORMULA));
        }
        let value = self.value.trim();
        Ok(match self.kind.as_str() {
            "s" => {
                let text = value.parse::<usize>().ok().and_then(|number| shared_texts.get(number));
                GridCell::text(text.ok_or("the workbook is damaged: save it again as XLSX")?)
            }
            "inlineStr" => GridCell::text(&self.text.take()),
            "str" => GridCell::text(&unescaped(&self.value)),
            "b" => match value {
                "1" | "true" => GridCell::text("TRUE"),
                "0" | "false" => GridCell::text("FALSE"),
                "" => GridCell::text(""),
                _ => GridCell::Unreadable(ERROR),
            },
            "e" => GridCell::Unreadable(ERROR),
            "d" => date_cell(value.parse().ok()),
            _ if value.is_empty() => GridCell::text(""),
            _ if self.is_date => date_cell(date_of_serial(value).filter(|_| !counts_from_1904)),
            _ => match value.parse::<f64>() {
                // The spreadsheet has rounded larger numbers.
                Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
                    GridCell::text(&format!("{number:.0}"))
                }
                _ => GridCell::Unreadable(NOT_WHOLE),
            },
        })
    }
}

#[cfg(test)]
mod tests;

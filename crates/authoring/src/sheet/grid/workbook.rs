//! Writes an XLSX workbook with one sheet whose cells are all text.

use std::fmt::Write as _;

use super::xml::escaped;
use super::zip::pack;
use super::{MOST_ROWS, cell_name, column_name};

/// The longest text of a cell, in UTF-16 units.
pub(crate) const LONGEST_TEXT: usize = 32_767;

pub(crate) struct Heading {
    pub(crate) name: String,
    pub(crate) width: usize,
    pub(crate) is_hidden: bool,
    pub(crate) choices: Vec<&'static str>,
}

const CONTENT_TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#;
pub(super) const ARCHIVE_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
pub(super) const WORKBOOK: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="clinicians" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
pub(super) const WORKBOOK_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
/// Style 1 is for text, which is format 49. Style 2 is for the header.
const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"#;

/// The same rows always give the same bytes.
pub(crate) fn write(headings: &[Heading], rows: &[Vec<&str>]) -> Result<Vec<u8>, String> {
    let mut sheet = String::from(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>"#,
    );
    write_columns(&mut sheet, headings);
    write_rows(&mut sheet, headings, rows);
    write_drop_downs(&mut sheet, headings);
    sheet.push_str("</worksheet>");
    pack(&[
        ("[Content_Types].xml", CONTENT_TYPES),
        ("_rels/.rels", ARCHIVE_RELATIONS),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", WORKBOOK_RELATIONS),
        ("xl/styles.xml", STYLES),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

fn write_columns(sheet: &mut String, headings: &[Heading]) {
    sheet.push_str("<cols>");
    for (number, heading) in (1..).zip(headings) {
        let hidden = if heading.is_hidden { r#" hidden="1""# } else { "" };
        let width = heading.width;
        _ = write!(
            sheet,
            r#"<col min="{number}" max="{number}" width="{width}" style="1" customWidth="1"{hidden}/>"#
        );
    }
    sheet.push_str("</cols>");
}

fn write_rows(sheet: &mut String, headings: &[Heading], rows: &[Vec<&str>]) {
    sheet.push_str("<sheetData>");
    let names: Vec<&str> = headings.iter().map(|heading| heading.name.as_str()).collect();
    for (row, cells) in std::iter::once(&names).chain(rows).enumerate() {
        _ = write!(sheet, r#"<row r="{}">"#, row + 1);
        let style = if row == 0 { 2 } else { 1 };
        for (column, text) in cells.iter().enumerate() {
            let name = cell_name(row, column);
            _ = match *text {
                "" => write!(sheet, r#"<c r="{name}" s="{style}"/>"#),
                text => write!(
                    sheet,
                    r#"<c r="{name}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{}</t></is></c>"#,
                    escaped(text)
                ),
            };
        }
        sheet.push_str("</row>");
    }
    sheet.push_str("</sheetData>");
}

fn write_drop_downs(sheet: &mut String, headings: &[Heading]) {
    let with_choices: Vec<_> =
        headings.iter().enumerate().filter(|(_, heading)| !heading.choices.is_empty()).collect();
    if with_choices.is_empty() {
        return;
    }
    _ = write!(sheet, r#"<dataValidations count="{}">"#, with_choices.len());
    for (column, heading) in with_choices {
        let column = column_name(column);
        _ = write!(
            sheet,
            r#"<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="{column}2:{column}{MOST_ROWS}"><formula1>"{}"</formula1></dataValidation>"#,
            escaped(&heading.choices.join(","))
        );
    }
    sheet.push_str("</dataValidations>");
}

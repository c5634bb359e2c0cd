//! Writes an XLSX workbook of one sheet, whose cells are all text.

use std::fmt::Write as _;

use super::xml::escaped;
use super::zip::pack;
use super::{MOST_ROWS, column_name};

/// The longest text of a cell, as spreadsheets count: in units of UTF-16.
pub(crate) const LONGEST: usize = 32_767;

pub(crate) struct Heading<'a> {
    pub(crate) name: &'a str,
    /// Its width, in letters.
    pub(crate) width: usize,
    pub(crate) is_hidden: bool,
    /// What a drop-down offers.
    pub(crate) choices: Vec<&'a str>,
}

const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>"#;
pub(super) const ARCHIVE_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>"#;
pub(super) const WORKBOOK: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="clinicians" sheetId="1" r:id="rId1"/></sheets></workbook>"#;
pub(super) const WORKBOOK_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>"#;
/// Style 1 is text (format 49), style 2 the header.
const STYLES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>"#;

/// Writes a workbook of one sheet. The same rows give the same bytes.
pub(crate) fn write(headings: &[Heading<'_>], rows: &[Vec<&str>]) -> Result<Vec<u8>, String> {
    let mut sheet = String::from(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="1" topLeftCell="B2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews><cols>"#,
    );
    for (at, heading) in headings.iter().enumerate() {
        let hidden = if heading.is_hidden { r#" hidden="1""# } else { "" };
        let (number, width) = (at + 1, heading.width);
        _ = write!(
            sheet,
            r#"<col min="{number}" max="{number}" width="{width}" style="1" customWidth="1"{hidden}/>"#
        );
    }
    sheet.push_str("</cols><sheetData>");
    let names: Vec<&str> = headings.iter().map(|heading| heading.name).collect();
    for (number, row) in std::iter::once(&names).chain(rows).enumerate() {
        _ = write!(sheet, r#"<row r="{}">"#, number + 1);
        let style = if number == 0 { 2 } else { 1 };
        for (column, text) in row.iter().enumerate() {
            let name = format!("{}{}", column_name(column), number + 1);
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
    let lists: Vec<_> =
        headings.iter().enumerate().filter(|(_, heading)| !heading.choices.is_empty()).collect();
    if !lists.is_empty() {
        _ = write!(sheet, r#"<dataValidations count="{}">"#, lists.len());
        for (column, heading) in lists {
            let column = column_name(column);
            _ = write!(
                sheet,
                r#"<dataValidation type="list" allowBlank="1" showErrorMessage="1" sqref="{column}2:{column}{MOST_ROWS}"><formula1>"{}"</formula1></dataValidation>"#,
                escaped(&heading.choices.join(","))
            );
        }
        sheet.push_str("</dataValidations>");
    }
    sheet.push_str("</worksheet>");
    let owned = str::to_owned;
    pack(&[
        ("[Content_Types].xml", owned(TYPES)),
        ("_rels/.rels", owned(ARCHIVE_RELATIONS)),
        ("xl/workbook.xml", owned(WORKBOOK)),
        ("xl/_rels/workbook.xml.rels", owned(WORKBOOK_RELATIONS)),
        ("xl/styles.xml", owned(STYLES)),
        ("xl/worksheets/sheet1.xml", sheet),
    ])
}

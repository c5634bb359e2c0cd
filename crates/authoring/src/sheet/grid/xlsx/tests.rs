use super::super::workbook::{ARCHIVE_RELATIONS, Heading, WORKBOOK, WORKBOOK_RELATIONS, write};
use super::super::zip::pack;
use super::*;

fn workbook(sheet: &str) -> Vec<u8> {
    workbook_with_texts(
        sheet,
        "<sst uniqueCount=\"99999999999999\"><si><t>A &amp; B&#10;C</t></si><si><r><t xml:space=\"preserve\">rich </t></r><rPh><t>no</t></rPh><r><t>text_x000D_</t></r></si></sst>",
    )
}

fn workbook_with_texts(sheet: &str, texts: &str) -> Vec<u8> {
    let styles = r#"<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[Red]0 &quot;days&quot;"/><numFmt numFmtId="165" formatCode="yyyy\-mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>"#;
    let relations = WORKBOOK_RELATIONS.replace("</Relationships>", r#"<Relationship Id="rId3" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="/xl/texts.xml"/></Relationships>"#);
    pack(&[
        ("_rels/.rels", ARCHIVE_RELATIONS),
        ("xl/workbook.xml", WORKBOOK),
        ("xl/_rels/workbook.xml.rels", &relations),
        ("xl/styles.xml", styles),
        ("xl/texts.xml", texts),
        ("xl/worksheets/sheet1.xml", &format!("<x:worksheet xmlns:x=\"y\">{sheet}</x:worksheet>")),
    ])
    .unwrap()
}

fn grid(cells: &str) -> Result<Grid, String> {
    let bytes = workbook(&format!(
        "<x:sheetData><x:row r=\"1\">{}</x:row></x:sheetData>",
        cells.replace("<c", "<x:c").replace("</c", "</x:c")
    ));
    read(&bytes).map(|(grid, _)| grid)
}

fn cell(cell: &str) -> GridCell {
    grid(cell).unwrap().remove(0).remove(0)
}

#[test]
fn texts_that_no_cell_uses_are_bounded() {
    let texts = "<sst><si><t>a</t></si><si><t>b</t></si><si><t>c</t></si></sst>";
    assert_eq!(parse_shared_texts(texts.as_bytes(), 3).unwrap(), ["a", "b", "c"]);
    assert!(parse_shared_texts(texts.as_bytes(), 2).unwrap_err().contains("more than 2 texts"));
}

#[test]
fn each_kind_of_cell_becomes_a_text_or_says_what_to_do() {
    for (xml, wanted) in [
        ("<c r=\"A1\" t=\"s\"><v>0</v></c>", GridCell::text("A & B\nC")),
        ("<c r=\"A1\" t=\"s\"><v>1</v></c>", GridCell::text("rich text")),
        ("<c t=\"inlineStr\"><is><t>x</t></is></c>", GridCell::text("x")),
        ("<c t=\"str\"><v>y</v></c>", GridCell::text("y")),
        ("<c t=\"b\"><v>1</v></c>", GridCell::text("TRUE")),
        ("<c t=\"b\"><v>0</v></c>", GridCell::text("FALSE")),
        ("<c t=\"b\"><v>false</v></c>", GridCell::text("FALSE")),
        ("<c t=\"b\"><v>no</v></c>", GridCell::Unreadable(ERROR)),
        ("<c><v>101</v></c>", GridCell::text("101")),
        ("<c t=\"n\"><v>9.9413391E9</v></c>", GridCell::text("9941339100")),
        ("<c s=\"2\"><v>5</v></c>", GridCell::text("5")),
        ("<c><v>1.5</v></c>", GridCell::Unreadable(NOT_WHOLE)),
        ("<c><v>1e300</v></c>", GridCell::Unreadable(NOT_WHOLE)),
        ("<c><v>NaN</v></c>", GridCell::Unreadable(NOT_WHOLE)),
        ("<c s=\"1\"><v>46023</v></c>", GridCell::Date("2026-01-01".to_owned())),
        ("<c s=\"3\"><v>45000</v></c>", GridCell::Date("2023-03-15".to_owned())),
        ("<c t=\"d\"><v>2026-01-01</v></c>", GridCell::Date("2026-01-01".to_owned())),
        ("<c s=\"1\"><v>46023.5</v></c>", GridCell::Unreadable(DATE)),
        ("<c s=\"1\"><v>2</v></c>", GridCell::Unreadable(DATE)),
        ("<c t=\"e\"><v>#REF!</v></c>", GridCell::Unreadable(ERROR)),
        ("<c t=\"str\"><f>A2</f><v>y</v></c>", GridCell::Unreadable(FORMULA)),
        (
            "<c><f t=\"shared\" ref=\"A1:XFD1048576\" si=\"99999999999\"/><v>1</v></c>",
            GridCell::Unreadable(FORMULA),
        ),
    ] {
        assert_eq!(cell(xml), wanted, "{xml}");
    }
    let merged = workbook(
        "<sheetData><row><c t=\"inlineStr\"><is><t>x</t></is></c></row></sheetData><mergeCells><mergeCell ref=\"A1:B2\"/></mergeCells>",
    );
    assert_eq!(read(&merged).unwrap().0, [[GridCell::Unreadable(MERGED)]]);
}

#[test]
fn the_tabs_that_are_not_read_are_named() {
    let bytes = |names: [&str; 3]| {
        let sheets = names.map(|name| format!("<sheet name=\"{name}\" sheetId=\"1\" r:id=\"rId1\"/>"));
        pack(&[
            ("_rels/.rels", ARCHIVE_RELATIONS),
            (
                "xl/workbook.xml",
                &format!("<workbook xmlns:r=\"r\"><sheets>{}</sheets></workbook>", sheets.concat()),
            ),
            ("xl/_rels/workbook.xml.rels", WORKBOOK_RELATIONS),
            ("xl/worksheets/sheet1.xml", "<worksheet><sheetData/></worksheet>"),
        ])
        .unwrap()
    };
    for (names, wanted, others) in [
        (["Notes", "Clinicians", "A &amp; B"], "Clinicians", ["Notes", "A & B"]),
        (["Notes", "Q4", "Q3"], "Notes", ["Q4", "Q3"]),
    ] {
        let tabs = read(&bytes(names)).unwrap().1;
        assert_eq!((tabs.read.as_str(), tabs.others.as_slice()), (wanted, &others.map(str::to_owned)[..]));
    }
}

#[test]
fn strange_workbooks_are_refused() {
    for (cells, why) in [
        ("<c t=\"s\"><v>7</v></c>", "damaged"),
        ("<c r=\"A1048576\"><v>1</v></c>", "A1048576 is outside the 200000 rows"),
        ("<c r=\"XFD1\"><v>1</v></c>", "XFD1 is outside the"),
        ("<c><v>&unknown;</v></c>", "unknown"),
        ("<c>", "can't be read"),
    ] {
        let error = grid(cells).unwrap_err();
        assert!(error.contains(why), "{cells}: {error}");
    }
    // Many cells from few bytes.
    let row = |row: usize| format!("<row r=\"{row}\"><c r=\"SA{row}\"><v>1</v></c></row>");
    let rows = (1..20_000).map(row).collect::<Vec<_>>().concat();
    assert!(
        read(&workbook(&format!("<sheetData>{rows}</sheetData>")))
            .unwrap_err()
            .contains("more than 4000000 cells")
    );
    // Many cells that share a long text.
    let texts = format!("<sst><si><t>{}</t></si></sst>", "x".repeat(1 << 22));
    let cell = |row: usize| format!("<c r=\"A{row}\" t=\"s\"><v>0</v></c>");
    let cells = (1..=65).map(cell).collect::<Vec<_>>().concat();
    let long = workbook_with_texts(&format!("<sheetData><row>{cells}</row></sheetData>"), &texts);
    assert!(read(&long).unwrap_err().contains("more than 256 MB"));
    for (bytes, why) in [
        (&b"\xd0\xcf\x11\xe0"[..], "old XLS file or has a password"),
        (b"id,slug\n", "isn't an XLSX"),
        (b"PK\x03\x04", "damaged"),
    ] {
        assert!(read(bytes).unwrap_err().contains(why), "{why}");
    }
    let macros = pack(&[("xl/vbaProject.bin", "")]).unwrap();
    assert_eq!(read(&macros).unwrap_err(), MACROS);
    assert_eq!(read(&pack(&[("a.txt", "")]).unwrap()).unwrap_err(), NO_WORKBOOK);
    let entities = workbook("<!DOCTYPE x [<!ENTITY a \"b\">]><sheetData/>");
    assert!(read(&entities).unwrap_err().contains("document type"));
}

#[test]
fn a_written_workbook_is_read_as_it_was_written() {
    let headings = ["id", "name"].map(|name| Heading {
        name: name.to_owned(),
        width: 10,
        is_hidden: false,
        choices: vec!["a", "b&c"],
    });
    let texts =
        ["=1+1", "<&>\"'", "a\nb", "_x0041_", "\u{7}", "x_x", "_x005F_x0041_", "\u{fffe}ä", "", "0012"];
    let rows: Vec<Vec<&str>> = texts.iter().map(|text| vec!["r", *text]).collect();
    let bytes = write(&headings, &rows).unwrap();
    assert_eq!(bytes, write(&headings, &rows).unwrap());
    let (grid, tabs) = read(&bytes).unwrap();
    assert_eq!(tabs, Tabs { read: "clinicians".to_owned(), others: Vec::new() });
    assert_eq!(grid[0], [GridCell::text("id"), GridCell::text("name")]);
    for (text, row) in texts.iter().zip(&grid[1..]) {
        assert_eq!(row.get(1).cloned().unwrap_or(GridCell::text("")), GridCell::text(text));
    }
}

/// The styles are those of `xl/styles.xml`: 2 is that of headings, 1 that of text.
#[test]
fn only_the_first_row_is_written_as_headings() {
    let heading = Heading { name: "npi".to_owned(), width: 10, is_hidden: false, choices: Vec::new() };
    let bytes = write(&[heading], &[vec!["1"], vec![""]]).unwrap();
    let sheet = Archive::open(&bytes).unwrap().read("xl/worksheets/sheet1.xml").unwrap().unwrap();
    let sheet = String::from_utf8(sheet).unwrap();
    let style = |name: &str| {
        let (_, cell) = sheet.split_once(&format!("<c r=\"{name}\" s=\"")).unwrap();
        cell.split('"').next().unwrap()
    };
    assert_eq!(["A1", "A2", "A3"].map(style), ["2", "1", "1"]);
}

//! Any bytes are a table or a sentence; the rows of a table, written as CSV, are read the same.
#![no_main]

use std::path::Path;
use std::sync::LazyLock;

use directory::told::Refusal;
use libfuzzer_sys::fuzz_target;
use table::Table;
use tempfile::TempDir;

#[allow(dead_code)]
#[path = "../../crates/authoring/src/near.rs"]
mod near;
#[allow(dead_code)]
#[path = "../../crates/authoring/src/table.rs"]
mod table;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

/// The header and the rows.
fn read(bytes: &[u8], file: &Path) -> Result<Vec<Vec<String>>, Refusal> {
    std::fs::write(file, bytes).expect("a file");
    let mut table = Table::open(file)?;
    let mut rows = vec![table.header().to_vec()];
    while table.advance()? {
        assert_eq!(table.fields().count(), rows[0].len());
        for (column, name) in rows[0].iter().enumerate() {
            assert!(table.column(name).is_ok());
            _ = table.date(column);
        }
        rows.push(table.fields().map(str::to_owned).collect());
        assert_eq!(table.row_count() as usize, rows.len() - 1);
    }
    Ok(rows)
}

fuzz_target!(|bytes: &[u8]| {
    let file = FOLDER.path().join("table.csv");
    let rows = match read(bytes, &file) {
        Ok(rows) => rows,
        Err(error) => return assert!(error.to_string().contains("table.csv:")),
    };
    // The separator is guessed by the header.
    if rows[0].iter().any(|name| name.contains(['\t', ';', '|', ',', '"', '\n', '\r', '\u{feff}'])) {
        return;
    }
    let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
    for row in &rows {
        writer.write_record(row).expect("a row");
    }
    let written = writer.into_inner().expect("a table");
    assert_eq!(read(&written, &file).expect("what we write, we read"), rows);
});

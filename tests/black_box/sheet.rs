//! `export` and `import`: clinicians as rows of a sheet.

mod interrupted;
mod leave;
mod mistakes;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::harness::{nameplate, text};
use crate::publish::copy_of_content;

/// A copy of the demo clinic.
pub(crate) struct Copy {
    folder: TempDir,
    pub(crate) content: PathBuf,
}

impl Copy {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("content");
        copy_of_content(&copy);
        Self { folder, content: copy }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn file(&self, name: &str) -> String {
        fs::read_to_string(self.content.join(name)).unwrap()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.content.join(name), text).unwrap();
    }

    /// Every file, hidden ones too.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let files = walkdir::WalkDir::new(&self.content).into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        files.map(|entry| (entry.path().to_owned(), fs::read(entry.path()).unwrap())).collect()
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        nameplate(&[arguments, &["--content", self.content.to_str().unwrap()]].concat())
    }

    fn export(&self, name: &str) -> Sheet {
        let path = self.path(name);
        let _ = fs::remove_file(&path);
        printed(&self.run(&["export", path.to_str().unwrap()]), 0);
        Sheet::read(&path)
    }

    fn import(&self, sheet: &Sheet, code: i32) -> String {
        let path = self.path("edited.csv");
        sheet.write(&path);
        printed(&self.run(&["import", path.to_str().unwrap()]), code)
    }
}

/// What a command printed, once its exit code is right.
pub(crate) fn printed(output: &Output, code: i32) -> String {
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{printed}");
    printed
}

/// A sheet in CSV, as a spreadsheet has it.
struct Sheet(Vec<Vec<String>>);

impl Sheet {
    fn read(path: &Path) -> Self {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
        let row = |row: csv::StringRecord| {
            row.iter().map(|cell| cell.trim_start_matches('\u{feff}').to_owned()).collect()
        };
        Self(reader.records().map(|record| row(record.unwrap())).collect())
    }

    /// With semicolons, as spreadsheets of half the world write it.
    fn write(&self, path: &Path) {
        let mut writer = csv::WriterBuilder::new().delimiter(b';').flexible(true).from_path(path).unwrap();
        self.0.iter().for_each(|row| writer.write_record(row).unwrap());
    }

    fn column(&self, name: &str) -> usize {
        self.0[0].iter().position(|heading| heading == name).unwrap_or_else(|| panic!("{name}"))
    }

    fn row(&self, slug: &str) -> usize {
        let column = self.column("slug");
        self.0.iter().position(|row| row[column] == slug).unwrap_or_else(|| panic!("{slug}"))
    }

    fn cell(&mut self, slug: &str, column: &str) -> &mut String {
        let (row, column) = (self.row(slug), self.column(column));
        &mut self.0[row][column]
    }

    /// A cell's name in a spreadsheet.
    fn name(&self, slug: &str, column: &str) -> String {
        let column = self.column(column);
        let letter = |number: usize| char::from(b'A' + u8::try_from(number).unwrap());
        let letters: String = if column < 26 {
            letter(column).to_string()
        } else {
            [letter(column / 26 - 1), letter(column % 26)].iter().collect()
        };
        format!("{letters}{}", self.row(slug) + 1)
    }
}

#[test]
fn out_and_in_again_changes_no_byte() {
    let clinic = Copy::new();
    let before = clinic.files();
    for name in ["clinicians.csv", "clinicians.xlsx", "Clinicians.XLSX"] {
        let path = clinic.path(name);
        let said = printed(&clinic.run(&["export", path.to_str().unwrap()]), 0);
        assert!(said.contains(": 24 clinicians\n\n  nameplate import "), "{said}");
        let said = printed(&clinic.run(&["import", path.to_str().unwrap()]), 0);
        assert_eq!(said, "0 clinicians changed, 0 new, 24 unchanged\n0 files written\n");
        assert!(clinic.files() == before, "{name}");
        // An export does not overwrite a sheet, which may have edits.
        let said = printed(&clinic.run(&["export", path.to_str().unwrap()]), 2);
        assert!(said.contains("already exists and may have edits"), "{said}");
    }
    let sheet = fs::read(clinic.path("clinicians.csv")).unwrap();
    assert!(sheet.starts_with(b"\xef\xbb\xbfid,slug,display-name,"), "{}", text(&sheet[..200]));
}

/// Numbers that look random, the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// Another value for a cell that leaves the content right; `None` where there is none.
fn other_value(column: &str, cell: &str, round: usize, numbers: &mut Numbers) -> Option<String> {
    let mut items: Vec<&str> = cell.split("; ").filter(|item| !item.is_empty() && *item != "none").collect();
    let number = numbers.below(1000);
    let is_empty = cell.is_empty();
    Some(match column {
        "sort-name" if is_empty => format!("Zz {number}; \"x\""),
        "npi" | "sort-name" | "status" if !is_empty => String::new(),
        "status" => "paused".to_owned(),
        "credentials" => format!("MD, X{number} \"Q\" \\"),
        "bio" => format!("{cell} She likes the number {number}; = it is 'hers'."),
        "clinical-interests" => {
            let new = format!("Interest {round}-{number}; & more");
            let new = format!("\"{new}\"");
            items.push(&new);
            items.join("; ")
        }
        "former-slugs" => {
            let new = format!("formerly-{round}-{number}-{}", numbers.below(1_000_000));
            items.push(&new);
            items.join("; ")
        }
        "languages" | "accepting" if items.len() > 1 => {
            items.reverse();
            items.pop();
            items.join("; ")
        }
        "accepting" if items.len() == 1 => "none".to_owned(),
        "menopause-society-certified" => if cell == "TRUE" { "FALSE" } else { "TRUE" }.to_owned(),
        _ if column.starts_with("insurance") && items.len() > 1 => {
            items.remove(numbers.below(items.len()));
            items.join("; ")
        }
        _ if column.starts_with("insurance") && items.len() == 1 => String::new(),
        _ => return None,
    })
}

#[test]
fn five_hundred_edits_of_cells_are_five_hundred_changed_lines() {
    const ROUNDS: usize = 10;
    let clinic = Copy::new();
    let (mut numbers, mut edits) = (Numbers(8), 0);
    for round in 0..ROUNDS {
        let before = clinic.files();
        let mut sheet = clinic.export("clinicians.csv");
        // By file: lines that are exchanged, gained and lost.
        let mut wanted: HashMap<String, [usize; 3]> = HashMap::new();
        let mut edited = BTreeMap::new();
        while edited.len() < 500 / ROUNDS {
            let (row, column) = (1 + numbers.below(24), 2 + numbers.below(sheet.0[0].len() - 3));
            if edited.contains_key(&(row, column)) {
                continue;
            }
            let (old, name) = (sheet.0[row][column].clone(), sheet.0[0][column].clone());
            let Some(new) = other_value(&name, &old, round, &mut numbers) else { continue };
            let counts = wanted.entry(sheet.0[row][1].clone()).or_default();
            counts[match (old.is_empty(), new.is_empty()) {
                (false, false) => 0,
                (true, false) => 1,
                (_, true) => 2,
            }] += 1;
            edited.insert((row, column), name);
            sheet.0[row][column] = new;
        }
        let said = clinic.import(&sheet, 0);
        edits += edited.len();
        for (path, after) in clinic.files() {
            let slug = path.file_stem().unwrap().to_str().unwrap();
            let is_profile = path.parent().unwrap().ends_with("providers");
            let [exchanged, gained, lost] =
                wanted.get(slug).copied().filter(|_| is_profile).unwrap_or_default();
            let mut lines: HashMap<&[u8], i64> = HashMap::new();
            before[&path].split(|byte| *byte == b'\n').for_each(|line| *lines.entry(line).or_default() -= 1);
            after.split(|byte| *byte == b'\n').for_each(|line| *lines.entry(line).or_default() += 1);
            let sum = |sign: i64| lines.values().map(|count| (count * sign).max(0)).sum::<i64>();
            let wanted = [exchanged + gained, exchanged + lost].map(|count| i64::try_from(count).unwrap());
            assert_eq!([sum(1), sum(-1)], wanted, "{slug}: {}\n{said}", text(&after));
        }
    }
    assert_eq!(edits, 500);
    printed(&clinic.run(&["check"]), 0);
}

#[test]
fn a_new_row_is_a_clinician_and_hours_that_are_missing_are_named() {
    let clinic = Copy::new();
    let mut sheet = clinic.export("clinicians.csv");
    let mut row = vec![String::new(); sheet.0[0].len()];
    for (column, cell) in [
        ("id", "prov-0099"),
        ("slug", "ann-lee"),
        ("display-name", "Ann Lee"),
        ("credentials", "MD"),
        ("provider-type", "physician"),
        ("gender", "female"),
        ("bio", "Dr. Lee is new here."),
        ("licensed", "CA; NY"),
        ("accepting", "CA"),
        ("insurance all", "Goldenrod PPO"),
    ] {
        row[sheet.column(column)] = cell.to_owned();
    }
    sheet.0.push(row);
    let said = clinic.import(&sheet, 0);
    assert!(said.contains("ann-lee (row 26) is new: providers/ann-lee.toml\n"), "{said}");
    assert!(said.contains("warning: B26: This clinician accepts new patients but has no hours. Write the hours in availability/ann-lee.toml."), "{said}");
    assert!(said.contains("1 new, 24 unchanged"), "{said}");
    let answer = clinic.run(&["query", "/v1/providers/ann-lee"]);
    assert!(printed(&answer, 0).contains("\"statesAcceptingPatients\":[\"CA\"]"));
    // The same sheet again changes nothing; another one with her id is another person.
    assert!(clinic.import(&sheet, 0).contains("0 new, 25 unchanged\n0 files written"));
    *sheet.cell("ann-lee", "bio") = "Dr. Lee is another one.".to_owned();
    let said = clinic.import(&sheet, 1);
    assert!(said.contains("edited.csv A26: prov-0099 is the id of ann-lee"), "{said}");
}

#[test]
fn an_import_and_a_new_name_are_made_though_nothing_reads_what_they_print() {
    let clinic = Copy::new();
    let mut sheet = clinic.export("clinicians.csv");
    *sheet.cell("wulandari", "npi") = String::new();
    let path = clinic.path("edited.csv");
    sheet.write(&path);
    let content = clinic.content.to_str().unwrap();
    for arguments in [
        ["import", path.to_str().unwrap(), "--content", content].as_slice(),
        &["rename", "provider", "wulandari", "wulan", "--content", content],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let status = crate::harness::command(arguments).stdout(writer).status().unwrap();
        assert!(status.success(), "{arguments:?}");
    }
    assert!(!clinic.file("providers/wulan.toml").contains("npi"));
}

#[test]
fn earlier_warnings_are_not_repeated_and_a_feed_counts_as_hours() {
    let clinic = Copy::new();
    let plans = clinic.file("insurances.toml");
    clinic.write("insurances.toml", &format!("{plans}\n[[plan]]\nname = \"Unused PPO\"\n"));
    fs::remove_file(clinic.content.join("availability/jun-nakashima.toml")).unwrap();
    let from_now = |days| (chrono::Utc::now() + chrono::TimeDelta::days(days)).format("%Y-%m-%dT%H:%M:00Z");
    let (start, end) = (from_now(1), from_now(2));
    clinic.write(
        "availability/open.ndjson",
        &format!("{{\"provider\": \"jun-nakashima\", \"start\": \"{start}\", \"end\": \"{end}\", \"status\": \"free\"}}\n"),
    );
    let mut sheet = clinic.export("clinicians.csv");
    *sheet.cell("wulandari", "npi") = String::new();
    let said = clinic.import(&sheet, 0);
    assert!(said.contains("npi: 9856301475 → (empty)") && !said.contains("warning"), "{said}");
    let said = printed(&clinic.run(&["rename", "plan", "Unused PPO", "Unneeded PPO"]), 0);
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_withdrawn_clinician_stays_in_the_sheet_and_keeps_id_and_slug() {
    let clinic = Copy::new();
    let mut sheet = clinic.export("clinicians.csv");
    *sheet.cell("jun-nakashima", "status") = "withdrawn".to_owned();
    let said = clinic.import(&sheet, 0);
    assert!(said.contains("  status: (empty) → withdrawn\n"), "{said}");
    printed(&clinic.run(&["query", "/v1/providers/jun-nakashima"]), 1);
    let all = printed(&clinic.run(&["query", "/v1/providers?state=WA"]), 0);
    assert!(!all.contains("nakashima") && all.contains("wulandari"), "{all}");
    // The hours are ignored, even where they would be wrong for the entry.
    clinic.write("availability/jun-nakashima.toml", "timezone = \"America/Los_Angeles\"\n\n[[weekly]]\ndays = [\"mon\"]\nhours = [\"09:00-12:00\"]\ntypes = [103]\n");
    let said = printed(&clinic.run(&["check"]), 0);
    assert!(!said.contains("jun-nakashima"), "{said}");
    let mut sheet = clinic.export("clinicians.csv");
    assert_eq!(sheet.cell("jun-nakashima", "status"), "withdrawn");
    // Neither her id nor her slug is free, for a file either.
    let file = clinic.file("providers/jun-nakashima.toml").replace("withdrawn", "listed");
    clinic.write("providers/other-one.toml", &file);
    let said = printed(&clinic.run(&["check"]), 1);
    assert!(said.contains("prov-0012"), "{said}");
    let other =
        file.replace("prov-0012", "prov-0097").replacen('\n', "\nformer-slugs = [\"jun-nakashima\"]\n", 1);
    clinic.write("providers/other-one.toml", &other);
    let said = printed(&clinic.run(&["check"]), 1);
    assert!(said.contains("\"jun-nakashima\" is a clinician's current slug"), "{said}");
    fs::remove_file(clinic.content.join("providers/other-one.toml")).unwrap();
    let row = sheet.row("wulandari");
    let mut new = sheet.0[row].clone();
    (new[0], new[1]) = ("prov-0098".to_owned(), "jun-nakashima".to_owned());
    let (mark, name) = (sheet.column("exported"), sheet.column("display-name"));
    (new[mark], new[name]) = (String::new(), "Another One".to_owned());
    sheet.0.push(new);
    let said = clinic.import(&sheet, 1);
    assert!(said.contains("A26: the id of jun-nakashima is prov-0012"), "{said}");
    (sheet.0[25][0], sheet.0[25][1]) = ("prov-0012".to_owned(), "another-one".to_owned());
    let said = clinic.import(&sheet, 1);
    assert!(said.contains("already has the id prov-0012"), "{said}");
    sheet.0.pop();
    // Back again.
    clinic.write("availability/jun-nakashima.toml", "timezone = \"America/Los_Angeles\"\n");
    *sheet.cell("jun-nakashima", "status") = String::new();
    assert!(clinic.import(&sheet, 0).contains("  status: withdrawn → (empty)\n"));
    printed(&clinic.run(&["query", "/v1/providers/jun-nakashima"]), 0);
}

#[test]
fn a_column_that_was_sorted_alone_changes_no_one() {
    let clinic = Copy::new();
    let before = clinic.files();
    let mut sheet = clinic.export("clinicians.csv");
    *sheet.cell("wulandari", "status") = "withdrawn".to_owned();
    // Everything is sorted but the ids.
    let first = sheet.cell("wulandari", "id").clone();
    let second = std::mem::replace(sheet.cell("annelise-bjork", "id"), first);
    *sheet.cell("wulandari", "id") = second;
    let said = clinic.import(&sheet, 1);
    assert_eq!(said.matches("this row had another id when it was exported").count(), 2, "{said}");
    assert!(clinic.files() == before);
}

#[test]
fn a_file_that_isnt_a_sheet_is_refused_in_one_sentence() {
    let clinic = Copy::new();
    let before = clinic.files();
    for (name, bytes, why) in [
        ("a.xlsm", &b"PK"[..], "save the workbook as XLSX, without macros"),
        ("a.xls", b"x", "save the sheet as XLSX"),
        ("a.toml", b"x", "use a file name that ends in .xlsx or .csv"),
        ("a.xlsx", b"id,slug\n", "this isn't an XLSX workbook"),
        ("b.xlsx", b"\xd0\xcf\x11\xe0", "has a password"),
        ("c.xlsx", b"PK\x05\x06", "damaged"),
        ("a.csv", b"id,slug\n\"x,y\n", "a quotation mark is never closed"),
        ("b.csv", b"id,slug\nJos\xe9,y\n", "line 2 isn't UTF-8"),
    ] {
        fs::write(clinic.path(name), bytes).unwrap();
        let said = printed(&clinic.run(&["import", clinic.path(name).to_str().unwrap()]), 2);
        assert!(said.contains(why) && said.lines().count() == 1, "{said}");
    }
    let large = fs::File::create(clinic.path("large.xlsx")).unwrap();
    large.set_len(100 << 20).unwrap();
    let said = printed(&clinic.run(&["import", clinic.path("large.xlsx").to_str().unwrap()]), 2);
    assert!(said.contains("it is larger than 32 MB"), "{said}");
    let said = printed(&clinic.run(&["import", clinic.path("none.csv").to_str().unwrap()]), 2);
    assert!(said.contains("the file doesn't exist"), "{said}");
    assert!(clinic.files() == before);
}

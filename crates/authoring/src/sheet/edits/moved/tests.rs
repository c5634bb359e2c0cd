use crate::sheet::edits::{Reserved, SheetEdits, compare};
use crate::sheet::grid::{Grid, GridCell, csv};
use crate::sheet::profile::Profile;
use crate::sheet::{Format, write_sheet};

/// Names, credentials, kinds, genders, states of new patients, and plans. The last names are in no order.
const PEOPLE: [[&str; 6]; 8] = [
    ["Mia Moss", "MD", "physician", "female", "\"CA\"", "\"A\", \"B\""],
    ["Ann Roe", "NP", "nursePractitioner", "male", "\"CA\", \"NY\"", "\"C\""],
    ["Zoë Ash", "MD, FACOG", "physician", "female", "", "\"B\""],
    ["Bo Quist", "MSN", "nursePractitioner", "male", "\"NY\"", "\"A\""],
    ["Eva Lund", "DO", "physician", "female", "\"CA\"", "\"B\", \"C\""],
    ["Cy Bloom", "MD", "physician", "male", "\"NY\", \"TX\"", ""],
    ["Ida Vance", "DNP", "nursePractitioner", "female", "\"TX\"", "\"A\", \"C\""],
    ["Lê Dang", "MD", "physician", "male", "\"CA\", \"TX\"", "\"D\""],
];

fn profiles() -> Vec<Profile> {
    let profile = |(number, person): (usize, &[&str; 6])| {
        let [name, credentials, kind, gender, accepting, plans] = person;
        let slug = format!("person-{number}");
        let text = format!(
            "id = \"prov-{number}\"\ndisplay-name = \"{name}\"\ncredentials = \"{credentials}\"\nprovider-type = \"{kind}\"\n\
             gender = \"{gender}\"\nbio = \"Here is {name}.\"\nlicensed = [\"CA\", \"NY\", \"TX\"]\naccepting = [{accepting}]\n\
             npi = \"{}\"\n\n[insurance]\nall = [{plans}]\n",
            (number + 1) * 7919 % 100
        );
        Profile::parse(&slug, text).unwrap()
    };
    PEOPLE.iter().enumerate().map(profile).collect()
}

/// The exported sheet, in which each edit is one that people make in a spreadsheet.
struct Sheet(Vec<Vec<String>>);

impl Sheet {
    fn exported() -> Self {
        let grid = csv::read(&write_sheet(&profiles(), Format::Csv).unwrap()).unwrap();
        let text = |cell: GridCell| if let GridCell::Text(text) = cell { text } else { String::new() };
        Self(grid.into_iter().map(|row| row.into_iter().map(text).collect()).collect())
    }

    fn position(&self, column: &str) -> usize {
        self.0[0].iter().position(|heading| heading == column).unwrap()
    }

    /// Returns a column without its heading.
    fn column(&self, column: &str) -> Vec<String> {
        let position = self.position(column);
        self.0[1..].iter().map(|row| row[position].clone()).collect()
    }

    fn set(&mut self, column: &str, cells: impl IntoIterator<Item = impl Into<String>>) {
        let position = self.position(column);
        for (row, cell) in self.0[1..].iter_mut().zip(cells) {
            row[position] = cell.into();
        }
    }

    fn edit(&mut self, column: &str, edit: impl FnOnce(&mut Vec<String>)) {
        let mut cells = self.column(column);
        edit(&mut cells);
        self.set(column, cells);
    }

    fn without(&mut self, column: &str) {
        let position = self.position(column);
        self.0.iter_mut().for_each(|row| _ = row.remove(position));
    }

    fn import(&self) -> SheetEdits {
        let row = |row: &Vec<String>| row.iter().map(|cell| GridCell::text(cell)).collect();
        let grid: Grid = self.0.iter().map(row).collect();
        let reserved = Reserved { ids: [].into(), is_slug_taken: &|_| false };
        compare(&grid, profiles(), reserved).unwrap()
    }

    fn faults(&self) -> Vec<String> {
        let faults = self.import().faults;
        faults.into_iter().map(|fault| format!("{}: {}", fault.place, fault.message)).collect()
    }
}

/// Asserts that the import refuses an edited sheet with one message and leaves the edited rows out.
fn assert_refused(edit: impl FnOnce(&mut Sheet), message: &str) {
    let mut sheet = Sheet::exported();
    edit(&mut sheet);
    assert_eq!(sheet.faults(), [message]);
}

fn assert_accepted(edit: impl FnOnce(&mut Sheet), edited_rows: usize) {
    let mut sheet = Sheet::exported();
    edit(&mut sheet);
    assert_eq!(sheet.faults(), Vec::<String>::new());
    assert_eq!(sheet.import().rows.len(), edited_rows);
}

const ADVICE: &str = "Undo the sort (Ctrl+Z), or export again";

#[test]
fn a_column_that_was_sorted_alone_is_refused() {
    let sorted = "Was one column sorted?";
    assert_refused(
        |sheet| sheet.edit("npi", |cells| cells.sort()),
        &format!(
            "Q2: 8 cells of `npi` hold the value of another row; this cell holds the value of row 7. {sorted} {ADVICE}"
        ),
    );
    assert_refused(
        |sheet| sheet.edit("display-name", |cells| cells.sort()),
        &format!(
            "C2: 8 cells of `display-name` hold the value of another row; this cell holds the value of row 3. {sorted} {ADVICE}"
        ),
    );
    // One of them was also edited, and the sort was Z to A.
    assert_refused(
        |sheet| {
            sheet.edit("bio", |cells| {
                cells[3].push_str(" Hello.");
                cells.sort_by(|one, other| other.cmp(one));
            });
        },
        &format!(
            "I2: 5 cells of `bio` hold the value of another row; this cell holds the value of row 4. {sorted} {ADVICE}"
        ),
    );
    assert_refused(
        |sheet| sheet.edit("slug", |cells| cells.rotate_left(3)),
        &format!(
            "B2: 8 cells of `slug` hold the value of another row; this cell holds the value of row 5. {sorted} {ADVICE}"
        ),
    );
    for column in ["credentials", "provider-type", "gender", "accepting", "insurance all"] {
        let mut sheet = Sheet::exported();
        sheet.edit(column, |cells| cells.sort());
        let faults = sheet.faults();
        let what = format!("cells of `{column}` hold the value of another row");
        assert!(faults.len() == 1 && faults[0].contains(&what), "{faults:?}");
        assert!(sheet.import().rows.is_empty());
    }
}

#[test]
fn ids_that_were_sorted_alone_get_one_message() {
    let mut sheet = Sheet::exported();
    sheet.edit("id", |cells| cells.reverse());
    let faults = sheet.faults();
    assert!(faults.len() == 1 && faults[0].starts_with("A2: 8 cells of `id` hold the value"), "{faults:?}");
    // Without the marks of the export, all other columns are those of other people.
    sheet.without("exported");
    let faults = sheet.faults();
    assert!(faults.len() == 1 && faults[0].starts_with("B2: 8 rows hold values of other rows"), "{faults:?}");
}

#[test]
fn a_sheet_without_marks_is_compared_with_the_files() {
    assert_refused(
        |sheet| {
            sheet.without("exported");
            sheet.edit("npi", |cells| cells.sort());
        },
        &format!(
            "Q2: 8 cells of `npi` hold the value of another row; this cell holds the value of row 7. Was one column sorted? {ADVICE}"
        ),
    );
}

#[test]
fn cells_that_were_shifted_are_refused() {
    let shift_down = |cells: &mut Vec<String>| {
        cells.insert(2, String::new());
        cells.truncate(8);
    };
    let message = |cells: &str, column: &str| {
        format!(
            "cells of `{column}` hold the value of another row{cells}. Were cells shifted up or down? Undo this (Ctrl+Z), or export again"
        )
    };
    let mut sheet = Sheet::exported();
    sheet.edit("npi", shift_down);
    assert_eq!(sheet.faults(), [format!("Q5: 5 {}", message("; this cell holds the value of row 4", "npi"))]);
    for column in ["accepting", "insurance all", "credentials"] {
        let mut sheet = Sheet::exported();
        sheet.edit(column, |cells| {
            cells.remove(1);
            cells.push(cells[6].clone());
        });
        let faults = sheet.faults();
        assert!(faults.len() == 1 && faults[0].contains(&format!("cells of `{column}` hold")), "{faults:?}");
    }
    // Everything right of the id was shifted, and the hidden column was not.
    let mut sheet = Sheet::exported();
    let columns = sheet.0[0].len();
    for row in (4..=8).rev() {
        let above = sheet.0[row - 1].clone();
        sheet.0[row][1..columns - 1].clone_from_slice(&above[1..columns - 1]);
    }
    let faults = sheet.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(
        faults[0].starts_with(
            "B5: 5 rows hold values of other rows in `slug`, `display-name`, `credentials`, and"
        )
    );
    assert!(
        faults[0].contains("; this cell holds the value of row 4. Were cells shifted up or down?"),
        "{faults:?}"
    );
    assert!(sheet.import().rows.is_empty());
}

#[test]
fn two_people_who_were_exchanged_are_refused() {
    let advice = "Were two rows mixed up? Move whole rows, or export again";
    let swap = |sheet: &mut Sheet, columns: &[&str]| {
        for column in columns {
            sheet.edit(column, |cells| cells.swap(1, 5));
        }
    };
    assert_refused(
        |sheet| swap(sheet, &["display-name", "npi"]),
        &format!("C3: rows 3 and 7 have each other's `display-name` and `npi`. {advice}"),
    );
    assert_refused(
        |sheet| swap(sheet, &["npi", "accepting"]),
        &format!("O3: rows 3 and 7 have each other's `accepting` and `npi`. {advice}"),
    );
    assert_refused(
        |sheet| swap(sheet, &["slug", "display-name", "bio", "npi", "gender"]),
        &format!(
            "B3: rows 3 and 7 have each other's `slug`, `display-name`, `bio`, and 1 more column. {advice}"
        ),
    );
    // One column was sorted in which two cells were out of order.
    for (column, cell) in [("display-name", "C3"), ("bio", "I3"), ("npi", "Q3"), ("slug", "B3")] {
        assert_refused(
            |sheet| swap(sheet, &[column]),
            &format!(
                "{cell}: rows 3 and 7 have each other's `{column}`. Was one column sorted? Put both back. \
                 If the files have them exchanged, correct the files"
            ),
        );
    }
    // A row was pasted onto another one.
    assert_refused(
        |sheet| {
            for column in ["display-name", "bio"] {
                sheet.edit(column, |cells| cells[1] = cells[5].clone());
            }
        },
        &format!("C3: row 3 has the `display-name` and `bio` of row 7. {advice}"),
    );
    let mut sheet = Sheet::exported();
    swap(&mut sheet, &["id"]);
    let faults = sheet.faults();
    assert_eq!(
        faults.iter().filter(|fault| fault.contains("this row had another id")).count(),
        2,
        "{faults:?}"
    );
}

#[test]
fn values_that_people_can_share_are_accepted() {
    // Three clinicians get the plans, states and languages of another one, as by filling down.
    for column in ["insurance all", "accepting", "licensed", "credentials", "gender", "headshot", "sort-name"]
    {
        let mut sheet = Sheet::exported();
        sheet.edit(column, |cells| {
            for at in 1..4 {
                cells[at] = cells[0].clone();
            }
        });
        assert_eq!(sheet.faults(), Vec::<String>::new(), "{column}");
    }
    let copy_block = |cells: &mut Vec<String>| (0..3).for_each(|at| cells[at + 4] = cells[at].clone());
    assert_accepted(|sheet| sheet.edit("insurance all", copy_block), 3);
    // Two clinicians exchange their plans, and two others their states.
    assert_accepted(|sheet| sheet.edit("insurance all", |cells| cells.swap(0, 1)), 2);
    assert_accepted(
        |sheet| {
            sheet.edit("insurance all", |cells| cells.swap(0, 1));
            sheet.edit("accepting", |cells| cells.swap(0, 1));
            sheet.edit("insurance all", |cells| cells.swap(4, 6));
        },
        4,
    );
    // Four genders were wrong.
    let exchange = |cells: &mut Vec<String>| {
        cells.swap(0, 1);
        cells.swap(4, 5);
    };
    assert_accepted(|sheet| sheet.edit("gender", exchange), 4);
}

#[test]
fn corrections_and_new_values_are_accepted() {
    assert_accepted(|sheet| sheet.edit("credentials", |cells| cells.swap(0, 1)), 2);
    assert_accepted(|sheet| sheet.edit("accepting", |cells| cells.fill("none".to_owned())), 7);
    assert_accepted(
        |sheet| sheet.edit("npi", |cells| cells.iter_mut().for_each(|cell| *cell = String::new())),
        8,
    );
    assert_accepted(
        |sheet| sheet.edit("bio", |cells| cells.iter_mut().for_each(|cell| cell.push_str(" Hello."))),
        8,
    );
    assert_accepted(
        |sheet| {
            let states = ["CA; NY", "NY", "CA", "TX", "none", "CA; TX", "NY", "CA"];
            sheet.set("accepting", states);
        },
        8,
    );
}

#[test]
fn whole_rows_can_be_sorted_deleted_and_added() {
    let by_name = |sheet: &mut Sheet| sheet.0[1..].sort_by(|one, other| one[2].cmp(&other[2]));
    assert_accepted(by_name, 0);
    assert_accepted(
        |sheet| {
            by_name(sheet);
            sheet.0.drain(3..6);
            sheet.edit("insurance all", |cells| cells[0] = "D".to_owned());
        },
        1,
    );
    // A copied row, with the hidden column, in which the manager wrote a new clinician.
    assert_accepted(
        |sheet| {
            let mut row = sheet.0[2].clone();
            for (column, cell) in
                [("id", "prov-99"), ("slug", "li-wu"), ("display-name", "Li Wu"), ("npi", "5")]
            {
                row[sheet.position(column)] = cell.to_owned();
            }
            sheet.0.insert(3, row);
        },
        1,
    );
}

//! The columns of leaves.

use chrono::{TimeDelta, Utc};

use super::Copy;

#[test]
fn a_leave_goes_into_the_sheet_and_out_again() {
    let clinic = Copy::new();
    let mut sheet = clinic.export("clinicians.csv");
    let before = clinic.file("providers/wulandari.toml");
    *sheet.cell("wulandari", "leave from") = "12/1/2099".to_owned();
    *sheet.cell("wulandari", "leave until") = "2099-11-01".to_owned();
    let said = clinic.import(&sheet, 1);
    let until = sheet.name("wulandari", "leave until");
    assert!(
        said.contains(&format!(
            "edited.csv {until}: `leave until` is 2099-11-01, but the leave begins on 2099-12-01"
        )),
        "{said}"
    );
    *sheet.cell("wulandari", "leave until") = "2100-03-01".to_owned();
    clinic.import(&sheet, 0);
    let leave = "\n[[leave]]\nfrom = 2099-12-01\nuntil = 2100-03-01\n";
    assert_eq!(clinic.file("providers/wulandari.toml"), format!("{before}{leave}"));
    let mut sheet = clinic.export("clinicians.csv");
    assert_eq!(sheet.cell("wulandari", "leave from"), "2099-12-01");
    for column in ["leave from", "leave until"] {
        *sheet.cell("wulandari", column) = String::new();
    }
    clinic.import(&sheet, 0);
    assert_eq!(clinic.file("providers/wulandari.toml").trim_end(), before.trim_end());
}

#[test]
fn mistakes_in_leaves_name_their_cells_and_what_to_do_there() {
    let clinic = Copy::new();
    let [a, b, c, d] = [100, 110, 120, 150].map(|days| Utc::now().date_naive() + TimeDelta::days(days));
    for (column, from, until, expected) in [
        (
            "leave from",
            format!("{a}; {b}"),
            format!("{c}; {d}"),
            &*format!(
                "The leave from {b} overlaps the one from {a}. Write {c}, or delete this leave, or delete the other leave.\n"
            ),
        ),
        (
            "leave from",
            String::new(),
            d.to_string(),
            "`leave from` is missing. Add the first day, such as 2026-12-01\n",
        ),
        (
            "status",
            String::new(),
            String::new(),
            "\"on leave\" isn't allowed here: write the days into `leave from` and `leave until`, and empty this cell\n",
        ),
    ] {
        let mut sheet = clinic.export("clinicians.csv");
        *sheet.cell("wulandari", "leave from") = from;
        *sheet.cell("wulandari", "leave until") = until;
        if column == "status" {
            *sheet.cell("wulandari", "status") = "on leave".to_owned();
        }
        let said = clinic.import(&sheet, 1);
        let cell = sheet.name("wulandari", column);
        assert!(said.contains(&format!("edited.csv {cell}: {expected}")), "{said}");
    }
}

//! The columns of leaves.

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
            "edited.csv {until}: `until` is 2099-11-01, and the leave begins on 2099-12-01"
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

//! Imports that were interrupted.

use std::fs;

use sha2::{Digest, Sha256};

use super::{Copy, printed};

#[test]
fn an_import_that_was_killed_is_finished_by_the_next_and_nothing_is_published_until_then() {
    let clinic = Copy::new();
    let mut sheet = clinic.export("clinicians.csv");
    let names = ["jun-nakashima", "wulandari"];
    for name in names {
        *sheet.cell(name, "status") = "paused".to_owned();
    }
    // As it is left when the command is killed behind the first of two files.
    let edited = names.map(|name| {
        let file = clinic.file(&format!("providers/{name}.toml"));
        file.replacen("\n\n[insurance]", "\nstatus = \"paused\"\n\n[insurance]", 1)
    });
    let old = |name: &str| {
        let hash = Sha256::digest(clinic.file(&format!("providers/{name}.toml")));
        hash.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
    };
    let list = format!(
        "0 {} providers/{}.toml\n1 {} providers/{}.toml\n",
        old(names[0]),
        names[0],
        old(names[1]),
        names[1]
    );
    clinic.write("providers/jun-nakashima.toml", &edited[0]);
    fs::create_dir(clinic.content.join(".nameplate-edit")).unwrap();
    clinic.write(".nameplate-edit/list", &list);
    clinic.write(".nameplate-edit/1", &edited[1]);
    for command in ["check", "build", "query"] {
        let out = clinic.path("dist");
        let arguments = match command {
            "build" => vec![command, "--out", out.to_str().unwrap()],
            "query" => vec![command, "/v1/states"],
            _ => vec![command],
        };
        let said = printed(&clinic.run(&arguments), 2);
        assert!(said.contains("was interrupted") && said.contains("run that command again"), "{said}");
    }
    // A dry run writes nothing, not even that.
    let halfway = clinic.files();
    let path = clinic.path("edited.csv");
    sheet.write(&path);
    let said = printed(&clinic.run(&["import", "--dry-run", path.to_str().unwrap()]), 2);
    assert!(said.contains("was interrupted") && clinic.files() == halfway, "{said}");
    let said = clinic.import(&sheet, 0);
    assert!(
        said.contains("finished an interrupted edit of ") && said.contains("0 files written\n"),
        "{said}"
    );
    for (name, edited) in names.iter().zip(edited) {
        assert_eq!(clinic.file(&format!("providers/{name}.toml")), edited);
    }
    assert!(!clinic.content.join(".nameplate-edit").exists());
    printed(&clinic.run(&["check"]), 0);
}

#[test]
fn a_name_that_is_neither_a_sheet_nor_a_folder_is_refused() {
    let clinic = Copy::new();
    let path = clinic.path("clinicians.xslx");
    let said = printed(&clinic.run(&["export", path.to_str().unwrap()]), 2);
    let advice = format!("run `nameplate export {}`", clinic.path("clinicians.xlsx").display());
    assert!(said.contains(&advice) && !path.exists(), "{said}");
}

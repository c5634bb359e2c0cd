//! Mistakes that an import reports by cell.

use super::{Copy, Sheet, printed};

#[test]
fn mistakes_that_only_check_knows_are_reported_by_cell_and_nothing_is_written() {
    let clinic = Copy::new();
    let before = clinic.files();
    let mut sheet = clinic.export("clinicians.csv");
    *sheet.cell("jun-nakashima", "accepting") = "CA; TX".to_owned();
    *sheet.cell("jun-nakashima", "insurance CA") = "Blue Messa of California".to_owned();
    *sheet.cell("wulandari", "npi") = "123".to_owned();
    *sheet.cell("wulandari", "display-name") = "Wulandari Doe".to_owned();
    *sheet.cell("amara-okonkwo", "bio") = "Write to her at amara@larkspur.example.".to_owned();
    let said = clinic.import(&sheet, 1);
    for (slug, column, what) in [
        ("jun-nakashima", "accepting", "TX is in `accepting` but not in `licensed`"),
        ("jun-nakashima", "insurance CA", "Blue Messa of California"),
        ("wulandari", "npi", "123"),
        ("amara-okonkwo", "bio", "This looks like an email address"),
    ] {
        let place = format!("edited.csv {}: ", sheet.name(slug, column));
        let line = said.lines().find(|line| line.starts_with(&place));
        assert!(line.is_some_and(|line| line.contains(what)), "{place}{what}\n{said}");
    }
    // The lines for allow.toml can be copied.
    assert!(said.contains("\ntext = \"amara@larkspur.example\"\n"), "{said}");
    assert!(said.ends_with("4 mistakes; nothing was written\n") && clinic.files() == before, "{said}");
    // Without them the same sheet says what it changes, and a dry run writes nothing.
    *sheet.cell("jun-nakashima", "accepting") = "CA".to_owned();
    *sheet.cell("jun-nakashima", "insurance CA") = String::new();
    *sheet.cell("wulandari", "npi") = String::new();
    *sheet.cell("amara-okonkwo", "bio") = "Hello.".to_owned();
    sheet.write(&clinic.path("edited.csv"));
    let path = clinic.path("edited.csv");
    let said = printed(&clinic.run(&["import", path.to_str().unwrap(), "--dry-run"]), 0);
    let rows = ["amara-okonkwo", "jun-nakashima", "wulandari"].map(|slug| sheet.row(slug) + 1);
    let bio = "Dr. Okonkwo spent eleven years in a busy … and sings alto in a neighborhood choir.";
    // The Spanish of the old biography must not be shown beside the new one.
    let line = clinic
        .file("translations/es.toml")
        .lines()
        .position(|line| line.contains("spent eleven years"))
        .unwrap();
    let wanted = format!(
        "amara-okonkwo (row {}):\n  bio: {bio} → Hello.\njun-nakashima (row {}):\n  accepting loses WA\n  insurance CA: Blue Mesa of California → \
         (empty)\nwulandari (row {}):\n  display-name: Wulandari → Wulandari Doe\n  npi: 9856301475 → (empty)\n3 clinicians changed, 0 new, 21 unchanged\nwarning: translations/es.toml:{}:1: This text isn't in the content, so no page shows its translation. If the text is gone, such as with a clinician who left, delete this line. If it was changed by mistake, correct it there, and leave this line. Otherwise translate the new text.\nnothing was written: this was a dry run\n",
        rows[0],
        rows[1],
        rows[2],
        line + 1
    );
    assert_eq!(said, wanted);
    assert!(clinic.files() == before);
    assert!(clinic.import(&sheet, 0).ends_with("3 files written\n"));
    assert!(!clinic.file("providers/wulandari.toml").contains("npi"));
}

#[test]
fn mistakes_of_cells_and_of_content_are_reported_in_one_round_without_consequences() {
    let clinic = Copy::new();
    let before = clinic.files();
    let mut sheet = clinic.export("clinicians.csv");
    // A mistake of a cell, and in other rows some that only the check of the content knows.
    *sheet.cell("jun-nakashima", "gender") = "femal".to_owned();
    *sheet.cell("wulandari", "languages") = "English, Spanish".to_owned();
    *sheet.cell("amara-okonkwo", "accepting") = "AZ; TX".to_owned();
    // One clinician's NPI was another's. The row of one is not judged, so the other's is none, either.
    let npi = sheet.cell("jun-nakashima", "npi").clone();
    sheet.cell("naomi-begaye", "npi").clone_from(&npi);
    *sheet.cell("jun-nakashima", "npi") = "1543210987".to_owned();
    let said = clinic.import(&sheet, 1);
    for (slug, column, what) in [
        ("jun-nakashima", "gender", "\"femal\" isn't allowed here: did you mean female?"),
        ("wulandari", "languages", "Write English; Spanish."),
        (
            "amara-okonkwo",
            "accepting",
            "not in `licensed`. If there is a license for TX, add TX to `licensed`, or remove TX here.",
        ),
    ] {
        let place = format!("edited.csv {}: ", sheet.name(slug, column));
        let line = said.lines().find(|line| line.starts_with(&place));
        assert!(line.is_some_and(|line| line.ends_with(what)), "{place}{what}\n{said}");
    }
    assert!(said.ends_with("3 mistakes; nothing was written\n") && clinic.files() == before, "{said}");
    // The advice, to the letter.
    *sheet.cell("jun-nakashima", "gender") = "female".to_owned();
    *sheet.cell("wulandari", "languages") = "English; Spanish".to_owned();
    *sheet.cell("amara-okonkwo", "accepting") = "AZ".to_owned();
    let said = clinic.import(&sheet, 0);
    assert!(said.ends_with("4 files written\n"), "{said}");
}

#[test]
fn a_column_that_was_sorted_or_shifted_alone_is_refused_with_one_message() {
    let clinic = Copy::new();
    let before = clinic.files();
    for column in ["npi", "display-name", "bio", "accepting", "insurance all"] {
        let mut sheet = clinic.export("clinicians.csv");
        let position = sheet.column(column);
        let exported: Vec<String> = sheet.0[1..].iter().map(|row| row[position].clone()).collect();
        let (mut sorted, mut shifted) = (exported.clone(), exported.clone());
        sorted.sort_by(|one, other| other.cmp(one));
        shifted.remove(4);
        shifted.push(exported[23].clone());
        for cells in [sorted, shifted] {
            sheet.0[1..].iter_mut().zip(cells).for_each(|(row, cell)| row[position] = cell);
            let said = clinic.import(&sheet, 1);
            let what = format!("cells of `{column}` hold the value of another row");
            assert!(said.contains(&what) && said.ends_with("\n1 mistake; nothing was written\n"), "{said}");
        }
    }
    // Saved as UTF-8 and opened as Windows-1252.
    let mut sheet = clinic.export("clinicians.csv");
    *sheet.cell("lucia-ibanez", "display-name") = "Luc\u{c3}\u{ad}a Ib\u{c3}\u{a1}\u{c3}\u{b1}ez".to_owned();
    let said = clinic.import(&sheet, 1);
    assert!(said.contains("is \"Lucía\" in a wrong encoding: open the file as UTF-8"), "{said}");
    assert!(clinic.files() == before);
}

#[test]
fn a_cell_that_was_filled_down_is_one_mistake() {
    let clinic = Copy::new();
    let before = clinic.files();
    let mut sheet = clinic.export("clinicians.csv");
    let slugs = ["annelise-bjork", "desmond-tillery", "farah-noorzai"];
    assert_eq!(slugs.map(|slug| sheet.row(slug)), [0, 1, 2].map(|below| sheet.row(slugs[0]) + below));
    for slug in slugs {
        *sheet.cell(slug, "accepting") = "AZ; CA".to_owned();
    }
    let said = clinic.import(&sheet, 1);
    let [first, last] = [slugs[0], slugs[2]].map(|slug| sheet.name(slug, "accepting"));
    let wanted = format!(
        "edited.csv {first}: {first} to {last} were all changed to \"AZ; CA\". Was a cell filled down? The export had \"CO\", \
         \"OH; PA\", \"IL\". Undo this (Ctrl+Z), or write the old values again"
    );
    assert!(said.contains(&wanted) && said.contains("1 mistake; nothing was written"), "{said}");
    assert!(clinic.files() == before);
    // Two cells may be a correction of both.
    *sheet.cell("annelise-bjork", "accepting") = "CO".to_owned();
    let said = clinic.import(&sheet, 1);
    assert!(
        said.contains("CA is in `accepting` but not in `licensed`") && !said.contains("filled"),
        "{said}"
    );
}

/// Adds rows of new clinicians, each of whom the check warns twice of.
fn add_people(sheet: &mut Sheet, numbers: std::ops::RangeInclusive<usize>) {
    for number in numbers {
        let mut row = vec![String::new(); sheet.0[0].len()];
        for (column, cell) in [
            ("id", format!("prov-1{number:03}")),
            ("slug", format!("new-person-{number}")),
            ("display-name", format!("New Person {number}")),
            ("credentials", "MD".to_owned()),
            ("provider-type", "physician".to_owned()),
            ("gender", "female".to_owned()),
            ("bio", format!("Number {number} is new here.")),
            ("licensed", "CA".to_owned()),
            ("accepting", "CA".to_owned()),
            ("insurance all", "Goldenrod PPO".to_owned()),
        ] {
            row[sheet.column(column)] = cell;
        }
        sheet.0.push(row);
    }
}

#[test]
fn warnings_that_are_not_printed_are_counted() {
    let clinic = Copy::new();
    let mut sheet = clinic.export("clinicians.csv");
    add_people(&mut sheet, 1..=26);
    let said = clinic.import(&sheet, 0);
    let printed = |said: &str| said.lines().filter(|line| line.starts_with("warning: ")).count();
    assert_eq!(printed(&said), 50, "{said}");
    let told = format!(
        "\n… and 2 more warnings; `nameplate check --content {}` lists them\n",
        clinic.content.display()
    );
    assert!(said.contains(&told), "{said}");
    // The check itself lists 500 of the 652 warnings. It counts the rest: one in each of 20 files, which it names, and others.
    let mut sheet = clinic.export("clinicians.csv");
    add_people(&mut sheet, 27..=326);
    let said = clinic.import(&sheet, 0);
    let counted = said.lines().filter(|line| line.starts_with("warning: the files: ")).count();
    assert_eq!((printed(&said) - counted, counted > 0), (50, true), "{said}");
    assert!(
        said.contains("warning: the files: 132 more problems in 132 other files are not listed"),
        "{said}"
    );
    // A later import adds to the warnings that the check only counts.
    let mut sheet = clinic.export("clinicians.csv");
    add_people(&mut sheet, 327..=327);
    let said = clinic.import(&sheet, 0);
    assert!(said.contains("warning: the files: 134 more problems in "), "{said}");
}

use super::super::grid::csv;
use super::super::row_hashes::hash_row;
use super::super::{Format, write_sheet};
use super::*;

const JANE: &str = "id = \"prov-0001\"\ndisplay-name = \"Jane Doe\"\ncredentials = \"MD\"\nprovider-type = \"physician\"\ngender = \"female\"\nbio = \"Hello.\"\nlicensed = [\"CA\", \"NY\"]\naccepting = [\"CA\"]\nnpi = \"1\"\n";

fn profiles() -> Vec<Profile> {
    let ann = JANE.replace("0001", "0007").replace("Jane", "Ann");
    vec![Profile::parse("ann-doe", ann).unwrap(), Profile::parse("jane-doe", JANE.to_owned()).unwrap()]
}

fn reserved() -> Reserved<'static> {
    Reserved { ids: ["prov-0003".to_owned()].into(), is_slug_taken: &|slug| slug == "old-doc" }
}

fn faults(sheet: &str) -> Vec<String> {
    let grid = csv::read(sheet.as_bytes()).unwrap();
    let faults = match compare(&grid, profiles(), reserved()) {
        Ok(edits) => edits.faults,
        Err(faults) => faults,
    };
    faults.into_iter().map(|fault| format!("{}: {}", fault.place, fault.message)).collect()
}

/// Returns the files that a sheet changes.
fn files(sheet: &str) -> Vec<(String, String)> {
    let grid = csv::read(sheet.as_bytes()).unwrap();
    let edits = compare(&grid, profiles(), reserved()).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(edits.faults, []);
    edits.rows.into_iter().map(|row| (row.profile.slug, row.profile.text)).collect()
}

/// Returns the hashes of Jane's row, as the export writes them.
fn janes_hashes() -> String {
    let jane = &profiles()[1];
    let columns: Vec<Column> = Column::fixed().collect();
    let cells: Vec<String> = columns.iter().map(|column| jane.cell(*column)).collect();
    hash_row(columns.iter().copied().zip(cells.iter().map(String::as_str)))
}

#[test]
fn missing_cells_change_nothing_and_an_empty_cell_removes_its_key() {
    assert_eq!(files("id\nprov-0001\n"), []);
    assert_eq!(
        files("id;npi\nprov-0001;1\n\nprov-0007;\n"),
        [("ann-doe".to_owned(), profiles()[0].text.replace("npi = \"1\"\n", ""))]
    );
    // The row ends before the column.
    assert_eq!(files("id,slug,npi\nprov-0001,jane-doe\n"), []);
    let changed = files("id,Accepting,insurance ny,status\nprov-0001,\"California;ny\",A,Paused\n");
    let text = JANE
        .replace("[\"CA\"]", "[\"CA\", \"NY\"]")
        .replace("npi = \"1\"\n", "npi = \"1\"\nstatus = \"paused\"\n\n[insurance]\nNY = [\"A\"]\n");
    assert_eq!(changed, [("jane-doe".to_owned(), text)]);
}

#[test]
fn a_date_of_the_spreadsheet_program_is_read_where_a_date_belongs() {
    let text = |text: &str| GridCell::text(text);
    let day = || GridCell::Date("2026-12-14".to_owned());
    let grid = |heading| vec![vec![text("id"), text(heading)], vec![text("prov-0001"), day()]];
    let edits = compare(&grid("leave from"), profiles(), reserved()).unwrap();
    assert!(edits.rows[0].profile.text.ends_with("[[leave]]\nfrom = 2026-12-14\n"));
    let edits = compare(&grid("npi"), profiles(), reserved()).unwrap();
    assert!(edits.faults[0].message.starts_with("the spreadsheet turned this into a date"));
}

#[test]
fn no_new_patients_in_words_are_none() {
    for cell in ["no new patients", "NO", "none accepted"] {
        assert_eq!(
            faults(&format!("id,licensed,accepting\nprov-0001,{cell},{cell}\n")),
            [
                format!(
                    "B2: \"{cell}\" isn't a state: write two-letter codes separated by semicolons, such as CA; NY"
                ),
                "C2: write none, if this clinician sees only current patients".to_owned(),
            ]
        );
    }
}

#[test]
fn a_new_row_adds_a_file() {
    let header = "id,slug,display-name,credentials,provider-type,gender,bio,licensed,accepting,insurance all";
    let new = files(&format!(
        "{header}\nprov-0008,li-wu,Li Wu,NP,nursepractitioner,other,\"Hi \"\"you\"\".\",CA,none,A; B\n"
    ));
    assert_eq!(new, [(
        "li-wu".to_owned(),
        "id = \"prov-0008\"\ndisplay-name = \"Li Wu\"\ncredentials = \"NP\"\nprovider-type = \"nursePractitioner\"\n\
         gender = \"other\"\nbio = \"Hi \\\"you\\\".\"\nlicensed = [\"CA\"]\naccepting = []\n\n[insurance]\nall = [\"A\", \"B\"]\n"
            .to_owned()
    )]);
    let rest = "MD,physician,other,Hi.,CA,none";
    assert_eq!(
        faults(&format!(
            "{header}\n,,Li Wu,{rest}\n,,Åsa Núñez,{rest}\nprov-8,,Li Wu,{rest}\nprov-9,Li Wu,,{rest}\nprov-10,jane-doe\n\
             prov-11,b,B,,physician,x\nprov-12,b,B,{rest}\nprov-0003,c,C,{rest}\nprov-13,old-doc,D,{rest}\n,e,E,,,,,X\n\
             ,jane-doe\n"
        )),
        [
            "A2: the id is missing: give a new clinician an id that no clinician has or had, such as prov-1234",
            "B2: the slug is missing: write li-wu",
            "A3: the id is missing: give a new clinician an id that no clinician has or had, such as prov-1234",
            "B3: the slug is missing: write asa-nunez",
            "B4: the slug is missing: write li-wu",
            "B5: \"Li Wu\" isn't a slug: write li-wu",
            "C5: `display-name` is required",
            "A6: the id of jane-doe is prov-0001: write it here again if this row is about jane-doe, or write another slug for a \
             new clinician",
            "D7: `credentials` is required",
            "F7: \"x\" isn't allowed here: write one of female, male, nonBinary, other, preferNotToSay",
            "G7: `bio` is required",
            "H7: `licensed` is required: write states, such as CA; NY, or none",
            "I7: `accepting` is required: write states, such as CA; NY, or none",
            "B8: row 7 already has the slug b: write another slug",
            "A9: prov-0003 belonged to a clinician who left: use an id that no clinician has or had",
            "B10: old-doc is or was another clinician's slug, and old links lead there: choose another slug",
            "A11: the id is missing: give a new clinician an id that no clinician has or had, such as prov-1234",
            "D11: `credentials` is required",
            "E11: `provider-type` is required",
            "F11: `gender` is required",
            "G11: `bio` is required",
            "H11: \"X\" isn't a state: write two-letter codes separated by semicolons, such as CA; NY",
            "I11: `accepting` is required: write states, such as CA; NY, or none",
            "A12: the id of jane-doe is prov-0001: write it here again if this row is about jane-doe, or write another slug for a \
             new clinician",
        ]
    );
}

#[test]
fn every_mistake_names_its_cell() {
    for (sheet, wanted) in [
        (
            "slug\njane-doe\n",
            &["row 1: the first row must name the columns, and one of them must be `id`"][..],
        ),
        (
            "id,acepting,id\nx\n",
            &[
                "B1: there is no column \"acepting\": did you mean \"accepting\"?",
                "C1: the column \"id\" is also in A1: move its cells into one of the two columns, and delete the other",
            ],
        ),
        ("id\n", &["the sheet: there are no rows below the headings"]),
        (
            "npi,id\n5\n",
            &[
                "B2: the id is missing: write it again (`nameplate export` writes a sheet that has it); to add clinicians, add a column `slug`",
            ],
        ),
        (
            "id,npi\nprov-0099,2\n",
            &[
                "A2: no clinician has the id prov-0099: write the right one; to add clinicians, add a column `slug`",
            ],
        ),
        (
            "id,,npi\nprov-0001,x,1,y\n",
            &[
                "B2: this column has no heading: write one in the first row, or empty the cell",
                "D2: this column has no heading: write one in the first row, or empty the cell",
            ],
        ),
        (
            "id,npi\nprov-0001,2\nprov-0001,3\n",
            &[
                "A3: row 2 already has the id prov-0001: if one of the two is a new clinician, give that row an id that no clinician has or had, empty its `exported`, and correct its `npi` and `bio`; if not, keep one of the two",
            ],
        ),
        (
            "id,slug,bio,gender,menopause-society-certified,appointment-types,licensed\nprov-0001,jane-roe,,femal,yes,1;x,Calif\n",
            &[
                "B2: the sheet can't change the slug jane-doe: write jane-doe again, import, and then run `nameplate rename provider jane-doe jane-roe`; if this row is a new clinician, give it an id that no clinician has or had, and empty its `exported`",
                "C2: `bio` is required",
                "D2: \"femal\" isn't allowed here: did you mean female?",
                "E2: \"yes\" isn't allowed here: write TRUE or FALSE",
                "F2: \"x\" isn't a number: write numbers separated by semicolons, such as 101; 201",
                "G2: \"Calif\" isn't a state: write two-letter codes separated by semicolons, such as CA; NY",
            ],
        ),
        (
            "id,provider-type,gender\nprov-0001,LCSW,F\n",
            &[
                "B2: \"LCSW\" isn't allowed here: did you mean clinicalSocialWorker?",
                "C2: \"F\" isn't allowed here: did you mean female?",
            ],
        ),
        (
            "id,slug,display-name\nprov-0001,ann-lee,Ann Lee\n",
            &[
                "B2: the sheet can't change the slug jane-doe: is this row a new clinician? Then give it an id that no clinician has or had, and empty its `exported`. If not, write jane-doe again, import, and then run `nameplate rename provider jane-doe ann-lee`",
            ],
        ),
        (
            "id,npi,exported\nprov-0001,2,\nprov-0007,3,abc\n",
            &[
                "A2: prov-0001 is the id of jane-doe: give a new clinician an id that no clinician has or had; to change jane-doe, edit the row that was exported",
                "C3: the export writes this column: undo your change here, or empty the cell if the clinician is new",
            ],
        ),
    ] {
        assert_eq!(faults(sheet), wanted, "{sheet}");
    }
}

#[test]
fn a_row_whose_cells_moved_and_a_total_are_reported_once() {
    let header = "id,slug,display-name,credentials,provider-type,gender,bio";
    let found = faults(&format!("{header}\nprov-0001,jane-doe,MD,physician,female,Hello.,\n"));
    let [only] = &found[..] else { panic!("{found:?}") };
    assert!(only.starts_with("C2: the cells of this row moved one column to the left"), "{only}");
    let found = faults(&format!("{header}\nprov-0001,jane-doe,Jane Doe,,MD,physician,female\n"));
    assert!(found[0].contains("moved one column to the right"), "{found:?}");
    let found = faults(&format!("{header}\nprov-0001,jane-doe\n,,TOTAL: 2 clinicians\n"));
    let [only] = &found[..] else { panic!("{found:?}") };
    assert!(only.starts_with("A3: this row doesn't look like a clinician: delete it"), "{only}");
}

#[test]
fn letters_that_were_lost_in_many_cells_are_reported_once() {
    let texts = ["José Núñez", "Zoë Brontë", "Anaïs Nin"];
    let profiles = texts.iter().zip(1..).map(|(name, number)| {
        let text = JANE.replace("0001", &format!("000{number}")).replace("Jane Doe", name);
        Profile::parse(&format!("c-{number}"), text).unwrap()
    });
    let sheet = "id,display-name\nprov-0001,Jos? N??ez\nprov-0002,Zo? Bront?\nprov-0003,Ana?s Nin\n";
    let reserved = Reserved { ids: [].into(), is_slug_taken: &|_| false };
    let edits = compare(&csv::read(sheet.as_bytes()).unwrap(), profiles.collect(), reserved).unwrap();
    let [only] = &edits.faults[..] else { panic!("{:?}", edits.faults) };
    assert!(only.message.contains("\"José\" became \"Jos?\""), "{only:?}");
    assert!(only.message.contains("letters of 2 more cells were lost, too"), "{only:?}");
}

#[test]
fn shortened_numbers_are_reported_once_beside_other_mistakes() {
    let found = faults("id,npi,gender\nprov-0001,9.12E+09,femal\nprov-0007,\"9,86E+09\",female\n");
    assert_eq!(
        found,
        [
            "B2: a spreadsheet program shortened 2 numbers in this column, such as 9.12E+09, and the digits are lost. Export again as \
             XLSX, and make your changes there, or format the column as \"Text\" and write the numbers again",
            "C2: \"femal\" isn't allowed here: did you mean female?",
        ]
    );
    for npi in ["9123456789", "912", "E+9", "9.12E09"] {
        assert_eq!(faults(&format!("id,npi\nprov-0001,{npi}\n")), [""; 0], "{npi}");
    }
}

#[test]
fn a_sheet_older_than_the_file_loses_nothing() {
    // At the export her npi was 5 and she accepted in NY.
    let old = JANE.replace("\"1\"", "\"5\"").replace("[\"CA\"]", "[\"NY\"]");
    let old = Profile::parse("jane-smith", old).unwrap();
    let columns: Vec<Column> = Column::fixed().collect();
    let cells: Vec<String> = columns.iter().map(|column| old.cell(*column)).collect();
    let hashes = hash_row(columns.iter().copied().zip(cells.iter().map(String::as_str)));
    let sheet = |slug: &str, npi: &str, accepting: &str, name: &str| {
        format!(
            "id,slug,npi,accepting,display-name,exported\nprov-0001,{slug},{npi},{accepting},{name},{hashes}\n"
        )
    };
    // Cells that the manager did not change stay as they are in the file, even the slug.
    assert_eq!(files(&sheet("jane-smith", "5", "NY", "Jane Doe")), []);
    assert_eq!(
        files(&sheet("jane-smith", "5", "NY", "Jo Doe")),
        [("jane-doe".to_owned(), JANE.replace("Jane", "Jo"))]
    );
    // The same change was made in the sheet and in the file.
    assert_eq!(files(&sheet("jane-smith", "1", "CA", "Jane Doe")), []);
    assert_eq!(
        faults(&sheet("jane-smith", "6", "NY; CA", "Jo Doe")),
        [
            "C2: after this sheet was exported, this was changed to 1 in jane-doe.toml: export a new sheet, and make your change there",
            "D2: after this sheet was exported, this was changed to CA in jane-doe.toml: export a new sheet, and make your change there",
        ]
    );
    // Her file was deleted. The row does not restore it.
    let gone = janes_hashes();
    let sheet = format!("id,slug,exported\nprov-0001,jane-doe,{gone}\n");
    let grid = csv::read(sheet.as_bytes()).unwrap();
    let faults = compare(&grid, profiles().into_iter().take(1).collect(), reserved()).unwrap().faults;
    assert!(faults[0].message.starts_with("the file of prov-0001 no longer exists"), "{faults:?}");
}

#[test]
fn headings_below_a_title_are_reported() {
    for title in ["Clinicians of Larkspur,,\n", "Clinicians,November,\n,,\n"] {
        let rows = title.matches('\n').count();
        let found = faults(&format!("{title}id,slug,npi\nprov-0001,jane-doe,2\n"));
        let above = if rows == 1 { "row 1".to_owned() } else { format!("rows 1 to {rows}") };
        let wanted =
            format!("{above}: the headings must be in row 1, not in row {}: delete {above}", rows + 1);
        assert_eq!(found, [wanted]);
    }
    assert_eq!(files("id,slug,npi\nprov-0001,jane-doe,2\n").len(), 1);
}

#[test]
fn lost_letters_are_not_imported() {
    let jane = JANE.replace("Jane Doe", "Zoë Doe");
    let grid = csv::read("id,display-name\nprov-0001,Zo? Doe\nprov-0008,X\n".as_bytes()).unwrap();
    let edits = compare(&grid, vec![Profile::parse("jane-doe", jane).unwrap()], reserved()).unwrap();
    assert_eq!(edits.faults[0].place, "B2");
    assert!(edits.faults[0].message.starts_with("\"Zoë\" became \"Zo?\""));
    assert!(edits.rows.is_empty() && edits.faulty_slugs.contains("jane-doe"));
}

#[test]
fn a_text_that_is_too_long_names_its_cell() {
    let found = faults(&format!("id,bio\nprov-0001,{}\n", "x".repeat(LONGEST_TEXT + 1)));
    assert_eq!(found, ["B2: this text is too long for a spreadsheet's cell (32767 letters): shorten it"]);
}

/// Excel counts a letter beyond the first 65,536 of Unicode twice.
#[test]
fn a_text_fills_a_cell_exactly_and_a_longer_one_is_named() {
    let sheet_of = |bio: String| {
        let jane = JANE.replace("Hello.", &bio);
        write_sheet(&[Profile::parse("jane-doe", jane).unwrap()], Format::Csv)
    };
    assert!(sheet_of("x".repeat(LONGEST_TEXT)).is_ok());
    assert!(sheet_of("🦋".repeat(LONGEST_TEXT / 2)).is_ok());
    for long in ["x".repeat(LONGEST_TEXT + 1), "🦋".repeat(LONGEST_TEXT / 2 + 1)] {
        let refused = sheet_of(long).unwrap_err().to_string();
        assert!(refused.starts_with("`bio` of jane-doe is too long"), "{refused}");
    }
}

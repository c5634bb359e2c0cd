use super::super::grid::csv;
use super::super::mark::mark;
use super::*;

const JANE: &str = "id = \"prov-0001\"\ndisplay-name = \"Jane Doe\"\ncredentials = \"MD\"\nprovider-type = \"physician\"\ngender = \"female\"\nbio = \"Hello.\"\nlicensed = [\"CA\", \"NY\"]\naccepting = [\"CA\"]\nnpi = \"1\"\n";

fn profiles() -> Vec<Profile> {
    let ann = JANE.replace("0001", "0007").replace("Jane", "Ann");
    vec![Profile::parse("ann-doe", ann).unwrap(), Profile::parse("jane-doe", JANE.to_owned()).unwrap()]
}

fn reserved() -> Reserved<'static> {
    Reserved { ids: ["prov-0003".to_owned()].into(), is_slug: &|slug| slug == "old-doc" }
}

fn faults(sheet: &str) -> Vec<String> {
    let grid = csv::read(sheet.as_bytes()).unwrap();
    let faults = match plan(&grid, profiles(), reserved()) {
        Ok(plan) => plan.faults,
        Err(faults) => faults,
    };
    faults.into_iter().map(|fault| format!("{}: {}", fault.place, fault.what)).collect()
}

/// The files that a sheet changes.
fn files(sheet: &str) -> Vec<(String, String)> {
    let grid = csv::read(sheet.as_bytes()).unwrap();
    let plan = plan(&grid, profiles(), reserved()).unwrap_or_else(|faults| panic!("{faults:?}"));
    assert_eq!(plan.faults, []);
    plan.rows.into_iter().map(|row| (row.profile.slug, row.profile.text)).collect()
}

/// The mark of Jane's row, as the export writes it.
fn janes_mark() -> String {
    let jane = &profiles()[1];
    let columns: Vec<Column> = Column::fixed().collect();
    let cells: Vec<String> = columns.iter().map(|column| jane.cell(*column)).collect();
    mark(columns.iter().copied().zip(cells.iter().map(String::as_str)))
}

#[test]
fn what_is_not_in_the_sheet_does_not_change_and_an_empty_cell_removes_its_key() {
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
fn a_new_row_is_a_new_file() {
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
            "A2: the id is missing: for a new clinician write one that was never used, such as prov-1234",
            "B2: the slug is missing: a new clinician needs one, of small letters with hyphens, such as jane-doe",
            "A3: the id is missing: for a new clinician write one that was never used, such as prov-1234",
            "B3: the slug is missing: a new clinician needs one, of small letters with hyphens, such as jane-doe",
            "B4: the slug is missing: a new clinician needs one, of small letters with hyphens, such as jane-doe",
            "B5: \"Li Wu\" is not a slug: a new clinician needs one, of small letters with hyphens, such as jane-doe",
            "C5: `display-name` must be there: write it",
            "A6: the id of jane-doe is prov-0001: write it here again if this row is about jane-doe, or write another slug for a \
             new clinician",
            "D7: `credentials` must be there: write it",
            "F7: \"x\" cannot be here: write one of female, male, nonBinary, other, preferNotToSay",
            "G7: `bio` must be there: write it",
            "H7: `licensed` must be there: write states, as in CA; NY, or none",
            "I7: `accepting` must be there: write states, as in CA; NY, or none",
            "B8: b is the slug of row 7 already: write another one",
            "A9: prov-0003 belonged to a clinician who left: write one that was never used",
            "B10: old-doc is or was another clinician's, and old links to it lead there: write another slug",
            "A11: the id is missing: for a new clinician write one that was never used, such as prov-1234",
            "D11: `credentials` must be there: write it",
            "E11: `provider-type` must be there: write it",
            "F11: `gender` must be there: write it",
            "G11: `bio` must be there: write it",
            "H11: \"X\" is not a state: write two letters each, with semicolons between, as in CA; NY",
            "I11: `accepting` must be there: write states, as in CA; NY, or none",
            "A12: the id of jane-doe is prov-0001: write it here again if this row is about jane-doe, or write another slug for a \
             new clinician",
        ]
    );
}

#[test]
fn every_mistake_is_told_by_its_cell() {
    for (sheet, wanted) in [
        (
            "slug\njane-doe\n",
            &[
                "row 1: the first row must name the columns, and `id` must be one of them: it says whose row each is",
            ][..],
        ),
        (
            "id,acepting,id\nx\n",
            &[
                "B1: there is no column \"acepting\": did you mean \"accepting\"?",
                "C1: the column \"id\" is there twice, also in A1: delete one of the two",
            ],
        ),
        ("id\n", &["the sheet: it has no row below the header"]),
        (
            "npi,id\n5\n",
            &[
                "B2: the id is missing: write it again (`nameplate export` writes a sheet that has it); a sheet with new clinicians needs a column `slug`",
            ],
        ),
        (
            "id,,npi\nprov-0001,x,1,y\n",
            &[
                "B2: this column has no heading: write one into the first row, or empty the cell",
                "D2: this column has no heading: write one into the first row, or empty the cell",
            ],
        ),
        (
            "id,npi\nprov-0001,2\nprov-0001,3\n",
            &["A3: the id prov-0001 is in row 2 already: keep one of the two rows"],
        ),
        (
            "id,slug,bio,gender,menopause-society-certified,appointment-types,licensed\nprov-0001,jane-roe,,femal,yes,1;x,Calif\n",
            &[
                "B2: the slug is jane-doe and is not changed here: write jane-doe again, import, and then run `nameplate rename provider jane-doe jane-roe`",
                "C2: `bio` must be there: write it",
                "D2: \"femal\" cannot be here: did you mean female?",
                "E2: \"yes\" cannot be here: write TRUE or FALSE",
                "F2: \"x\" is not a number: write numbers with semicolons between, as in 101; 201",
                "G2: \"Calif\" is not a state: write two letters each, with semicolons between, as in CA; NY",
            ],
        ),
        (
            "id,npi,exported\nprov-0001,2,\nprov-0007,3,abc\n",
            &[
                "A2: prov-0001 is the id of jane-doe: a new clinician needs one that was never used; to change jane-doe, edit the row of the export",
                "C3: this column is written by the export: take back what was changed here, or empty the cell if the clinician is new",
            ],
        ),
    ] {
        assert_eq!(faults(sheet), wanted, "{sheet}");
    }
}

#[test]
fn a_sheet_older_than_the_file_loses_nothing() {
    // At the export her npi was 5 and she accepted in NY.
    let old = JANE.replace("\"1\"", "\"5\"").replace("[\"CA\"]", "[\"NY\"]");
    let old = Profile::parse("jane-smith", old).unwrap();
    let columns: Vec<Column> = Column::fixed().collect();
    let cells: Vec<String> = columns.iter().map(|column| old.cell(*column)).collect();
    let mark = mark(columns.iter().copied().zip(cells.iter().map(String::as_str)));
    let sheet = |slug: &str, npi: &str, accepting: &str, name: &str| {
        format!(
            "id,slug,npi,accepting,display-name,exported\nprov-0001,{slug},{npi},{accepting},{name},{mark}\n"
        )
    };
    // What the manager left alone stays as the file has it, the slug too.
    assert_eq!(files(&sheet("jane-smith", "5", "NY", "Jane Doe")), []);
    assert_eq!(
        files(&sheet("jane-smith", "5", "NY", "Jo Doe")),
        [("jane-doe".to_owned(), JANE.replace("Jane", "Jo"))]
    );
    // Both wrote the same.
    assert_eq!(files(&sheet("jane-smith", "1", "CA", "Jane Doe")), []);
    assert_eq!(
        faults(&sheet("jane-smith", "6", "NY; CA", "Jo Doe")),
        [
            "C2: jane-doe.toml was changed here to 1 after this sheet was exported: export a new sheet, and change the cell there",
            "D2: jane-doe.toml was changed here to CA after this sheet was exported: export a new sheet, and change the cell there",
        ]
    );
    // Her file is gone: the row does not bring it back.
    let gone = janes_mark();
    let sheet = format!("id,slug,exported\nprov-0001,jane-doe,{gone}\n");
    let grid = csv::read(sheet.as_bytes()).unwrap();
    let faults = plan(&grid, profiles().into_iter().take(1).collect(), reserved()).unwrap().faults;
    assert!(faults[0].what.starts_with("the file of prov-0001 is not there any more"), "{faults:?}");
}

#[test]
fn headings_below_a_title_are_told() {
    for title in ["Clinicians of Larkspur,,\n", "Clinicians,November,\n,,\n"] {
        let rows = title.matches('\n').count();
        let told = faults(&format!("{title}id,slug,npi\nprov-0001,jane-doe,2\n"));
        let above = if rows == 1 { "row 1".to_owned() } else { format!("rows 1 to {rows}") };
        let wanted = format!(
            "{above}: the headings stand in row {}, and must be the first row: delete {above}",
            rows + 1
        );
        assert_eq!(told, [wanted]);
    }
    assert_eq!(files("id,slug,npi\nprov-0001,jane-doe,2\n").len(), 1);
}

#[test]
fn letters_that_were_lost_are_no_change() {
    let jane = JANE.replace("Jane Doe", "Zoë Doe");
    let grid = csv::read("id,display-name\nprov-0001,Zo? Doe\nprov-0008,X\n".as_bytes()).unwrap();
    let plan = plan(&grid, vec![Profile::parse("jane-doe", jane).unwrap()], reserved()).unwrap();
    assert_eq!(plan.faults[0].place, "B2");
    assert!(plan.faults[0].what.starts_with("\"Zoë\" became \"Zo?\""));
    assert!(plan.rows.is_empty() && plan.unplanned.contains("jane-doe"));
}

#[test]
fn a_text_that_no_spreadsheet_can_hold_is_told_by_its_cell() {
    let told = faults(&format!("id,bio\nprov-0001,{}\n", "x".repeat(LONGEST + 1)));
    assert_eq!(
        told,
        ["B2: this text is longer than a spreadsheet's cell can be (32767 letters): shorten it"]
    );
}

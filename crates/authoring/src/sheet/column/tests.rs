use std::collections::BTreeSet;

use super::*;

#[test]
fn every_key_of_a_clinicians_file_is_known() {
    let schemas = directory::content::schemas();
    let (_, schema) = schemas.iter().find(|(name, _)| *name == "provider").unwrap();
    let in_schema: BTreeSet<&str> =
        schema.as_value()["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    let columns =
        KEYS.iter().filter_map(|key| key.name.split(' ').next()).chain(KEYS_WITHOUT_COLUMN).chain([PLANS]);
    assert_eq!(columns.collect::<BTreeSet<_>>(), in_schema);
    let required = schema.as_value()["required"].as_array().unwrap().iter().filter_map(|key| key.as_str());
    let ours = KEYS.iter().filter(|key| key.is_required).map(|key| key.name);
    assert_eq!(ours.collect::<BTreeSet<_>>(), required.collect::<BTreeSet<_>>());
}

#[test]
fn the_page_about_the_sheet_lists_the_columns_in_their_order() {
    let page = include_str!("../../../../../docs/SHEET.md");
    let (_, table) = page.split_once("|---|---|---|\n").unwrap();
    let rows = table.lines().map_while(|line| line.strip_prefix("| `")?.split('`').next());
    let columns: Vec<String> = Column::fixed().map(Column::name).collect();
    let others = ["insurance CA", EXPORTED];
    let expected = columns.iter().map(String::as_str).chain(others);
    assert_eq!(rows.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

#[test]
fn headings_are_read_in_any_case_and_a_wrong_one_gets_a_hint() {
    for column in Column::fixed() {
        assert_eq!(Column::parse(&column.name().to_uppercase()).unwrap(), column);
    }
    assert_eq!(Column::parse("insurance ca").unwrap().name(), "insurance CA");
    for (heading, hint) in [
        ("acepting", "did you mean \"accepting\""),
        ("States", "name it \"licensed\""),
        ("Name", "name it \"display-name\""),
        ("Sex", "name it \"gender\""),
        ("Accepting new patients", "name it \"accepting\""),
        ("insurance XX", "no state \"xx\""),
        ("Education", "fit into a cell"),
        ("shoe size", "or delete it"),
        ("x".repeat(1_000).as_str(), "xxx…\": use one of"),
    ] {
        let error = Column::parse(heading).unwrap_err();
        assert!(error.contains(hint), "{error}");
    }
}

#[test]
fn a_list_is_split_as_it_was_joined() {
    let texts = |texts: &[&str]| NewValue::Texts(texts.iter().map(|text| (*text).to_owned()).collect());
    let column = Column::PlansEverywhere;
    for (list, cell) in [
        (&["A", "B & C"][..], "A; B & C"),
        (&[], "none"),
        (&["none"], "\"none\""),
        (&["None"], "\"None\""),
        (&["a; b", "\"c\"", " d "], "\"a; b\"; \"\"\"c\"\"\"; \" d \""),
    ] {
        assert_eq!(cell_text(&texts(list)), cell);
        assert_eq!(column.parse_cell(cell).unwrap().unwrap(), texts(list));
    }
    assert_eq!(column.parse_cell("A;B ;; C;").unwrap().unwrap(), texts(&["A", "B", "C"]));
    let days = Column::parse("leave from").unwrap();
    assert_eq!(days.parse_cell("12/1/2026; 2027-06-01").unwrap(), Some(texts(&["2026-12-01", "2027-06-01"])));
    assert_eq!(days.parse_cell("46023").unwrap(), Some(texts(&["2026-01-01"])), "a spreadsheet's number");
    assert_eq!(days.parse_cell("none").unwrap(), None);
    let states = Column::parse("accepting").unwrap();
    assert!(states.parse_cell("CA, TX").unwrap_err().ends_with("write CA; TX"));
    for (cell, advice) in [
        ("Dec 1", "write it like 2027-03-01"),
        ("12/14/26", "write 2026-12-14"),
        ("3/4/26", "write 2026-03-04 or 2026-04-03"),
        ("14/12/26", "write 2026-12-14"),
        ("12/14/99", "write it like 2027-03-01"),
    ] {
        assert_eq!(days.parse_cell(cell).unwrap_err(), format!("\"{cell}\" isn't a date: {advice}"));
    }
    let range = days.parse_cell("12/1/2026 - 12/20/2026").unwrap_err();
    assert!(range.ends_with("is two dates: write 2026-12-01 into `leave from`, and the first day back, such as 2026-12-21, into `leave until`"), "{range}");
    assert!(
        days.parse_cell("early January")
            .unwrap_err()
            .ends_with(", or empty the cell if the day isn't known yet")
    );
    let types = Column::parse("appointment-types").unwrap();
    assert!(types.parse_cell("101-103").unwrap_err().ends_with("is a range: write 101; 102; 103"));
    assert!(types.parse_cell("9223372036854775807-1").is_err());
    assert!(types.parse_cell("1-900").unwrap_err().ends_with("such as 101; 201"));
    assert!(states.parse_cell("NY (pending)").unwrap_err().contains("write NY alone, or delete it"));
    assert!(states.parse_cell("IL\nOH").unwrap_err().ends_with("write IL; OH"));
    for (heading, advice) in [
        ("Accepting New Pts?", "did you mean \"accepting\"?"),
        ("Insurance - Texas plans", "write \"insurance TX\""),
        ("insurance Tex.", "write \"insurance TX\""),
        ("insurance New", "such as \"insurance CA\""),
    ] {
        let told = Column::parse(heading).unwrap_err();
        assert!(told.ends_with(advice), "{told}");
    }
    for cell in [";", "\"a", "\"a\" b"] {
        assert!(column.parse_cell(cell).is_err(), "{cell}");
    }
}

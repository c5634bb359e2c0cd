use super::*;

const FILE: &str = "# a note\nid = \"p\" # the id\nbio = \"\"\"One. \"Two\".\"\"\"\nlicensed = [ # where\n  \"CA\", # since 2019\n  'NY',\n]\n\n[insurance]\nall = [\"A\"]  # everywhere\nTX  = [\"B\"]\n\n[[education]]\nyear = 2001\n";

fn texts(texts: &[&str]) -> NewValue {
    NewValue::Texts(texts.iter().map(|text| (*text).to_owned()).collect())
}

fn file_with(old: &str, new: &str) -> String {
    assert!(FILE.contains(old), "{old}");
    FILE.replacen(old, new, 1)
}

#[test]
fn one_value_changes_and_every_other_byte_stays() {
    let bio = NewValue::Text("A \\ \"B\"".to_owned());
    assert_eq!(
        set(FILE, "bio", &bio, &[]).unwrap(),
        file_with("One. \"Two\".\"\"\"", "A \\\\ \"B\\\"\"\"\"")
    );
    let added = set(FILE, "npi", &NewValue::Text("1".to_owned()), &["bio", "id"]).unwrap();
    assert_eq!(added, file_with("\".\"\"\"\n", "\".\"\"\"\nnpi = \"1\"\n"));
    assert_eq!(remove(&added, "npi").unwrap(), FILE);
    assert_eq!(
        set(FILE, "licensed", &texts(&["CA", "NY", "TX"]), &[]).unwrap(),
        file_with("  'NY',\n", "  'NY',\n  \"TX\",\n")
    );
    assert_eq!(set(FILE, "licensed", &texts(&["CA"]), &[]).unwrap(), file_with("  'NY',\n", ""));
    assert_eq!(
        set(FILE, "licensed", &texts(&["NY"]), &[]).unwrap(),
        file_with("\n  \"CA\", # since 2019", "")
    );
}

#[test]
fn a_value_is_replaced_in_each_entry_that_has_it_and_nowhere_else() {
    let file = "text = \"Old\"\n[[allow]]\ntext = 'Old' # so\nwhy = \"Old\"\n[[allow]]\ntext = \"Older\"\n[[allow]]\ntext = \"Old\"\n";
    let wanted = "text = \"Old\"\n[[allow]]\ntext = \"New\" # so\nwhy = \"Old\"\n[[allow]]\ntext = \"Older\"\n[[allow]]\ntext = \"New\"\n";
    assert_eq!(replace_in_entries(file, ("allow", "text"), "Old", "New").unwrap(), wanted);
}

#[test]
fn keys_of_a_table_are_added_changed_and_removed() {
    let above = |key: &str| key == "all" || key < "NY";
    let edit = |text: &str, key, value: Option<NewValue>| {
        set_in_table(text, ("insurance", key), value.as_ref(), above, &["id"]).unwrap()
    };
    let added = edit(FILE, "NY", Some(texts(&["C"])));
    assert_eq!(added, file_with("everywhere\n", "everywhere\nNY  = [\"C\"]\n"));
    assert_eq!(edit(&added, "NY", None), FILE);
    assert_eq!(edit(FILE, "all", Some(texts(&[]))), file_with("[\"A\"]", "[]"));
    assert_eq!(
        edit("id = \"a\"\n\n[[education]]\n", "all", Some(texts(&["X"]))),
        "id = \"a\"\n\n[insurance]\nall = [\"X\"]\n\n[[education]]\n"
    );
    assert_eq!(
        edit("id = \"a\"\ninsurance = { CA = ['B'] } # so\n", "all", Some(texts(&["X"]))),
        "id = \"a\"\ninsurance = { CA = ['B'], all = [\"X\"] } # so\n"
    );
    let spaces = " ".repeat(100_000);
    assert_eq!(
        edit(&format!("id = \"a\"\n[insurance]\nCA{spaces}= []\n"), "NY", Some(texts(&["C"]))),
        format!("id = \"a\"\n[insurance]\nCA{spaces}= []\nNY = [\"C\"]\n")
    );
    // The table could only be rewritten, without its comment.
    let lines = "id = \"a\"\ninsurance = {\n  CA = [\"B\"], # since May\n}\n";
    assert!(set_in_table(lines, ("insurance", "all"), Some(&texts(&["X"])), above, &[]).is_err());
    assert!(set_in_table(lines, ("insurance", "CA"), None, above, &[]).is_err());
    assert_eq!(edit(lines, "CA", Some(texts(&["C"]))), lines.replace("\"B\"", "\"C\""));
    assert!(
        set_in_table("insurance.CA = []\n", ("insurance", "all"), Some(&texts(&[])), above, &[]).is_err()
    );
}

#[test]
fn windows_line_ends_stay() {
    let windows = FILE.replace('\n', "\r\n");
    let value = NewValue::Text("1\n2".to_owned());
    let edited = set(&windows, "bio", &value, &[]).unwrap();
    assert_eq!(edited, file_with("One. \"Two\".", "1\n2").replace('\n', "\r\n"));
    let added = set(&windows, "npi", &NewValue::Flag(true), &["id"]).unwrap();
    assert_eq!(added, file_with("# the id\n", "# the id\nnpi = true\n").replace('\n', "\r\n"));
    assert_eq!(remove(&added, "npi").unwrap(), windows);
    assert_eq!(remove("id = 1\r\nb = 2", "b").unwrap(), "id = 1");
}

#[test]
fn a_written_text_is_read_back() {
    for text in ["", "\"", "\"\"\"\"", "a\n\nb\"", "\n", "\\", "a\u{7f}\t\r", "'''", "ä # [x]"] {
        for file in ["k = 1 # note\n", "k = \"\"\"x\"\"\"\n", "k = \"\"\"\nx\"\"\"", "k = 'x'"] {
            let edited = set(file, "k", &NewValue::Text(text.to_owned()), &[]).unwrap();
            let read: toml::Table =
                toml::from_str(&edited).unwrap_or_else(|error| panic!("{error}: {edited}"));
            assert_eq!(read["k"].as_str(), Some(text), "{edited}");
        }
    }
}

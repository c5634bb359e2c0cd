use std::fmt::Debug;

use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::de::{DeTable, Deserializer};

use super::super::raw::{
    AllowFile, AppointmentTypesFile, AvailabilityFile, DirectoryFile, HolidaysFile, InsurancesFile,
    ProviderFile, RetiredFile,
};
use super::read;

/// A provider's file, and one of hours, with everything that the plain form has.
const PROVIDER: &str = include_str!("../../../tests/clinic/providers/ann-one.toml");
const HOURS: &str = "# When\ntimezone = \"America/Chicago\" # her own\n\n[buffer]\nbefore = \"10m\"\n\n\
    [[weekly]]\ndays  = [\"mon\", # first\n  \"tue\",\n]\nhours = [ \"09:00-12:00\" ]\ntypes = [101]\n\
    \t[[weekly]]\ndays = []\nhours = [\"13:00-14:00\"]\n[[exception]]\nkind = \"off\"\nfrom = \"2026-12-24\"";
const TYPES: &str = "[[type]]\nid = 0\nname = \"\"\ndescription = \"\"\"\nOne.\nTwo.\"\"\"\nstates = \"all\"\n\
    [[type]]\nstates = [\"CA\"]\nenabled = false\nnew-patient-eligible = true\n[[type]]\n";

/// What the general reader makes of a text; `None` where anything is wrong.
fn general<T: DeserializeOwned>(text: &str) -> Option<T> {
    let (table, errors) = DeTable::parse_recoverable(text);
    errors.is_empty().then_some(())?;
    T::deserialize(Deserializer::from(table)).ok()
}

/// Whether the plain reader reads a text as this type; if so, the general one must read the same.
fn is_plain<T: for<'t> Deserialize<'t> + Debug>(text: &str) -> bool {
    let plain = read::<T>(text).map(|value| format!("{value:?}"));
    if plain.is_some() {
        assert_eq!(plain, general::<T>(text).map(|value| format!("{value:?}")), "{text}");
    }
    plain.is_some()
}

/// As which types a text is plain.
fn kinds(text: &str) -> Vec<&'static str> {
    let kinds = [
        ("allow", is_plain::<AllowFile>(text)),
        ("types", is_plain::<AppointmentTypesFile>(text)),
        ("hours", is_plain::<AvailabilityFile>(text)),
        ("directory", is_plain::<DirectoryFile>(text)),
        ("holidays", is_plain::<HolidaysFile>(text)),
        ("plans", is_plain::<InsurancesFile>(text)),
        ("provider", is_plain::<ProviderFile>(text)),
        ("retired", is_plain::<RetiredFile>(text)),
    ];
    kinds.into_iter().filter_map(|(kind, is_plain)| is_plain.then_some(kind)).collect()
}

#[test]
fn what_people_write_is_plain() {
    assert_eq!(kinds(PROVIDER), ["provider"]);
    assert_eq!(kinds(HOURS), ["hours"]);
    assert_eq!(kinds(TYPES), ["types"]);
    assert_eq!(kinds("[[plan]]\nname = \"Aetna PPO\"\n"), ["plans"]);
    // An empty file is of every kind; what must be there is looked for later.
    assert_eq!(kinds("\n# nothing yet").len(), 8);
}

#[test]
fn what_is_not_plain_is_left_to_the_general_reader() {
    for text in [
        "id = \"a\\tb\"",
        "id = 'a'",
        "id = \"a\"\r\n",
        "\"id\" = \"a\"",
        "id.a = 1",
        "id = { a = 1 }",
        "id = \"a\nb\"",
        "id = \"a\" \"b\"",
        "id = \"a\"\nid = \"b\"",
        "bio = \"\"\"a\"\"\"\"",
        "bio = \"\"\"a",
        "licensed = [[\"CA\"]]",
        "licensed = [\"CA\" \"NY\"]",
        "licensed = [,]",
        "licensed = [\"CA\"",
        "appointment-types = [0101]",
        "appointment-types = [1_000]",
        "appointment-types = [-1]",
        "appointment-types = [9223372036854775808]",
        "appointment-types = [1.0]",
        "menopause-society-certified = truely",
        "[insurance]\n[insurance]",
        "[insurance]\n[[insurance]]",
        "[[education]]\n[education]",
        "education = []\n[[education]]",
        "[ insurance ]",
        "[insurance.all]",
        "[insurance]\nall = 7",
        "[insurance] all = []",
        "[[education]",
        "unheard-of = 1",
        "= 1",
        "id",
        "id = ",
        "\u{feff}id = \"a\"",
        "id = \"\u{0}\"",
    ] {
        assert!(read::<ProviderFile>(text).is_none(), "{text:?}");
    }
}

/// Pieces of which TOML is made, right and wrong.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "\n",
        " ",
        "\t",
        "=",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        ",",
        ".",
        "\"",
        "\"\"\"",
        "'",
        "\\",
        "#",
        "# note\n",
        "\r\n",
        "id",
        "bio",
        "licensed",
        "education",
        "insurance",
        "type",
        "weekly",
        "days",
        "all",
        "CA",
        "name",
        "\"CA\"",
        "\"é\u{2019}\"",
        "101",
        "0",
        "-1",
        "007",
        "1_0",
        "9999999999999999999",
        "1.5",
        "true",
        "false",
        "2026-11-26",
        "\n[[education]]\n",
        "\n[insurance]\n",
        "\nid = \"a\"\n",
        "\nbio = \"\"\"\na\nb\"\"\"\n",
        "\u{0}",
        "\u{7f}",
        "\u{feff}",
    ];
    prop_oneof![4 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned), 1 => ".{0,3}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn both_readers_agree_on_files_in_which_something_was_changed(
        which in 0..3_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..8_usize, piece()), 0..3),
    ) {
        let mut text: Vec<char> = [PROVIDER, HOURS, TYPES][which].chars().collect();
        for (at, gone, piece) in changes {
            let at = at.index(text.len() + 1);
            let end = (at + gone).min(text.len());
            text.splice(at..end, piece.chars());
        }
        kinds(&text.into_iter().collect::<String>());
    }

    #[test]
    fn both_readers_agree_on_heaps_of_pieces(pieces in prop::collection::vec(piece(), 0..24)) {
        kinds(&pieces.concat());
    }

    #[test]
    fn both_readers_agree_on_lines(
        lines in prop::collection::vec(
            (
                prop::sample::select(&["id", "bio", "licensed", "npi", "[insurance]", "[[education]]", "CA"][..]),
                prop::sample::select(
                    &["", " = \"a\"", "=[]", " = [ \"CA\" , \"NY\", ]", " = 1", " = true # so", " = \"\"\"\n\n\"\"\""][..],
                ),
            ),
            0..8,
        ),
    ) {
        let lines: Vec<_> = lines.into_iter().map(|(key, value)| format!("{key}{value}")).collect();
        kinds(&lines.join("\n"));
    }
}

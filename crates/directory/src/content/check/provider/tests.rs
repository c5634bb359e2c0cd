use super::*;

#[test]
fn the_sort_key_is_the_sort_name_or_the_last_word() {
    assert_eq!(sort_name_of(None, "Jane Ann Doe"), "doe\u{0}jane ann doe");
    assert_eq!(sort_name_of(Some("de la Vega, María".to_owned()), "María de la Vega"), "de la vega, maria");
    assert_eq!(sort_name_of(None, "Wulandari"), "wulandari\u{0}wulandari");
}

#[test]
fn the_sort_key_ignores_accents() {
    let mut names =
        ["Zoe Zander", "Ann Evans", "Eva Émile", "Ida Strasser", "Udo Straße", "Kim Eames", "Per Øst"];
    names.sort_by_key(|name| sort_name_of(None, name));
    assert_eq!(
        names,
        ["Kim Eames", "Eva Émile", "Ann Evans", "Per Øst", "Udo Straße", "Ida Strasser", "Zoe Zander"]
    );
}

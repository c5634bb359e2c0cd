use super::*;
use crate::test_fixture as fixture;

#[test]
fn texts_from_the_content_have_its_language() {
    let attributes = |lines: &str| {
        let folder = fixture::copy();
        fixture::edit(folder.path(), "directory.toml", |text| format!("{text}{lines}\n"));
        let snapshot = fixture::load(folder.path());
        snapshot.directory().texts().iter().map(content_attributes).collect::<Vec<_>>()
    };
    let (plain, english) = (" dir=\"auto\"", " lang=\"en\" dir=\"auto\"");
    assert_eq!(attributes("site-languages = [\"en\", \"es\"]"), [plain, english]);
    let spanish_first =
        attributes("site-languages = [\"Spanish\", \"English\"]\ncontent-language = \"English\"");
    assert_eq!(spanish_first, [english, plain]);
    assert_eq!(attributes("site-languages = [\"es\"]\ncontent-language = \"en\""), [english]);
}

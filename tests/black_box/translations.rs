//! A clinic's own texts in Spanish, on the Spanish pages alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::harness::{nameplate, text};
use crate::publish::copy_of_content;

const FILE: &str = "translations/es.toml";

fn built(content: &Path, to: &Path) -> BTreeMap<String, Vec<u8>> {
    let (content, out) = (content.to_str().unwrap(), to.to_str().unwrap());
    let done = nameplate(&["build", "--content", content, "--out", out]);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let files =
        walkdir::WalkDir::new(to).into_iter().map(Result::unwrap).filter(|it| it.file_type().is_file());
    let name = |path: &Path| path.strip_prefix(to).unwrap().to_str().unwrap().to_owned();
    files.map(|file| (name(file.path()), fs::read(file.path()).unwrap())).collect()
}

#[test]
fn pairs_are_shown_on_spanish_pages_and_change_no_answer() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let with = built(&content, &folder.path().join("with"));
    fs::remove_file(content.join(FILE)).unwrap();
    let without = built(&content, &folder.path().join("without"));
    let page = |tree: &BTreeMap<String, Vec<u8>>, name: &str| text(&tree[name]).to_owned();

    let home = "<h1 dir=\"auto\">Atención virtual para la mediana edad</h1>";
    assert!(page(&with, "es.html").contains(home));
    assert!(page(&without, "es.html").contains("<h1 lang=\"en\" dir=\"auto\">Virtual care for midlife</h1>"));
    let profile = page(&with, "es/providers/amara-okonkwo.html");
    assert!(profile.contains("<p class=\"bio\" dir=\"auto\">La Dra. Okonkwo trabajó once años"));
    // Common interests need no file, and links name them as the API does.
    for tree in [&with, &without] {
        let profile = page(tree, "es/providers/amara-okonkwo.html");
        assert!(profile.contains("clinicians?q=Bone%20health\">Salud ósea</a>"), "{profile}");
        assert!(page(tree, "assets/sentence.json").contains("[[\"Bone health\"],\"Salud ósea\"]"));
    }

    // These two list the tree's files and its versions.
    let is_of_tree = |name: &str| ["v1/manifest.json", "v1/changes.json"].contains(&name);
    let is_answer =
        |name: &String| name.starts_with("v1/") || name.starts_with("api/") || name.starts_with("fhir/");
    let answers = with.keys().filter(|name| is_answer(name) && !is_of_tree(name));
    let is_same = |name: &&String| with[*name] == without[*name];
    let (same, others): (Vec<_>, Vec<_>) = answers.partition(is_same);
    assert!(same.len() > 200 && others.is_empty(), "{others:?}");
}

#[test]
fn a_translation_of_a_text_that_changed_is_not_shown() {
    let folder = tempfile::tempdir().unwrap();
    let content = folder.path().join("content");
    copy_of_content(&content);
    let path = content.join("directory.toml");
    let changed = fs::read_to_string(&path).unwrap().replace("Ask the price before", "It is $20 if");
    fs::write(&path, changed).unwrap();
    let tree = built(&content, &folder.path().join("out"));
    let profile = text(&tree["es/providers/amara-okonkwo.html"]);
    assert!(profile.contains("lang=\"en\" dir=\"auto\">It is $20 if you book.<"), "{profile}");
    assert!(!profile.contains("Pregunte el precio"));
    let checked = nameplate(&["check", "--content", content.to_str().unwrap()]);
    assert!(checked.status.success());
    let said = [text(&checked.stdout), text(&checked.stderr)].concat();
    assert!(said.contains("This text isn't in the content, so no page shows its translation."), "{said}");
    assert!(said.contains("translations/es.toml:6:1"), "{said}");
}

//! Each git host has its keys, and each mistake its place.

use super::*;

#[test]
fn each_git_host_has_its_keys() {
    let github = parse(
        "address = \"https://edit.clinic.example/\"\nbackend = \"github\"\nrepository = \"clinic/directory\"\nbranch = \"live\"\nsign-in = \"https://in.clinic.example\"\nstates = [\"OR\"]\n",
        "",
    )
    .unwrap();
    assert_eq!(github.address.as_deref(), Some("https://edit.clinic.example"));
    let sign_in = SignIn::Server("https://in.clinic.example".to_owned());
    assert_eq!(github.backend, Backend::GitHub { repository: "clinic/directory".to_owned(), sign_in });
    assert_eq!((github.branch.as_str(), github.folder.as_str()), ("live", "content"));
    assert_eq!(github.states.len(), 1);
    let gitlab =
        "backend = \"gitlab\"\nrepository = \"a/b/c\"\napp-id = \"1\"\nhost = \"https://git.a.example\"";
    assert!(matches!(parse(gitlab, "").unwrap().backend, Backend::GitLab { host: Some(_), .. }));
    assert_eq!(parse("", "").unwrap().backend, Backend::Trial);
}

#[test]
fn the_guides_example_can_be_copied() {
    let (_, block) = include_str!("../../../docs/EDITOR.md").split_once("```toml\n").unwrap();
    let file = parse(block.split_once("```").unwrap().0, "").unwrap();
    assert!(matches!(file.backend, Backend::GitHub { sign_in: SignIn::Netlify, .. }));
    assert_eq!(file.address.as_deref(), Some("https://edit.your-clinic.example"));
}

#[test]
fn each_mistake_has_its_place_and_its_advice() {
    for (text, fault) in [
        ("backend = \"githb\"", ":1:11: there is no \"githb\"; did you mean \"github\"?"),
        (
            "# a note\nrepo = \"a/b\"",
            ":2:1: there is no \"repo\"; write \"address\", \"backend\", \"repository\"",
        ),
        ("backend = \"github\"", ": `repository` is missing: add a line"),
        ("repository = \"a/b\"", ": `backend` is missing: add a line"),
        ("repository = \"https://github.com/a/b\"", ":1:14: this isn't a valid name: use letters"),
        ("backend = \"gitlab\"\nrepository = \"a/b\"", ": `app-id` is missing: make an application"),
        ("address = \"edit.clinic.example\"", ":1:11: this isn't an address: write one such as"),
        ("states = [\"Orgon\"]", ":1:10: this isn't a state: write two letters"),
        ("folder = \"../other\"", ":1:10: this isn't a valid name: use letters"),
        ("branch = 3", ":1:10: write text in quotes"),
        (
            "backend = \"github\"\nrepository = \"a/b\"\napp-id = \"1\"",
            ": `host` and `app-id` are only for gitlab",
        ),
        ("sign-in = \"http://x\"", ":1:11: this isn't an address: write one such as"),
    ] {
        let error = parse(text, "editor.toml").expect_err(text);
        assert!(error.starts_with(&format!("editor.toml{fault}")), "{text}: {error}");
    }
}

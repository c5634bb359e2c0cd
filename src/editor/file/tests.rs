//! Each git host has its keys, and each mistake its line.

use super::*;

fn faults(text: &str) -> Vec<String> {
    let error = parse(text, "editor.toml").expect_err(text);
    error.lines().map(|line| line.strip_prefix("editor.toml:").unwrap().to_owned()).collect()
}

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
fn each_mistake_has_its_line_and_its_advice() {
    for (text, fault) in [
        (
            "backend = \"githb\"",
            "1:11: \"githb\" is not a git host that the form can save to: did you mean \"github\"?",
        ),
        ("# a note\nrepo = \"a/b\"", "2:1: `repo` is not a key of this file: did you mean `repository`?"),
        (
            "backend = \"github\"",
            "1:11: `repository` is missing: add a line such as repository = \"your-clinic/directory\"",
        ),
        (
            "repository = \"a/b\"",
            "1:14: `repository` is here and `backend` is missing: add a line backend = \"github\", \"gitlab\" or \"gitea\"",
        ),
        (
            "backend = \"github\"\nrepository = \"https://github.com/a/b\"",
            "2:14: \"https://github.com/a/b\" is not a repository: write its owner and its name, such as \"your-clinic/directory\"",
        ),
        (
            "backend = \"gitlab\"\nrepository = \"a/b\"",
            "1:11: `app-id` is missing: make an application in gitlab's settings, and write its id, such as app-id = \"1a2b3c\"",
        ),
        (
            "address = \"edit.clinic.example\"",
            "1:11: \"edit.clinic.example\" is not an address for `address`: write one such as \"https://edit.your-clinic.example\"",
        ),
        ("states = [\"Oregon\"]", "1:11: this is not the code of a state: write two letters, such as \"OR\""),
        (
            "folder = \"../other\"",
            "1:10: `folder` has a character that cannot be in it: write a name such as \"content\"",
        ),
        ("branch = 3", "1:10: `branch` is not a text: put it in quotes"),
    ] {
        assert_eq!(faults(text), [fault], "{text}");
    }
    assert_eq!(faults("backend = \nrepository").len(), 2);
    let both = faults("backend = \"github\"\nrepository = \"a/b\"\napp-id = \"1\"\nsign-in = \"http://x\"");
    assert!(both[0].contains("delete this line") && both[1].contains("not an address"), "{both:?}");
}

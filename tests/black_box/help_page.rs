//! docs/CLI.md shows the help of every command as the program prints it.

use std::fmt::Write as _;
use std::fs;

use crate::harness::{command, root, text};

const BEGIN: &str = "<!-- From here on written by tests/black_box/help_page.rs. -->\n";

fn help(words: &[String]) -> String {
    let mut asked = command(&[]);
    // The width that help has where it isn't printed on a terminal.
    asked.env_remove("COLUMNS").args(words).arg("--help");
    let output = asked.output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// The commands that a help lists: `  check        Report every mistake …`.
fn listed(help: &str) -> Vec<String> {
    let name = |line: &str| {
        let (name, _) = line.strip_prefix("  ")?.split_once("  ")?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        (is_name && name != "help").then(|| name.to_owned())
    };
    help.lines().filter_map(name).collect()
}

fn describe(words: &[String], page: &mut String) -> usize {
    let help = help(words);
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    let name = words.iter().fold("nameplate".to_owned(), |name, word| format!("{name} {word}"));
    write!(page, "\n## {name}\n\n```text\n{}\n```\n", lines.join("\n")).unwrap();
    let commands = listed(&help);
    let deeper = commands.into_iter().map(|word| describe(&[words, &[word]].concat(), page));
    1 + deeper.sum::<usize>()
}

/// After a change of the command line, run this test with BLESS=1 and read the difference.
#[test]
fn the_cli_page_equals_the_programs_help() {
    let path = root().join("docs/CLI.md");
    let page = fs::read_to_string(&path).unwrap();
    let (prose, _) = page.split_once(BEGIN).expect("the page has a written part and a generated part");
    let mut written = format!("{prose}{BEGIN}");
    let described = describe(&[], &mut written);
    assert!(described >= 20, "{described} commands");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &written).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap();
    assert!(page == written, "docs/CLI.md is outdated: run this test with BLESS=1 and read the difference");
}

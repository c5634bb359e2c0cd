//! What holds of all pages: their links lead somewhere, the index names them, their English is American, and README's example
//! is true.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::harness::{nameplate, root, text};

pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let folders = ["", "docs", "docs/deploy"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    paths.filter(is_page).map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// The sections of a page, as GitHub's links name them.
fn anchors(page: &str) -> BTreeSet<String> {
    let prose = page.split("```").step_by(2).flat_map(str::lines);
    let headings = prose.filter_map(|line| Some(line.trim_start_matches('#')).filter(|rest| *rest != line));
    let is_kept = |c: &char| c.is_alphanumeric() || ['-', '_', ' '].contains(c);
    headings
        .map(|heading| {
            heading.trim().to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-")
        })
        .collect()
}

#[test]
fn every_link_between_the_pages_leads_to_a_file_and_its_section() {
    let mut followed = 0;
    for (page, text) in pages() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            if target.contains("://") {
                continue;
            }
            let file = if target.is_empty() { page.clone() } else { page.parent().unwrap().join(target) };
            assert!(file.exists(), "{} links to {target}, which does not exist", page.display());
            if !anchor.is_empty() {
                let sections = anchors(&std::fs::read_to_string(&file).unwrap());
                assert!(sections.contains(anchor), "{} links to {link}: no such section", page.display());
            }
            followed += 1;
        }
    }
    assert!(followed > 200, "{followed}");
}

#[test]
fn the_index_names_every_page() {
    let index = std::fs::read_to_string(root().join("docs/README.md")).unwrap();
    for (page, _) in pages() {
        let Ok(path) = page.strip_prefix(root().join("docs")) else { continue };
        let path = path.to_str().unwrap();
        assert!(path == "README.md" || index.contains(&format!("]({path}")), "docs/README.md lacks {path}");
    }
}

/// The clinician of README, with its mistake, in a folder that README's `init` has written.
#[test]
fn check_finds_readmes_mistake_in_readmes_clinician() {
    let page = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(page.lines().count() <= 120, "README.md is too long to be read");
    let block = |begin: &str| {
        let (_, rest) = page.split_once(begin).unwrap();
        rest.split_once("\n```").unwrap().0.to_owned()
    };
    let folder = tempfile::tempdir().unwrap();
    let init = block("\nnameplate init ");
    let flags = init
        .split('\'')
        .enumerate()
        .flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
    let content = folder.path().join("content");
    let (content, clinician) = (content.to_str().unwrap(), content.join("providers/mei-lin-hart.toml"));
    let done = nameplate(&[vec!["init", content], flags.collect()].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let file = block("```toml\n");
    std::fs::write(&clinician, &file).unwrap();
    let checked = nameplate(&["check", "--content", content]);
    let printed = format!("{}{}", text(&checked.stdout), text(&checked.stderr)).replace(content, "content");
    let mistake = block("```text\n");
    assert!(checked.status.code() == Some(1) && printed.contains(&mistake), "{mistake}\n{printed}");
    std::fs::write(&clinician, file.replace("POP", "PPO")).unwrap();
    let checked = nameplate(&["check", "--content", content]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
}

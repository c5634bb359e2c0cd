//! Keeps the documents true: the examples of docs/CONTENT.md are checked as a content folder, and the tables and answers
//! of docs/API.md are generated.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use directory::api::{Field, ParameterKind, answer_fields};
use directory::model::ProviderType;
use directory::{FaultKind, OPERATIONS, Operation};

use crate::harness::{NOW, content, nameplate, root, text};

pub(crate) fn examples() -> Vec<(String, String)> {
    examples_in("docs/CONTENT.md", "toml")
}

/// Writes the clinic of docs/CONTENT.md, with the pictures that it names.
pub(crate) fn write_examples(folder: &Path) {
    for (file, lines) in examples() {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, lines).unwrap();
    }
    for picture in PICTURES {
        std::fs::copy(content().join(picture), folder.join(picture)).unwrap();
    }
}

const PICTURES: [&str; 2] = ["logo.png", "share.png"];

/// A page's code blocks of one language: the file name from the first line, and the text.
pub(crate) fn examples_in(page: &str, language: &str) -> Vec<(String, String)> {
    let page = std::fs::read_to_string(root().join(page)).unwrap();
    let begin = format!("```{language} ");
    let blocks = page.split(begin.as_str()).skip(1).map(|rest| {
        let (block, _) = rest.split_once("\n```").expect("each block has an end");
        let (file, lines) = block.split_once('\n').expect("each block names its file");
        (file.to_owned(), format!("{lines}\n"))
    });
    blocks.collect()
}

fn sources() -> String {
    let folders = ["crates", "generator", "live", "src", "tests"].map(|folder| root().join(folder));
    let files = folders.iter().flat_map(|folder| {
        let unhidden = |entry: &walkdir::DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
        walkdir::WalkDir::new(folder).into_iter().filter_entry(unhidden).map(Result::unwrap)
    });
    let is_source = |path: &std::path::Path| {
        path.extension().is_some_and(|extension| extension == "rs" || extension == "py")
    };
    let sources = files.filter(|entry| is_source(entry.path()));
    sources.map(|entry| std::fs::read_to_string(entry.path()).unwrap()).collect()
}

#[test]
fn every_host_is_documented_and_tested() {
    for target in generator::Target::ALL {
        let name = target.name();
        for (place, naming) in [
            ("docs/deploy/README.md", format!("--target {name}")),
            ("tests/judges/hosts/hosts.py", format!("\"{name}\": {name}")),
            ("tests/judges/other_judges.py", format!("host(\"{name}\")")),
        ] {
            let text = std::fs::read_to_string(root().join(place)).unwrap();
            assert!(text.contains(&naming), "{place} does not name {name}");
        }
    }
}

#[test]
fn every_promise_of_reliability_has_an_existing_proof() {
    let page = std::fs::read_to_string(root().join("docs/RELIABILITY.md")).unwrap();
    let (table, _) = page.split_once("## Not promised").unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 15, "{}", rows.len());
    let sources = sources();
    for row in rows {
        let proofs = row.trim_end_matches('|').rsplit_once('|').unwrap().1;
        let names: Vec<&str> = proofs.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no proof: {row}");
        for name in names {
            let is_there = sources.contains(&format!("fn {name}("))
                || sources.contains(&format!("\"{name}\":"))
                || sources.contains(&format!("Judge(\"{name}\""));
            assert!(is_there, "docs/RELIABILITY.md names {name}, which does not exist");
        }
    }
}

/// Otherwise a missing file would be noticed only after a tag is pushed.
#[test]
fn the_files_of_the_release_and_the_unit_exist() {
    let script = std::fs::read_to_string(root().join("deploy/release/release.py")).unwrap();
    let list = script.lines().find_map(|line| line.strip_prefix("DOCUMENTS = ")).expect("what is packed");
    let packed: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(packed.len() >= 5, "{packed:?}");
    for name in &packed {
        assert!(root().join(name).exists(), "release.py packs {name}, which does not exist");
    }
    let unit = std::fs::read_to_string(root().join("deploy/nameplate.service")).unwrap();
    let installed: Vec<(&str, &str)> = unit
        .lines()
        .filter_map(|line| line.strip_prefix("#   install ")?.split_once(' '))
        .map(|(_, rest)| rest.rsplit_once(' ').unwrap())
        .map(|(source, target)| (source.rsplit(' ').next().unwrap(), target))
        .collect();
    for (source, _) in &installed {
        let (folder, _) = source.split_once('/').unwrap_or((source, ""));
        assert!(*source == "nameplate" || packed.contains(&folder), "the release lacks {source}");
        assert!(*source == "nameplate" || root().join(source).exists(), "{source} does not exist");
    }
    let (_, named) = unit.split_once("Documentation=file://").unwrap();
    let named = named.lines().next().unwrap();
    assert!(installed.iter().any(|(_, target)| *target == named), "{named} is not installed");
}

#[test]
fn the_content_guides_examples_pass_check() {
    let folder = tempfile::tempdir().unwrap();
    write_examples(folder.path());
    let output = nameplate(&["check", "--content", folder.path().to_str().unwrap()]);
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{printed}");
}

/// The site's page about content shows two files, which replace those of the guide here.
#[test]
fn the_sites_content_examples_pass_check() {
    let page = std::fs::read_to_string(root().join("site/docs-content.html")).unwrap();
    let shown = |label: &str| {
        let (_, rest) =
            page.split_once(&format!("aria-label=\"{label}\"><code>")).expect("the page shows it");
        let (code, _) = rest.split_once("</code>").unwrap();
        code.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    };
    let folder = tempfile::tempdir().unwrap();
    let put = |file: &str, bytes: &[u8]| {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    // The page's clinician needs none of these.
    let unused = ["allow.toml", "holidays/us-federal.toml", "translations/es.toml"];
    let is_used = |file: &str| !unused.contains(&file);
    for (file, lines) in examples().iter().filter(|(file, _)| is_used(file)) {
        put(file, lines.as_bytes());
    }
    for picture in PICTURES {
        put(picture, &std::fs::read(content().join(picture)).unwrap());
    }
    let (provider, hours) = (shown("A clinician’s file"), shown("A file of hours"));
    put("providers/jane-doe.toml", provider.as_bytes());
    put("availability/jane-doe.toml", hours.as_bytes());
    put(
        "headshots/jane-doe.webp",
        b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0",
    );
    let output = nameplate(&["check", "--content", folder.path().to_str().unwrap()]);
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{printed}");
    // Jane Doe is the example's name, too.
    let warnings = printed.matches("warning: ").count();
    assert_eq!(warnings, printed.matches("warning: Replace 1 placeholder before").count(), "{printed}");
}

#[test]
fn the_content_guide_shows_every_key() {
    let examples = examples();
    for (kind, schema) in directory::content::schemas() {
        let begins = match kind {
            "provider" => "providers/".to_owned(),
            "availability" | "holidays" => format!("{kind}/"),
            _ => format!("{kind}.toml"),
        };
        let (_, lines) = examples
            .iter()
            .find(|(file, _)| file.starts_with(&begins))
            .unwrap_or_else(|| panic!("no {kind}"));
        let mut keys = BTreeSet::new();
        collect_keys(schema.as_value(), &mut keys);
        assert!(!keys.is_empty(), "{kind} has keys");
        for key in keys {
            let shown =
                lines.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|word| word == key);
            assert!(shown, "docs/CONTENT.md does not show the key {key} of {kind}");
        }
    }
}

fn collect_keys(schema: &serde_json::Value, keys: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(members) => {
            if let Some(properties) = members.get("properties").and_then(|value| value.as_object()) {
                keys.extend(properties.keys().cloned());
            }
            members.values().for_each(|member| collect_keys(member, keys));
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| collect_keys(item, keys)),
        _ => {}
    }
}

/// Example requests with short answers, by the operation's path.
const EXAMPLES: [(&str, &str); 7] = [
    ("/v1/states", "/v1/states"),
    ("/v1/insurances", "/v1/insurances?state=NV"),
    ("/v1/providers", "/v1/providers?state=CA&insurance=goldenrod%20ppo&gender=female&limit=1"),
    ("/v1/providers/summary", "/v1/providers/summary?state=CA&q=menopause&limit=1"),
    ("/v1/providers/{slug}", "/v1/providers/wulandari"),
    ("/v1/appointment-types", "/v1/appointment-types?state=New%20Mexico"),
    ("/v1/availability", "/v1/availability?state=AZ&limit=3&onePer=provider&explain=true"),
];

/// After a change of the API, run this test with BLESS=1 and read the difference.
#[test]
fn the_api_page_equals_the_operations_and_answers() {
    let path = root().join("docs/API.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let begin = "<!-- From here on written by tests/black_box/documents.rs. -->\n";
    let (prose, _) = page.split_once(begin).expect("the page has a written part and a generated part");
    let mut written = format!("{prose}{begin}\n");
    for operation in &OPERATIONS {
        describe(operation, &mut written);
    }
    describe_errors(&mut written);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let page = std::fs::read_to_string(&path).unwrap();
    assert!(page == written, "docs/API.md is outdated: run this test with BLESS=1 and read the difference");
}

#[test]
fn the_runbook_explains_every_status_of_an_error() {
    let page = std::fs::read_to_string(root().join("docs/RUNBOOK.md")).unwrap();
    let (_, seen) = page.split_once("## What clients see\n").unwrap();
    let (seen, _) = seen.split_once("\n## ").unwrap();
    for kind in FaultKind::ALL {
        assert!(seen.contains(&kind.status().to_string()), "docs/RUNBOOK.md lacks {}", kind.status());
    }
}

fn describe(operation: &Operation, page: &mut String) {
    let Operation { id, path, name, title, doc, tool_doc, parameters, .. } = operation;
    let tool =
        if tool_doc.is_some() { format!("tool `{name}`") } else { "`view` of `search_providers`".to_owned() };
    write!(page, "## {title}\n\n`GET {path}` · {tool}\n\n{doc}\n\n").unwrap();
    if !parameters.is_empty() {
        page.push_str("| parameter | values | |\n|---|---|---|\n");
    }
    for parameter in *parameters {
        let values = match parameter.kind {
            ParameterKind::State => "a state".to_owned(),
            ParameterKind::Plan => "a plan".to_owned(),
            ParameterKind::Word(_) | ParameterKind::Profession => {
                let words = parameter.words(&ProviderType::SPECIFIED).unwrap().into_iter();
                words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
            }
            ParameterKind::Count { default, least, most: i64::MAX } => {
                format!("from {least}; default {default}")
            }
            ParameterKind::Count { default, least, most } => format!("{least} to {most}; default {default}"),
            ParameterKind::VisitType => "a whole number".to_owned(),
            ParameterKind::Slug => "a slug".to_owned(),
            ParameterKind::PathSlug => "a slug, in the path".to_owned(),
            ParameterKind::Flag => "`true`, `false`".to_owned(),
            ParameterKind::Time => "a time in UTC, or a local date or time".to_owned(),
            ParameterKind::TimeZone => "a time zone".to_owned(),
            ParameterKind::Cursor => "a list's `next`".to_owned(),
            ParameterKind::Language => "a language".to_owned(),
            ParameterKind::SearchText => "a few words".to_owned(),
        };
        let required = if parameter.required { "**Required.** " } else { "" };
        writeln!(page, "| `{}` | {values} | {required}{} |", parameter.name, parameter.doc).unwrap();
    }
    page.push_str(if parameters.is_empty() { "" } else { "\n" });
    page.push_str("| field | type | |\n|---|---|---|\n");
    for Field { path, kind, doc } in answer_fields(*id, &ProviderType::SPECIFIED) {
        writeln!(page, "| `{path}` | {kind} | {doc} |").unwrap();
    }
    let (_, target) =
        EXAMPLES.iter().find(|(known, _)| known == path).expect("an example for each operation");
    let output = nameplate(&["query", target, "--now", NOW]);
    assert_eq!(output.status.code(), Some(0), "{target}");
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let answer = serde_json::to_string_pretty(&answer).unwrap();
    write!(page, "\n`{target}`\n\n```json\n{answer}\n```\n\n").unwrap();
}

fn describe_errors(page: &mut String) {
    page.push_str("## Errors\n\n| status | code |\n|---|---|\n");
    for kind in FaultKind::ALL {
        writeln!(page, "| {} | `{}` |", kind.status(), kind.code()).unwrap();
    }
}

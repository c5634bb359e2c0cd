//! Joins the modules that understand sentences: one file for every sentence, one for those that say days, questions or
//! refusals, one for those that the page answers, and one for questions about a clinician. One file compresses better than several, and best in this order.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use crate::path::{PathError, TreePath};

const FILES: [(&str, &[&str]); 4] = [
    ("sentence", &["danger", "words", "names", "line", "read", "understand", "lexicon"]),
    ("sentence-rest", &["when", "asides"]),
    ("sentence-answers", &["answers"]),
    ("sentence-person", &["person"]),
];

pub(super) fn join(assets: &mut BTreeMap<TreePath, Bytes>) -> Result<(), PathError> {
    let mut scripts = Vec::new();
    for (file, modules) in FILES {
        let mut script = Script { file, ..Script::default() };
        for module in modules {
            let source = assets.remove(&format!("assets/sentence/{module}.js").parse::<TreePath>()?);
            script.add(&String::from_utf8_lossy(&source.unwrap_or_default()));
        }
        scripts.push(script);
    }
    if let Some((first, others)) = scripts.split_first_mut() {
        first.keep(others);
    }
    if let Some(finder) = assets.get_mut(&"assets/finder.js".parse::<TreePath>()?) {
        *finder = String::from_utf8_lossy(finder).replace("./sentence/read.js", "./sentence.js").into();
    }
    for script in scripts {
        assets.insert(format!("assets/{}.js", script.file).parse()?, script.written().into());
    }
    Ok(())
}

#[derive(Default)]
struct Script {
    file: &'static str,
    /// By the module that it comes from.
    imports: BTreeMap<String, BTreeSet<String>>,
    /// What its modules import from each other.
    own: BTreeSet<String>,
    body: String,
}

impl Script {
    fn add(&mut self, source: &str) {
        let mut source = source.replace("\"../", "\"./");
        for (file, modules) in FILES {
            for module in modules {
                source = source.replace(&format!("\"./{module}.js\""), &format!("\"./{file}.js\""));
            }
        }
        let own = format!("\"./{}.js\"", self.file);
        for statement in source.split_inclusive(";\n") {
            // A clinic's own copy keeps its comments.
            let is_comment = |line: &str| line.trim().is_empty() || line.starts_with("//");
            let import = statement
                .split_once("import {")
                .filter(|(before, _)| before.lines().all(is_comment))
                .and_then(|(_, rest)| rest.split_once("} from "));
            let Some((names, from)) = import else {
                self.body.push_str(statement);
                continue;
            };
            let from = from.trim_end_matches(";\n");
            let names = names.split(',').map(|name| name.trim().to_owned());
            if from == own {
                self.own.extend(names);
            } else {
                self.imports.entry(from.to_owned()).or_default().extend(names);
            }
        }
    }

    /// What only its own modules import isn't an export of the file.
    fn keep(&mut self, others: &[Script]) {
        let file = format!("\"./{}.js\"", self.file);
        let used: BTreeSet<_> =
            others.iter().filter_map(|script| script.imports.get(&file)).flatten().collect();
        for name in self.own.iter().filter(|name| !used.contains(name)) {
            self.body = self.body.replace(&format!("export const {name} "), &format!("const {name} "));
        }
    }

    fn written(self) -> String {
        let import = |(from, names): (String, BTreeSet<String>)| {
            format!("import {{ {} }} from {from};\n", names.into_iter().collect::<Vec<_>>().join(", "))
        };
        self.imports.into_iter().map(import).collect::<String>() + &self.body
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::site::Site;

    /// Modules that declare the same name cannot be joined.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
    fn the_joined_modules_are_scripts() {
        let site = Site::load(None).unwrap();
        let folder = tempfile::tempdir().unwrap();
        for (file, _) in FILES {
            let path: TreePath = format!("assets/{file}.js").parse().unwrap();
            let script = folder.path().join(format!("{file}.mjs"));
            std::fs::write(&script, &site.assets[&path]).unwrap();
            let Ok(checked) = Command::new("node").arg("--check").arg(&script).output() else { return };
            assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        }
        assert!(!site.assets.keys().any(|path| path.as_str().starts_with("assets/sentence/")));
    }
}

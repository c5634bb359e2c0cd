//! Templates (`.html`) and assets, embedded in the program. A file in a site folder replaces the embedded one of the same
//! name, so a clinic can change its colors with one small stylesheet.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use directory::content::built_in_texts;
use directory::web::elements_script;

use crate::path::{PathError, TreePath};
use crate::read::{self, ReadError};

mod joined;

const MAX_FILE_BYTES: u64 = 4 << 20;

macro_rules! embedded {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_bytes!(concat!("../../site/", $name)))),+]
    };
}

const EMBEDDED: &[(&str, &[u8])] = embedded![
    "404.html",
    "accessibility.html",
    "accuracy.html",
    "assets/address.js",
    "assets/answer-texts.js",
    "assets/ask.js",
    "assets/asked.js",
    "assets/calendar.js",
    "assets/cards.js",
    "assets/distance.js",
    "assets/docs.css",
    "assets/docs.js",
    "assets/dom.js",
    "assets/embed.js",
    "assets/favicon.svg",
    "assets/find.js",
    "assets/finder.js",
    "assets/fonts/young-serif-license.txt",
    "assets/fonts/young-serif.woff2",
    "assets/gone.js",
    "assets/home.css",
    "assets/home.js",
    "assets/leave.js",
    "assets/logo.png",
    "assets/meant.js",
    "assets/nothing.js",
    "assets/openings.js",
    "assets/people.js",
    "assets/phone.js",
    "assets/places.js",
    "assets/printed.js",
    "assets/profile.css",
    "assets/profile.js",
    "assets/remote.js",
    "assets/slot.js",
    "assets/sentence/answers.js",
    "assets/sentence/asides.js",
    "assets/sentence/danger.js",
    "assets/sentence/lexicon.js",
    "assets/sentence/line.js",
    "assets/sentence/names.js",
    "assets/sentence/person.js",
    "assets/sentence/read.js",
    "assets/sentence/understand.js",
    "assets/sentence/when.js",
    "assets/sentence/words.js",
    "assets/style.css",
    "assets/texts.js",
    "assets/theme.css",
    "assets/times.js",
    "assets/tools.js",
    "assets/unread.js",
    "assets/webmcp.js",
    "assistants.html",
    "base.html",
    "card.html",
    "clinicians.html",
    "current-patients.html",
    "docs-assistants.html",
    "docs-content.html",
    "docs-embed.html",
    "docs-menu.html",
    "docs-operation.html",
    "docs-page.html",
    "docs.html",
    "face.html",
    "finder.html",
    "foot.html",
    "head.html",
    "index.html",
    "leaves.html",
    "mistakes.html",
    "more.html",
    "no-script.html",
    "notices.html",
    "pager.html",
    "plan.html",
    "preload.html",
    "provider.html",
    "results.html",
    "samples.html",
    "seen.html",
    "slot.html",
    "soon.html",
    "state-link.html",
    "state-option.html",
    "state.html",
    "to-book.html",
    "top.html",
    "visit-type.html",
];

/// By their paths in a site folder.
pub fn embedded() -> impl Iterator<Item = (String, &'static [u8])> {
    let files = EMBEDDED.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes));
    files.chain(built_in_texts().map(|(name, text)| (name, text.as_bytes())))
}

#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error("{0} isn't UTF-8 text; save it as UTF-8")]
    NotText(PathBuf),
    #[error(
        "{0} differs from the built-in texts, which a site folder can't change; delete it, and write your \
         words in a copy of the template that shows them"
    )]
    Texts(PathBuf),
    #[error(
        "{0} differs from the released script with that name, and released scripts never change; delete it from the folder"
    )]
    Script(PathBuf),
    #[error(
        "{0} is neither a template (an .html file) nor inside \"assets\"; move it into \"assets\" or out of \
         the folder"
    )]
    Unknown(PathBuf),
}

#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) templates: BTreeMap<String, String>,
    pub(crate) assets: BTreeMap<TreePath, Bytes>,
}

impl Site {
    pub(crate) fn load(folder: Option<&Path>) -> Result<Self, SiteError> {
        let mut site = Self { templates: BTreeMap::new(), assets: BTreeMap::new() };
        for (name, bytes) in EMBEDDED {
            site.add(name, without_comments(name, bytes), Path::new(name))?;
        }
        if let Some(folder) = folder {
            for name in read::names(folder)? {
                let path = folder.join(&name);
                let bytes = read::file(folder, Path::new(&name), MAX_FILE_BYTES)?;
                // An unchanged copy is the embedded file, which is published without comments.
                if !EMBEDDED.contains(&(name.as_str(), &bytes[..])) {
                    site.add(&name, bytes.into(), &path)?;
                }
            }
        }
        joined::join(&mut site.assets)?;
        Ok(site)
    }

    fn add(&mut self, name: &str, bytes: Bytes, origin: &Path) -> Result<(), SiteError> {
        if name.starts_with("assets/") {
            let path = name.parse().map_err(|_| ReadError::Name(origin.to_path_buf()))?;
            self.assets.insert(path, bytes);
        } else if Path::new(name).extension().is_some_and(|extension| extension == "html") {
            let text =
                String::from_utf8(bytes.into()).map_err(|_| SiteError::NotText(origin.to_path_buf()))?;
            self.templates.insert(name.to_owned(), text);
        } else if let Some((_, table)) = built_in_texts().find(|(path, _)| path == name) {
            if bytes != table {
                return Err(SiteError::Texts(origin.to_path_buf()));
            }
        } else if let Some(released) = elements_script(&format!("/v1/{name}")) {
            if bytes != released {
                return Err(SiteError::Script(origin.to_path_buf()));
            }
        } else {
            return Err(SiteError::Unknown(origin.to_path_buf()));
        }
        Ok(())
    }
}

/// Comments would be an eighth of what a visitor's browser would load.
fn without_comments(name: &str, bytes: &'static [u8]) -> Bytes {
    let is_code =
        Path::new(name).extension().is_some_and(|extension| extension == "js" || extension == "css");
    let text = is_code.then(|| std::str::from_utf8(bytes).ok()).flatten();
    let Some(text) = text else { return Bytes::from_static(bytes) };
    let is_code = |line: &&str| {
        let line = line.trim();
        let is_whole = line.find("*/").is_some_and(|end| end + 2 == line.len());
        let is_comment = line.starts_with("//") || (line.starts_with("/*") && is_whole);
        !is_comment
    };
    let lines = text.split_inclusive('\n').filter(is_code).map(str::trim_start);
    // A backslash at the end of a line continues a text on the next one.
    let text = lines.collect::<String>().replace("\\\n", "");
    match Path::new(name).extension().and_then(|extension| extension.to_str()) {
        Some("css") => {
            let without_note = |line: &str| match line.rfind(" /*").filter(|_| line.ends_with("*/")) {
                Some(note) => line[..note].trim_end().to_owned(),
                None => line.to_owned(),
            };
            let text: String = text.lines().map(|line| without_note(line) + "\n").collect();
            without_spaces(&text, &IN_STYLES).into()
        }
        // Those of sentences are mostly texts, beside which code compresses better as it is.
        Some("js") if name.starts_with("assets/") && !name.contains("/sentence/") => {
            let beside = MARKS.map(|mark| [format!(" {mark}"), format!("{mark} ")]).concat();
            without_spaces(&text, &beside).into()
        }
        _ => text.into(),
    }
}

/// The marks beside which scripts need no spaces.
const MARKS: [&str; 14] = ["=>", "&&", "||", "===", "!==", "=", ",", ":", ";", "?", "{", "}", "(", ")"];
/// In styles, a space before a colon has a meaning.
const IN_STYLES: [&str; 6] = [" {", "{ ", " }", ": ", "; ", ", "];

/// Lines with templates, patterns or escapes stay as they are.
fn without_spaces(code: &str, spaced: &[impl AsRef<str>]) -> String {
    let mut is_template = false;
    let tight = |code: &str| {
        let trimmed = |code: String, mark: &str| code.replace(mark, mark.trim());
        spaced.iter().map(AsRef::as_ref).fold(code.to_owned(), trimmed)
    };
    let line = |line: &str| {
        let was_template = is_template;
        is_template ^= line.matches('`').count() % 2 == 1;
        if was_template || line.contains(['`', '/', '\\']) {
            return line.to_owned();
        }
        let parts = line.split('"').enumerate();
        parts
            .map(|(at, part)| if at % 2 == 0 { tight(part) } else { part.to_owned() })
            .collect::<Vec<_>>()
            .join("\"")
    };
    code.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use directory::web::ELEMENTS;

    use super::*;

    #[test]
    fn scripts_and_styles_lose_spaces_beside_marks_and_never_within_texts_templates_or_patterns() {
        let noted = "--ink: #2a2433;         /* text */\n/* a\nb */\n--tap: 2rem;\n";
        assert_eq!(
            without_comments("assets/b.css", noted.as_bytes()),
            "--ink:#2a2433;\n/* a\nb */\n--tap:2rem;\n"
        );
        let style = "a :hover, b { content: \", : ;\"; width: calc(1px + 2px); }\nc { src: url(/d, e); }\n";
        let tight = "a :hover,b{content:\", : ;\";width:calc(1px + 2px);}\nc { src: url(/d, e); }\n";
        assert_eq!(without_comments("assets/a.css", style.as_bytes()), tight);
        let script = concat!(
            "const a = (b, c) => b && { d: \"x = y, z\", e: c ?? .5 };\n",
            "const f = `g = ${h} ,\ni = j`;\nif (k) return  l;\nconst m = / = /;\n",
        );
        let tight = concat!(
            "const a=(b,c)=>b&&{d:\"x = y, z\",e:c??.5};\n",
            "const f = `g = ${h} ,\ni = j`;\nif(k)return  l;\nconst m = / = /;\n",
        );
        assert_eq!(without_comments("assets/a.js", script.as_bytes()), tight);
    }

    #[test]
    fn every_file_of_the_repositorys_site_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site");
        let embedded = embedded().map(|(name, _)| name);
        let elements = ELEMENTS.iter().map(|release| format!("elements/{}.js", release.version));
        let mut expected: Vec<_> = embedded.chain(elements).collect();
        expected.sort_unstable();
        let mut names = read::names(&folder).unwrap();
        // `directory` embeds the view for assistants, which no page uses.
        names.retain(|name| !name.starts_with("view/"));
        assert_eq!(names, expected);
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
    fn a_site_folder_overrides_file_by_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        fs::write(folder.path().join("assets/style.css"), "body{}").unwrap();
        fs::write(folder.path().join("assets/logo.svg"), "<svg/>").unwrap();
        fs::write(folder.path().join(".DS_Store"), "").unwrap();
        let site = Site::load(Some(folder.path())).unwrap();
        let asset = |name: &str| site.assets.get(&name.parse::<TreePath>().unwrap()).cloned();
        assert_eq!(asset("assets/style.css"), Some("body{}".into()));
        assert_eq!(asset("assets/logo.svg"), Some("<svg/>".into()));
        assert_eq!(site.templates.len(), Site::load(None).unwrap().templates.len());

        let script = folder.path().join("elements/1.1.0.js");
        fs::create_dir(folder.path().join("elements")).unwrap();
        fs::write(&script, ELEMENTS[0].script).unwrap();
        assert_eq!(Site::load(Some(folder.path())).unwrap().assets.len(), site.assets.len());
        fs::write(&script, "").unwrap();
        assert!(matches!(Site::load(Some(folder.path())), Err(SiteError::Script(_))));
        fs::remove_file(script).unwrap();

        fs::write(folder.path().join("readme.txt"), "").unwrap();
        assert!(matches!(Site::load(Some(folder.path())), Err(SiteError::Unknown(_))));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test writes its own folder")]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("assets")).unwrap();
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("assets/logo.svg")).unwrap();
        let refused = Site::load(Some(folder.path()));
        assert!(matches!(refused, Err(SiteError::Read(ReadError::NotAFile(_)))), "{refused:?}");
    }
}

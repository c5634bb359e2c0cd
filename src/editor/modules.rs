//! The programs and fonts of the form, from a `node_modules` folder that npm filled from a lock file.

use std::io::Read as _;
use std::path::Path;

use directory::content::open_linked;
use serde_json::Value;

use crate::outcome::Refusal;

/// The largest file that is copied, in bytes.
const LARGEST: u64 = 16 << 20;

struct Module {
    name: &'static str,
    version: &'static str,
    /// Files of the module, and what they are called here.
    files: &'static [(&'static str, &'static str)],
}

const CMS: &str = "sveltia-cms.mjs";

const MODULES: [Module; 5] = [
    Module {
        name: "@sveltia/cms",
        version: "0.221.1",
        files: &[("dist/sveltia-cms.mjs", CMS), ("LICENSE.txt", "licences/sveltia-cms.txt")],
    },
    Module {
        name: "@decimalturn/toml-patch",
        version: "3.3.0",
        files: &[("dist/toml-patch.js", "toml-patch.js"), ("LICENSE", "licences/toml-patch.txt")],
    },
    Module {
        name: "@fontsource-variable/source-sans-3",
        version: "5.3.0",
        files: &[
            ("files/source-sans-3-latin-wght-normal.woff2", "source-sans-3.woff2"),
            ("LICENSE", "licences/source-sans-3.txt"),
        ],
    },
    Module {
        name: "@fontsource/noto-mono",
        version: "5.3.0",
        files: &[
            ("files/noto-mono-latin-400-normal.woff2", "noto-mono.woff2"),
            ("LICENSE", "licences/noto-mono.txt"),
        ],
    },
    Module {
        name: "@fontsource-variable/material-symbols-outlined",
        version: "5.3.8",
        files: &[
            ("files/material-symbols-outlined-latin-wght-normal.woff2", "material-symbols.woff2"),
            ("LICENSE", "licences/material-symbols.txt"),
        ],
    },
];

/// What is replaced in the CMS's script, each exactly once.
const REPLACED: [(&str, &str); 10] = [
    // Its fonts come from here and not from a CDN.
    (
        "https://cdn.jsdelivr.net/fontsource/fonts/source-sans-3:vf@5.3.0/latin-wght-normal.woff2",
        "source-sans-3.woff2",
    ),
    ("https://cdn.jsdelivr.net/fontsource/fonts/noto-mono@5.3.0/latin-400-normal.woff2", "noto-mono.woff2"),
    (
        "https://cdn.jsdelivr.net/fontsource/fonts/material-symbols-outlined:vf@5.3.7/latin-wght-normal.woff2",
        "material-symbols.woff2",
    ),
    // A kept draft, once restored, would undo what others have changed since.
    ("useDraftBackup??=!0", "useDraftBackup=!1"),
    // An entry that another person has changed meanwhile cannot be saved.
    ("onOk:async()=>{await Ie({skipCI:z(p)?.skipCI,overwrite:!0})}", "onOk:async()=>{}"),
    ("save_anyway:`Save Anyway`", "save_anyway:`OK`"),
    (
        "overwrite_warning:`If you save now, their changes will be lost.`",
        "overwrite_warning:`Nothing was saved: note what you changed, reload the page, and write it again.`",
    ),
    (
        "recreate_warning:`If you save now, the entry will be created again.`",
        "recreate_warning:`Nothing was saved: note what you changed, and reload the page.`",
    ),
    // The first change of a published entry also checks whether the entry was changed meanwhile: its branch begins at
    // the newest commit, so saving would undo the other change.
    ("if(!c){let t=await CLe(e);", "if(!s?.workflow){let t=await CLe(e);"),
    // A further change goes on top of the commit that this form has read: GitHub refuses it if another commit came
    // first.
    (
        "let o=a?void 0:await ibe(n),s=await rY(",
        "let o=a?a.headSHA:await ibe(n);if(!o)throw Error(`saving_failed`,{cause:Error(`Somebody else is changing this entry. \
         Nothing was saved: note what you changed, reload the page, and open the entry again.`)});let s=await rY(",
    ),
];

/// The files to write, by name.
pub(super) fn read(folder: &Path) -> Result<Vec<(&'static str, Vec<u8>)>, Refusal> {
    let mut files = Vec::new();
    for Module { name, version, files: own } in MODULES {
        let module = folder.join(name);
        let manifest = bytes(&module.join("package.json"))?;
        let found = serde_json::from_slice::<Value>(&manifest).ok();
        let found = found.as_ref().and_then(|manifest| manifest["version"].as_str()).unwrap_or("unknown");
        if found != version {
            return Err(Refusal::new(format!(
                "{} is version {found}, and this form is made for {version}: run `npm ci --ignore-scripts` with the lock \
                 file in deploy/editor of this release of nameplate",
                module.display()
            )));
        }
        for (from, to) in own {
            let mut content = bytes(&module.join(from))?;
            if *to == CMS {
                content = mended(content)?;
            }
            files.push((*to, content));
        }
    }
    Ok(files)
}

/// The CMS's script with its replacements, without the address of its source map.
fn mended(script: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    let other =
        || Refusal::new(format!("{CMS} is not the script of its version: install it again with `npm ci`"));
    let mut script = String::from_utf8(script).map_err(|_| other())?;
    for (from, to) in REPLACED {
        if script.matches(from).count() != 1 {
            return Err(other());
        }
        script = script.replacen(from, to, 1);
    }
    if let Some(at) = script.rfind("//# sourceMappingURL=") {
        script.truncate(at);
    }
    Ok(script.into_bytes())
}

fn bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    let refused = |why: String| {
        Refusal::new(format!(
            "{} cannot be read: {why}; --modules names the node_modules folder that `npm ci --ignore-scripts` makes of the \
             lock file in deploy/editor: docs/EDITOR.md has the steps",
            path.display()
        ))
    };
    let file = open_linked(path).map_err(|error| refused(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(|error| refused(error.to_string()))?;
    if bytes.len() as u64 > LARGEST {
        return Err(refused(format!("it is larger than {LARGEST} bytes")));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_of_another_version_is_refused() {
        let whole: String =
            REPLACED.iter().map(|(from, _)| *from).chain(["\n//# sourceMappingURL=x"]).collect();
        let mended = String::from_utf8(mended(whole.clone().into_bytes()).unwrap()).unwrap();
        assert!(!mended.contains("https://") && !mended.contains("sourceMappingURL"), "{mended}");
        for (from, _) in REPLACED {
            assert!(super::mended(whole.replace(from, "").into_bytes()).is_err(), "{from}");
            assert!(super::mended(format!("{whole}{from}").into_bytes()).is_err(), "{from}");
        }
    }
}

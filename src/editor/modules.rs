//! The programs of the form, from a `node_modules` folder that npm filled from a lock file.

use std::path::Path;

use serde_json::Value;

use crate::outcome::Refusal;
use directory::content::read_linked;

const LARGEST: u64 = 16 << 20;

struct Module {
    name: &'static str,
    version: &'static str,
    /// Files of the module, and what they are called here.
    files: &'static [(&'static str, &'static str)],
}

const MODULES: [Module; 2] = [
    Module {
        name: "@sveltia/cms",
        version: "0.221.1",
        files: &[("dist/sveltia-cms.mjs", "sveltia-cms.mjs"), ("LICENSE.txt", "licenses/sveltia-cms.txt")],
    },
    Module {
        name: "@decimalturn/toml-patch",
        version: "3.3.0",
        files: &[("dist/toml-patch.js", "toml-patch.js"), ("LICENSE", "licenses/toml-patch.txt")],
    },
];

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
            files.push((*to, bytes(&module.join(from))?));
        }
    }
    Ok(files)
}

fn bytes(path: &Path) -> Result<Vec<u8>, Refusal> {
    read_linked(path, LARGEST).map_err(|why| {
        Refusal::new(format!(
            "{} can't be read: {why}; --modules must name the node_modules folder that `npm ci --ignore-scripts` creates \
             in deploy/editor: see docs/EDITOR.md",
            path.display()
        ))
    })
}

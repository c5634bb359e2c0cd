//! Puts the demo clinic of `content/` into the program, for `nameplate demo`.
#![expect(clippy::disallowed_methods, reason = "a build script reads the checkout and writes a source")]

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=content");
    let content = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("content");
    let mut files = Vec::new();
    if env::var_os("CARGO_FEATURE_DEMO").is_some() {
        list(&content, "", &mut files)?;
    }
    files.sort();
    let lines = files.iter().map(|name| {
        let path = content.join(name).display().to_string();
        format!("({name:?}, include_bytes!({path:?})),\n")
    });
    let source = format!("&[\n{}]\n", lines.collect::<String>());
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join("demo.rs"), source)?)
}

/// Lists a folder's files by their names, each with `prefix` before it.
fn list(folder: &Path, prefix: &str, files: &mut Vec<String>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name =
            entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        let name = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
}

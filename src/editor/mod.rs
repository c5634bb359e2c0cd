//! `nameplate editor`: writes the form with which people change the content in a browser. The form is Sveltia CMS with a
//! format of our own, which keeps a file's notes and order. It belongs on a host of its own: it keeps the right to write in
//! the browser's storage, which every script of its origin can read.

mod choices;
mod config;
mod fields;
mod file;
mod keys;
mod labels;
mod modules;
mod page;
mod words;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use directory::content::{published_files, replace_file};
use directory::told::reason;

use crate::content::{Content, clock, load};
use crate::outcome::{Outcome, Refusal};
use crate::terminal::notes;
use choices::Choices;
use config::Config;
pub(crate) use file::read as read_file;
pub(crate) use labels::{as_json as key_as_json, place};
pub(crate) use words::in_words;

#[derive(Debug, Args)]
pub(crate) struct EditorArguments {
    #[command(flatten)]
    content: Content,
    /// The folder to write the form to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The `node_modules` folder with the form's programs, made from the lock file in deploy/editor
    #[arg(long, value_name = "DIR", default_value = "node_modules")]
    modules: PathBuf,
}

pub(crate) fn run(arguments: &EditorArguments) -> Result<Outcome, Refusal> {
    let content = &arguments.content.folder;
    let file = read_file(content)?;
    let Some(checked) = load(content, clock(None))? else { return Ok(Outcome::Problems) };
    let directory = &checked.directory;
    let organization = directory.organization();
    let choices = Choices::collect(directory, holiday_lists(content)?, &file);
    let Config { form, keys, origins } =
        config::config(&organization.name, &organization.site_url, &choices, &file);
    // Everything is in memory before the first file is written.
    let mut files: Vec<(&str, Vec<u8>)> = modules::read(&arguments.modules)?;
    files.extend(page::SCRIPTS.map(|(name, text)| (name, text.as_bytes().to_vec())));
    for (name, value) in [("config.json", &form), ("keys.json", &keys)] {
        let text = serde_json::to_string(value).map_err(Refusal::new)?;
        files.push((name, (text + "\n").into_bytes()));
    }
    files.push(("_headers", page::headers(&origins).into_bytes()));
    files.push(("robots.txt", b"User-agent: *\nDisallow: /\n".to_vec()));
    // The page comes last, so that a new folder has no page before it is whole.
    files.push(("index.html", page::index(&organization.name, &origins).into_bytes()));
    write(&arguments.out, &files)?;
    let out = arguments.out.display();
    let mut to = notes();
    writeln!(to, "{out} has the form: publish it on its own host, such as edit.your-clinic.example")?;
    if file.backend == file::Backend::Trial {
        writeln!(
            to,
            "{} has no `backend` in editor.toml, so this form is a preview: what you type stays in the browser",
            content.display()
        )?;
    }
    Ok(Outcome::Done)
}

fn holiday_lists(content: &Path) -> Result<Vec<String>, Refusal> {
    let files = published_files(content).map_err(Refusal::new)?;
    let names = files.iter().filter_map(|(path, _)| path.strip_prefix("holidays/")?.strip_suffix(".toml"));
    Ok(names.map(str::to_owned).collect())
}

/// Writes the files into a folder that is new, empty or an earlier form. Each file is exchanged as a whole.
#[expect(clippy::disallowed_methods, reason = "this command writes the form")]
fn write(folder: &Path, files: &[(&str, Vec<u8>)]) -> Result<(), Refusal> {
    let refused = |path: &Path, error: io::Error| {
        Refusal::new(format!("{} can't be written: {}", path.display(), reason(&error)))
    };
    let ours: BTreeSet<&str> = files.iter().filter_map(|(name, _)| name.split('/').next()).collect();
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(refused(folder, error)),
        Ok(entries) => {
            for entry in entries {
                let name = entry.map_err(|error| refused(folder, error))?.file_name();
                // A command that was killed may have left a new file.
                let is_ours = |name: &str| ours.contains(name.strip_suffix(".new").unwrap_or(name));
                if !name.to_str().is_some_and(is_ours) {
                    return Err(Refusal::new(format!(
                        "{} has a file that isn't part of the form, {}: name a folder that doesn't exist yet",
                        folder.display(),
                        name.display()
                    )));
                }
            }
        }
    }
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| refused(parent, error))?;
        }
        replace_file(&path, bytes).map_err(|error| refused(&path, error))?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the test prepares a folder")]
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_command_left_is_written_over_and_another_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let files = [("index.html", b"whole".to_vec())];
        fs::write(folder.path().join("index.html.new"), "half").unwrap();
        write(folder.path(), &files).unwrap();
        assert_eq!(fs::read(folder.path().join("index.html")).unwrap(), b"whole");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        let refusal = write(folder.path(), &files).unwrap_err().to_string();
        assert!(refusal.contains("notes.txt"), "{refusal}");
    }
}

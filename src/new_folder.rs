//! A folder that a command fills, and that has nothing in it before.

use std::fs;
use std::io;
use std::path::Path;

use directory::told::reason;

use crate::outcome::Refusal;

/// Refuses a folder that has files in it. It need not be there.
#[expect(clippy::disallowed_methods, reason = "a command checks whether its folder is free")]
pub(crate) fn require_free(folder: &Path) -> Result<(), Refusal> {
    let shown = folder.display();
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(Refusal::new(format!("{shown} is a file: name a folder that doesn't exist yet")))
        }
        Err(error) => {
            Err(Refusal::new(format!("{shown} can't be read: {}; name another folder", reason(&error))))
        }
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(Refusal::new(format!(
                "{shown} isn't empty, so nothing was written: name a new or empty folder"
            ))),
        },
    }
}

#[expect(clippy::disallowed_methods, reason = "a command writes into its own folder")]
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let refused = |error: io::Error| {
        let shown = path.display();
        Refusal::new(format!(
            "{shown} can't be written: {}; choose a folder that you can write into",
            reason(&error)
        ))
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refused)?;
    }
    fs::write(path, bytes).map_err(refused)
}

/// Writes a file of lines. One that is there stays as it is: the lines that it lacks are returned.
#[expect(clippy::disallowed_methods, reason = "a command reads and writes beside its own folder")]
pub(crate) fn write_or_missing<'a>(path: &Path, text: &'a str) -> Result<Vec<&'a str>, Refusal> {
    let there = match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return write(path, text.as_bytes()).map(|()| Vec::new());
        }
        there => String::from_utf8_lossy(&there.unwrap_or_default()).into_owned(),
    };
    let is_missing =
        |line: &&str| !line.starts_with('#') && !there.lines().any(|known| known.trim() == *line);
    Ok(text.lines().filter(is_missing).collect())
}

//! Writes what the stores of assistants ask for, from the content: a person then adds screenshots and sends it.

mod forms;
mod questions;

use std::io::{self, Write};
use std::path::Path;

use chrono::{DateTime, Utc};
use directory::content::{is_of_example, replace_file};
use directory::model::{Directory, LISTED_CHARACTERS, NoticeName};
use directory::{Snapshot, visible};

use crate::outcome::{Outcome, Refusal};

const REQUIRED: [NoticeName; 3] = [NoticeName::Privacy, NoticeName::Terms, NoticeName::Support];

/// The product's mark, for a clinic without a logo.
const MARK: &str = "assets/logo.png";

#[expect(clippy::disallowed_methods, reason = "the user names the place of the export")]
pub(super) fn write_folder(
    folder: &Path,
    content: &Path,
    snapshot: &Snapshot,
    now: DateTime<Utc>,
) -> Result<Outcome, Refusal> {
    let directory = snapshot.directory();
    let mut missing = missing(directory);
    let questions = match questions::answered(snapshot, now) {
        Ok(questions) if missing.is_empty() => questions,
        other => {
            missing.extend(other.err());
            for line in missing {
                writeln!(io::stderr(), "error: {}", visible::lines(&line))?;
            }
            return Ok(Outcome::Problems);
        }
    };
    let texts = [
        ("chatgpt-app-submission.json", forms::chatgpt(directory, &questions)),
        ("claude-directory.md", forms::claude(directory, &questions)),
        ("tools.json", live::tool_list(directory)),
        ("README.md", forms::READ_ME.to_owned()),
    ];
    let logo = logo(content, directory)?;
    let failed = |name: &str, error: io::Error| Refusal::new(format!("{name} can't be written: {error}"));
    std::fs::create_dir_all(folder).map_err(|error| failed(&folder.display().to_string(), error))?;
    let files =
        texts.iter().map(|(name, text)| (*name, text.as_bytes())).chain([("logo.png", logo.as_slice())]);
    for (name, bytes) in files {
        replace_file(&folder.join(name), bytes).map_err(|error| failed(name, error))?;
    }
    let folder = folder.display();
    writeln!(
        io::stdout(),
        "{folder}: 5 files for the assistants' app directories; {folder}/README.md says what is left to do"
    )?;
    Ok(Outcome::Done)
}

fn missing(directory: &Directory) -> Vec<String> {
    let discovery = &directory.organization().discovery;
    let notices = REQUIRED.into_iter().filter(|name| discovery.notice(*name).is_none());
    let mut missing: Vec<String> = notices
        .map(|name| format!("directory.toml: app directories require `{name}`; add its address to [notices]"))
        .collect();
    let organization = directory.organization();
    let texts = [("name", &organization.name), ("description", &organization.description)];
    for (key, text) in texts.into_iter().filter(|(_, text)| is_of_example(text)) {
        missing.push(format!("directory.toml: replace the placeholder in `{key}`, \"{text}\""));
    }
    if forms::display_name(directory).chars().count() > LISTED_CHARACTERS {
        missing.push(format!(
            "directory.toml: the name is longer than {LISTED_CHARACTERS} characters; add a shorter `display-name` to \
             [listing]"
        ));
    }
    missing
}

#[expect(clippy::disallowed_methods, reason = "the logo is a file of the content, which `check` has read")]
fn logo(content: &Path, directory: &Directory) -> Result<Vec<u8>, Refusal> {
    let Some(logo) = &directory.organization().discovery.logo else {
        let mark = generator::embedded_site().find(|(name, _)| name == MARK);
        return Ok(mark.map(|(_, bytes)| bytes.to_vec()).unwrap_or_default());
    };
    std::fs::read(content.join(&logo.name))
        .map_err(|error| Refusal::new(format!("{} can't be read: {error}", logo.name)))
}

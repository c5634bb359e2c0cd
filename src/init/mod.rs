//! `nameplate init DIR` writes a small commented content folder that passes `check`, with JSON schemas for editors.
//! `nameplate init --site DIR` writes the built-in templates and assets.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use directory::content::schemas;

use crate::new_folder::{require_free, write, write_if_absent};
use crate::outcome::{Outcome, Refusal};

const STARTER: [(&str, &str); 9] = [
    (IGNORED, include_str!("starter/gitignore")),
    ("README.md", include_str!("starter/README.md")),
    ("directory.toml", include_str!("starter/directory.toml")),
    ("insurances.toml", include_str!("starter/insurances.toml")),
    ("appointment-types.toml", include_str!("starter/appointment-types.toml")),
    ("retired.toml", include_str!("starter/retired.toml")),
    ("providers/jane-doe.toml", include_str!("starter/providers/jane-doe.toml")),
    ("availability/jane-doe.toml", include_str!("starter/availability/jane-doe.toml")),
    ("holidays/us-federal.toml", include_str!("starter/holidays/us-federal.toml")),
];

/// For git: in the content folder, and beside it, where builds write.
const IGNORED: &str = ".gitignore";

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The content folder, which must not exist yet or be empty
    #[arg(value_name = "DIR", required_unless_present = "site")]
    folder: Option<PathBuf>,
    /// Copy the built-in templates and assets into this folder, for `build --site` and `dev --site`
    #[arg(long, value_name = "DIR")]
    site: Option<PathBuf>,
}

pub(crate) fn run(arguments: &InitArguments) -> Result<Outcome, Refusal> {
    // Both folders are checked before either is written.
    for folder in arguments.folder.iter().chain(&arguments.site) {
        require_free(folder)?;
    }
    if let Some(folder) = &arguments.folder {
        write_content(folder)?;
    }
    if let Some(folder) = &arguments.site {
        write_site(folder)?;
    }
    Ok(Outcome::Done)
}

fn write_content(folder: &Path) -> Result<(), Refusal> {
    for (path, text) in STARTER {
        write(&folder.join(path), text.as_bytes())?;
    }
    for (name, schema) in schemas() {
        let text = serde_json::to_string_pretty(&schema).map_err(Refusal::new)?;
        write(&folder.join("schemas").join(format!("{name}.schema.json")), (text + "\n").as_bytes())?;
    }
    if folder.file_name().is_some() {
        write_if_absent(&folder.with_file_name(IGNORED), STARTER[0].1.as_bytes())?;
    }
    let shown = folder.display();
    writeln!(
        io::stdout(),
        "{shown} holds a small clinic to start from.\n\n  \
         nameplate check --content {shown}   reports its mistakes: so far, only the example's texts\n  \
         nameplate dev --content {shown}     shows it on http://127.0.0.1:8080"
    )?;
    Ok(())
}

fn write_site(folder: &Path) -> Result<(), Refusal> {
    for (path, bytes) in generator::embedded_site() {
        write(&folder.join(path), bytes)?;
    }
    let shown = folder.display();
    writeln!(
        io::stdout(),
        "{shown} holds the site's templates and assets. Its look is in {shown}/assets/theme.css.\n\
         Delete what you do not change: the built-in file is used instead, in later versions too.\n\n  \
         nameplate dev --site {shown}     shows the site with your changes"
    )?;
    Ok(())
}

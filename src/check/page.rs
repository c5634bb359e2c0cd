//! The mistakes as a page in the site's look, for a preview of content that cannot be built.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use directory::content::Report;
use generator::{Mistake, MistakesPage, mistakes_page};

use crate::args::CheckArguments;
use crate::content::count;
use crate::editor;
use crate::outcome::Refusal;

/// Writes the page into the folder of `--out`. `form` is the form's address.
pub(super) fn write(
    out: &mut impl Write,
    arguments: &CheckArguments,
    report: &Report,
    form: Option<&str>,
) -> Result<(), Refusal> {
    let Some(folder) = &arguments.out else {
        return Err(Refusal::new("--format html needs a folder for the page: add --out DIR"));
    };
    require_free(folder)?;
    let keys = report.keys();
    let mistakes = report.shown().iter().zip(&keys).map(|(problem, key)| {
        let place = editor::place(problem.path(), key);
        let link = place.as_ref().and_then(|place| form.map(|form| format!("{form}{}", place.link)));
        Mistake {
            is_error: problem.severity() == directory::content::Severity::Error,
            what: editor::in_words(problem.path(), problem.what(), problem.help()),
            // Whose entry it is, and where in it.
            place: place.map_or_else(
                || problem.path().to_owned(),
                |place| format!("{}: {}", problem.path(), place.label),
            ),
            link,
        }
    });
    let (errors, warnings) = (count(report.errors(), "error"), count(report.warnings(), "warning"));
    let page = MistakesPage {
        has_errors: report.errors() > 0,
        found: format!("{errors}, {warnings}"),
        mistakes: mistakes.collect(),
        unlisted: report.unlisted(),
    };
    for (path, bytes) in mistakes_page(arguments.site.as_deref(), &page).map_err(Refusal::new)? {
        write_file(&folder.join(&path), &bytes)?;
    }
    writeln!(out, "{} tells {}", folder.join("index.html").display(), page.found)?;
    Ok(())
}

/// Refuses a folder that has files in it.
#[expect(clippy::disallowed_methods, reason = "this command checks whether its folder is free")]
fn require_free(folder: &Path) -> Result<(), Refusal> {
    let is_free = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => true,
        Err(error) => return Err(Refusal::new(format!("{} cannot be read: {error}", folder.display()))),
        Ok(mut entries) => entries.next().is_none(),
    };
    let refused = || {
        let shown = folder.display();
        Refusal::new(format!(
            "{shown} is not empty, and nothing in it is overwritten: name a folder that is not there yet"
        ))
    };
    if is_free { Ok(()) } else { Err(refused()) }
}

#[expect(clippy::disallowed_methods, reason = "this command writes the page")]
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    let refused = |error: io::Error| Refusal::new(format!("{} cannot be written: {error}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(refused)?;
    }
    fs::write(path, bytes).map_err(refused)
}

//! The mistakes as a page in the site's look, for a preview of content that cannot be built.

use std::io::Write;

use directory::content::Report;
use generator::{Mistake, MistakesPage, mistakes_page};

use super::CheckArguments;
use crate::editor;
use crate::new_folder::{self, require_free};
use crate::outcome::Refusal;
use directory::told::count;

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
            what: editor::in_words(problem.path(), problem.what(), problem.help_in_form().as_deref()),
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
        new_folder::write(&folder.join(&path), &bytes)?;
    }
    writeln!(out, "{} shows {}", folder.join("index.html").display(), page.found)?;
    Ok(())
}

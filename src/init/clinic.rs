//! The content folder that `nameplate init` writes: the example, with what is known of the clinic in its place.

use std::collections::BTreeSet;
use std::path::Path;

use authoring::edit::text::quoted;
use authoring::sheet::{Reserved, compare, content_faults, forget_export, read_sheet};
use bytes::Bytes;
use chrono::NaiveDate;
use directory::content::{ContentError, Entries, Report, Severity, load_and_check_entries, usual_zone};
use directory::model::{Language, StateCode};

use super::{SPANISH_TEXTS, STARTER};
use crate::outcome::Refusal;
use crate::sheet::{mistakes, note_of_others};

/// Of the example's clinician, who goes as soon as there are others.
const EXAMPLE_CLINICIAN: &str = "/jane-doe.toml";

/// What is known. What isn't stays as in the example, and `check` warns of it.
#[derive(Debug, Default, Clone)]
pub(super) struct Clinic {
    pub(super) name: Option<String>,
    pub(super) states: Vec<String>,
    pub(super) plans: Vec<String>,
    pub(super) has_no_plans: bool,
    pub(super) languages: Vec<String>,
    pub(super) phone: Option<String>,
    pub(super) clinicians: Vec<(String, String)>,
    /// What of the spreadsheet was not read.
    pub(super) note: Option<String>,
}

impl Clinic {
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let replacements = self.replacements();
        let in_spanish = self.languages.iter().any(|language| language == "Spanish");
        let starter = STARTER
            .into_iter()
            .filter(|(path, _)| self.clinicians.is_empty() || !path.ends_with(EXAMPLE_CLINICIAN))
            .filter(|(path, _)| in_spanish || *path != SPANISH_TEXTS)
            .map(|(path, text)| {
                let replace = |text: String, (from, to): &(&str, String)| text.replace(from, to);
                (path.to_owned(), replacements.iter().fold(text.to_owned(), replace))
            });
        starter.chain(self.clinicians.iter().cloned()).collect()
    }

    /// Texts of the example, each in one place, and their replacements.
    fn replacements(&self) -> Vec<(&'static str, String)> {
        let mut replacements = Vec::new();
        if let Some(name) = &self.name {
            replacements.push(("\"Your Clinic\"", quoted(name)));
        }
        if let Some(phone) = &self.phone {
            replacements.push((EXAMPLE_PHONE, format!("[address]\nphone = {}", quoted(phone))));
        }
        if let Some(first) = self.languages.first() {
            let mut lines = format!("site-languages = {}\n", list(&self.languages));
            if first.parse().is_ok_and(|first: Language| first.code() != "en") {
                lines += "content-language = \"English\"  # of these files: delete it once you have translated them\n";
            }
            replacements.push(("# Where the API, the", lines + "\n# Where the API, the"));
        }
        if !self.plans.is_empty() || self.has_no_plans {
            let entries: Vec<_> =
                self.plans.iter().map(|plan| format!("[[plan]]\nname = {}\n", quoted(plan))).collect();
            replacements.push((EXAMPLE_PLANS, entries.join("\n")));
            replacements.push(("[\"Example Health PPO\"]", list(&self.plans)));
            replacements.push((EXAMPLE_PLAN_OF_STATE, String::new()));
        }
        if !self.states.is_empty() {
            let codes = self.states.iter().map(|name| (name, name.parse::<StateCode>()));
            let codes = codes.map(|(name, code)| code.map_or_else(|_| name.clone(), |code| code.to_string()));
            let states = list(&codes.collect::<Vec<_>>());
            let in_column = |line: String| format!("{line:<31} # where she");
            let licensed = "licensed  = [\"CA\", \"NY\"]        # where she";
            replacements.push((licensed, in_column(format!("licensed  = {states}"))));
            let accepting = "accepting = [\"CA\"]              # where she";
            replacements.push((accepting, in_column(format!("accepting = {states}"))));
            replacements.push(("states = [\"CA\"]", format!("states = {states}")));
            if let Ok(first) = self.states[0].parse::<StateCode>() {
                replacements.push(("CA  = [\"Example", format!("{first}  = [\"Example")));
                replacements.push(("and these in California", format!("and these in {}", first.name())));
                let zone = usual_zone(first).unwrap_or("America/Los_Angeles");
                replacements.push(("America/Los_Angeles", zone.to_owned()));
            }
        } else if !self.clinicians.is_empty() {
            replacements.push(("states = [\"CA\"]", "states = \"all\"".to_owned()));
        }
        replacements
    }

    /// Returns it, unless `check` would refuse the folder.
    fn checked(self, today: NaiveDate, refused: impl FnOnce(&Report) -> Refusal) -> Result<Self, Refusal> {
        let mut entries = Entries::default();
        for (path, text) in self.files() {
            // Paths that cannot be added are those of files that are not content. `compare` has judged the slugs.
            _ = entries.add(&path, Bytes::from(text));
        }
        match load_and_check_entries(entries, today) {
            Ok(_) => Ok(self),
            Err(ContentError::Load(error)) => Err(Refusal::new(error)),
            Err(ContentError::Invalid(report)) => Err(refused(&report)),
        }
    }

    /// Returns it with a change, unless `check` would refuse the folder then.
    pub(super) fn with(&self, today: NaiveDate, change: impl FnOnce(&mut Self)) -> Result<Self, Refusal> {
        let mut changed = self.clone();
        change(&mut changed);
        changed.checked(today, |report| {
            let error = report.problems().iter().find(|problem| problem.severity() == Severity::Error);
            let said = error.map(|error| (error.what(), error.help().unwrap_or_default()));
            let (what, help) = said.unwrap_or_default();
            // An answer isn't a line of a file.
            let help = if help.contains(" = ") { "" } else { &help };
            let said = format!("{what} {help}");
            let said = said.trim_end();
            Refusal::new(format!("{said}{}", if said.ends_with(['.', '?']) { "" } else { "." }))
        })
    }

    pub(super) fn with_sheet(&self, today: NaiveDate, path: &Path) -> Result<Self, Refusal> {
        let (mut grid, tabs) = read_sheet(path)?;
        forget_export(&mut grid);
        let refused = |faults: &[_]| Refusal::new(mistakes(path, faults));
        let reserved = Reserved { ids: BTreeSet::new(), is_slug_taken: &|_| false };
        let sheet = compare(&grid, Vec::new(), reserved).map_err(|faults| refused(&faults))?;
        if !sheet.faults.is_empty() {
            return Err(refused(&sheet.faults));
        }
        let mut clinic = Self { note: tabs.and_then(|tabs| note_of_others(&tabs)), ..self.clone() };
        clinic.clinicians =
            sheet.rows.iter().map(|row| (row.profile.path(), row.profile.text.clone())).collect();
        for plan in sheet.rows.iter().flat_map(|row| row.profile.plans()) {
            if !clinic.plans.iter().any(|known| known == plan) {
                clinic.plans.push(plan.to_owned());
            }
        }
        clinic.checked(today, |report| refused(&content_faults(report, &sheet)))
    }
}

const EXAMPLE_PHONE: &str = "# [address]\n# phone = \"555-555-5555\"";
const EXAMPLE_PLANS: &str =
    "[[plan]]\nname = \"Example Health PPO\"\n\n[[plan]]\nname = \"Example Mutual HMO\"\n";
const EXAMPLE_PLAN_OF_STATE: &str = "CA  = [\"Example Mutual HMO\"]    # and these in California\n";

fn list(items: &[String]) -> String {
    format!("[{}]", items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;

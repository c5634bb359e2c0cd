//! A plan's name: in insurances.toml, in the clinicians' files, and among the allowed texts.

use directory::content::Checked;
use directory::model::PlanName;

use super::Renaming;
use crate::edit::text::{replace_in_entries, replace_in_lists};
use crate::near::hint;
use directory::told::Refusal;
use directory::told::count;

pub fn rename(renaming: &mut Renaming<'_>, before: &Checked) -> Result<(), Refusal> {
    let (old, new) = (renaming.old, renaming.new);
    let plans = || before.directory.plans().iter().map(PlanName::as_str);
    if !plans().any(|plan| plan == old) {
        let hint = hint(
            old,
            plans(),
            "the names are those in insurances.toml; put quotation marks around a name with spaces",
        );
        return Err(Refusal::new(format!("there is no plan \"{old}\": {hint}")));
    }
    if let Err(rule) = new.parse::<PlanName>() {
        return Err(Refusal::new(format!("\"{new}\" cannot be a plan's name: {rule}")));
    }
    if let Some(taken) = plans().find(|plan| *plan != old && plan.to_lowercase() == new.to_lowercase()) {
        return Err(Refusal::new(format!(
            "there is a plan \"{taken}\" already: choose another name, or, if they are one plan, write \"{taken}\" into the \
             clinicians' files and delete \"{old}\" from insurances.toml"
        )));
    }
    renaming.edit("insurances.toml", |file| replace_in_entries(file, ("plan", "name"), old, new))?;
    renaming.told.push(format!("insurances.toml: \"{old}\" becomes \"{new}\""));
    let (mut taken, mut named) = (0, Vec::new());
    for (slug, text) in renaming.edits.providers()? {
        let path = format!("providers/{slug}.toml");
        taken += usize::from(renaming.edit(&path, |file| replace_in_lists(file, "insurance", old, new))?);
        let file: Option<toml::Table> = toml::from_str(text.strip_prefix('\u{feff}').unwrap_or(&text)).ok();
        if file.is_some_and(|file| {
            file.get("bio").and_then(toml::Value::as_str).is_some_and(|bio| bio.contains(old))
        }) {
            named.push(path);
        }
    }
    renaming.told.push(format!("providers/: the files of {} name it so", count(taken, "clinician")));
    if renaming.edit("allow.toml", |file| replace_in_entries(file, ("allow", "text"), old, new))? {
        renaming.told.push("allow.toml: the allowed text is the new name".to_owned());
    }
    for path in named {
        renaming.told.push(format!("the bio in {path} still says \"{old}\": change it there"));
    }
    renaming.told.push(format!("questions for \"{old}\" have no answer once this is published"));
    Ok(())
}

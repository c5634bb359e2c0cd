//! Renames a plan: in insurances.toml, in the clinicians' files, and in allow.toml.

use directory::content::Checked;
use directory::model::PlanName;

use super::Renaming;
use crate::edit::text::{replace_in_entries, replace_in_lists, split_byte_order_mark};
use crate::near::hint;
use directory::told::{Refusal, count};

pub fn rename(renaming: &mut Renaming<'_>, before: &Checked) -> Result<(), Refusal> {
    let (old, new) = (renaming.old, renaming.new);
    check_names(old, new, before)?;
    renaming.edit("insurances.toml", |file| replace_in_entries(file, ("plan", "name"), old, new))?;
    renaming.messages.push(format!("insurances.toml: \"{old}\" becomes \"{new}\""));
    let (mut clinicians, mut with_old_name_in_bio) = (0, Vec::new());
    for (slug, text) in renaming.edits.providers()? {
        let path = format!("providers/{slug}.toml");
        let is_changed = renaming.edit(&path, |file| replace_in_lists(file, "insurance", old, new))?;
        clinicians += usize::from(is_changed);
        if bio(&text).is_some_and(|bio| bio.contains(old)) {
            with_old_name_in_bio.push(path);
        }
    }
    renaming.messages.push(format!("providers/: renamed in the files of {}", count(clinicians, "clinician")));
    if renaming.edit("allow.toml", |file| replace_in_entries(file, ("allow", "text"), old, new))? {
        renaming.messages.push("allow.toml: the allowed text becomes the new name".to_owned());
    }
    for path in with_old_name_in_bio {
        renaming.messages.push(format!("the bio in {path} still says \"{old}\": change it there"));
    }
    renaming.messages.push(format!("after publishing, searches for \"{old}\" find nothing"));
    Ok(())
}

fn check_names(old: &str, new: &str, before: &Checked) -> Result<(), Refusal> {
    let plans = || before.directory.plans().iter().map(PlanName::as_str);
    if !plans().any(|plan| plan == old) {
        let hint = hint(old, plans(), "use a name from insurances.toml, in quotation marks if it has spaces");
        return Err(Refusal::new(format!("there is no plan \"{old}\": {hint}")));
    }
    if let Err(rule) = new.parse::<PlanName>() {
        return Err(Refusal::new(format!("\"{new}\" can't be a plan's name: {rule}")));
    }
    if let Some(taken) = plans().find(|plan| *plan != old && plan.to_lowercase() == new.to_lowercase()) {
        return Err(Refusal::new(format!(
            "the plan \"{taken}\" already exists: choose another name, or, if both are the same plan, write \"{taken}\" in the \
             clinicians' files and delete \"{old}\" from insurances.toml"
        )));
    }
    Ok(())
}

fn bio(text: &str) -> Option<String> {
    let file: toml::Table = toml::from_str(split_byte_order_mark(text).1).ok()?;
    Some(file.get("bio")?.as_str()?.to_owned())
}

//! Renames a clinician: moves the files, and adds the old slug to `former-slugs` so that old links still work.

use directory::content::{Checked, PATH_OF_SUMMARIES};
use directory::model::Slug;

use super::Renaming;
use crate::edit::{NewValue, text};
use crate::near::{hint, numbered_slugs};
use directory::told::Refusal;

const FORMER_SLUGS: &str = "former-slugs";
const KEYS_ABOVE: [&str; 3] = ["sort-name", "display-name", "id"];

pub fn rename(renaming: &mut Renaming<'_>, before: &Checked) -> Result<(), Refusal> {
    let (old, new) = (renaming.old, renaming.new);
    let [old_file, new_file] = [old, new].map(|slug| format!("providers/{slug}.toml"));
    let [old_hours, new_hours] = [old, new].map(|slug| format!("availability/{slug}.toml"));
    let known = renaming.edits.providers()?;
    let Some(text) = known.iter().find(|(slug, _)| slug == old).map(|(_, text)| text.clone()) else {
        let renamed = known.iter().find(|(_, text)| former_slugs(text).iter().any(|former| former == old));
        let slugs = known.iter().map(|(slug, _)| slug.as_str());
        let hint = renamed.map_or_else(
            || hint(old, slugs, "use the name of the file in providers/, without .toml"),
            |(slug, _)| format!("its slug is now \"{slug}\""),
        );
        return Err(Refusal::new(format!("there is no clinician \"{old}\": {hint}")));
    };
    let mut former = former_slugs(&text);
    let was_own_slug = former.iter().any(|slug| slug == new);
    check_new_slug(renaming, before, was_own_slug)?;
    former.retain(|slug| slug != new);
    former.push(old.to_owned());
    renaming.edits.set_text(&old_file, None)?;
    renaming.edits.set_text(&new_file, Some(text))?;
    renaming.edit(&new_file, |file| text::set(file, FORMER_SLUGS, &NewValue::Texts(former), &KEYS_ABOVE))?;
    renaming.messages.push(format!(
        "{old_file} becomes {new_file}, and {old} is added to its former-slugs, so old links still work"
    ));
    if was_own_slug {
        renaming
            .messages
            .push(format!("{new} is removed from its former-slugs, because it is the slug again"));
    }
    if let Some(hours) = renaming.edits.edited_text(&old_hours)? {
        renaming.edits.set_text(&old_hours, None)?;
        renaming.edits.set_text(&new_hours, Some(hours))?;
        renaming.messages.push(format!("{old_hours} becomes {new_hours}"));
    }
    renaming.messages.push(format!("display-name is unchanged: if the name changed, edit it in {new_file}"));
    Ok(())
}

/// The clinician can have one of their own former slugs again.
fn check_new_slug(renaming: &Renaming<'_>, before: &Checked, was_own_slug: bool) -> Result<(), Refusal> {
    let new = renaming.new;
    if let Err(rule) = new.parse::<Slug>() {
        return Err(Refusal::new(format!("\"{new}\" can't be a slug: {rule}")));
    }
    if new == PATH_OF_SUMMARIES {
        return Err(Refusal::new(format!(
            "\"{new}\" can't be a slug, because /v1/providers/{new} lists all clinicians; nothing was changed: choose \
             another, such as {new}-2"
        )));
    }
    let exists = |folder: &str, slug: &str| {
        renaming.edits.edited_text(&format!("{folder}/{slug}.toml")).map(|text| text.is_some())
    };
    let is_anothers_slug = before.directory.remembers(new) && !was_own_slug;
    if is_anothers_slug || exists("providers", new)? {
        let is_free = |slug: &String| {
            !before.directory.remembers(slug) && matches!(exists("availability", slug), Ok(false))
        };
        let free = numbered_slugs(new, 2).find(is_free).unwrap_or_default();
        return Err(Refusal::new(format!(
            "{new} is or was another clinician's slug, and old links lead there: choose another name, such as {free}"
        )));
    }
    if exists("availability", new)? {
        return Err(Refusal::new(format!(
            "availability/{new}.toml already exists, without a clinician's file: delete it, or choose another name"
        )));
    }
    Ok(())
}

fn former_slugs(text: &str) -> Vec<String> {
    let file: Option<toml::Table> = toml::from_str(text::split_byte_order_mark(text).1).ok();
    let slugs = file.as_ref().and_then(|file| file.get(FORMER_SLUGS)?.as_array());
    slugs.into_iter().flatten().filter_map(|slug| slug.as_str().map(str::to_owned)).collect()
}

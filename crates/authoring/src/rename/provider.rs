//! A clinician's slug: the files, and `former-slugs`, by which old addresses lead to the new one.

use directory::content::Checked;
use directory::model::Slug;

use super::Renaming;
use crate::edit::{NewValue, text};
use crate::near::{hint, numbered};
use directory::told::Refusal;

const FORMER: &str = "former-slugs";
/// The keys below which the line stands, nearest first.
const ABOVE: [&str; 3] = ["sort-name", "display-name", "id"];

pub fn rename(renaming: &mut Renaming<'_>, before: &Checked) -> Result<(), Refusal> {
    let (old, new) = (renaming.old, renaming.new);
    let [old_file, new_file] = [old, new].map(|slug| format!("providers/{slug}.toml"));
    let [old_hours, new_hours] = [old, new].map(|slug| format!("availability/{slug}.toml"));
    let known = renaming.edits.providers()?;
    let Some((_, file)) = known.iter().find(|(slug, _)| slug == old) else {
        let slugs = known.iter().map(|(slug, _)| slug.as_str());
        let hint = hint(old, slugs, "the name is that of the file in providers/, without .toml");
        return Err(Refusal::new(format!("there is no clinician {old}: {hint}")));
    };
    if let Err(rule) = new.parse::<Slug>() {
        return Err(Refusal::new(format!("\"{new}\" cannot be a clinician's name in addresses: {rule}")));
    }
    let former = former_slugs(file);
    let is_own = former.iter().any(|slug| slug == new);
    let is_taken = before.directory.remembers(new) && !is_own || renaming.edits.planned(&new_file)?.is_some();
    if is_taken {
        let has_no_hours =
            |slug: &str| matches!(renaming.edits.planned(&format!("availability/{slug}.toml")), Ok(None));
        let is_free = |slug: &String| !before.directory.remembers(slug) && has_no_hours(slug);
        let free = numbered(new, 2).find(is_free).unwrap_or_default();
        return Err(Refusal::new(format!(
            "{new} is or was another clinician's, and old links to it lead there: choose another name, such as {free}"
        )));
    }
    if renaming.edits.planned(&new_hours)?.is_some() {
        return Err(Refusal::new(format!(
            "{new_hours} exists already, without a clinician's file: delete it, or choose another name"
        )));
    }
    let mut slugs: Vec<String> = former.into_iter().filter(|slug| slug != new).collect();
    slugs.push(old.to_owned());
    let text = renaming.edits.planned(&old_file)?;
    renaming.edits.plan(&old_file, None)?;
    renaming.edits.plan(&new_file, text)?;
    renaming.edit(&new_file, |file| text::set(file, FORMER, &NewValue::Texts(slugs), &ABOVE))?;
    renaming.told.push(format!(
        "{old_file} becomes {new_file}, and its former-slugs gain {old}: old links go on working"
    ));
    if is_own {
        renaming.told.push(format!("its former-slugs lose {new}, which it has again"));
    }
    if let Some(hours) = renaming.edits.planned(&old_hours)? {
        renaming.edits.plan(&old_hours, None)?;
        renaming.edits.plan(&new_hours, Some(hours))?;
        renaming.told.push(format!("{old_hours} becomes {new_hours}"));
    }
    renaming.told.push(format!("display-name stays as it is: if the name changed, change it in {new_file}"));
    Ok(())
}

fn former_slugs(file: &str) -> Vec<String> {
    let file: Option<toml::Table> = toml::from_str(file.strip_prefix('\u{feff}').unwrap_or(file)).ok();
    let slugs = file.as_ref().and_then(|file| file.get(FORMER)?.as_array());
    slugs.into_iter().flatten().filter_map(|slug| slug.as_str().map(str::to_owned)).collect()
}

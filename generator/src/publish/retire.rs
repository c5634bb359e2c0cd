//! Tells editors to reserve the slugs of removed clinicians, and to restore changed ids: a slug must never be given to
//! another clinician, and only an entry in the content prevents that.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use directory::Directory;
use directory::content::is_of_example;
use serde_json::Value;

/// Further slugs are only counted.
const MAX_NOTES: usize = 10;

/// By slug. All threads add to it.
#[derive(Debug, Default)]
pub(crate) struct RemovedProfiles(Mutex<BTreeMap<String, Ids>>);

#[derive(Debug)]
struct Ids {
    before: String,
    /// `None` if the profile was removed.
    now: Option<String>,
}

impl RemovedProfiles {
    /// Ignores bodies that are not profiles, and the clinician of the example when they leave.
    pub(crate) fn add(&self, before: Option<&Value>, after: Option<&Value>) {
        let id_in = |profile: &Value| profile["id"].as_str().map(str::to_owned);
        let Some(profile) = before else { return };
        let is_example = |profile: &Value| profile["displayName"].as_str().is_some_and(is_of_example);
        if is_example(profile) && !after.is_some_and(is_example) {
            return;
        }
        let now = after.and_then(id_in);
        if let (Some(slug), Some(before)) = (profile["slug"].as_str(), id_in(profile))
            && now.as_ref() != Some(&before)
        {
            let mut removed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            removed.insert(slug.to_owned(), Ids { before, now });
        }
    }

    /// What to do about each slug that the content does not reserve, and about each changed id.
    pub(crate) fn notes(self, directory: &Directory) -> Vec<String> {
        let removed = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (changed, removed): (Vec<_>, Vec<_>) = removed.iter().partition(|(_, ids)| ids.now.is_some());
        let unreserved: Vec<_> = removed.into_iter().filter(|(slug, _)| !directory.remembers(slug)).collect();
        let named = unreserved.iter().take(MAX_NOTES);
        let mut notes: Vec<_> = named.map(|(slug, ids)| removed_note(directory, slug, &ids.before)).collect();
        if unreserved.len() > MAX_NOTES {
            let more = unreserved.len() - MAX_NOTES;
            notes.push(format!("{more} more are no longer published and belong in retired.toml as well"));
        }
        notes.extend(changed.iter().take(MAX_NOTES).filter_map(|(slug, ids)| changed_note(slug, ids)));
        if changed.len() > MAX_NOTES {
            notes.push(format!("{} more have a different id than before", changed.len() - MAX_NOTES));
        }
        notes
    }
}

fn changed_note(slug: &str, Ids { before, now }: &Ids) -> Option<String> {
    let now = now.as_ref()?;
    Some(format!(
        "the id of {slug} was published as {before} and is now {now}: change it back in providers/{slug}.toml; if this is \
         another clinician, rename the file, and add to retired.toml a [[provider]] with id = \"{before}\" and \
         slug = \"{slug}\""
    ))
}

fn removed_note(directory: &Directory, slug: &str, id: &str) -> String {
    match directory.providers().iter().find(|provider| provider.id.as_str() == id) {
        Some(renamed) => format!(
            "{slug} is now called {now}, and links to {slug} are broken: add former-slugs = [\"{slug}\"] to \
             providers/{now}.toml",
            now = &renamed.slug
        ),
        None => format!(
            "{slug} is no longer published: to reserve its address, add to retired.toml a \
             [[provider]] with id = \"{id}\" and slug = \"{slug}\", and with the former-slugs line of the deleted file, \
             if any"
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{BuildOptions, build, test_fixture as fixture};

    /// The notes of a build after the published fixture's content was changed.
    fn notes_after(change: impl Fn(&Path)) -> Vec<String> {
        let (content, out) = (fixture::copy(), tempfile::tempdir().unwrap());
        let options = BuildOptions::new(content.path(), out.path().join("dist"));
        let first = build(&fixture::load(content.path()), &options).unwrap();
        change(&content.path().join("providers"));
        let summary = build(&fixture::load(content.path()), &options).unwrap();
        let notes: Vec<_> =
            summary.notes.iter().filter(|note| !first.notes.contains(note)).cloned().collect();
        assert!(build(&fixture::load(content.path()), &options).unwrap().is_unchanged());
        notes
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test changes a folder of its own")]
    fn a_removed_clinician_belongs_in_retired_toml() {
        let remove = |providers: &Path| std::fs::remove_file(providers.join("state.toml")).unwrap();
        assert_eq!(
            notes_after(remove),
            ["state is no longer published: to reserve its address, add to retired.toml a \
              [[provider]] with id = \"prov-0002\" and slug = \"state\", and with the former-slugs line of the \
              deleted file, if any"]
        );
        let retire = |providers: &Path| {
            remove(providers);
            let entry = "[[provider]]\nid = \"prov-0002\"\nslug = \"state\"\n";
            std::fs::write(providers.with_file_name("retired.toml"), entry).unwrap();
        };
        assert_eq!(notes_after(retire), Vec::<String>::new());
    }

    #[test]
    fn the_clinician_of_the_example_leaves_without_a_word() {
        let removed = super::RemovedProfiles::default();
        let profile =
            |name: &str| serde_json::json!({"id": "prov-0001", "slug": "jane-doe", "displayName": name});
        removed.add(Some(&profile("Jane Doe")), None);
        removed
            .add(Some(&profile("Jane Doe")), Some(&serde_json::json!({"id": "2", "displayName": "Ann Lee"})));
        let directory = fixture::load(&fixture::folder());
        assert_eq!(removed.notes(directory.directory()), Vec::<String>::new());
        let removed = super::RemovedProfiles::default();
        let renumbered =
            serde_json::json!({"id": "prov-0777", "slug": "jane-doe", "displayName": "Jane Doe"});
        removed.add(Some(&profile("Jane Doe")), Some(&renumbered));
        let notes = removed.notes(directory.directory());
        let told = "the id of jane-doe was published as prov-0001 and is now prov-0777: change it back in ";
        assert!(notes.len() == 1 && notes[0].starts_with(told), "{notes:?}");
        let removed = super::RemovedProfiles::default();
        removed.add(Some(&profile("Jane Doering")), None);
        assert_eq!(removed.notes(directory.directory()).len(), 1);
    }

    #[test]
    fn a_changed_id_is_reported() {
        let renumber = |providers: &Path| {
            fixture::edit(providers, "state.toml", |text| text.replace("prov-0002", "prov-0777"));
        };
        assert_eq!(
            notes_after(renumber),
            [
                "the id of state was published as prov-0002 and is now prov-0777: change it back in providers/state.toml; \
              if this is another clinician, rename the file, and add to retired.toml a [[provider]] with \
              id = \"prov-0002\" and slug = \"state\""
            ]
        );
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test changes a folder of its own")]
    fn a_renamed_clinician_needs_a_former_slug() {
        let rename = |providers: &Path| {
            std::fs::rename(providers.join("state.toml"), providers.join("sam-state.toml")).unwrap();
        };
        assert_eq!(
            notes_after(rename),
            [
                "state is now called sam-state, and links to state are broken: add former-slugs = [\"state\"] to \
              providers/sam-state.toml"
            ]
        );
        let with_former_slug = |providers: &Path| {
            rename(providers);
            fixture::edit(providers, "sam-state.toml", |text| format!("former-slugs = [\"state\"]\n{text}"));
        };
        assert_eq!(notes_after(with_former_slug), Vec::<String>::new());
    }
}

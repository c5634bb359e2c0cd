//! Reports the slugs that are no longer published and that content does not reserve. A slug must never pass to another
//! clinician; only an entry in content prevents that.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use directory::Directory;
use serde_json::Value;

/// How many slugs get a note; the others are counted.
const MOST_NOTES: usize = 10;

/// The ids of the profiles that are no longer published, by slug, collected from all threads.
#[derive(Debug, Default)]
pub(crate) struct RemovedProfiles(Mutex<BTreeMap<String, String>>);

impl RemovedProfiles {
    /// Adds a profile if it was removed. Ignores bodies that are not profiles.
    pub(crate) fn add(&self, before: Option<&[u8]>, after: Option<&[u8]>) {
        let (Some(before), None) = (before, after) else { return };
        let Ok(profile) = serde_json::from_slice::<Value>(before) else { return };
        if let (Some(slug), Some(id)) = (profile["slug"].as_str(), profile["id"].as_str()) {
            let mut removed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            removed.insert(slug.to_owned(), id.to_owned());
        }
    }

    /// For each slug that content does not reserve, a sentence that says what to write into content.
    pub(crate) fn notes(self, directory: &Directory) -> Vec<String> {
        let removed = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let unreserved: Vec<_> = removed.iter().filter(|(slug, _)| !directory.remembers(slug)).collect();
        let mut notes: Vec<_> =
            unreserved.iter().take(MOST_NOTES).map(|(slug, id)| note(directory, slug, id)).collect();
        if unreserved.len() > MOST_NOTES {
            let more = unreserved.len() - MOST_NOTES;
            notes.push(format!("{more} more are no longer published and belong in retired.toml as well"));
        }
        notes
    }
}

fn note(directory: &Directory, slug: &str, id: &str) -> String {
    match directory.providers().iter().find(|provider| provider.id().as_str() == id) {
        Some(renamed) => format!(
            "{slug} is called {now} now, and links to {slug} lead nowhere: add former-slugs = [\"{slug}\"] to \
             providers/{now}.toml",
            now = renamed.slug()
        ),
        None => format!(
            "{slug} is no longer published: to reserve its address for ever, add to retired.toml a \
             [[provider]] with id = \"{id}\" and slug = \"{slug}\""
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{BuildOptions, build, fixture};

    /// The notes of a build after the published fixture's content was changed.
    fn notes_after(change: impl Fn(&Path)) -> Vec<String> {
        let (content, out) = (fixture::copy(), tempfile::tempdir().unwrap());
        let options = BuildOptions::new(content.path(), out.path().join("dist"));
        let first = build(&fixture::load(content.path()), &options).unwrap();
        change(&content.path().join("providers"));
        let summary = build(&fixture::load(content.path()), &options).unwrap();
        assert!(summary.removed > 0);
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
            ["state is no longer published: to reserve its address for ever, add to retired.toml a \
              [[provider]] with id = \"prov-0002\" and slug = \"state\""]
        );
        let retire = |providers: &Path| {
            remove(providers);
            let entry = "[[provider]]\nid = \"prov-0002\"\nslug = \"state\"\n";
            std::fs::write(providers.with_file_name("retired.toml"), entry).unwrap();
        };
        assert_eq!(notes_after(retire), Vec::<String>::new());
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
                "state is called sam-state now, and links to state lead nowhere: add former-slugs = [\"state\"] to \
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

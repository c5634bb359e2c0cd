//! Reports changed ids, and slugs that are no longer published but not reserved. A slug must never pass to another
//! clinician; only an entry in content prevents that.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use directory::Directory;
use serde_json::Value;

/// How many slugs get a note; the others are counted.
const MOST_NOTES: usize = 10;

/// The profiles that are no longer published or have another id, by slug, collected from all threads.
#[derive(Debug, Default)]
pub(crate) struct RemovedProfiles(Mutex<BTreeMap<String, Ids>>);

/// The id that a profile had, and the one that it has, if it is still there.
#[derive(Debug)]
struct Ids {
    before: String,
    now: Option<String>,
}

impl RemovedProfiles {
    /// Adds a profile if it was removed or has another id. Ignores bodies that are not profiles.
    pub(crate) fn add(&self, before: Option<&[u8]>, after: Option<&[u8]>) {
        let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
        let id_in = |profile: &Value| profile["id"].as_str().map(str::to_owned);
        let Some(profile) = before.and_then(read) else { return };
        let now = after.and_then(read).as_ref().and_then(id_in);
        if let (Some(slug), Some(before)) = (profile["slug"].as_str(), id_in(&profile))
            && now.as_ref() != Some(&before)
        {
            let mut removed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            removed.insert(slug.to_owned(), Ids { before, now });
        }
    }

    /// For each slug that content does not reserve, and for each changed id, a sentence that says what to do.
    pub(crate) fn notes(self, directory: &Directory) -> Vec<String> {
        let removed = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (changed, gone): (Vec<_>, Vec<_>) = removed.iter().partition(|(_, ids)| ids.now.is_some());
        let unreserved: Vec<_> = gone.into_iter().filter(|(slug, _)| !directory.remembers(slug)).collect();
        let mut notes: Vec<_> = unreserved
            .iter()
            .take(MOST_NOTES)
            .map(|(slug, ids)| note(directory, slug, &ids.before))
            .collect();
        if unreserved.len() > MOST_NOTES {
            let more = unreserved.len() - MOST_NOTES;
            notes.push(format!("{more} more are no longer published and belong in retired.toml as well"));
        }
        notes.extend(changed.iter().take(MOST_NOTES).filter_map(|(slug, ids)| changed_id(slug, ids)));
        if changed.len() > MOST_NOTES {
            notes.push(format!("{} more have another id than before", changed.len() - MOST_NOTES));
        }
        notes
    }
}

fn changed_id(slug: &str, Ids { before, now }: &Ids) -> Option<String> {
    let now = now.as_ref()?;
    Some(format!(
        "the id of {slug} changed from {before} to {now}, and an id is for ever: write id = \"{before}\" in \
         providers/{slug}.toml again; if this is another clinician, give the file another name, and add to retired.toml \
         a [[provider]] with id = \"{before}\" and slug = \"{slug}\""
    ))
}

fn note(directory: &Directory, slug: &str, id: &str) -> String {
    match directory.providers().iter().find(|provider| provider.id.as_str() == id) {
        Some(renamed) => format!(
            "{slug} is called {now} now, and links to {slug} lead nowhere: add former-slugs = [\"{slug}\"] to \
             providers/{now}.toml",
            now = &renamed.slug
        ),
        None => format!(
            "{slug} is no longer published: to reserve its address for ever, add to retired.toml a \
             [[provider]] with id = \"{id}\" and slug = \"{slug}\", and with the line former-slugs of the deleted file, \
             if it had one"
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
            ["state is no longer published: to reserve its address for ever, add to retired.toml a \
              [[provider]] with id = \"prov-0002\" and slug = \"state\", and with the line former-slugs of the \
              deleted file, if it had one"]
        );
        let retire = |providers: &Path| {
            remove(providers);
            let entry = "[[provider]]\nid = \"prov-0002\"\nslug = \"state\"\n";
            std::fs::write(providers.with_file_name("retired.toml"), entry).unwrap();
        };
        assert_eq!(notes_after(retire), Vec::<String>::new());
    }

    #[test]
    fn a_changed_id_is_reported() {
        let renumber = |providers: &Path| {
            fixture::edit(providers, "state.toml", |text| text.replace("prov-0002", "prov-0777"));
        };
        assert_eq!(
            notes_after(renumber),
            [
                "the id of state changed from prov-0002 to prov-0777, and an id is for ever: write id = \"prov-0002\" in \
              providers/state.toml again; if this is another clinician, give the file another name, and add to \
              retired.toml a [[provider]] with id = \"prov-0002\" and slug = \"state\""
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

//! Who is published no longer and whom content does not remember: a slug is never given to somebody else, and
//! only content can see to that.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use directory::Directory;
use serde_json::Value;

/// More than these are counted only: then it is no slip of a hand, or a tree of somebody else.
const NAMED: usize = 10;

/// The profiles that were published and are no longer: their ids, by slug. Collected from all threads.
#[derive(Debug, Default)]
pub(crate) struct Gone(Mutex<BTreeMap<String, String>>);

impl Gone {
    /// Notes a profile that is gone. What is no profile is passed over.
    pub(crate) fn note(&self, before: Option<&[u8]>, after: Option<&[u8]>) {
        let (Some(before), None) = (before, after) else { return };
        let Ok(profile) = serde_json::from_slice::<Value>(before) else { return };
        if let (Some(slug), Some(id)) = (profile["slug"].as_str(), profile["id"].as_str()) {
            let mut gone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            gone.insert(slug.to_owned(), id.to_owned());
        }
    }

    /// What to write into content, a sentence for each slug that nothing in it keeps from coming back.
    pub(crate) fn notes(self, directory: &Directory) -> Vec<String> {
        let gone = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let forgotten: Vec<_> = gone.iter().filter(|(slug, _)| !directory.remembers(slug)).collect();
        let mut notes: Vec<_> =
            forgotten.iter().take(NAMED).map(|(slug, id)| note(directory, slug, id)).collect();
        if forgotten.len() > NAMED {
            let more = forgotten.len() - NAMED;
            notes.push(format!("{more} more are no longer published and belong into retired.toml as well"));
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
            "{slug} is no longer published: so that nobody else is ever given that address, add to retired.toml a \
             [[provider]] with id = \"{id}\" and slug = \"{slug}\""
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::{BuildOptions, build, fixture};

    /// Changes the fixture's content after it was published, and tells what the next build notes.
    fn noted(change: impl Fn(&Path)) -> Vec<String> {
        let (content, out) = (fixture::copy(), tempfile::tempdir().unwrap());
        let options = BuildOptions::new(content.path(), out.path().join("dist"));
        let first = build(&fixture::load(content.path()), &options).unwrap();
        change(&content.path().join("providers"));
        let summary = build(&fixture::load(content.path()), &options).unwrap();
        assert!(summary.removed() > 0);
        let notes = summary.notes().iter().filter(|note| !first.notes().contains(note));
        let notes: Vec<_> = notes.cloned().collect();
        // What a build said once is not repeated: the tree that it replaced is gone.
        assert!(build(&fixture::load(content.path()), &options).unwrap().is_unchanged());
        notes
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test changes a folder of its own")]
    fn whoever_is_gone_is_to_be_remembered() {
        let remove = |providers: &Path| std::fs::remove_file(providers.join("state.toml")).unwrap();
        assert_eq!(
            noted(remove),
            [
                "state is no longer published: so that nobody else is ever given that address, add to retired.toml a \
              [[provider]] with id = \"prov-0002\" and slug = \"state\""
            ]
        );
        let retire = |providers: &Path| {
            remove(providers);
            let entry = "[[provider]]\nid = \"prov-0002\"\nslug = \"state\"\n";
            std::fs::write(providers.with_file_name("retired.toml"), entry).unwrap();
        };
        assert_eq!(noted(retire), Vec::<String>::new());
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test changes a folder of its own")]
    fn whoever_has_another_slug_is_to_be_found_by_the_former_one() {
        let rename = |providers: &Path| {
            std::fs::rename(providers.join("state.toml"), providers.join("sam-state.toml")).unwrap();
        };
        assert_eq!(
            noted(rename),
            [
                "state is called sam-state now, and links to state lead nowhere: add former-slugs = [\"state\"] to \
              providers/sam-state.toml"
            ]
        );
        let with_former_slug = |providers: &Path| {
            rename(providers);
            fixture::edit(providers, "sam-state.toml", |text| format!("former-slugs = [\"state\"]\n{text}"));
        };
        assert_eq!(noted(with_former_slug), Vec::<String>::new());
    }
}

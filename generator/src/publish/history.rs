use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, Utc};
use directory::changes::{CHANGES_PATH, Contents, History};
use directory::web::FEED_PATH;

use super::manifest::{MANIFEST_PATH, Manifest};
use crate::pages::feed_times;
use crate::read;

/// A manifest has about 200 bytes for each file.
const LARGEST: u64 = 1 << 30;

#[derive(Debug)]
pub(crate) struct PreviousTree {
    pub(crate) history: History,
    /// By the generation and the slug.
    pub(crate) times: BTreeMap<String, DateTime<Utc>>,
}

/// It answers [`CHANGES_PATH`].
pub(crate) fn changes_file() -> String {
    format!("{}.json", CHANGES_PATH.trim_start_matches('/'))
}

impl PreviousTree {
    /// `None` without a manifest. The changes and the feed may be missing.
    pub(crate) fn read(folder: &Path) -> Option<Self> {
        Manifest::parse(&bytes(folder, MANIFEST_PATH)?).map(|manifest| Self::of(folder, &manifest))
    }

    pub(crate) fn of(folder: &Path, manifest: &Manifest) -> Self {
        let body = |file: &super::ManifestEntry| {
            Some((format!("/{}", file.path.strip_suffix(".json")?), file.sha256))
        };
        let contents = Contents::new(manifest.generation(), manifest.files().iter().filter_map(body));
        let history = History::read(contents, &bytes(folder, &changes_file()).unwrap_or_default());
        let times = feed_times(&String::from_utf8_lossy(&bytes(folder, &FEED_PATH[1..]).unwrap_or_default()));
        Self { history, times }
    }
}

fn bytes(folder: &Path, name: &str) -> Option<Vec<u8>> {
    read::file(folder, Path::new(name), LARGEST).ok()
}

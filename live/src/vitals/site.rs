//! Whether the folder of `--static` has the pages of the served content. If it hasn't, or is missing, the service stays ready:
//! the API still answers, and replacing the folder step by step must not take the service out of a load balancer.

use std::path::Path;
use std::sync::{MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::page::Page;
use super::{Refused, Vitals};
use crate::tree::TreeVersion;
use feed::real_now;

const INTERVAL: Duration = Duration::from_secs(1);
const MISSING: &str = "the --static folder is missing, so no page is served: build the site again";
const OTHER: &str = "the --static folder was built from other content";
const UNREADABLE: &str = "the --static folder has no readable v1/manifest.json: run `nameplate build`";

#[derive(Debug, Clone)]
pub(super) struct StaticTree {
    generation: Option<String>,
    failed: Option<Refused>,
}

impl Vitals {
    /// Without end. Looks each second, because a reload, an operator, or a build can make the difference.
    #[expect(clippy::disallowed_methods, reason = "it looks for a folder that the service serves")]
    pub fn follow_static(&self, folder: &Path) {
        let (mut tree, mut told, mut since) = (TreeVersion::default(), None, real_now());
        loop {
            let generation = tree.generation(folder);
            let missing = if folder.is_dir() { UNREADABLE } else { MISSING };
            let failed = generation.is_none().then_some(missing);
            let served =
                self.served.get().map(|(store, _)| store.current().directory().generation().to_string());
            let other = generation.as_ref().zip(served).filter(|(of, now)| *of != now);
            let other = other.map(|(of, now)| format!("{OTHER} ({of}, now {now}): run `nameplate build`"));
            let found = failed.map(str::to_owned).or(other);
            if found != told {
                let folder = folder.display();
                match &found {
                    Some(why) if failed.is_some() => tracing::error!(%folder, "{why}"),
                    Some(why) => tracing::warn!(%folder, "{why}"),
                    None => tracing::info!(%folder, "the --static folder has the served content again"),
                }
                (told, since) = (found, real_now());
            }
            let failed = failed.map(|why| Refused { at: since, why: why.into() });
            *self.site() = Some(StaticTree { generation, failed });
            thread::sleep(INTERVAL);
        }
    }

    pub(super) fn static_state(&self, served: Option<&str>) -> Option<Value> {
        let site = self.site().clone()?;
        Some(json!({
            "generation": site.generation,
            "isCurrent": site.generation.as_deref() == served,
            "lastError": site.failed.as_ref().map(Refused::shown),
        }))
    }

    pub(super) fn write_static(&self, page: &mut Page, served: &str) {
        let Some(site) = self.site().clone() else { return };
        page.one("nameplate_static_current", i32::from(site.generation.as_deref() == Some(served)));
        page.one("nameplate_static_failing", i32::from(site.failed.is_some()));
    }

    fn site(&self) -> MutexGuard<'_, Option<StaticTree>> {
        self.site.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

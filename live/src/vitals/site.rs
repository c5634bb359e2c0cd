//! Whether the folder of `--static` has the pages of the served content. If it hasn't, or is missing, the service stays ready:
//! the API still answers, and replacing the folder step by step must not take the service out of a load balancer.

use std::path::Path;
use std::sync::{MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::page::Page;
use super::{Refused, Vitals};
use crate::http::TreeVersion;
use feed::real_now;

const INTERVAL: Duration = Duration::from_secs(1);
const MISSING: &str = "the folder of --static is missing, so no page is served: build the site again";
const UNREADABLE: &str =
    "the folder of --static has no v1/manifest.json that can be read: run `nameplate build`";

#[derive(Debug, Clone)]
pub(super) struct StaticTree {
    generation: Option<String>,
    failed: Option<Refused>,
}

impl Vitals {
    /// Without end. Looks each second, because a reload, an operator, or a build can make the difference.
    pub fn follow_static(&self, folder: &Path) {
        let (mut tree, mut told) = (TreeVersion::default(), None);
        loop {
            let found = self.look_at_static(folder, tree.generation(folder));
            if found != told {
                let folder = folder.display();
                match &found {
                    Some((true, why)) => tracing::error!(%folder, "{why}"),
                    Some((false, why)) => tracing::warn!(%folder, "{why}"),
                    None => tracing::info!(%folder, "the folder of --static has the served content again"),
                }
                told = found;
            }
            thread::sleep(INTERVAL);
        }
    }

    /// What is wrong, and whether the folder cannot be used at all.
    #[expect(clippy::disallowed_methods, reason = "it looks for a folder that the service serves")]
    fn look_at_static(&self, folder: &Path, generation: Option<String>) -> Option<(bool, String)> {
        let served = self.served.get().map(|(store, _)| store.current().directory().generation().to_string());
        let why = match &generation {
            Some(_) => None,
            None if folder.is_dir() => Some(UNREADABLE),
            None => Some(MISSING),
        };
        let mut site = self.site();
        let before = site.take().and_then(|before| before.failed);
        let failed = why.map(|why| {
            let before = before.filter(|before| *before.why == *why);
            before.unwrap_or_else(|| Refused { at: real_now(), why: why.into() })
        });
        *site = Some(StaticTree { generation: generation.clone(), failed });
        drop(site);
        if let Some(why) = why {
            return Some((true, why.to_owned()));
        }
        let (of, now) = generation.zip(served).filter(|(of, now)| of != now)?;
        let is_held = self.held().is_some_and(|held| held.as_str() == of);
        let help = if is_held { "that content is held" } else { "run `nameplate build`" };
        let why = format!("the folder of --static was built from other content ({of}, now {now}): {help}");
        Some((false, why))
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

//! The body of `/readyz`. A service is ready from the first loaded content until a stop begins, even with broken content or
//! an expired feed: all other answers are still right, and every replica has the same content and feed, so removing them all
//! would turn a partial outage into a complete one.

use std::sync::atomic::Ordering;

use directory::calendar::Judgment;
use directory::model::Slug;
use serde_json::{Value, json};

use super::{Refused, Vitals, rfc3339};
use feed::{Feed, moment, real_now};

/// All skipped lines are counted.
const SHOWN: usize = 10;

impl Vitals {
    pub(crate) fn readiness(&self) -> (bool, Value) {
        let is_stopping = self.stopping.load(Ordering::Relaxed);
        let served = self.served.get();
        let status = match served {
            _ if is_stopping => "stopping",
            None => "loading",
            Some(_) => "ready",
        };
        let snapshot = served.map(|(store, _)| store.current());
        let generation = snapshot.as_ref().map(|snapshot| snapshot.directory().generation().as_str());
        let content = self.content().clone();
        let (now, taken_at) = (real_now(), content.taken_at);
        let providers = snapshot.as_ref().map(|snapshot| snapshot.directory().providers().len());
        let readiness = json!({
            "status": status,
            "version": env!("CARGO_PKG_VERSION"),
            "generation": generation,
            "content": {
                "source": self.content_source(),
                "readAt": taken_at.map(rfc3339),
                "ageSeconds": taken_at.map(|at| (now - at).num_seconds().max(0)),
                "providers": providers,
                "isLastGood": content.is_last_good,
                "held": content.held.map(|(held, generation)| json!({
                    "at": rfc3339(held.at), "what": &*held.why, "generation": generation.as_str(),
                })),
                "lastError": content.refused.as_ref().map(Refused::shown),
            },
            "store": self.releases_state(),
            "static": self.static_state(generation),
            "stateErrors": self.state_errors(),
            "feed": self.feed().map(|feed| of_feed(&feed, &self.feed_judgment(&feed))),
        });
        (status == "ready", readiness)
    }
}

fn of_feed(feed: &Feed, judgment: &Judgment) -> Value {
    let status = feed.status();
    let parts = status.parts();
    let parts = parts.iter().map(|(name, age)| json!({"name": &**name, "ageSeconds": age.as_secs()}));
    json!({
        "status": judgment.freshness_word(),
        "asOf": status.ages.as_of().map(|as_of| rfc3339(as_of.into())),
        "ageSeconds": status.ages.oldest(moment()).map(|age| age.as_secs()),
        "providers": status.ages.listed(),
        "expiredProviders": slugs(&judgment.expired()),
        "withheldProviders": slugs(&judgment.withheld.iter().collect::<Vec<_>>()),
        "skipped": status.skipped.counts().map(|(reason, count)| (reason.word().to_owned(), count.into()))
            .collect::<serde_json::Map<_, _>>(),
        "skippedEntries": status.skipped.counts().map(|(_, count)| count).sum::<usize>(),
        "otherResources": status.skipped.other_resources,
        "skippedLines": status.skipped.lines.iter().take(SHOWN).map(|line| json!({
            "file": &*line.file, "line": line.line, "reason": line.reason.word(), "what": line.what, "help": line.help,
        })).collect::<Vec<_>>(),
        "moreSkippedLines": status.skipped.lines.len() > SHOWN,
        "held": status.held,
        "heldToken": status.token,
        "lastError": status.last_error,
        "memoryError": status.memory_error.as_ref().or(status.memory_write_error.as_ref()),
        "parts": parts.collect::<Vec<_>>(),
        "nats": feed.nats().map(|(view, sites)| super::nats::ready(&view, &sites)),
    })
}

fn slugs(slugs: &[&Slug]) -> Vec<String> {
    slugs.iter().map(ToString::to_string).collect()
}

use directory::calendar::{Freshness, Judgment};
use directory::model::Slug;

/// How many clinicians without openings a log line names.
const NAMED: usize = 5;

pub(crate) fn log_judgment(before: Option<&Judgment>, now: &Judgment) {
    if before == Some(now) {
        return;
    }
    let (status, unknown) = (now.freshness_word(), now.unknown.len());
    match now.freshness {
        Freshness::Expired => {
            tracing::error!(
                status,
                "the feed has expired, so no openings are shown: the lines above say why, and so does /readyz on the --admin address"
            );
        }
        Freshness::Stale { as_of } => {
            tracing::warn!(status, %as_of, providers_unknown = unknown, "the feed is stale: its last good data is shown");
        }
        Freshness::Fresh if unknown > 0 => {
            let first: Vec<&str> = now.unknown.iter().take(NAMED).map(Slug::as_str).collect();
            // No status: it is about the data that is shown, and these clinicians' data may never have been read.
            tracing::warn!(
                providers_unknown = unknown,
                clinicians = first.join(","),
                "the feed leaves some clinicians without openings"
            );
        }
        Freshness::Fresh => tracing::info!(status, "the feed is fresh"),
    }
}

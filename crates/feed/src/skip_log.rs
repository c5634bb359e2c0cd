//! Logs which entries of a feed are skipped.

use directory::calendar::{SkipReason, Skipped};

/// Logs a change of the skipped entries: as a warning, or at debug level if only counts changed. Entries of retired
/// clinicians alone are not logged, because they need no correction.
pub(crate) fn write(feed: &str, before: &Skipped, now: &Skipped) {
    if before == now {
        return;
    }
    let counts: Vec<_> = now.counts().map(|(reason, count)| format!("{count} {}", reason.word())).collect();
    let (skipped, first) = (counts.join(", "), now.lines().first());
    let what = first.map(|line| format!("{}:{}: {}; {}", line.file, line.line, line.what, line.help));
    let reasons = |skipped: &Skipped| {
        let reasons = skipped.counts().map(|(reason, _)| reason);
        reasons.filter(|reason| *reason != SkipReason::Retired).collect::<Vec<_>>()
    };
    if reasons(now).is_empty() {
        if !reasons(before).is_empty() {
            tracing::info!(feed, "no feed entries are skipped now");
        }
    } else if reasons(before) == reasons(now) && before.count_named() == now.count_named() {
        tracing::debug!(feed, skipped, what, "feed entries are skipped");
    } else {
        tracing::warn!(feed, skipped, what, "feed entries are skipped");
    }
}

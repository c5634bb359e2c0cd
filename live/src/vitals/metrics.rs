//! The metrics, in Prometheus' text format.

use std::sync::atomic::Ordering::Relaxed;

use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::Counts;
use directory::calendar::SkipReason;
use directory::model::Confirmation;

use super::page::Page;
use super::route::{Route, STATUSES, status_word};
use super::{BOUNDS, Vitals, process};
use crate::feed::real_now;

impl Vitals {
    /// All metrics as text.
    pub(crate) fn metrics(&self) -> String {
        let mut page = Page::default();
        self.write_requests(&mut page);
        let (connections, in_flight) = (self.connections.load(Relaxed), self.in_flight.load(Relaxed));
        page.one("nameplate_connections", "gauge", "Open connections.", connections);
        page.one("nameplate_requests_in_flight", "gauge", "Requests that are being answered.", in_flight);
        let accepted = self.accepted.load(Relaxed);
        page.one("nameplate_connections_total", "counter", "Connections that were served.", accepted);
        let shed = self.shed.load(Relaxed);
        page.one(
            "nameplate_connections_shed_total",
            "counter",
            "Connections turned away because the limit was reached.",
            shed,
        );
        let failed = self.accept_failed.load(Relaxed);
        let help = "Connections that the system did not hand over, mostly for want of open files.";
        page.one("nameplate_accept_failures_total", "counter", help, failed);
        let help = "Readings of the view that assistants show for the tools' results.";
        page.one("nameplate_mcp_view_reads_total", "counter", help, self.view_reads.load(Relaxed));
        let dropped = self.dropped_log_lines.get().map_or(0, |lines| lines.load(Relaxed));
        let help = "Lines of the log that were dropped because its reader was too slow.";
        page.one("nameplate_log_lines_dropped_total", "counter", help, dropped);
        page.family("nameplate_reloads_total", "counter", "Readings of changed content.");
        page.line("nameplate_reloads_total", &[("outcome", "taken")], self.taken.load(Relaxed));
        page.line("nameplate_reloads_total", &[("outcome", "refused")], self.refused.load(Relaxed));
        page.line("nameplate_reloads_total", &[("outcome", "held")], self.held.load(Relaxed));
        let content = self.content().clone();
        let is_refused = i32::from(content.refused.is_some());
        let help = "1 while the content folder has errors and older content is served.";
        page.one("nameplate_content_refused", "gauge", help, is_refused);
        let help =
            "1 while a copy of the last good content is served, because the service started with errors.";
        page.one("nameplate_content_last_good", "gauge", help, i32::from(content.is_last_good));
        let is_held = i32::from(content.held.is_some());
        let help = "1 while new content is held back because too many clinicians vanished from it.";
        page.one("nameplate_content_held", "gauge", help, is_held);
        if let Some(at) = content.taken_at {
            let help = "When the content was last read and found good.";
            page.one("nameplate_content_read_timestamp_seconds", "gauge", help, at.timestamp());
        }
        self.write_content_store(&mut page);
        self.write_state(&mut page);
        process::write(&mut page);
        let Some((store, _)) = self.served.get() else { return page.text() };
        let snapshot = store.current();
        let generation = snapshot.directory().generation().as_str();
        page.family("nameplate_info", "gauge", "What is running, and which content it serves.");
        let labels = [("version", env!("CARGO_PKG_VERSION")), ("generation", generation)];
        page.line("nameplate_info", &labels, 1);
        let providers = snapshot.directory().providers().len();
        page.one("nameplate_providers", "gauge", "Clinicians in the content that is served.", providers);
        write_confirmations(&mut page, snapshot.directory(), real_now().date_naive());
        self.write_feed(&mut page);
        page.text()
    }

    fn write_requests(&self, page: &mut Page) {
        let name = "nameplate_requests_total";
        page.family(name, "counter", "Answered requests.");
        for route in Route::all() {
            for number in 0..STATUSES {
                let count = self.routes[route.number()].statuses[number].load(Relaxed);
                if count > 0 {
                    page.line(name, &[("route", route.template()), ("status", &status_word(number))], count);
                }
            }
        }
        let name = "nameplate_request_seconds";
        page.family(name, "histogram", "From a request's head to its answer, without its way to the client.");
        for route in Route::all() {
            let counters = &self.routes[route.number()];
            let label = ("route", route.template());
            let mut total = 0;
            for (index, bucket) in counters.buckets.iter().enumerate() {
                total += bucket.load(Relaxed);
                let bound = BOUNDS.get(index).map_or_else(|| "+Inf".to_owned(), |&micros| seconds(micros));
                page.line(&format!("{name}_bucket"), &[label, ("le", &bound)], total);
            }
            page.line(&format!("{name}_sum"), &[label], seconds(counters.micros.load(Relaxed)));
            page.line(&format!("{name}_count"), &[label], total);
        }
    }

    fn write_feed(&self, page: &mut Page) {
        let Some(feed) = self.served.get().and_then(|(_, feeds)| feeds.current()) else { return };
        let (status, judgement) = (feed.status(), self.feed_judgement(&feed));
        if let Some(age) = status.age() {
            let help = "The age of the oldest part of the slot feed.";
            page.one("nameplate_feed_age_seconds", "gauge", help, age.as_secs_f64());
        }
        let name = "nameplate_feed_status";
        page.family(name, "gauge", "Whether the slot feed is fresh, stale or expired: 1 at its status.");
        for word in ["fresh", "stale", "expired"] {
            page.line(name, &[("status", word)], i32::from(judgement.freshness_word() == word));
        }
        let help = "Providers whose part of the slot feed is too old to be shown.";
        page.one("nameplate_feed_expired_providers", "gauge", help, judgement.expired().len());
        let help = "Providers without open times because taken time of theirs may be missing from what was read of the slot feed.";
        page.one("nameplate_feed_withheld_providers", "gauge", help, judgement.withheld.len());
        let name = "nameplate_feed_skipped_entries";
        page.family(name, "gauge", "Entries of the slot feed that are not used, by reason.");
        for reason in SkipReason::ALL {
            page.line(name, &[("reason", reason.word())], status.skipped.count(reason));
        }
        let others: usize = status.skipped.other_resources.values().sum();
        let help = "Lines of the slot feed with other FHIR resources than Slots and Schedules.";
        page.one("nameplate_feed_other_resources", "gauge", help, others);
        page.one("nameplate_feed_providers", "gauge", "Providers that the slot feed lists.", status.listed);
        let is_held = i32::from(status.held.is_some());
        page.one(
            "nameplate_feed_held",
            "gauge",
            "1 while a feed is held back: it shrank too much, lists no provider, or has no entry that its mode counts.",
            is_held,
        );
        let help = "1 if what the slot feed said before the start could not be used, or cannot be written for the next start.";
        let is_lost = i32::from(status.memory_error.is_some() || status.memory_write_error.is_some());
        page.one("nameplate_feed_memory_unusable", "gauge", help, is_lost);
        page.one(
            "nameplate_feed_failures_total",
            "counter",
            "Failed readings of the slot feed.",
            status.failures,
        );
        page.one(
            "nameplate_feed_changes_total",
            "counter",
            "Applied readings of the slot feed.",
            status.applied,
        );
        #[cfg(feature = "replicas")]
        if let Some((view, sites)) = feed.nats() {
            super::nats::write(page, &view, &sites);
        }
    }
}

/// How old the confirmations are, by the real clock.
fn write_confirmations(page: &mut Page, directory: &Directory, today: NaiveDate) {
    let Some(policy) = directory.accuracy() else { return };
    let name = "nameplate_providers_confirmation";
    page.family(name, "gauge", "Clinicians by the standing of their confirmation.");
    for (word, number) in Counts::at(directory, policy, today).each() {
        page.line(name, &[("confirmation", word)], number);
    }
    let name = "nameplate_providers_confirmed_within_days";
    page.family(name, "gauge", "Clinicians whose entry was confirmed within so many days.");
    for days in [30, 60, 90, 180, 365] {
        let is_within =
            |confirmed: &Confirmation| today.signed_duration_since(confirmed.on).num_days() <= days;
        let records = directory.providers().iter().map(|provider| &provider.record);
        let number = records.filter(|record| record.confirmed.as_ref().is_some_and(is_within)).count();
        page.line(name, &[("days", &days.to_string())], number);
    }
}

/// Microseconds as seconds, exactly.
fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn responses_are_counted_by_route_and_status() {
        let vitals = Vitals::new();
        let route = Route::of("/v1/providers/jane-doe");
        vitals.answered(route, 200, Duration::from_micros(70));
        vitals.answered(route, 200, Duration::from_secs(3));
        vitals.answered(route, 418, Duration::from_micros(50));
        let page = vitals.metrics();
        for line in [
            "nameplate_requests_total{route=\"/v1/providers/{slug}\",status=\"200\"} 2",
            "nameplate_requests_total{route=\"/v1/providers/{slug}\",status=\"other\"} 1",
            "nameplate_request_seconds_bucket{route=\"/v1/providers/{slug}\",le=\"0.000050\"} 1",
            "nameplate_request_seconds_bucket{route=\"/v1/providers/{slug}\",le=\"0.000100\"} 2",
            "nameplate_request_seconds_bucket{route=\"/v1/providers/{slug}\",le=\"1.000000\"} 2",
            "nameplate_request_seconds_bucket{route=\"/v1/providers/{slug}\",le=\"+Inf\"} 3",
            "nameplate_request_seconds_sum{route=\"/v1/providers/{slug}\"} 3.000120",
            "nameplate_request_seconds_count{route=\"/v1/providers/{slug}\"} 3",
        ] {
            assert!(page.lines().any(|known| known == line), "{line}\n{page}");
        }
    }
}

use std::sync::atomic::Ordering::Relaxed;

use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::Counts;
use directory::calendar::SkipReason;
use directory::model::Confirmation;

use super::page::{Page, seconds};
use super::route::{Route, STATUSES, status_word};
use super::{BOUNDS, Vitals, process};
use feed::{moment, real_now};

impl Vitals {
    pub(crate) fn metrics(&self) -> String {
        let mut page = Page::default();
        self.write_requests(&mut page);
        page.one("nameplate_connections", self.connections.load(Relaxed));
        page.one("nameplate_requests_in_flight", self.in_flight.load(Relaxed));
        let dropped = self.dropped_log_lines.get().map_or(0, |lines| lines.load(Relaxed));
        page.one("nameplate_log_lines_dropped_total", dropped);
        for (name, counter) in [
            ("nameplate_connections_total", &self.accepted),
            ("nameplate_connections_shed_total", &self.shed),
            ("nameplate_accept_failures_total", &self.accept_failed),
            ("nameplate_mcp_view_reads_total", &self.view_reads),
        ] {
            page.one(name, counter.load(Relaxed));
        }
        for (outcome, counter) in [("taken", &self.taken), ("refused", &self.refused), ("held", &self.held)] {
            page.line("nameplate_reloads_total", &[("outcome", outcome)], counter.load(Relaxed));
        }
        let content = self.content().clone();
        page.one("nameplate_content_refused", i32::from(content.refused.is_some()));
        page.one("nameplate_content_last_good", i32::from(content.is_last_good));
        page.one("nameplate_content_held", i32::from(content.held.is_some()));
        if let Some(at) = content.taken_at {
            page.one("nameplate_content_read_timestamp_seconds", at.timestamp());
        }
        self.write_releases(&mut page);
        self.write_state(&mut page);
        process::write(&mut page);
        let Some((store, _)) = self.served.get() else { return page.text };
        let snapshot = store.current();
        let generation = snapshot.directory().generation().as_str();
        let labels = [("version", env!("CARGO_PKG_VERSION")), ("generation", generation)];
        page.line("nameplate_info", &labels, 1);
        self.write_static(&mut page, generation);
        page.one("nameplate_providers", snapshot.directory().providers().len());
        write_confirmations(&mut page, snapshot.directory(), real_now().date_naive());
        self.write_feed(&mut page);
        page.text
    }

    fn write_requests(&self, page: &mut Page) {
        let name = "nameplate_requests_total";
        for route in Route::all() {
            for number in 0..STATUSES {
                let count = self.routes[route.number()].statuses[number].load(Relaxed);
                if count > 0 {
                    page.line(name, &[("route", route.template()), ("status", &status_word(number))], count);
                }
            }
        }
        let name = "nameplate_request_seconds";
        for route in Route::all() {
            let counters = &self.routes[route.number()];
            let counts = counters.buckets.iter().map(|bucket| bucket.load(Relaxed));
            let bounds = BOUNDS.map(seconds).into_iter();
            let sum = counters.micros.load(Relaxed);
            page.histogram(name, &[("route", route.template())], counts, bounds, sum);
        }
    }

    fn write_feed(&self, page: &mut Page) {
        let Some(feed) = self.served.get().and_then(|(_, feeds)| feeds.current()) else { return };
        let (status, judgment) = (feed.status(), self.feed_judgment(&feed));
        if let Some(age) = status.ages.oldest(moment()) {
            page.one("nameplate_feed_age_seconds", age.as_secs_f64());
        }
        let name = "nameplate_feed_status";
        for word in ["fresh", "stale", "expired"] {
            page.line(name, &[("status", word)], i32::from(judgment.freshness_word() == word));
        }
        page.one("nameplate_feed_expired_providers", judgment.expired().len());
        page.one("nameplate_feed_withheld_providers", judgment.withheld.len());
        let name = "nameplate_feed_skipped_entries";
        for &reason in SkipReason::ALL {
            page.line(name, &[("reason", reason.word())], status.skipped.count(reason));
        }
        let others: usize = status.skipped.other_resources.values().sum();
        page.one("nameplate_feed_other_resources", others);
        page.one("nameplate_feed_providers", status.ages.listed());
        page.one("nameplate_feed_held", i32::from(status.held.is_some()));
        let is_lost = i32::from(status.memory_error.is_some() || status.memory_write_error.is_some());
        page.one("nameplate_feed_memory_unusable", is_lost);
        page.one("nameplate_feed_failures_total", status.failures);
        page.one("nameplate_feed_changes_total", status.applied);
        if let Some((view, sites)) = feed.nats() {
            super::nats::write(page, &view, &sites);
        }
    }
}

/// By the real clock.
fn write_confirmations(page: &mut Page, directory: &Directory, today: NaiveDate) {
    let Some(policy) = directory.accuracy() else { return };
    let name = "nameplate_providers_confirmation";
    for (word, number) in Counts::at(directory, policy, today).each() {
        page.line(name, &[("confirmation", word)], number);
    }
    let name = "nameplate_providers_confirmed_within_days";
    for days in [30, 60, 90, 180, 365] {
        let is_within =
            |confirmed: &Confirmation| today.signed_duration_since(confirmed.on).num_days() <= days;
        let records = directory.providers().iter().map(|provider| &provider.record);
        let number = records.filter(|record| record.confirmed.as_ref().is_some_and(is_within)).count();
        page.line(name, &[("days", &days.to_string())], number);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn responses_are_counted_by_route_and_status() {
        let vitals = Vitals::new();
        let route = Route::for_path("/v1/providers/jane-doe");
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

//! What pages say about confirmations: a sentence on a profile, and the page `/accuracy`. Dates and never ages: a date
//! stays true on a page that is not built again.

use chrono::NaiveDate;
use directory::accuracy::{Counts, newest_date, wilson};
use directory::model::{Accuracy, Directory, Listing, Provider, Sample};
use serde::Serialize;
use serde_json::json;
use tera::Context;

use super::Pages;

/// The sentence on a profile; `None` without a policy.
pub(super) fn confirmation(directory: &Directory, provider: &Provider) -> Option<String> {
    directory.accuracy()?;
    let record = provider.record();
    let confirmed = record.confirmed.as_ref();
    Some(match (record.listing, confirmed) {
        (Listing::Unconfirmed, Some(confirmed)) => {
            format!("We could not confirm this since {}; it may be out of date.", in_words(confirmed.on))
        }
        (Listing::Unconfirmed, None) => "We could not confirm this; it may be out of date.".to_owned(),
        (_, Some(confirmed)) => {
            format!("Confirmed by the {} on {}", confirmed.by, in_words(confirmed.on))
        }
        (_, None) => "Not yet confirmed".to_owned(),
    })
}

/// The address where a mistake on a profile is reported.
pub(super) fn report_url(directory: &Directory, provider: &Provider) -> Option<String> {
    let address = directory.accuracy()?.report_url.as_deref()?;
    Some(address.replace("{slug}", provider.slug().as_str()))
}

/// "22 November 2026".
fn in_words(date: NaiveDate) -> String {
    date.format("%-d %B %Y").to_string()
}

/// A row of the table of samples.
#[derive(Debug, Serialize)]
struct SampleRow {
    on: String,
    asked: u32,
    right: u32,
    share: String,
    low: String,
    high: String,
}

impl From<&Sample> for SampleRow {
    fn from(sample: &Sample) -> Self {
        let (low, high) = wilson(sample.right, sample.asked);
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        Self {
            on: in_words(sample.on),
            asked: sample.asked,
            right: sample.right,
            share: percent(f64::from(sample.right) / f64::from(sample.asked.max(1))),
            low: percent(low),
            high: percent(high),
        }
    }
}

impl Pages<'_> {
    /// The counts as of the newest date in the content, and every sample, the newest first.
    pub(super) fn accuracy(&self, context: &mut Context, policy: &Accuracy) {
        let directory = self.snapshot.directory();
        let samples: Vec<SampleRow> = policy.samples.iter().rev().map(SampleRow::from).collect();
        context.insert("samples", &samples);
        context.insert("within", &policy.confirm_within_days);
        let Some(as_of) = newest_date(directory) else { return };
        let counts = Counts::at(directory, policy, as_of);
        let number =
            |wanted: &str| counts.each().find(|(word, _)| *word == wanted).map_or(0, |(_, number)| number);
        context.insert(
            "counts",
            &json!({
                "as_of": in_words(as_of),
                "total": directory.providers().len(),
                "confirmed": number("confirmed") + number("due"),
                "changed": number("changed"),
                "lapsed": number("lapsed"),
                "never": number("never"),
                "by_clinician": counts.by_clinician,
                "by_clinic": counts.by_clinic,
            }),
        );
    }
}

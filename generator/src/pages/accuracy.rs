//! Confirmations: a sentence on each profile, and the page `/accuracy`. They show dates and never ages, because a date stays
//! true on a page that is not built again.

use directory::accuracy::{Counts, changed_groups, newest_date, wilson};
use directory::model::{Accuracy, Attester, Confirmation, Directory, Listing, Provider, Sample, Texts};
use serde_json::json;
use tera::Context;

use super::{Edition, wording};

pub(super) fn report_url(directory: &Directory, provider: &Provider) -> Option<String> {
    let address = directory.accuracy()?.report_url.as_deref()?;
    Some(address.replace("{slug}", provider.slug.as_str()))
}

/// Shares are in percent.
fn sample_row(texts: &Texts, sample: &Sample) -> serde_json::Value {
    let (low, high) = wilson(sample.right, sample.asked);
    let percent = |share: f64| format!("{:.1}", 100.0 * share).trim_end_matches(".0").to_owned();
    json!({
        "on": wording::date(texts, "date", sample.on),
        "asked": sample.asked,
        "right": sample.right,
        "share": percent(f64::from(sample.right) / f64::from(sample.asked.max(1))),
        "low": percent(low),
        "high": percent(high),
    })
}

impl Edition<'_> {
    /// `None` without an `[accuracy]` policy.
    pub(super) fn confirmation(&self, provider: &Provider) -> Option<String> {
        self.directory().accuracy()?;
        let record = &provider.record;
        let date = |on| wording::date(self.texts, "date", on);
        let dated = |key: &str, on| wording::fill(self.texts, key, &[("date", &date(on))]);
        let sentence = match (record.listing, record.confirmed.as_ref()) {
            (Listing::Unconfirmed, Some(confirmed)) => dated("unconfirmed-since", confirmed.on),
            (Listing::Unconfirmed, None) => wording::text(self.texts, "unconfirmed").to_owned(),
            (_, Some(Confirmation { by: Attester::Clinician, on, .. })) => {
                dated("confirmed-by-clinician", *on)
            }
            (_, Some(Confirmation { by: Attester::Clinic, on, .. })) => dated("confirmed-by-clinic", *on),
            (_, None) => wording::text(self.texts, "not-yet-confirmed").to_owned(),
        };
        if record.listing == Listing::Unconfirmed || changed_groups(self.directory(), provider).is_empty() {
            return Some(sentence);
        }
        Some(wording::fill(self.texts, "confirmed-before-edit", &[("confirmed", &sentence)]))
    }

    /// The counts are as of the newest date in the content.
    pub(super) fn accuracy(&self, context: &mut Context, policy: &Accuracy) {
        let directory = self.directory();
        let samples: Vec<_> =
            policy.samples.iter().rev().map(|sample| sample_row(self.texts, sample)).collect();
        context.insert("samples", &samples);
        context.insert("within", &policy.confirm_within_days);
        let Some(as_of) = newest_date(directory) else { return };
        let counts = Counts::at(directory, policy, as_of);
        let number =
            |wanted: &str| counts.each().find(|(word, _)| *word == wanted).map_or(0, |(_, number)| number);
        context.insert(
            "counts",
            &json!({
                "as_of": wording::date(self.texts, "date", as_of),
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

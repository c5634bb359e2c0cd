//! `[accuracy]` of `directory.toml`, and the findings that `allow.toml` accepts.

use std::ops::Range;

use chrono::NaiveDate;

use super::super::parse::given;
use super::super::problem::Advice;
use super::super::problems::Problems;
use super::super::raw::{AccuracyTable, AllowFile, Located, SampleTable, Text};
use super::super::sources::Sources;
use super::fields::{File, given_date};
use super::lints::ALLOW_PATH;
use crate::model::{Accuracy, AllowedFinding, LawProfile, Sample, WhenLapsed};

const DAY: u32 = 24 * 60;
/// The longest time that a confirmation may hold, in days.
const LONGEST: u32 = 3650;

pub(super) fn read(file: &mut File<'_>, table: Located<AccuracyTable>, today: NaiveDate) -> Option<Accuracy> {
    let Located { value: raw, span } = table;
    let words = format!("one of \"{}\"", LawProfile::WORDS.join("\", \""));
    let profile = file.required_line(raw.profile, Some(&span), "profile", &words);
    let profile = profile.and_then(|text| file.word::<LawProfile>(&text, "profile"));
    let within = days(file, raw.confirm_within);
    let ask_after_text = given(raw.ask_after);
    let ask_after_span = ask_after_text.as_ref().map(|text| text.span.clone());
    let ask_after = days(file, ask_after_text);
    let when_lapsed =
        given(raw.when_lapsed).and_then(|text| file.word::<WhenLapsed>(&text, "value of when-lapsed"));
    let confirm_url = given(raw.confirm_url).and_then(|text| confirm_url(file, &text));
    let report_url = given(raw.report_url).and_then(|text| report_url(file, &text));
    let mut samples: Vec<Sample> =
        raw.sample.into_iter().filter_map(|table| sample(file, table, today)).collect();
    samples.sort_by_key(|sample| sample.on);
    let profile = profile?;
    let Some(confirm_within_days) = within.or(profile.confirm_within_days()) else {
        file.missing(Some(&span), "confirm-within", "\"90d\"");
        return None;
    };
    let ask_after_days = ask_after.unwrap_or(usual_ask_after(confirm_within_days));
    if let Some(span) = ask_after_span.filter(|_| ask_after_days >= confirm_within_days) {
        let what = format!(
            "`ask-after` is {ask_after_days} days, but confirmations already lapse after \
             {confirm_within_days}."
        );
        let hint = match confirm_within_days {
            1 => "Delete `ask-after`, or write a longer `confirm-within`.".to_owned(),
            limit => format!("Write fewer days, such as \"{}d\".", usual_ask_after(limit)),
        };
        file.error(&span, what, hint);
    }
    Some(Accuracy {
        profile,
        confirm_within_days,
        ask_after_days,
        when_lapsed: when_lapsed.unwrap_or(WhenLapsed::Ask),
        confirm_url,
        report_url,
        samples,
    })
}

fn usual_ask_after(confirm_within_days: u32) -> u32 {
    (confirm_within_days / 3 * 2).max(1)
}

fn days(file: &mut File<'_>, text: Text) -> Option<u32> {
    let text = given(text)?;
    let minutes = file.minutes(&text)?;
    if minutes % DAY != 0 || !(1..=LONGEST).contains(&(minutes / DAY)) {
        let hint = "Write it like \"90d\".";
        return file.refuse(&text.span, "Confirmations count in whole days, from 1 to 3650.", hint);
    }
    Some(minutes / DAY)
}

fn confirm_url(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    const EXAMPLE: &str = "\"mailto:directory@clinic.example?subject=Yes%20{code}\"";
    let value = text.value.trim();
    if !["mailto:", "https://"].iter().any(|scheme| value.starts_with(scheme)) {
        let hint = format!("Write it like {EXAMPLE}.");
        return file.refuse(&text.span, "Answers go to a mailto: or https:// address.", hint);
    }
    address(file, text, "{code}", true, EXAMPLE)
}

fn report_url(file: &mut File<'_>, text: &Located<String>) -> Option<String> {
    const EXAMPLE: &str = "\"https://clinic.example/wrong?who={slug}\"";
    let value = text.value.trim();
    if !value.starts_with("https://") {
        let hint = match value.strip_prefix("http://") {
            Some(rest) => Advice::write(format!("\"https://{rest}\"")),
            None => format!("Write it like {EXAMPLE}.").into(),
        };
        let what = "The page where patients report mistakes needs an https:// address.";
        return file.refuse(&text.span, what, hint);
    }
    address(file, text, "{slug}", false, EXAMPLE)
}

/// An address in which one variable in braces may stand, or must.
fn address(
    file: &mut File<'_>,
    text: &Located<String>,
    variable: &str,
    is_needed: bool,
    example: &str,
) -> Option<String> {
    let value = text.value.trim();
    let rest = value.replacen(variable, "", 1);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&'()*+,;=%".contains(c);
    let what = if let Some(c) = rest.chars().find(|c| !is_plain(*c)) {
        format!("This address can't contain \"{c}\". Its variable is {variable}.")
    } else if is_needed && rest.len() == value.len() {
        format!("This address has no {variable}, so an answer wouldn't say what it confirms.")
    } else {
        return Some(value.to_owned());
    };
    file.refuse(&text.span, what, format!("Write it like {example}."))
}

fn sample(file: &mut File<'_>, table: Located<SampleTable>, today: NaiveDate) -> Option<Sample> {
    let Located { value: raw, span } = table;
    if raw.on.is_none() {
        file.missing(Some(&span), "on", "2026-10-05");
    }
    let on = raw.on.and_then(|date| {
        let on = file.date(&date)?;
        if on > today {
            let what = format!("A sample can't have been finished on {on}: today is {today}.");
            file.error(&date.span, what, "Write the day when it was finished.");
        }
        Some(on)
    });
    let asked = count(file, raw.asked, &span, "asked");
    let right = count(file, raw.right, &span, "right");
    let ((asked, asked_at), (right, right_at)) = (asked?, right?);
    if asked == 0 {
        let hint = "Write how many clinicians you asked about.";
        return file.refuse(&asked_at, "A sample needs at least one clinician.", hint);
    }
    if right > asked {
        let what = format!("{right} can't be right when you asked about {asked}.");
        return file.refuse(&right_at, what, "Swap the two numbers, or correct one.");
    }
    Some(Sample { on: on?, asked, right })
}

fn count(
    file: &mut File<'_>,
    number: Option<Located<i64>>,
    table: &Range<usize>,
    key: &str,
) -> Option<(u32, Range<usize>)> {
    let Some(number) = number else {
        file.missing(Some(table), key, "100");
        return None;
    };
    let Ok(count) = u32::try_from(number.value) else {
        let hint = "Correct it.";
        return file.refuse(&number.span, format!("{} isn't a number of clinicians.", number.value), hint);
    };
    Some((count, number.span))
}

/// The findings that `allow.toml` accepts. `across::allow` reads the file again and reports the same mistakes, which the
/// report lists once.
pub(super) fn allowed_findings(sources: &Sources, problems: &mut Problems) -> Vec<AllowedFinding> {
    let Some(text) = sources.text(ALLOW_PATH) else { return Vec::new() };
    let (mut file, raw) = File::read::<AllowFile>(ALLOW_PATH, text, problems);
    let mut allowed = Vec::new();
    for table in raw.audit {
        let Located { value: raw, span } = table;
        let finding = file.required_line(raw.finding, Some(&span), "finding", "\"board-3f9a1c20\"");
        let reason = file.reason(raw.reason, &span, "\"why it is right\"");
        if raw.until.is_none() {
            file.missing(Some(&span), "until", "2027-06-30");
        }
        let until = given_date(raw.until).and_then(|date| file.date(&date));
        if let (Some(finding), Some(()), Some(until)) = (finding, reason, until) {
            // Both spellings of a rule are read.
            let name = finding.value.replace("licence-over", "license-over");
            let name = name.replace("npi-organisation", "npi-organization");
            allowed.push(AllowedFinding { name, until });
        }
    }
    allowed
}

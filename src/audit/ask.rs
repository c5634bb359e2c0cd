//! Writes requests for confirmation, a file for each clinician who is to be asked, for pull requests and letters. Also
//! writes the status of entries that were not confirmed in time.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use audit::Audit;
use chrono::{Days, NaiveDate};
use directory::Directory;
use directory::accuracy::{Standing, changed_groups, fact_hashes, standing};
use directory::model::{Accuracy, Listing, Provider, ProviderType, Slug};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::new_folder::write as write_file;
use crate::outcome::Refusal;
use authoring::attest::{CodeKey, KEY_VARIABLE, write_status};
use directory::told::count;

/// The number of days over which a hash spreads the order of clinicians who were confirmed on one day.
const SPREAD: u64 = 14;

fn policy(directory: &Directory) -> Result<&Accuracy, Refusal> {
    directory.accuracy().ok_or_else(|| {
        Refusal::new(
            "directory.toml has no [accuracy] table, so no clinician is asked: add one with profile = \"nsa\"",
        )
    })
}

/// Writes a request for each clinician who is to be asked, and `requests.json`, which lists them, the longest
/// unconfirmed first. Returns what was written, in words.
pub(super) fn write(
    folder: &Path,
    directory: &Directory,
    audit: &Audit,
    today: NaiveDate,
) -> Result<String, Refusal> {
    let policy = policy(directory)?;
    let key = CodeKey::from_environment().map_err(Refusal::new)?;
    let mut asked: Vec<(&Provider, Standing)> = directory
        .providers()
        .iter()
        .map(|provider| (provider, standing(directory, provider, policy, today)))
        .filter(|(_, standing)| standing.wants_an_answer())
        .collect();
    asked.sort_by_key(|(provider, _)| (asked_since(provider, policy), &provider.slug));
    let earlier = earlier_requests(folder);
    let mut list = Vec::new();
    for (provider, standing) in &asked {
        let body = request(directory, provider, standing, audit, key.as_ref(), today);
        let name = format!("{}.md", provider.slug);
        write_file(&folder.join(&name), body.as_bytes())?;
        list.push(json!({
            "slug": provider.slug.as_str(),
            "branch": format!("confirm/{}", provider.slug),
            "title": format!("Is the entry of {} right?", provider.display_name),
            "body": name,
            "standing": standing.word(),
        }));
    }
    let list = serde_json::to_string_pretty(&list).map_err(Refusal::new)?;
    write_file(&folder.join("requests.json"), list.as_bytes())?;
    let still: BTreeSet<&Slug> = asked.iter().map(|(provider, _)| &provider.slug).collect();
    for slug in earlier.iter().filter(|slug| !still.contains(slug)) {
        remove(&folder.join(format!("{slug}.md")))?;
    }
    let codes = match (&key, &policy.confirm_url) {
        (Some(_), Some(_)) => String::new(),
        (None, Some(_)) => format!("; without codes, since {KEY_VARIABLE} is not set"),
        (_, None) => "; without codes, since [accuracy] has no confirm-url".to_owned(),
    };
    Ok(format!("{} written into {}{codes}", count(asked.len(), "request"), folder.display()))
}

/// The order of the requests: the day from which a clinician is to be asked, plus some days by a hash of the slug.
/// `None`, which sorts first, if the entry was never confirmed.
fn asked_since(provider: &Provider, policy: &Accuracy) -> Option<NaiveDate> {
    let confirmed = provider.record.confirmed.as_ref()?;
    let hash: [u8; 32] = Sha256::digest(provider.slug.as_str()).into();
    let days = u64::from(policy.ask_after_days) + u64::from(hash[0]) % SPREAD;
    confirmed.on.checked_add_days(Days::new(days))
}

fn request(
    directory: &Directory,
    provider: &Provider,
    standing: &Standing,
    audit: &Audit,
    key: Option<&CodeKey>,
    today: NaiveDate,
) -> String {
    let mut text =
        format!("Dear {},\n\nis what we publish about you still right?\n\n", plain(&provider.display_name));
    for (title, facts) in facts(directory, provider) {
        _ = writeln!(text, "- **{title}:** {}", plain(&facts));
    }
    let last = provider.record.confirmed.as_ref().map(|confirmed| confirmed.on);
    match (standing, last) {
        (Standing::Never, _) | (_, None) => text.push_str("\nThis was never confirmed.\n"),
        (_, Some(on)) => {
            _ = writeln!(text, "\nThis was last confirmed on {on}.");
        }
    }
    let changed: Vec<_> =
        changed_groups(directory, provider).into_iter().map(directory::model::FactGroup::word).collect();
    if !changed.is_empty() {
        _ = writeln!(text, "Since then we edited: {}.", changed.join(", "));
    }
    let open: Vec<_> =
        audit.findings.iter().filter(|finding| finding.slug.as_ref() == Some(&provider.slug)).collect();
    if !open.is_empty() {
        text.push_str("\nPlease look at these above all:\n\n");
        for finding in open {
            _ = writeln!(text, "- {}", plain(&finding.what));
        }
    }
    _ = writeln!(
        text,
        "\n**If all of it is right, press Merge.** If not, edit `providers/{}.toml` here first, or write what is wrong into a \
         comment. We ask about your edits once more, in the next request. The date that is entered is that of this \
         request, {today}.",
        provider.slug
    );
    let address = directory.accuracy().and_then(|policy| policy.confirm_url.as_deref());
    if let (Some(key), Some(address)) = (key, address) {
        let code = key.code(provider.slug.as_str(), today, &fact_hashes(directory, provider));
        _ = writeln!(
            text,
            "\nWithout an account: open {} and press send. The code in it is {code}, good for 30 days.",
            address.replace("{code}", &code)
        );
    }
    text
}

/// Every fact that a confirmation covers, in words.
fn facts(directory: &Directory, provider: &Provider) -> Vec<(&'static str, String)> {
    let or = |list: &[&str], none: &str| if list.is_empty() { none.to_owned() } else { list.join(", ") };
    let states = |states: directory::model::StateSet| {
        let names: Vec<_> = states.iter().map(directory::model::StateCode::name).collect();
        or(&names, "nowhere")
    };
    // States with the same plans are listed together.
    let mut by_plans: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for state in provider.licensed.iter() {
        let plans = provider.plans_in(state).iter().map(|plan| directory.plan(*plan).as_str()).collect();
        by_plans.entry(plans).or_default().push(state.code());
    }
    let plans: Vec<_> = by_plans
        .into_iter()
        .map(|(plans, states)| format!("{} ({})", or(&plans, "none"), states.join(", ")))
        .collect();
    let visits: Vec<_> = provider
        .visit_types
        .iter()
        .filter_map(|id| directory.visit_type(*id))
        .map(|visit_type| visit_type.name.as_str())
        .collect();
    let languages: Vec<_> = provider.languages.iter().map(|language| language.name()).collect();
    let kind = match provider.provider_type {
        ProviderType::Physician => "physician",
        ProviderType::NursePractitioner => "nurse practitioner",
    };
    let education = provider.education.iter();
    let education: Vec<_> = education
        .map(|entry| format!("{}, {}, {} ({})", entry.degree, entry.field, entry.institution, entry.year))
        .collect();
    let certificates = provider.certifications.iter();
    let mut certificates: Vec<_> =
        certificates.map(|entry| format!("{} ({})", entry.name, entry.issuer)).collect();
    if provider.menopause_society_certified {
        certificates.push("certified by The Menopause Society".to_owned());
    }
    let none = |list: Vec<String>| if list.is_empty() { "none listed".to_owned() } else { list.join("; ") };
    vec![
        ("Name", format!("{}, {}", provider.display_name, provider.credentials)),
        ("Profession", kind.to_owned()),
        ("Gender", provider.gender.to_string()),
        ("Languages", or(&languages, "not listed")),
        ("Education", none(education)),
        ("Certificates", none(certificates)),
        ("Licensed in", states(provider.licensed)),
        ("Takes new patients in", states(provider.accepting)),
        ("Insurance", plans.join("; ")),
        ("Visits", or(&visits, "none")),
    ]
}

/// Writes the status that the policy proposes into the files of entries that have lapsed.
pub(super) fn mark_lapsed(
    out: &mut impl Write,
    folder: &Path,
    directory: &Directory,
    today: NaiveDate,
) -> Result<(), Refusal> {
    let policy = policy(directory)?;
    let Some(listing) = policy.when_lapsed.listing() else {
        writeln!(out, "when-lapsed is \"ask\", so nothing is written")?;
        return Ok(());
    };
    // An entry that was never confirmed has not lapsed: it has no date to count from.
    let lapsed: Vec<&Provider> = directory
        .providers()
        .iter()
        .filter(|provider| provider.record.listing == Listing::Listed)
        .filter(|provider| standing(directory, provider, policy, today) == Standing::Lapsed)
        .collect();
    write_status(folder, &lapsed, listing, today)?;
    for provider in &lapsed {
        writeln!(out, "{}: status = \"{listing}\"", provider.slug)?;
    }
    writeln!(out, "{} lapsed", count(lapsed.len(), "entry").replace("entrys", "entries"))?;
    Ok(())
}

fn plain(text: &str) -> String {
    directory::visible::line(text).replace(['`', '<', '>', '@'], " ")
}

/// The slugs of the requests that were written into the folder before.
#[expect(clippy::disallowed_methods, reason = "requests are files of this command")]
fn earlier_requests(folder: &Path) -> Vec<Slug> {
    #[derive(serde::Deserialize)]
    struct Request {
        slug: String,
    }
    let list = std::fs::read(folder.join("requests.json")).unwrap_or_default();
    let list: Vec<Request> = serde_json::from_slice(&list).unwrap_or_default();
    list.iter().filter_map(|request| request.slug.parse().ok()).collect()
}

#[expect(clippy::disallowed_methods, reason = "requests are files of this command")]
fn remove(path: &Path) -> Result<(), Refusal> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Refusal::new(format!("{} cannot be removed: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

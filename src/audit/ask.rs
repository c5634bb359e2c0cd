//! `--ask` writes confirmation requests for pull requests and letters, one file for each clinician whose confirmation is due.
//! `--fix` writes a status into the files of clinicians whose confirmations have lapsed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use audit::Audit;
use chrono::{Days, NaiveDate};
use directory::Directory;
use directory::accuracy::{Standing, changed_groups, fact_hashes, standing};
use directory::model::{Accuracy, Listing, Provider, Slug};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::new_folder::write as write_file;
use crate::outcome::Refusal;
use authoring::attest::{CodeKey, KEY_VARIABLE, write_status};
use directory::told::count;

/// Clinicians who confirmed on the same day are asked over this many days.
const SPREAD_DAYS: u64 = 14;

fn policy(directory: &Directory) -> Result<&Accuracy, Refusal> {
    directory.accuracy().ok_or_else(|| {
        Refusal::new(
            "directory.toml has no [accuracy] table, so confirmations are off: add one with profile = \"nsa\"",
        )
    })
}

/// Also writes `requests.json`, with the clinician who has waited longest first. Returns a summary to print.
pub(super) fn write(
    folder: &Path,
    directory: &Directory,
    audit: &Audit,
    today: NaiveDate,
) -> Result<String, Refusal> {
    let policy = policy(directory)?;
    let key = CodeKey::from_environment().map_err(Refusal::new)?;
    let mut due: Vec<(&Provider, Standing)> = directory
        .providers()
        .iter()
        .map(|provider| (provider, standing(directory, provider, policy, today)))
        .filter(|(_, standing)| standing.wants_an_answer())
        .collect();
    due.sort_by_key(|(provider, _)| (due_date(provider, policy), &provider.slug));
    let earlier = earlier_requests(folder);
    let mut list = Vec::new();
    for (provider, standing) in &due {
        let body = request(directory, provider, standing, audit, key.as_ref(), today);
        let name = format!("{}.md", provider.slug);
        write_file(&folder.join(&name), body.as_bytes())?;
        list.push(json!({
            "slug": provider.slug.as_str(),
            "branch": format!("confirm/{}", provider.slug),
            "title": format!("Is the listing of {} correct?", provider.display_name),
            "body": name,
            "standing": standing.word(),
        }));
    }
    let list = serde_json::to_string_pretty(&list).map_err(Refusal::new)?;
    write_file(&folder.join("requests.json"), list.as_bytes())?;
    let current: BTreeSet<&Slug> = due.iter().map(|(provider, _)| &provider.slug).collect();
    for slug in earlier.iter().filter(|slug| !current.contains(slug)) {
        remove(&folder.join(format!("{slug}.md")))?;
    }
    let codes = match (&key, &policy.confirm_url) {
        (Some(_), Some(_)) => String::new(),
        (None, Some(_)) => format!("; without codes, because {KEY_VARIABLE} isn't set"),
        (_, None) => "; without codes, because [accuracy] has no confirm-url".to_owned(),
    };
    Ok(format!("{} written into {}{codes}", count(due.len(), "request"), folder.display()))
}

/// The day when the next confirmation is due, plus some days by the slug. `None`, which sorts first: never confirmed.
fn due_date(provider: &Provider, policy: &Accuracy) -> Option<NaiveDate> {
    let confirmed = provider.record.confirmed.as_ref()?;
    let hash: [u8; 32] = Sha256::digest(provider.slug.as_str()).into();
    let spread = u64::from(hash[0]) % SPREAD_DAYS;
    let days = u64::from(policy.ask_after_days) + spread;
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
        format!("Dear {},\n\nIs what we publish about you still correct?\n\n", plain(&provider.display_name));
    for (title, facts) in facts(directory, provider) {
        _ = writeln!(text, "- **{title}:** {}", plain(&facts));
    }
    let last = provider.record.confirmed.as_ref().map(|confirmed| confirmed.on);
    match (standing, last) {
        (Standing::Never, _) | (_, None) => text.push_str("\nThis has never been confirmed.\n"),
        (_, Some(on)) => {
            _ = writeln!(text, "\nThis was last confirmed on {}.", on.format("%B %-d, %Y"));
        }
    }
    let changed: Vec<_> =
        changed_groups(directory, provider).into_iter().map(directory::model::FactGroup::word).collect();
    if !changed.is_empty() {
        _ = writeln!(text, "Since then, we have edited: {}.", changed.join(", "));
    }
    let open: Vec<_> = audit.findings.iter().filter(|finding| finding.slug == provider.slug).collect();
    if !open.is_empty() {
        text.push_str("\nPlease check these first:\n\n");
        for finding in open {
            _ = writeln!(text, "- {}", plain(&finding.what));
        }
    }
    _ = writeln!(
        text,
        "\n**If everything is correct, press Merge.** If not, edit `providers/{}.toml` here first, or describe the mistake in a \
         comment. We will ask you about your edits in the next request. The confirmation will have the date of \
         this request, {}.",
        provider.slug,
        today.format("%B %-d, %Y")
    );
    let address = directory.accuracy().and_then(|policy| policy.confirm_url.as_deref());
    if let (Some(key), Some(address)) = (key, address) {
        let code = key.code(provider.slug.as_str(), today, &fact_hashes(directory, provider));
        _ = writeln!(
            text,
            "\nIf you don't have an account, open {} and press Send. Your code is {code}. It is valid for 30 days.",
            address.replace("{code}", &code)
        );
    }
    text
}

fn facts(directory: &Directory, provider: &Provider) -> Vec<(&'static str, String)> {
    let join_or = |list: &[&str], if_empty: &str| {
        if list.is_empty() { if_empty.to_owned() } else { list.join(", ") }
    };
    let states = |states: directory::model::StateSet| {
        let names: Vec<_> = states.iter().map(directory::model::StateCode::name).collect();
        join_or(&names, "nowhere")
    };
    // States with the same plans are listed together.
    let mut by_plans: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
    for state in provider.licensed.iter() {
        let plans = provider.plans_in(state).iter().map(|plan| directory.plan(*plan).as_str()).collect();
        by_plans.entry(plans).or_default().push(state.code());
    }
    let plans: Vec<_> = by_plans
        .into_iter()
        .map(|(plans, states)| format!("{} ({})", join_or(&plans, "none"), states.join(", ")))
        .collect();
    let visits = provider.visit_types.iter().filter_map(|id| directory.visit_type(*id));
    let visits: Vec<_> = visits.map(|visit_type| visit_type.name.as_str()).collect();
    let languages: Vec<_> = provider.languages.iter().map(|language| language.name()).collect();
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
    let or_none =
        |list: Vec<String>| if list.is_empty() { "none listed".to_owned() } else { list.join("; ") };
    vec![
        ("Name", format!("{}, {}", provider.display_name, provider.credentials)),
        ("Profession", provider.provider_type.in_a_sentence()),
        ("Gender", provider.gender.to_string()),
        ("Languages", join_or(&languages, "not listed")),
        ("Education", or_none(education)),
        ("Certificates", or_none(certificates)),
        ("Licensed in", states(provider.licensed)),
        ("Accepting new patients in", states(provider.accepting)),
        ("Insurance", plans.join("; ")),
        ("Visit types", join_or(&visits, "none")),
    ]
}

/// Writes the status from `when-lapsed` into the files of clinicians whose confirmations have lapsed.
pub(super) fn mark_lapsed(
    out: &mut impl Write,
    folder: &Path,
    directory: &Directory,
    today: NaiveDate,
) -> Result<(), Refusal> {
    let policy = policy(directory)?;
    let Some(listing) = policy.when_lapsed.listing() else {
        writeln!(out, "when-lapsed is \"ask\", so no file is changed")?;
        return Ok(());
    };
    // An entry that was never confirmed can't lapse, because there is no date to count from.
    let has_lapsed = |provider: &&Provider| {
        provider.record.listing == Listing::Listed
            && standing(directory, provider, policy, today) == Standing::Lapsed
    };
    let lapsed: Vec<&Provider> = directory.providers().iter().filter(has_lapsed).collect();
    write_status(folder, &lapsed, listing, today)?;
    for provider in &lapsed {
        writeln!(out, "{}: status = \"{listing}\"", provider.slug)?;
    }
    let entries = if lapsed.len() == 1 { "entry" } else { "entries" };
    writeln!(out, "{} {entries} lapsed", lapsed.len())?;
    Ok(())
}

fn plain(text: &str) -> String {
    directory::visible::line(text).replace(['`', '<', '>', '@'], " ")
}

/// Returns the slugs of the requests that an earlier run wrote into the folder.
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
            Err(Refusal::new(format!("{} can't be removed: {error}", path.display())))
        }
        _ => Ok(()),
    }
}

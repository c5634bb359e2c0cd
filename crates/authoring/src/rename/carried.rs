//! Carries over what is stored by hash: confirmations and accepted audit findings.

use std::collections::{HashMap, HashSet};

use audit::{Audit, audit};
use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::fact_hashes;
use directory::calendar::FeedMode;
use directory::content::{Checked, FolderFeed};
use directory::model::Provider;
use directory::statements::{Finding, Place, Step};

use super::Renaming;
use crate::edit::NewValue;
use crate::edit::text::{replace_in_entries, set_in_table};
use directory::told::Refusal;
use directory::told::count;

/// Replaces hashes of the old name with those of the new one.
pub fn carry(
    renaming: &mut Renaming<'_>,
    before: &Checked,
    after: &Checked,
    is_provider: bool,
    today: NaiveDate,
) -> Result<(), Refusal> {
    confirmations(renaming, &before.directory, &after.directory)?;
    let has_open_feed = before.feed.as_ref().map(FolderFeed::mode) == Some(FeedMode::Open);
    let found = |directory: &Directory| audit(directory, &[], has_open_feed, today);
    accepted(renaming, &before.directory, &found(&before.directory), &found(&after.directory), is_provider)
}

fn confirmations(renaming: &mut Renaming<'_>, before: &Directory, after: &Directory) -> Result<(), Refusal> {
    let old: HashMap<_, &Provider> =
        before.providers().iter().map(|provider| (&provider.id, provider)).collect();
    let mut kept = 0;
    for provider in after.providers() {
        let Some(old) = old.get(&provider.id) else { continue };
        let Some(facts) = provider.record.confirmed.as_ref().and_then(|confirmed| confirmed.facts) else {
            continue;
        };
        let respelt = facts.respelt(&fact_hashes(before, old), &fact_hashes(after, provider));
        if respelt != facts {
            let path = format!("providers/{}.toml", provider.slug);
            let value = NewValue::Text(respelt.to_string());
            renaming.edit(&path, |file| {
                set_in_table(file, ("confirmed", "facts"), Some(&value), |_| true, &[])
            })?;
            kept += 1;
        }
    }
    if kept > 0 {
        renaming.told.push(format!("{} carried over to the new name", count(kept, "confirmation")));
    }
    Ok(())
}

fn accepted(
    renaming: &mut Renaming<'_>,
    before: &Directory,
    old: &Audit,
    new: &Audit,
    is_provider: bool,
) -> Result<(), Refusal> {
    let still: HashSet<&str> = new.allowed.iter().map(|finding| finding.name.as_str()).collect();
    let was_new: HashSet<&str> = old.findings.iter().map(|finding| finding.name.as_str()).collect();
    for finding in old.allowed.iter().filter(|finding| !still.contains(finding.name.as_str())) {
        let is_same = |other: &&Finding| {
            !was_new.contains(other.name.as_str())
                && other.rule == finding.rule
                && other.place == renamed(&finding.place, renaming.old, renaming.new, is_provider)
        };
        let mut same = new.findings.iter().filter(is_same);
        if let (Some(same), None) = (same.next(), same.next()) {
            let name = same.name.clone();
            renaming.edit("allow.toml", |file| {
                replace_in_entries(file, ("audit", "finding"), &finding.name, &name)
            })?;
            renaming.told.push(format!("allow.toml: the accepted finding {} is now {name}", finding.name));
        } else {
            renaming.told.push(format!(
                "allow.toml: the accepted finding {} has another name now: run `nameplate audit`, and accept it again",
                finding.name
            ));
        }
    }
    let known: HashSet<&str> = old.allowed.iter().map(|finding| finding.name.as_str()).collect();
    let others =
        before.allowed_findings().iter().filter(|allowed| !known.contains(allowed.name.as_str())).count();
    if others > 0 && is_provider {
        renaming.told.push(format!(
            "allow.toml: {} from registries or lists; one about this clinician has another name now: run `nameplate \
             audit --sources FILE`, and accept it again",
            count(others, "accepted finding")
        ));
    }
    Ok(())
}

/// The place in the renamed content.
fn renamed(place: &Place, old: &str, new: &str, is_provider: bool) -> Place {
    let mut place = place.clone();
    if is_provider {
        if place.path == format!("providers/{old}.toml") {
            place.path = format!("providers/{new}.toml");
        }
    } else {
        for step in &mut place.steps {
            if let Step::Value(value) = step
                && value == old
            {
                new.clone_into(value);
            }
        }
    }
    place
}

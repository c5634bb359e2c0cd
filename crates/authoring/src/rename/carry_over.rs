//! Keeps confirmations and accepted audit findings valid. Both are stored with hashes, which can change when a clinician or a
//! plan is renamed.

use audit::{Audit, audit};
use chrono::NaiveDate;
use directory::Directory;
use directory::accuracy::fact_hashes;
use directory::calendar::FeedMode;
use directory::content::{Checked, FolderFeed};
use directory::statements::{Finding, Place, Step};

use super::Renaming;
use crate::edit::NewValue;
use crate::edit::text::{replace_in_entries, set_in_table};
use directory::told::{Refusal, count};

pub fn carry_over(
    renaming: &mut Renaming<'_>,
    before: &Checked,
    after: &Checked,
    today: NaiveDate,
) -> Result<(), Refusal> {
    carry_over_confirmations(renaming, &before.directory, &after.directory)?;
    let has_open_feed = before.feed.as_ref().map(FolderFeed::mode) == Some(FeedMode::Open);
    let audit = |directory: &Directory| audit(directory, &[], has_open_feed, today);
    let (audit_before, audit_after) = (audit(&before.directory), audit(&after.directory));
    carry_over_findings(renaming, &audit_before, &audit_after)?;
    if renaming.renames_clinician {
        mention_other_findings(renaming, &before.directory, &audit_before);
    }
    Ok(())
}

fn carry_over_confirmations(
    renaming: &mut Renaming<'_>,
    before: &Directory,
    after: &Directory,
) -> Result<(), Refusal> {
    let mut updated = 0;
    for provider in after.providers() {
        let Some(old_number) = before.with_id(provider.id.as_str()) else { continue };
        let Some(facts) = provider.record.confirmed.as_ref().and_then(|confirmed| confirmed.facts) else {
            continue;
        };
        let hashes_before = fact_hashes(before, before.provider(old_number));
        let hashes_after = fact_hashes(after, provider);
        let new_facts = facts.carried_over(&hashes_before, &hashes_after);
        if new_facts != facts {
            let path = format!("providers/{}.toml", provider.slug);
            let value = NewValue::Text(new_facts.to_string());
            // The key exists, so it doesn't matter where a new one would go.
            renaming.edit(&path, |file| {
                set_in_table(file, ("confirmed", "facts"), Some(&value), |_| true, &[])
            })?;
            updated += 1;
        }
    }
    if updated > 0 {
        renaming.messages.push(format!("{} carried over to the new name", count(updated, "confirmation")));
    }
    Ok(())
}

/// `allow.toml` refers to each finding by its [`Finding::name`]. That ends in a hash, which changes with the names in it.
fn carry_over_findings(renaming: &mut Renaming<'_>, before: &Audit, after: &Audit) -> Result<(), Refusal> {
    let has = |findings: &[Finding], name: &str| findings.iter().any(|finding| finding.name == name);
    for old in before.allowed.iter().filter(|old| !has(&after.allowed, &old.name)) {
        let place = renamed_place(&old.place, renaming);
        // allow.toml still has the old name, so the audit does not accept the finding anymore: it is in `after.findings`, and
        // not in `after.allowed`. It has a name that `before.findings` does not have, the same rule, and the renamed place.
        let mut candidates = after.findings.iter().filter(|finding| {
            !has(&before.findings, &finding.name) && finding.rule == old.rule && finding.place == place
        });
        if let (Some(new), None) = (candidates.next(), candidates.next()) {
            renaming.edit("allow.toml", |file| {
                replace_in_entries(file, ("audit", "finding"), &old.name, &new.name)
            })?;
            renaming
                .messages
                .push(format!("allow.toml: the accepted finding {} becomes {}", old.name, new.name));
        } else {
            renaming.messages.push(format!(
                "allow.toml: the accepted finding {} has a new name: run `nameplate audit`, and accept it again",
                old.name
            ));
        }
    }
    Ok(())
}

/// Mentions accepted findings that the audit cannot find without its sources.
fn mention_other_findings(renaming: &mut Renaming<'_>, before: &Directory, audit: &Audit) {
    let is_found = |name: &str| audit.allowed.iter().any(|finding| finding.name == name);
    let others = before.allowed_findings().iter().filter(|other| !is_found(other.name.as_str())).count();
    if others > 0 {
        renaming.messages.push(format!(
            "allow.toml: {} from registries or lists; any about this clinician now has a new name: run `nameplate audit \
             --sources FILE`, and accept it again",
            count(others, "accepted finding")
        ));
    }
}

fn renamed_place(place: &Place, renaming: &Renaming<'_>) -> Place {
    let (old, new) = (renaming.old, renaming.new);
    let mut place = place.clone();
    if renaming.renames_clinician {
        if place.path == format!("providers/{old}.toml") {
            place.path = format!("providers/{new}.toml");
        }
        return place;
    }
    for step in &mut place.steps {
        if let Step::Value(value) = step
            && value == old
        {
            new.clone_into(value);
        }
    }
    place
}

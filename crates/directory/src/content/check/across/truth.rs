//! What contradicts itself in the content, as the audit finds it.

use std::collections::HashSet;

use chrono::NaiveDate;

use super::context::DirectoryContext;
use crate::content::locate::span_of;
use crate::content::problem::{Advice, FileSpan, Problem, Severity, sentence};
use crate::content::problems::Problems;
use crate::content::sources::{OPEN_PATH, Sources};
use crate::model::{AllowedFinding, Listing, Provider, Slug};
use crate::statements::{Finding, Place, Rule, Step, Strength, findings, licenses, status_of};

/// Refuses `status = "unconfirmed"` where no page would say so.
pub(super) fn unconfirmed_entries_are_marked(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { directory, sources, .. } = *context;
    if directory.accuracy().is_some() {
        return;
    }
    let is_unconfirmed = |provider: &&Provider| provider.record.listing == Listing::Unconfirmed;
    let mut buffer = Vec::new();
    for provider in directory.providers().iter().filter(is_unconfirmed) {
        let place = status_of(provider);
        let at = found_at(sources, &place, &mut buffer);
        let what =
            "Pages don't say that this entry is unconfirmed, because directory.toml has no [accuracy] table.";
        let hint = "Add to directory.toml:\n[accuracy]\nprofile = \"nsa\"\nor write status = \"paused\" here";
        problems.push(Problem::error(at, what).hint(hint));
    }
}

/// A feed and exports tell clinicians by it.
pub(super) fn npis_are_of_clinicians(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { directory, sources, .. } = *context;
    let own = directory.organization().standards.as_ref().and_then(|standards| standards.npi.as_deref());
    // One who practices alone may have no other.
    let has_others = directory.providers().len() > 1;
    let number = own.filter(|_| has_others).and_then(|npi| directory.with_npi(npi));
    let Some(provider) = number.map(|number| directory.provider(number)) else { return };
    let place = found_at(sources, &Place::key(provider, "npi"), &mut Vec::new());
    let what = "This is the clinic's own NPI, which directory.toml has.";
    let hint = "Look the clinician up at https://npiregistry.cms.hhs.gov and copy the NPI from there.";
    problems.push(Problem::warning(place, what).hint(hint));
}

pub(super) fn found_at(sources: &Sources, place: &Place, buffer: &mut Vec<u8>) -> FileSpan {
    let text = sources.read(&place.path, buffer).ok().flatten();
    let span = text.and_then(|text| span_of(text, place));
    span.map_or_else(|| FileSpan::file(&place.path), |span| FileSpan::new(&place.path, &span))
}

/// Whether something is certainly wrong, or soon will be: no one else reminds a clinic of a license that ends. That someone
/// is certified is shown to patients, so a question about it is asked here, too.
fn needs_an_editor(finding: &Finding) -> bool {
    let is_of_a_license = finding.place.steps.first() == Some(&Step::Key("license"));
    finding.strength == Strength::Certain
        || finding.rule == Rule::Certified
        || finding.rule == Rule::EndsSoon && is_of_a_license
}

/// Warns of the findings of `nameplate audit` that need the content alone, and an editor.
pub(super) fn entries_do_not_contradict_themselves(context: &DirectoryContext<'_>, problems: &mut Problems) {
    let DirectoryContext { directory, sources, today, .. } = *context;
    // Their own file is warned of hours that have ended.
    let have_ended = |slug: &Slug| {
        let schedule = directory.find(slug.as_str()).and_then(|found| directory.schedule(found.provider()));
        schedule.and_then(|schedule| schedule.parts().effective_until).is_some_and(|until| until < today)
    };
    let mut findings = findings(directory, sources.get(OPEN_PATH).is_some(), today);
    findings.retain(|finding| finding.rule != Rule::NoWayIn || !have_ended(&finding.slug));
    warn_of(findings, directory.allowed_findings(), sources, problems, today);
}

/// The part of it that also runs beside errors: a license may end before these are corrected.
pub(in super::super) fn licenses_are_current<'a>(
    providers: impl Iterator<Item = &'a Provider>,
    allowed: &[AllowedFinding],
    sources: &Sources,
    problems: &mut Problems,
    today: NaiveDate,
) {
    warn_of(providers.flat_map(|provider| licenses(provider, today)), allowed, sources, problems, today);
}

fn warn_of(
    findings: impl IntoIterator<Item = Finding>,
    allowed: &[AllowedFinding],
    sources: &Sources,
    problems: &mut Problems,
    today: NaiveDate,
) {
    let allowed = allowed.iter().filter(|allowed| allowed.until >= today);
    let allowed: HashSet<&str> = allowed.map(|allowed| allowed.name.as_str()).collect();
    for finding in findings.into_iter().filter(needs_an_editor) {
        if !allowed.contains(finding.name.as_str()) {
            warn_at(&finding.place, sentence(finding.what), sentence(finding.advice), sources, problems);
        }
    }
}

pub(super) fn warn_at(
    place: &Place,
    what: String,
    hint: impl Into<Advice>,
    sources: &Sources,
    problems: &mut Problems,
) {
    // To find the place parses the file again.
    if problems.has_room(&place.path, Severity::Warning) {
        let at = found_at(sources, place, &mut Vec::new());
        problems.push(Problem::warning(at, what).hint(hint));
    } else {
        problems.count(&place.path, Severity::Warning, 1);
    }
}

//! Checks whether the content is true: compares it with itself, and with lists from outside (the NPI registry, state boards,
//! payers' rosters, federal exclusions). It does no I/O, and no rule repeats one of `content::check`.
//!
//! A [`Finding`] is [certain](Strength::Certain) if two written statements cannot both be true, [likely](Strength::Likely) if
//! there is one strong sign, and else a [question](Strength::Question). A missing row never makes a finding certain.

mod board;
mod exclusions;
mod names;
mod pairs;
mod registry;
mod roster;
mod source;

use std::collections::HashSet;

use chrono::NaiveDate;
use directory::model::{Attester, Directory, Provider};
use directory::statements::{self, Finding, Strength};

use source::Comparison;
pub use source::{
    AuditSource, Board, BoardRow, ExclusionRow, KnownNumbers, RegistryRow, Roster, RosterRow, SourceRows,
    license_key,
};

/// A source that exceeds both limits is probably wrong, and is rejected.
const MAX_DISAGREEING: usize = 3;
const MAX_DISAGREEING_PERCENT: usize = 5;

#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Audit {
    /// Certain findings, then likely ones, then questions. Within each strength they are sorted by file.
    pub findings: Vec<Finding>,
    pub allowed: Vec<Finding>,
    /// Entries of `allow.toml` that accept no finding. Empty if a source was rejected, which may have led to such a finding.
    pub unused: Vec<(String, NaiveDate)>,
    /// The file and the reason. What a rejected source says about clinicians is ignored.
    pub rejected: Vec<(String, String)>,
}

impl Audit {
    pub fn with_strength(&self, strength: Strength) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.strength == strength)
    }
}

/// If a feed lists the open slots, hours are not checked.
pub fn audit(directory: &Directory, sources: &[AuditSource], has_open_feed: bool, today: NaiveDate) -> Audit {
    let mut audit = Audit::default();
    let mut found = statements::findings(directory, has_open_feed, today);
    found.extend(pairs::findings(directory));
    for source in sources {
        match compare_source(directory, source, today) {
            Ok(findings) => found.extend(findings),
            Err(reason) => audit.rejected.push((source.file.clone(), reason)),
        }
    }
    // Two lists may lead to the same finding. The strongest one is sorted first, and only that one stays.
    found.sort_by(|a, b| (&a.name, &a.place, a.strength).cmp(&(&b.name, &b.place, b.strength)));
    found.dedup_by(|a, b| a.name == b.name && a.place == b.place);
    let allowances = directory.allowed_findings();
    if audit.rejected.is_empty() {
        let found_names: HashSet<&str> = found.iter().map(|finding| finding.name.as_str()).collect();
        let unused = allowances.iter().filter(|entry| !found_names.contains(entry.name.as_str()));
        audit.unused = unused.map(|entry| (entry.name.clone(), entry.until)).collect();
    }
    let current = allowances.iter().filter(|entry| entry.until >= today);
    let accepted_names: HashSet<&str> = current.map(|entry| entry.name.as_str()).collect();
    (audit.allowed, audit.findings) =
        found.into_iter().partition(|finding| accepted_names.contains(finding.name.as_str()));
    audit.findings.sort_by(|a, b| {
        (a.strength, &a.place, a.rule, &a.name).cmp(&(b.strength, &b.place, b.rule, &b.name))
    });
    audit
}

fn compare_source(
    directory: &Directory,
    source: &AuditSource,
    today: NaiveDate,
) -> Result<Vec<Finding>, String> {
    if source.as_of > today {
        return Err(format!(
            "its as-of, {}, is in the future: change it to the export date, or correct this computer's clock",
            source.as_of
        ));
    }
    if let Some(previous) = source.previous_row_count
        && source.row_count < previous.div_ceil(2)
    {
        return Err(format!(
            "it has {rows} rows, and had {previous} last time: download it again, or if it is complete, write {rows} for \
             it in the last line of the --history file",
            rows = source.row_count
        ));
    }
    let Comparison { mut findings, compared } = match &source.rows {
        SourceRows::Registry(registry) => registry::compare(directory, source, registry),
        SourceRows::Board(board) => board::compare(directory, source, board),
        SourceRows::Roster(roster) => roster::compare(directory, source, roster, today),
        SourceRows::Exclusions(exclusions) => exclusions::compare(directory, source, exclusions),
    };
    let contradictions = findings.iter().filter(|finding| finding.strength != Strength::Question);
    let disagreeing: HashSet<_> = contradictions.map(|finding| &finding.slug).collect();
    if disagreeing.len() > MAX_DISAGREEING && disagreeing.len() * 100 > compared * MAX_DISAGREEING_PERCENT {
        return Err(format!(
            "it disagrees with {} of the {compared} clinicians compared, so the source is probably wrong: check its \
             columns, its as-of date and whether it is complete",
            disagreeing.len()
        ));
    }
    let is_old = source.is_old(today);
    for finding in findings.iter_mut().filter(|finding| finding.strength == Strength::Certain) {
        let found = directory.find(finding.slug.as_str());
        let provider = found.map(|found| directory.provider(found.provider()));
        // The source may be out of date, or the clinician may have corrected the entry since its export.
        if is_old || provider.is_some_and(|provider| was_confirmed_after(provider, source.as_of)) {
            finding.strength = Strength::Likely;
        }
    }
    Ok(findings)
}

fn was_confirmed_after(provider: &Provider, as_of: NaiveDate) -> bool {
    let confirmed = provider.record.confirmed.as_ref();
    confirmed.is_some_and(|confirmed| confirmed.by == Attester::Clinician && confirmed.on > as_of)
}

#[cfg(test)]
mod tests;

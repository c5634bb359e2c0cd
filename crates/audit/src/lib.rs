//! The audit: whether the content is true, where `content::check` asks whether it can be published.
//!
//! [`audit`] compares the content with itself and with sources outside it (registry, boards, rosters, exclusions). It is
//! pure: the date and the sources' rows are parameters. `nameplate audit` opens files and prints.
//!
//! A [`Finding`] is [certain](Strength::Certain) if two written statements cannot both be true, [likely](Strength::Likely)
//! after one strong sign, and a [question](Strength::Question) to the clinician otherwise. A missing statement is never
//! certain.
//!
//! | rules | in |
//! |---|---|
//! | `certified`, `licence-over`, `ends-soon`, `no-way-in`, `education-order` | [`directory::statements`], since `content::check` warns of the certain ones |
//! | `twin`, `bio-copied` | `pairs` |
//! | `npi-off`, `npi-organisation`, `npi-stranger` | `registry`; names in `names` |
//! | `board`, `roster`, `roster-closed`, `excluded` | `board`, `roster`, `exclusions` |
//!
//! No rule repeats what `content::check` finds: two clinicians with one NPI or portrait, credentials of the other
//! profession, a degree in the future, a plan that no one accepts for new patients.

mod board;
mod exclusions;
mod names;
mod pairs;
mod registry;
mod roster;
mod source;

use std::collections::HashSet;

use chrono::{Days, NaiveDate};
use directory::model::{Attester, Directory, Provider};
use directory::statements::{Finding, Strength, findings};
pub use source::{
    Board, BoardRow, ExclusionRow, Judged, RegistryRow, Roster, RosterRow, Source, SourceKind, Wanted,
    licence_key,
};

/// A finding against a source older than this is not certain.
pub const FRESH: Days = Days::new(45);
/// A source may disagree about one in this many of the clinicians that it can judge.
const SHARE: usize = 20;
/// A source may always disagree about this many clinicians.
const ALWAYS: usize = 3;

#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Audit {
    /// Certain findings, then likely ones, then questions; each by file.
    pub findings: Vec<Finding>,
    /// Findings that `allow.toml` accepts today, in no order.
    pub allowed: Vec<Finding>,
    /// Entries of `allow.toml` that match no finding: each name with the last day of its acceptance.
    pub unused: Vec<(String, NaiveDate)>,
    /// Sources that were held back: the file, and why. Their findings do not count.
    pub held: Vec<(String, String)>,
}

impl Audit {
    pub fn of(&self, strength: Strength) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.strength == strength)
    }
}

/// Compares the content with itself and with the sources. `has_open_feed`: open slots come from a feed, so hours are
/// not checked.
#[must_use]
pub fn audit(directory: &Directory, sources: &[Source], has_open_feed: bool, today: NaiveDate) -> Audit {
    let mut audit = Audit::default();
    let mut found = findings(directory, has_open_feed, today);
    found.extend(pairs::findings(directory));
    for source in sources {
        match judge(directory, source, today) {
            Ok(findings) => found.extend(findings),
            Err(held) => audit.held.push((source.file.clone(), held)),
        }
    }
    let allowed = directory.allowed_findings().iter().filter(|allowed| allowed.until >= today);
    let allowed: HashSet<&str> = allowed.map(|allowed| allowed.name.as_str()).collect();
    let names: HashSet<&str> = found.iter().map(|finding| finding.name.as_str()).collect();
    let unused = directory.allowed_findings().iter().filter(|allowed| !names.contains(allowed.name.as_str()));
    audit.unused = unused.map(|allowed| (allowed.name.clone(), allowed.until)).collect();
    (audit.allowed, found) = found.into_iter().partition(|finding| allowed.contains(finding.name.as_str()));
    found.sort_by(|a, b| {
        (a.strength, &a.place, a.rule, &a.name).cmp(&(b.strength, &b.place, b.rule, &b.name))
    });
    found.dedup_by(|a, b| a.name == b.name && a.place == b.place);
    audit.findings = found;
    audit
}

/// The findings against a source, or why it is held back.
fn judge(directory: &Directory, source: &Source, today: NaiveDate) -> Result<Vec<Finding>, String> {
    if source.as_of > today {
        return Err(format!(
            "its as-of, {}, is in the future: write the day of its export, or correct this machine's clock",
            source.as_of
        ));
    }
    if let Some(before) = source.rows_before
        && source.rows < before / 2
    {
        return Err(format!(
            "it has {rows} rows, and had {before} last time: fetch it whole, or write {rows} for it in the last line of the \
             history if it is right",
            rows = source.rows
        ));
    }
    let Judged { mut findings, compared } = match &source.kind {
        SourceKind::Registry(registry) => registry::judge(directory, source, registry),
        SourceKind::Board(board) => board::judge(directory, source, board),
        SourceKind::Roster(roster) => roster::judge(directory, source, roster, today),
        SourceKind::Exclusions(exclusions) => exclusions::judge(directory, source, exclusions),
    };
    let alarms = findings.iter().filter(|finding| finding.strength != Strength::Question);
    let disagreed: HashSet<_> = alarms.filter_map(|finding| finding.slug.as_ref()).collect();
    if disagreed.len() > ALWAYS && disagreed.len() * SHARE > compared {
        return Err(format!(
            "it disagrees about {} of the {compared} clinicians that it can judge, and a source is more often wrong than a \
             twentieth of a clinic: look at its columns, its as-of and whether it is whole",
            disagreed.len()
        ));
    }
    let is_stale = source.as_of.checked_add_days(FRESH).is_some_and(|until| until < today);
    for finding in findings.iter_mut().filter(|finding| finding.strength == Strength::Certain) {
        let provider = finding.slug.as_ref().and_then(|slug| directory.find(slug.as_str()));
        let provider = provider.map(|found| directory.provider(found.provider()));
        if is_stale || provider.is_some_and(|provider| was_confirmed_after(provider, source.as_of)) {
            finding.strength = Strength::Likely;
        }
    }
    Ok(findings)
}

/// Whether the clinician confirmed the entry after a source was exported.
fn was_confirmed_after(provider: &Provider, as_of: NaiveDate) -> bool {
    let confirmed = provider.record.confirmed.as_ref();
    confirmed.is_some_and(|confirmed| confirmed.by == Attester::Clinician && confirmed.on > as_of)
}

#[cfg(test)]
mod tests;

//! Looks up clinicians in the federal list of excluded individuals. They are found by NPI, never by name.

use std::collections::HashMap;

use crate::source::{AuditSource, Comparison, ExclusionRow};
use directory::model::Directory;
use directory::statements::{Finding, Place, Rule, Strength};

pub(crate) fn compare(
    directory: &Directory,
    source: &AuditSource,
    exclusions: &[ExclusionRow],
) -> Comparison {
    // In reverse order, so that the first row of an NPI stays in the map.
    let current = exclusions.iter().rev().filter(|row| !row.is_lifted);
    let by_npi: HashMap<&str, &ExclusionRow> = current.map(|row| (row.npi.as_str(), row)).collect();
    let with_npi =
        directory.providers().iter().filter_map(|provider| Some((provider, provider.npi.as_deref()?)));
    let mut comparison = Comparison::default();
    for (provider, npi) in with_npi {
        comparison.compared += 1;
        let Some(row) = by_npi.get(npi) else { continue };
        let date = row.on.to_string();
        let what = format!(
            "{} is on the federal list of exclusions (NPI {npi}, since {date})",
            provider.display_name
        );
        let advice = "no federal program pays for an excluded clinician: write status = \"paused\", and ask the clinic's \
                      compliance officer";
        let rule = (Rule::Excluded, Strength::Certain);
        let place = Place::key(provider, "npi");
        let finding = Finding::new(rule, provider, place, what, advice, &[npi, &date]);
        comparison.findings.push(finding.against(source.row_witness(row.line, format!("excluded {date}"))));
    }
    comparison
}

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
    let mut by_npi: HashMap<&str, Vec<&ExclusionRow>> = HashMap::new();
    for row in exclusions {
        by_npi.entry(&row.npi).or_default().push(row);
    }
    let with_npi =
        directory.providers().iter().filter_map(|provider| Some((provider, provider.npi.as_deref()?)));
    let mut comparison = Comparison::default();
    for (provider, npi) in with_npi {
        comparison.compared += 1;
        let rows = by_npi.get(npi).map(Vec::as_slice).unwrap_or_default();
        let Some(row) = rows.iter().find(|row| !row.is_lifted) else { continue };
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
        comparison.findings.push(finding.against(source.row(row.line, format!("excluded {date}"))));
    }
    comparison
}

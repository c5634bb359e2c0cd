//! The federal list of exclusions. Clinicians are found in it by NPI, never by name.

use std::collections::HashMap;

use crate::source::{ExclusionRow, Judged, Source};
use directory::model::Directory;
use directory::statements::{Finding, Place, Rule, Strength};

pub(crate) fn judge(directory: &Directory, source: &Source, exclusions: &[ExclusionRow]) -> Judged {
    let mut by_npi: HashMap<&str, Vec<&ExclusionRow>> = HashMap::new();
    for row in exclusions {
        by_npi.entry(&row.npi).or_default().push(row);
    }
    let with_npi =
        directory.providers().iter().filter_map(|provider| Some((provider, provider.npi.as_deref()?)));
    let mut judged = Judged::default();
    for (provider, npi) in with_npi {
        judged.compared += 1;
        let rows = by_npi.get(npi).map(Vec::as_slice).unwrap_or_default();
        let Some(row) = rows.iter().find(|row| !row.is_lifted) else { continue };
        let what = format!(
            "{} is on the federal list of exclusions (NPI {npi}, since {})",
            provider.display_name, row.on
        );
        let advice = "no federal programme pays for an excluded clinician: write status = \"paused\", and ask the clinic's \
                      compliance officer";
        let rule = (Rule::Excluded, Strength::Certain);
        let place = Place::key(provider, "npi");
        let finding = Finding::new(rule, provider, place, what, advice, &[npi, &row.on]);
        judged.findings.push(finding.against(source.row(row.line, format!("excluded {}", row.on))));
    }
    judged
}

//! Compares clinicians' NPIs with the NPI registry. An NPI may be deactivated, or an organization's, or another person's.

use std::collections::HashMap;

use crate::names::{is_incomplete, share_a_token, tokens};
use crate::source::{AuditSource, Comparison, RegistryRow};
use directory::model::{Directory, Gender, Provider};
use directory::statements::{Finding, Place, Rule, Strength};

pub(crate) fn compare(directory: &Directory, source: &AuditSource, registry: &[RegistryRow]) -> Comparison {
    let by_npi: HashMap<&str, &RegistryRow> = registry.iter().map(|row| (row.npi.as_str(), row)).collect();
    let mut comparison = Comparison::default();
    for provider in directory.providers() {
        if let Some(row) = provider.npi.as_deref().and_then(|npi| by_npi.get(npi)) {
            comparison.compared += 1;
            comparison.findings.extend(compare_provider(provider, row, source));
        }
    }
    comparison
}

fn compare_provider(provider: &Provider, row: &RegistryRow, source: &AuditSource) -> Option<Finding> {
    let finding = |rule: Rule, strength: Strength, what: String, advice: &str, says: String| {
        let values = [row.npi.as_str(), says.as_str()];
        let place = Place::key(provider, "npi");
        let finding = Finding::new((rule, strength), provider, place, what, advice, &values);
        Some(finding.against(source.row_witness(row.line, says.clone())))
    };
    let npi = &row.npi;
    if row.is_organization {
        let what = format!("the NPI {npi} is an organization's, not a person's");
        let advice = "look up the clinician at https://npiregistry.cms.hhs.gov, and copy the NPI from there";
        return finding(Rule::NpiOrganization, Strength::Certain, what, advice, "entity type 2".to_owned());
    }
    if let Some(deactivated) = row.deactivated
        && row.reactivated.is_none_or(|reactivated| reactivated < deactivated)
    {
        let what = format!("the NPI {npi} was deactivated on {deactivated}");
        let advice = "ask the clinician; NPIs are deactivated after death, retirement, or fraud";
        return finding(Rule::NpiOff, Strength::Certain, what, advice, format!("deactivated {deactivated}"));
    }
    let own_name = tokens(&provider.display_name);
    let registered_name: Vec<String> = row.names.iter().flat_map(|name| tokens(name)).collect();
    if is_incomplete(&own_name)
        || is_incomplete(&registered_name)
        || share_a_token(&own_name, &registered_name)
    {
        return None;
    }
    let has_same_profession = row.taxonomies.iter().any(|code| provider.provider_type.has_taxonomy(code));
    let has_same_sex = match provider.gender {
        Gender::Female => row.sex.eq_ignore_ascii_case("F"),
        Gender::Male => row.sex.eq_ignore_ascii_case("M"),
        Gender::NonBinary | Gender::Other | Gender::PreferNotToSay => false,
    };
    // If profession and sex agree, this is probably the same person under a new name.
    let strength = if has_same_profession && has_same_sex { Strength::Question } else { Strength::Likely };
    let name = row.names.first().cloned().unwrap_or_default();
    let what = format!("the NPI {npi} is registered to {name}, not to {}", provider.display_name);
    let advice = "look up the clinician at https://npiregistry.cms.hhs.gov, and correct the NPI";
    finding(Rule::NpiStranger, strength, what, advice, format!("registered to {name}"))
}

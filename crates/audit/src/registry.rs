//! Compares NPIs with the registry: a number may be deactivated, or belong to a clinic or to another person.

use std::collections::HashMap;

use crate::names::{is_incomplete, share_a_token, tokens};
use crate::source::{Judged, RegistryRow, Source};
use directory::model::{Directory, Gender, Provider, ProviderType};
use directory::statements::{Finding, Place, Rule, Strength};

/// The prefixes of the taxonomy codes of each kind of clinician.
const PHYSICIANS: &str = "20";
const NURSES: &str = "363L";

pub(crate) fn judge(directory: &Directory, source: &Source, registry: &[RegistryRow]) -> Judged {
    let by_npi: HashMap<&str, &RegistryRow> = registry.iter().map(|row| (row.npi.as_str(), row)).collect();
    let mut judged = Judged::default();
    for provider in directory.providers() {
        if let Some(row) = provider.npi.as_deref().and_then(|npi| by_npi.get(npi)) {
            judged.compared += 1;
            judged.findings.extend(compare(provider, row, source));
        }
    }
    judged
}

fn compare(provider: &Provider, row: &RegistryRow, source: &Source) -> Option<Finding> {
    let place = Place::key(provider, "npi");
    let finding = |rule: Rule, strength: Strength, what: String, advice: &str, says: String| {
        let values = [row.npi.as_str(), says.as_str()];
        let finding = Finding::new((rule, strength), provider, place.clone(), what, advice, &values);
        Some(finding.against(source.row(row.line, says.clone())))
    };
    let npi = &row.npi;
    if row.is_organisation {
        let what = format!("the NPI {npi} is a clinic's, not a person's");
        let advice = "look the clinician up in https://npiregistry.cms.hhs.gov, and copy the NPI from there";
        return finding(Rule::NpiOrganisation, Strength::Certain, what, advice, "entity type 2".to_owned());
    }
    if let Some(off) = row.deactivated
        && row.reactivated.is_none_or(|on| on < off)
    {
        let what = format!("the NPI {npi} was deactivated on {off}");
        let advice = "ask the clinician; an NPI is deactivated after death, retirement or fraud";
        return finding(Rule::NpiOff, Strength::Certain, what, advice, format!("deactivated {off}"));
    }
    let own = tokens(&provider.display_name);
    let registered: Vec<String> = row.names.iter().flat_map(|name| tokens(name)).collect();
    if registered.is_empty()
        || is_incomplete(&own)
        || is_incomplete(&registered)
        || share_a_token(&own, &registered)
    {
        return None;
    }
    let codes = match provider.provider_type {
        ProviderType::Physician => PHYSICIANS,
        ProviderType::NursePractitioner => NURSES,
    };
    let is_of_profession = row.taxonomies.iter().any(|code| code.starts_with(codes));
    let is_of_sex = match provider.gender {
        Gender::Female => row.sex.eq_ignore_ascii_case("F"),
        Gender::Male => row.sex.eq_ignore_ascii_case("M"),
        Gender::NonBinary | Gender::Other | Gender::PreferNotToSay => false,
    };
    // If profession and sex agree, it is more likely the same person under a new name.
    let strength = if is_of_profession && is_of_sex { Strength::Question } else { Strength::Likely };
    let name = row.names.first().cloned().unwrap_or_default();
    let what = format!("the NPI {npi} is registered to {name}, not to {}", provider.display_name);
    let advice = "look the clinician up in https://npiregistry.cms.hhs.gov, and correct the NPI";
    finding(Rule::NpiStranger, strength, what, advice, format!("registered to {name}"))
}

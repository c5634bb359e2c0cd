//! The hashes of an entry's published facts, by group. The biography, the portrait and the interests are in none, so
//! a corrected typo in them needs no new confirmation.

use sha2::{Digest, Sha256};

use crate::model::{Directory, FactGroup, FactHashes, Provider, StateCode};

/// The hashes of a clinician's facts. They depend on what is published and not on how the file writes it.
pub fn fact_hashes(directory: &Directory, provider: &Provider) -> FactHashes {
    FactHashes::compute(|group| {
        let mut values = values(directory, provider, group);
        values.sort_unstable();
        let mut hash = Sha256::new();
        for value in values {
            // The length before each value: no two lists of values give the same bytes.
            hash.update((value.len() as u64).to_be_bytes());
            hash.update(value);
        }
        let digest: [u8; 32] = hash.finalize().into();
        u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]])
    })
}

fn values(directory: &Directory, provider: &Provider, group: FactGroup) -> Vec<String> {
    let states = |key: &str, states: crate::model::StateSet| -> Vec<String> {
        states.iter().map(|state: StateCode| format!("{key} {state}")).collect()
    };
    match group {
        // With the id and the slug: a copied file is not confirmed.
        FactGroup::Name => {
            let mut values = vec![
                format!("id {}", provider.id),
                format!("slug {}", provider.slug),
                format!("displayName {}", provider.display_name),
                format!("credentials {}", provider.credentials),
                format!("providerType {}", provider.provider_type),
                format!("gender {}", provider.gender),
            ];
            values.extend(provider.languages.iter().map(|language| format!("language {}", language.code())));
            values
        }
        FactGroup::Licenses => {
            let mut values = states("licensed", provider.licensed);
            values.push(format!("certified {}", provider.menopause_society_certified));
            let certifications = provider.certifications.iter();
            values.extend(
                certifications.map(|entry| format!("certification {}\u{0}{}", entry.issuer, entry.name)),
            );
            values.extend(provider.education.iter().map(|entry| {
                format!(
                    "education {}\u{0}{}\u{0}{}\u{0}{}",
                    entry.degree, entry.field, entry.institution, entry.year
                )
            }));
            values
        }
        FactGroup::Accepting => states("accepting", provider.accepting),
        FactGroup::Plans => {
            let by_state = provider.licensed.iter().flat_map(|state| {
                let plans = provider.plans_in(state).iter();
                plans.map(move |&plan| format!("plan {state} {}", directory.plan(plan)))
            });
            by_state.collect()
        }
        FactGroup::Visits => provider.visit_types.iter().map(|id| format!("visit {id}")).collect(),
    }
}

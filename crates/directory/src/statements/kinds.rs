//! Which kind of clinician the credentials belong to.

use crate::model::ProviderType;

/// Degrees and licences of each kind of clinician.
const OF_PHYSICIANS: [&str; 4] = ["MD", "DO", "MBBS", "MBCHB"];
const OF_NURSES: [&str; 12] =
    ["NP", "APRN", "ARNP", "CRNP", "CNP", "FNP", "WHNP", "DNP", "PMHNP", "ANP", "AGPCNP", "GNP"];

/// The credentials as words in capitals, without full stops and without what follows a hyphen: "FNP-BC" is an FNP with
/// a certificate.
pub(super) fn credential_words(credentials: &str) -> impl Iterator<Item = String> {
    let words = credentials.split([',', ' ', '/', ';']).filter(|word| !word.is_empty());
    words.map(|word| {
        let word = word.replace('.', "").to_uppercase();
        word.split('-').next().unwrap_or_default().to_owned()
    })
}

/// The other kind of clinician, if only that one has these credentials.
pub(crate) fn other_kind(credentials: &str, kind: ProviderType) -> Option<ProviderType> {
    let has = |known: &[&str]| credential_words(credentials).any(|word| known.contains(&word.as_str()));
    match (kind, has(&OF_PHYSICIANS), has(&OF_NURSES)) {
        (ProviderType::Physician, false, true) => Some(ProviderType::NursePractitioner),
        (ProviderType::NursePractitioner, true, false) => Some(ProviderType::Physician),
        _ => None,
    }
}

pub(crate) fn kind_words(kind: ProviderType) -> &'static str {
    match kind {
        ProviderType::Physician => "a physician",
        ProviderType::NursePractitioner => "a nurse practitioner",
    }
}

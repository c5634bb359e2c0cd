//! The specialties of schema.org that a code of the NUCC's taxonomy means.

/// By beginnings of codes, of which the longest counts.
const SPECIALTIES: [(&str, &[&str]); 41] = [
    ("207L", &["Anesthesia"]),
    ("207N", &["Dermatology"]),
    ("207P", &["Emergency"]),
    ("207Q", &["PrimaryCare"]),
    ("207QG0300X", &["Geriatric"]),
    ("207R00000X", &["PrimaryCare"]),
    ("207RC0000X", &["Cardiovascular"]),
    ("207RE0101X", &["Endocrine"]),
    ("207RG0100X", &["Gastroenterologic"]),
    ("207RG0300X", &["Geriatric"]),
    ("207RH0000X", &["Hematologic"]),
    ("207RH0003X", &["Hematologic", "Oncologic"]),
    ("207RI0200X", &["Infectious"]),
    ("207RN0300X", &["Renal"]),
    ("207RP1001X", &["Pulmonary"]),
    ("207RR0500X", &["Rheumatologic"]),
    ("207RX0202X", &["Oncologic"]),
    ("207SG0201X", &["Genetic"]),
    ("207T", &["Neurologic", "Surgical"]),
    ("207V00000X", &["Gynecologic", "Obstetric"]),
    ("207VE0102X", &["Endocrine"]),
    ("207VG0400X", &["Gynecologic"]),
    ("207VM0101X", &["Obstetric"]),
    ("207VX0000X", &["Obstetric"]),
    ("207VX0201X", &["Oncologic"]),
    ("207X", &["Musculoskeletal"]),
    ("207Y", &["Otolaryngologic"]),
    ("207Z", &["Pathology"]),
    ("2080", &["Pediatric"]),
    ("2082", &["PlasticSurgery"]),
    ("2083P0901X", &["PublicHealth"]),
    ("2084N0400X", &["Neurologic"]),
    ("2084P0800X", &["Psychiatric"]),
    ("2084P0804X", &["Psychiatric"]),
    ("2084P0805X", &["Psychiatric"]),
    ("2085R0202X", &["Radiography"]),
    ("2086", &["Surgical"]),
    ("2088", &["Urologic"]),
    ("208C", &["Surgical"]),
    ("208D", &["PrimaryCare"]),
    ("208G", &["Surgical"]),
];

pub(super) fn of_code(code: &str) -> &'static [&'static str] {
    let known = SPECIALTIES.iter().filter(|(beginning, _)| code.starts_with(beginning));
    known.max_by_key(|(beginning, _)| beginning.len()).map_or(&[], |(_, members)| members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_mean_members_of_schema_org() {
        for (code, members) in [
            // Obstetrics & Gynecology; Gynecology; Family Medicine; its geriatric subspecialty; Psychiatry.
            ("207V00000X", &["Gynecologic", "Obstetric"][..]),
            ("207VG0400X", &["Gynecologic"]),
            ("207Q00000X", &["PrimaryCare"]),
            ("207QG0300X", &["Geriatric"]),
            ("2084P0800X", &["Psychiatric"]),
            // Allergy & Immunology, and Clinical & Laboratory Immunology, have none.
            ("207K00000X", &[]),
            ("207RI0001X", &[]),
            ("", &[]),
        ] {
            assert_eq!(of_code(code), members, "{code}");
        }
    }
}

//! What content says for the exports for FHIR clients. No answer of the API has any of it.

/// `[standards]` of `directory.toml`, which turns the exports on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standards {
    pub publish_npis: bool,
    pub npi: Option<String>,
}

/// A specialty of the NUCC's taxonomy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specialty {
    /// The code: ten characters, of which the last is an X.
    pub code: String,
    pub name: String,
}

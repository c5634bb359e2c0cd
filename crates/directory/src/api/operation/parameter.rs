//! What is said of each parameter.

#[derive(Debug)]
pub struct Parameter {
    /// The name, in queries and in arguments.
    pub name: &'static str,
    pub kind: ParameterKind,
    pub required: bool,
    /// A description for developers and models.
    pub doc: &'static str,
    /// A name for patients.
    pub label: &'static str,
    /// A sentence that asks a patient for it.
    pub ask: &'static str,
    pub example: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A state's code or full name.
    State,
    /// The name of a plan, in any case.
    Plan,
    /// One of these words, in any case.
    Word(&'static [&'static str]),
    /// A whole number, clamped to its bounds.
    Count {
        default: i64,
        least: i64,
        most: i64,
    },
    /// A visit type's id: a whole number.
    VisitType,
    /// A provider's slug in the query or the arguments.
    Slug,
    /// A provider's slug, in the path over REST.
    PathSlug,
    Flag,
    /// A second of UTC, as answers write it.
    Time,
    /// A language: its English name or two-letter code, in any case.
    Language,
    SearchText,
}

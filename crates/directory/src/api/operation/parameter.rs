//! What is said of each parameter.

use crate::model::ProviderType;

#[derive(Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub required: bool,
    pub doc: &'static str,
    /// A name for patients, after "a"; empty if no patient asks for it.
    pub label: &'static str,
    /// A sentence that asks a patient for it, with `{words}` for the professions.
    pub(super) ask: &'static str,
    pub example: &'static str,
}

impl Parameter {
    /// The words that may be given in a directory of these professions, if there are no other values.
    pub fn words(&self, professions: &[ProviderType]) -> Option<Vec<&'static str>> {
        match self.kind {
            ParameterKind::Word(words) => Some(words.to_vec()),
            ParameterKind::Profession => Some(professions.iter().map(|each| each.word()).collect()),
            _ => None,
        }
    }

    pub(crate) fn ask(&self, professions: &[ProviderType]) -> String {
        self.ask.replace("{words}", &or(professions))
    }
}

fn or(professions: &[ProviderType]) -> String {
    let words: Vec<_> = professions.iter().map(|profession| profession.in_a_sentence()).collect();
    words.split_last().map_or_else(String::new, |(last, others)| format!("{} or {last}", others.join(", ")))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A state's code or full name.
    State,
    /// The name of a plan, in any case.
    Plan,
    /// One of these words, in any case.
    Word(&'static [&'static str]),
    /// A profession's word, in any case. Each directory lists its own.
    Profession,
    /// A whole number, clamped to its bounds.
    Count {
        default: i64,
        least: i64,
        most: i64,
    },
    /// A visit type's id: a whole number.
    VisitType,
    Slug,
    /// A provider's slug, in the path over REST.
    PathSlug,
    Flag,
    /// A second of UTC, as answers write it; or a date, or a date and time, by the clock of the time zone asked for.
    Time,
    /// The IANA name of a time zone, in any case.
    TimeZone,
    /// Where a cut list goes on: what its `next` says.
    Cursor,
    /// A language: its English name or two-letter code, in any case.
    Language,
    SearchText,
}

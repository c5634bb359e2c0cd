//! Errors, each with two messages: one for developers, in REST's error body, and one that an assistant can repeat to a
//! patient. Kinds, statuses and codes are part of the public API.

use bytes::Bytes;

use super::operation::{Operation, PROVIDER_TYPE, Wrong, WrongParameter};
use super::wire;
use crate::calendar::{Calendar, Freshness};
use crate::model::{ProviderType, StateCode};
use crate::visible;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Cache it for a moment: the same request gives the same error until the content changes.
    Cache,
    /// Neither cache it nor repeat the request: the cause is this one request, or a bug.
    Nothing,
    /// Repeat the request after this number of seconds.
    Retry(u32),
}
use Next::{Cache, Nothing, Retry};

/// Defines the kinds, one row each: status, code, and [`Next`].
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $status:literal, $code:literal, $next:expr;)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FaultKind { $($(#[$doc])* $kind),+ }

        impl FaultKind {
            pub const ALL: [Self; [$($status),+].len()] = [$(Self::$kind),+];

            fn row(self) -> (u16, &'static str, Next) {
                match self { $(Self::$kind => ($status, $code, $next)),+ }
            }
        }
    };
}

kinds! {
    /// A state that is not in the table. The code is the specification's.
    InvalidState = 400, "SPONSOR_NOT_COVERED", Cache;
    InvalidParameter = 400, "INVALID_PARAMETER", Cache;
    InvalidInsurance = 400, "INVALID_INSURANCE", Cache;
    BadRequest = 400, "BAD_REQUEST", Nothing;
    /// A Host or Origin that is not allowed.
    Forbidden = 403, "FORBIDDEN", Nothing;
    ProviderNotFound = 404, "PROVIDER_NOT_FOUND", Cache;
    NotFound = 404, "NOT_FOUND", Cache;
    MethodNotAllowed = 405, "METHOD_NOT_ALLOWED", Nothing;
    RequestTimeout = 408, "REQUEST_TIMEOUT", Nothing;
    PayloadTooLarge = 413, "PAYLOAD_TOO_LARGE", Nothing;
    UriTooLong = 414, "URI_TOO_LONG", Nothing;
    UnsupportedMediaType = 415, "UNSUPPORTED_MEDIA_TYPE", Nothing;
    HeadersTooLarge = 431, "HEADERS_TOO_LARGE", Nothing;
    Internal = 500, "INTERNAL", Nothing;
    /// The slots are expired, or not yet loaded.
    AvailabilityUnavailable = 503, "AVAILABILITY_UNAVAILABLE", Retry(60);
    Overloaded = 503, "OVERLOADED", Retry(1);
}

impl FaultKind {
    pub fn status(self) -> u16 {
        self.row().0
    }

    pub fn code(self) -> &'static str {
        self.row().1
    }

    pub fn retry_after(self) -> Option<u32> {
        if let Retry(seconds) = self.row().2 { Some(seconds) } else { None }
    }

    pub fn is_cacheable(self) -> bool {
        self.row().2 == Cache
    }
}

const INVALID: &str = "invalid parameter: ";

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    kind: FaultKind,
    message: String,
    spoken: String,
}

impl Fault {
    /// An error that only HTTP clients can cause (a method, a limit), with the same text for both messages.
    pub fn of_transport(kind: FaultKind, message: &str) -> Self {
        Self { kind, message: message.to_owned(), spoken: message.to_owned() }
    }

    pub fn not_found() -> Self {
        Self::of_transport(FaultKind::NotFound, "there is nothing at this path")
    }

    pub(crate) fn invalid_state(value: &str) -> Self {
        let value = shown(value);
        Self {
            kind: FaultKind::InvalidState,
            message: format!("invalid state code: {value}"),
            spoken: format!(
                "I don't recognize the state “{value}”. Please give a US state name or two-letter code."
            ),
        }
    }

    /// A plan that is not accepted. `near` are the accepted plans that may be meant, `accepted` those of the state, or all.
    pub(crate) fn invalid_insurance(
        value: &str,
        near: &[&str],
        state: Option<StateCode>,
        accepted: &[&str],
    ) -> Self {
        /// More would be a list, and not a question.
        const MOST_TO_ASK: usize = 3;
        let value = shown(value);
        let quoted = |open, close| near.iter().map(|plan| format!("{open}{plan}{close}")).collect::<Vec<_>>();
        let (here, there) = state.map_or_else(
            || ("here".to_owned(), "here".to_owned()),
            |state| (format!("in {state}"), format!("in {}", state.name())),
        );
        let (advice, spoken) = match near.len() {
            0 if accepted.is_empty() => (
                format!("no plan is accepted {here}"),
                format!("{value} isn't accepted {there}. No clinician {there} accepts an insurance plan."),
            ),
            0 => (
                format!("accepted {here}: {}", list(accepted)),
                format!(
                    "{value} isn't accepted {there}. Accepted plans{}: {}.",
                    if state.is_some() { " there" } else { "" },
                    list(accepted)
                ),
            ),
            1..=MOST_TO_ASK => (
                did_you_mean("did", &quoted('"', '"')),
                format!("“{value}” isn't the name of a plan.{}", did_you_mean(" Did", &quoted('“', '”'))),
            ),
            _ => (
                format!("which one? accepted {here}: {}", list(near)),
                format!("{value} isn't the name of one plan. Which one? {}.", list(near)),
            ),
        };
        Self {
            kind: FaultKind::InvalidInsurance,
            message: format!("invalid insurance: {value}; {advice}"),
            spoken,
        }
    }

    /// A language that no clinician speaks. `spoken` are those that clinicians speak.
    pub(crate) fn unspoken_language(value: &str, spoken: &[&str]) -> Self {
        const MOST: usize = 30;
        let value = shown(value);
        let list = match spoken {
            [] => "none is given in any profile".to_owned(),
            [..] => spoken[..spoken.len().min(MOST)].join(", "),
        };
        let rule = format!("must be one that a clinician speaks, not {value}: {list}");
        let spoken =
            format!("No clinician here is listed as speaking “{value}”. Languages spoken here: {list}.");
        Self { spoken, ..Self::invalid_parameter("language", &rule) }
    }

    /// An unknown slug. `near` are the slugs and names of the clinicians who are probably meant.
    pub(crate) fn provider_not_found(slug: &str, near: &[(&str, &str)]) -> Self {
        let wanted = shown(slug);
        let slugs: Vec<_> = near.iter().map(|(slug, _)| (*slug).to_owned()).collect();
        let names: Vec<_> = near.iter().map(|(slug, name)| format!("{name} ({slug})")).collect();
        let advice =
            if near.is_empty() { "Search by state to find one." } else { "If not, search by state." };
        Self {
            kind: FaultKind::ProviderNotFound,
            message: format!("provider not found: {wanted}{}", did_you_mean("; did", &slugs)),
            spoken: format!("No clinician is listed as “{wanted}”.{} {advice}", did_you_mean(" Did", &names)),
        }
    }

    pub fn availability_unavailable(calendar: &Calendar) -> Self {
        let broken = "Appointment times can't be checked right now because the scheduling system isn't \
                      responding. Nothing is wrong with your request. Please try again in a few minutes.";
        let (why, spoken) = if calendar.awaits_feed() {
            ("nothing could be read from the scheduling system yet", broken)
        } else if calendar.freshness() == Freshness::Expired {
            ("the scheduling system's data is too old to be shown", broken)
        } else {
            (
                "the scheduling system has no clear and current data about the clinicians asked for",
                "Openings aren't available online for what you asked. Please ask the clinic about times.",
            )
        };
        Self {
            kind: FaultKind::AvailabilityUnavailable,
            message: format!("availability is unknown: {why}"),
            spoken: spoken.to_owned(),
        }
    }

    /// Of professions, the texts list those of the specification: see [`Fault::of`].
    pub(crate) fn wrong_parameter(WrongParameter { parameter, sent, wrong }: WrongParameter) -> Self {
        let ask = parameter.ask(&ProviderType::SPECIFIED);
        match wrong {
            Wrong::Told(rule, spoken) => Self { spoken, ..Self::invalid_parameter(parameter.name, rule) },
            Wrong::State(sent) => Self::invalid_state(&sent),
            Wrong::Missing => Self { spoken: ask, ..Self::invalid_parameter(parameter.name, "is required") },
            Wrong::Rule(rule) => {
                let spoken = match (sent, parameter.label) {
                    (Some(sent), label) if !label.is_empty() => {
                        let article = if label.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
                        format!("I didn't understand “{}” as {article} {label}. {ask}", shown(&sent))
                    }
                    _ => ask,
                };
                Self { spoken, ..Self::invalid_parameter(parameter.name, &rule) }
            }
        }
    }

    /// The error in a directory of these professions. A request is read before it meets a directory.
    #[must_use]
    pub fn of(self, professions: &[ProviderType]) -> Self {
        if self.message.strip_prefix(INVALID).is_none_or(|rest| !rest.starts_with(PROVIDER_TYPE.name)) {
            return self;
        }
        let words = |professions| PROVIDER_TYPE.words(professions).unwrap_or_default().join(", ");
        let ask = |professions| PROVIDER_TYPE.ask(professions);
        let specified = &ProviderType::SPECIFIED[..];
        Self {
            message: self.message.replace(&words(specified), &words(professions)),
            spoken: self.spoken.replace(&ask(specified), &ask(professions)),
            ..self
        }
    }

    pub(crate) fn unknown_argument(name: &str, operation: &Operation) -> Self {
        let names: Vec<_> = operation.arguments().map(|parameter| parameter.name).collect();
        let labels = operation.arguments().map(|parameter| parameter.label);
        let labels: Vec<_> = labels.filter(|label| !label.is_empty()).collect();
        let (takes, advice) = if names.is_empty() {
            ("none".to_owned(), "The list is always complete. Please ask for all of it.".to_owned())
        } else {
            (names.join(", "), format!("I can search by {}.", labels.join(", ")))
        };
        let rule = format!("isn't an argument of {}, which takes {takes}", operation.name);
        let spoken = format!("I can't search by “{}” here. {advice}", in_words(&shown(name)));
        Self { spoken, ..Self::invalid_parameter(name, &rule) }
    }

    pub(super) fn invalid_parameter(parameter: &str, rule: &str) -> Self {
        let message = format!("{INVALID}{} {rule}", shown(parameter));
        Self { kind: FaultKind::InvalidParameter, spoken: message.clone(), message }
    }

    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// The message that an assistant may repeat to a patient.
    pub fn spoken(&self) -> &str {
        &self.spoken
    }

    pub fn body(&self) -> Bytes {
        wire::to_json(&wire::ErrorBody { code: self.kind.code(), message: &self.message })
    }
}

/// Makes a value of a request safe to repeat in a message: at most 64 characters, without invisible characters and
/// characters that change the direction of text.
pub fn shown(value: &str) -> String {
    let cut = value.char_indices().nth(64).map_or(value, |(end, _)| &value[..end]);
    visible::line(cut).into_owned()
}

/// The first of these names, and how many more there are: all of them may be too long to read.
fn list(names: &[&str]) -> String {
    const MOST: usize = 20;
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(MOST)].join(", "))
}

fn did_you_mean(did: &str, names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => format!("{did} you mean {only}?"),
        [others @ .., last] => format!("{did} you mean {} or {last}?", others.join(", ")),
    }
}

/// An identifier as words: `preferredDate` and `preferred_date` become "preferred date".
fn in_words(name: &str) -> String {
    let mut words = String::with_capacity(name.len());
    let mut was_small = false;
    for c in name.chars() {
        if c.is_uppercase() && was_small {
            words.push(' ');
        }
        was_small = c.is_lowercase();
        if c == '_' { words.push(' ') } else { words.extend(c.to_lowercase()) }
    }
    words
}

#[cfg(test)]
mod tests;

//! What can go wrong, told twice: for a developer who reads REST's error body, and for a person to whom an
//! assistant repeats the sentence. Kinds, their statuses and their codes are part of the public API.

use bytes::Bytes;

use super::operation::{Operation, OperationId};
use super::wire;
use crate::calendar::{Calendar, Freshness};

/// Defines the kinds, a row each: status, code, and after how many seconds asking again makes sense. Nothing about a
/// kind stands in a second list of this file, where it could be forgotten.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $status:literal, $code:literal, $retry_after:expr;)+) => {
        /// Every kind of failure that the outside can see.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum FaultKind { $($(#[$doc])* $kind),+ }

        impl FaultKind {
            /// Every kind, by status.
            pub const ALL: [Self; [$($status),+].len()] = [$(Self::$kind),+];

            fn published(self) -> (u16, &'static str, Option<u32>) {
                match self { $(Self::$kind => ($status, $code, $retry_after)),+ }
            }
        }
    };
}

kinds! {
    /// A state that is not in the table.
    InvalidState = 400, "SPONSOR_NOT_COVERED", None;
    /// A parameter that is missing, or not what it must be.
    InvalidParameter = 400, "INVALID_PARAMETER", None;
    /// A plan that nobody accepts.
    InvalidInsurance = 400, "INVALID_INSURANCE", None;
    /// A request that breaks HTTP's rules.
    BadRequest = 400, "BAD_REQUEST", None;
    /// A Host or Origin that this service does not answer.
    Forbidden = 403, "FORBIDDEN", None;
    /// A slug that is nobody's.
    ProviderNotFound = 404, "PROVIDER_NOT_FOUND", None;
    /// A path that leads nowhere.
    NotFound = 404, "NOT_FOUND", None;
    /// A method that this path does not know.
    MethodNotAllowed = 405, "METHOD_NOT_ALLOWED", None;
    /// A request that did not arrive in time.
    RequestTimeout = 408, "REQUEST_TIMEOUT", None;
    /// A body beyond the limit.
    PayloadTooLarge = 413, "PAYLOAD_TOO_LARGE", None;
    /// A path and query beyond the limit.
    UriTooLong = 414, "URI_TOO_LONG", None;
    /// A body of another type than JSON.
    UnsupportedMediaType = 415, "UNSUPPORTED_MEDIA_TYPE", None;
    /// Header fields beyond the limit.
    HeadersTooLarge = 431, "HEADERS_TOO_LARGE", None;
    /// A bug of ours.
    Internal = 500, "INTERNAL", None;
    /// The slots are older than may be shown, or were never read.
    AvailabilityUnavailable = 503, "AVAILABILITY_UNAVAILABLE", Some(60);
    /// More requests than can be served.
    Overloaded = 503, "OVERLOADED", Some(1);
}

impl FaultKind {
    /// The HTTP status.
    #[must_use]
    pub fn status(self) -> u16 {
        self.published().0
    }

    /// The `code` of the error body.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.published().1
    }

    /// After how many seconds asking again makes sense, where it does.
    #[must_use]
    pub fn retry_after(self) -> Option<u32> {
        self.published().2
    }
}

/// A failure, with both of its sentences. What the log needs beyond them is logged where it is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    kind: FaultKind,
    message: String,
    spoken: String,
}

impl Fault {
    /// A failure that only HTTP knows (a method, a limit), so that one sentence serves both.
    #[must_use]
    pub fn of_transport(kind: FaultKind, message: &str) -> Self {
        Self { kind, message: message.to_owned(), spoken: message.to_owned() }
    }

    /// A path that leads nowhere.
    #[must_use]
    pub fn not_found() -> Self {
        Self::of_transport(FaultKind::NotFound, "there is nothing at this path")
    }

    pub(crate) fn invalid_state(value: &str) -> Self {
        let value = shown(value);
        Self {
            kind: FaultKind::InvalidState,
            message: format!("invalid state code: {value}"),
            spoken: format!(
                "I don't recognise the state “{value}”. Please give a US state name or two-letter code."
            ),
        }
    }

    /// A plan that is not accepted, and the accepted plans that are probably meant.
    pub(crate) fn invalid_insurance(value: &str, near: &[&str]) -> Self {
        let value = shown(value);
        let plain: Vec<_> = near.iter().map(|plan| format!("\"{plan}\"")).collect();
        let quoted: Vec<_> = near.iter().map(|plan| format!("“{plan}”")).collect();
        Self {
            kind: FaultKind::InvalidInsurance,
            message: format!(
                "invalid insurance: {value};{} {} lists the accepted plans",
                did_you_mean(" did", &plain),
                Operation::get(OperationId::Insurances).path
            ),
            spoken: format!(
                "“{value}” is not one of the insurance plans accepted here.{} \
                 List the accepted plans to find the exact name.",
                did_you_mean(" Did", &quoted)
            ),
        }
    }

    /// A slug that no clinician has, and the slug and name of those who are probably meant.
    pub(crate) fn provider_not_found(slug: &str, near: &[(&str, &str)]) -> Self {
        let asked = shown(slug);
        let slugs: Vec<_> = near.iter().map(|(slug, _)| (*slug).to_owned()).collect();
        let names: Vec<_> = near.iter().map(|(slug, name)| format!("{name} ({slug})")).collect();
        let go_on = if near.is_empty() { "Search by state to find one." } else { "If not, search by state." };
        Self {
            kind: FaultKind::ProviderNotFound,
            message: format!("provider not found: {asked}{}", did_you_mean("; did", &slugs)),
            spoken: format!("No clinician is listed as “{asked}”.{} {go_on}", did_you_mean(" Did", &names)),
        }
    }

    /// Slots that nobody can vouch for at the moment: nothing was ever read, what is known is too old, or what is known
    /// of those who are asked for is.
    pub(crate) fn availability_unavailable(calendar: &Calendar) -> Self {
        let why = if calendar.awaits_feed() {
            "nothing could be read from the scheduling system yet"
        } else if calendar.freshness() == Freshness::Expired {
            "the scheduling system's data is too old to be shown"
        } else {
            "the scheduling system's data about the clinicians asked for is too old, or not clear"
        };
        Self {
            kind: FaultKind::AvailabilityUnavailable,
            message: format!("availability is unknown: {why}"),
            spoken: "Appointment times can't be checked right now because the scheduling system isn't \
                     responding. Nothing is wrong with your request. Please try again in a few minutes."
                .to_owned(),
        }
    }

    /// A question without a required parameter; `ask` is how to ask a person for it.
    pub(crate) fn missing(parameter: &str, ask: &str) -> Self {
        Self { spoken: ask.to_owned(), ..Self::invalid_parameter(parameter, "is required") }
    }

    /// A value that its parameter cannot have. `rule` goes on after the parameter's name: "must be a whole number".
    /// `ask` is how to ask a person for a right one.
    pub(crate) fn wrong_value(parameter: &str, rule: &str, ask: &str) -> Self {
        let spoken = format!("Part of that request could not be understood. {ask}");
        Self { spoken, ..Self::invalid_parameter(parameter, rule) }
    }

    /// A name of a query that cannot be decoded. No tool can bring this about.
    pub(crate) fn invalid_query() -> Self {
        Self::invalid_parameter("the query", "must be percent-encoded UTF-8")
    }

    /// An argument that the operation's tool does not have.
    pub(crate) fn unknown_argument(name: &str, operation: &Operation) -> Self {
        let names: Vec<_> = operation.parameters.iter().map(|parameter| parameter.name).collect();
        let labels: Vec<_> = operation.parameters.iter().map(|parameter| parameter.label).collect();
        let (takes, go_on) = if names.is_empty() {
            ("none".to_owned(), "The list is always complete: please ask again without it.".to_owned())
        } else {
            (names.join(", "), format!("Please ask again with these only: {}.", labels.join(", ")))
        };
        let rule = format!("is not an argument of {}, which takes {takes}", operation.tool);
        let spoken = format!("“{}” can't be used here. {go_on}", in_words(&shown(name)));
        Self { spoken, ..Self::invalid_parameter(name, &rule) }
    }

    fn invalid_parameter(parameter: &str, rule: &str) -> Self {
        let message = format!("invalid parameter: {} {rule}", shown(parameter));
        Self { kind: FaultKind::InvalidParameter, spoken: message.clone(), message }
    }

    /// Which kind of failure.
    #[must_use]
    pub fn kind(&self) -> FaultKind {
        self.kind
    }

    /// The `message` of REST's error body.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What an assistant may tell a person, word for word.
    #[must_use]
    pub fn spoken(&self) -> &str {
        &self.spoken
    }

    /// REST's error body.
    #[must_use]
    pub fn body(&self) -> Bytes {
        wire::to_json(&wire::ErrorBody { code: self.kind.code(), message: &self.message })
    }
}

/// A request's value as a message may repeat it: cut at 64 characters, and without invisible characters or characters that
/// change the direction of the text.
#[must_use]
pub fn shown(value: &str) -> String {
    let is_hidden = |c: char| c.is_control() || is_format(c);
    value.chars().take(64).map(|c| if is_hidden(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Unicode's format characters (category Cf), and its line and paragraph separators.
fn is_format(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}'
    )
}

/// " Did you mean a, b or c?"; nothing where there is nothing to offer.
fn did_you_mean(did: &str, names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => format!("{did} you mean {only}?"),
        [others @ .., last] => format!("{did} you mean {} or {last}?", others.join(", ")),
    }
}

/// A program's name as words: `preferredDate` and `preferred_date` are "preferred date".
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
mod tests {
    use super::*;

    #[test]
    fn an_invalid_state_reads_as_the_contract_says() {
        let fault = Fault::invalid_state("XX");
        assert_eq!(fault.body(), r#"{"code":"SPONSOR_NOT_COVERED","message":"invalid state code: XX"}"#);
        assert_eq!(
            fault.spoken(),
            "I don't recognise the state “XX”. Please give a US state name or two-letter code."
        );
        let long = Fault::invalid_state(&"é".repeat(65));
        assert_eq!(long.message(), format!("invalid state code: {}", "é".repeat(64)));
        assert_eq!(Fault::invalid_state("a\r\nb").message(), "invalid state code: a\u{fffd}\u{fffd}b");
        for hidden in ['\u{202e}', '\u{2066}', '\u{200b}', '\u{2028}', '\u{feff}', '\u{ad}', '\u{e0041}'] {
            let fault = Fault::invalid_state(&format!("X{hidden}Y"));
            assert_eq!(fault.message(), "invalid state code: X\u{fffd}Y", "{hidden:?}");
            assert!(!fault.spoken().contains(hidden), "{hidden:?}");
        }
    }

    #[test]
    fn names_that_are_near_are_offered() {
        let none = Fault::invalid_insurance("Nope", &[]);
        assert_eq!(none.message(), "invalid insurance: Nope; /v1/insurances lists the accepted plans");
        let one = Fault::invalid_insurance("Juniper", &["Juniper Advantage"]);
        assert_eq!(
            one.message(),
            "invalid insurance: Juniper; did you mean \"Juniper Advantage\"? /v1/insurances lists the accepted plans"
        );
        assert_eq!(
            one.spoken(),
            "“Juniper” is not one of the insurance plans accepted here. Did you mean “Juniper Advantage”? List the \
             accepted plans to find the exact name."
        );
        let two = Fault::provider_not_found("Ann", &[("ann-one", "Ann One"), ("ann-two", "Ann Two")]);
        assert_eq!(two.message(), "provider not found: Ann; did you mean ann-one or ann-two?");
        assert_eq!(
            two.spoken(),
            "No clinician is listed as “Ann”. Did you mean Ann One (ann-one) or Ann Two (ann-two)? If not, search by \
             state."
        );
    }

    #[test]
    fn programs_names_become_words() {
        for (name, words) in
            [("preferredDate", "preferred date"), ("max_results", "max results"), ("NPI", "npi")]
        {
            assert_eq!(in_words(name), words);
        }
    }

    #[test]
    fn every_kind_has_a_code_of_its_own() {
        let codes: std::collections::BTreeSet<_> = FaultKind::ALL.iter().map(|kind| kind.code()).collect();
        assert_eq!(codes.len(), FaultKind::ALL.len());
        assert!(FaultKind::ALL.is_sorted_by_key(|kind| kind.status()));
    }

    #[test]
    fn whoever_is_sent_away_for_now_is_told_when_to_come_back() {
        for kind in FaultKind::ALL {
            assert_eq!(kind.retry_after().is_some(), matches!(kind.status(), 429 | 503), "{kind:?}");
        }
    }
}

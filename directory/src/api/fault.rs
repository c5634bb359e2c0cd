//! What can go wrong, told twice: for a developer who reads REST's error body, and for a person to whom an
//! assistant repeats the sentence. Kinds, their statuses and their codes are part of the public API.

use bytes::Bytes;

use super::operation::{Operation, OperationId};
use super::wire;

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

    pub(crate) fn invalid_insurance(value: &str) -> Self {
        let value = shown(value);
        Self {
            kind: FaultKind::InvalidInsurance,
            message: format!(
                "invalid insurance: {value}; {} lists the accepted plans",
                Operation::get(OperationId::Insurances).path
            ),
            spoken: format!(
                "“{value}” is not one of the insurance plans accepted here. \
                 List the accepted plans to find the exact name."
            ),
        }
    }

    pub(crate) fn provider_not_found(slug: &str) -> Self {
        let slug = shown(slug);
        Self {
            kind: FaultKind::ProviderNotFound,
            message: format!("provider not found: {slug}"),
            spoken: format!("No clinician is listed as “{slug}”. Search by state to find one."),
        }
    }

    /// Slots that nobody can vouch for at the moment: what is known of them is too old, or nothing was ever read.
    pub(crate) fn availability_unavailable(awaits_feed: bool) -> Self {
        let why = if awaits_feed {
            "nothing could be read from the scheduling system yet"
        } else {
            "the scheduling system's data is too old to be shown"
        };
        Self {
            kind: FaultKind::AvailabilityUnavailable,
            message: format!("availability is unknown: {why}"),
            spoken: "Appointment times can't be checked right now because the scheduling system isn't \
                     responding. Nothing is wrong with your request. Please try again in a few minutes."
                .to_owned(),
        }
    }

    /// A question without the one thing that it cannot do without; `ask` is how to ask a person for it.
    pub(crate) fn missing(parameter: &str, ask: &str) -> Self {
        Self { spoken: ask.to_owned(), ..Self::invalid_parameter(parameter, "is required") }
    }

    /// `rule` completes the sentence that begins with the parameter's name: "must be a whole number".
    pub(crate) fn invalid_parameter(parameter: &str, rule: &str) -> Self {
        let parameter = shown(parameter);
        Self {
            kind: FaultKind::InvalidParameter,
            message: format!("invalid parameter: {parameter} {rule}"),
            spoken: format!(
                "The request could not be understood: “{parameter}” {rule}. Please correct it and ask again."
            ),
        }
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

/// A value from outside, fit to be repeated: cut at 64 characters, control characters replaced.
fn shown(value: &str) -> String {
    value.chars().take(64).map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
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

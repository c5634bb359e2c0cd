//! What every command tells people alike: why it could not do its work, and how many.

use std::fmt;
use std::io;

use chrono::{DateTime, SecondsFormat, Utc};

/// Why a command could not do its work, in one sentence: what is wrong, where, and what to do.
#[derive(Debug)]
pub struct Refusal {
    sentence: String,
    may_pass: bool,
}

impl Refusal {
    pub fn new(sentence: impl fmt::Display) -> Self {
        Self { sentence: sentence.to_string(), may_pass: false }
    }

    /// The same refusal where waiting can help. systemd starts such a service again.
    #[must_use]
    pub fn passing(self) -> Self {
        Self { may_pass: true, ..self }
    }

    /// Whether the same command may succeed later.
    pub fn may_pass(&self) -> bool {
        self.may_pass
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.sentence)
    }
}

impl From<io::Error> for Refusal {
    /// An error of writing to standard output; empty if its reader has closed it.
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::new("") } else { Self::new(error) }
    }
}

/// Why the system refused something, in plain words.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it doesn't exist".to_owned(),
        io::ErrorKind::PermissionDenied => "you don't have permission".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "its disk is read-only".to_owned(),
        io::ErrorKind::StorageFull => "its disk is full".to_owned(),
        _ => error.to_string(),
    }
}

/// RFC 3339 in UTC, to the second.
pub fn rfc3339(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// "1 error", "2 errors".
pub fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

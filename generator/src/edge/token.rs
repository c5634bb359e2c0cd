//! Words and header values that cannot end a rule.

use std::fmt;
use std::str::FromStr;

use crate::path::PathError;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EdgeError {
    #[error("\"{}\" isn't allowed in a host's rules: use visible ASCII characters without spaces", .0.escape_debug())]
    Word(String),
    #[error("\"{}\" isn't a valid header value: use visible ASCII characters and single spaces", .0.escape_debug())]
    HeaderValue(String),
    #[error(
        "this host can't pass requests on to live-url \"{0}\": remove its path, as in https://live.example"
    )]
    Upstream(String),
    #[error(
        "this host can't check the certificate of live-url \"{0}\": use a host name, as in https://live.example, \
         or use http:// on the same computer"
    )]
    UpstreamWithoutName(String),
    #[error(transparent)]
    Path(#[from] PathError),
}

/// Visible ASCII without spaces, and without `#`, which starts a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token(String);

impl FromStr for Token {
    type Err = EdgeError;

    fn from_str(text: &str) -> Result<Self, EdgeError> {
        let is_word = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
        if is_word { Ok(Self(text.to_owned())) } else { Err(EdgeError::Word(text.to_owned())) }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Words of visible ASCII, separated by single spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeaderValue(String);

impl FromStr for HeaderValue {
    type Err = EdgeError;

    fn from_str(text: &str) -> Result<Self, EdgeError> {
        let is_value =
            text.split(' ').all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_graphic()));
        if is_value { Ok(Self(text.to_owned())) } else { Err(EdgeError::HeaderValue(text.to_owned())) }
    }
}

impl HeaderValue {
    /// Hosts expand `$` and `{` within quotes.
    pub(crate) fn quoted(&self) -> Result<String, EdgeError> {
        let is_plain = !self.0.contains(['\\', '$', '{']);
        if is_plain {
            Ok(format!("\"{}\"", self.0.replace('"', "\\\"")))
        } else {
            Err(EdgeError::HeaderValue(self.0.clone()))
        }
    }
}

impl fmt::Display for HeaderValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_values_cannot_end_a_word_or_a_line() {
        assert!("https://live.example/v1/availability?x=1".parse::<Token>().is_ok());
        for text in ["", "a b", "a\nb", "a\tb", "a\u{a0}b", "é", "a#b", "a\0"] {
            assert_eq!(text.parse::<Token>(), Err(EdgeError::Word(text.to_owned())), "{text:?}");
        }
        assert!("public, max-age=300".parse::<HeaderValue>().is_ok());
        for text in ["", " a", "a ", "a  b", "a\r\nSet-Cookie: b", "a\tb"] {
            assert_eq!(text.parse::<HeaderValue>(), Err(EdgeError::HeaderValue(text.to_owned())), "{text:?}");
        }
    }
}
